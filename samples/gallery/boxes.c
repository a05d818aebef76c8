/* Message boxes of every kind, and the task dialog that came after them. */
#include "gallery.h"

struct choice {
    const WCHAR *name;
    UINT flags;
};

static const struct choice KINDS[] = {
    { L"OK", MB_OK },
    { L"OK, Cancel", MB_OKCANCEL },
    { L"Abort, Retry, Ignore", MB_ABORTRETRYIGNORE },
    { L"Yes, No, Cancel", MB_YESNOCANCEL },
    { L"Yes, No", MB_YESNO },
    { L"Retry, Cancel", MB_RETRYCANCEL },
    { L"Cancel, Try, Continue", MB_CANCELTRYCONTINUE },
};

static const struct choice ICONS[] = {
    { L"No icon", 0 },
    { L"Information", MB_ICONINFORMATION },
    { L"Question", MB_ICONQUESTION },
    { L"Warning", MB_ICONWARNING },
    { L"Error", MB_ICONERROR },
};

void fill_message_box_kinds(HWND kinds, HWND icons)
{
    int i;
    for (i = 0; i < COUNT(KINDS); i++) {
        ComboBox_AddString(kinds, KINDS[i].name);
    }
    for (i = 0; i < COUNT(ICONS); i++) {
        ComboBox_AddString(icons, ICONS[i].name);
    }
    ComboBox_SetCurSel(kinds, 0);
    ComboBox_SetCurSel(icons, 0);
}

void open_message_box(HWND owner, int kind, int icon)
{
    int result;
    if (kind < 0 || kind >= COUNT(KINDS) || icon < 0 || icon >= COUNT(ICONS)) {
        return;
    }
    note(L"BOX opened kind=%d icon=%d", kind, icon);
    result = MessageBoxW(owner, KINDS[kind].name, L"Message box", KINDS[kind].flags | ICONS[icon].flags);
    note(L"BOX result=%d", result);
}

void open_task_dialog(HWND owner)
{
    static const TASKDIALOG_BUTTON buttons[] = { { 1000, L"&Keep it" }, { 1001, L"&Throw it away" } };
    static const TASKDIALOG_BUTTON radios[] = { { 1, L"Here" }, { 2, L"There" } };
    TASKDIALOGCONFIG config = { 0 };
    int button = 0, radio = 0;
    BOOL checked = FALSE;
    config.cbSize = sizeof(config);
    config.hwndParent = owner;
    config.dwFlags = TDF_ALLOW_DIALOG_CANCELLATION | TDF_POSITION_RELATIVE_TO_WINDOW;
    config.dwCommonButtons = TDCBF_CANCEL_BUTTON;
    config.pszWindowTitle = L"Task dialog";
    config.pszMainInstruction = L"What shall happen to it?";
    config.pszContent = L"It can be kept or thrown away.";
    config.cButtons = COUNT(buttons);
    config.pButtons = buttons;
    config.cRadioButtons = COUNT(radios);
    config.pRadioButtons = radios;
    config.pszVerificationText = L"Do not ask again";
    note(L"TASK DIALOG opened");
    TaskDialogIndirect(&config, &button, &radio, &checked);
    note(L"TASK DIALOG result=%d radio=%d checked=%d", button, radio, (int)checked);
}
