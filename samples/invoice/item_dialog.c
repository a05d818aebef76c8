/* The dialog that adds or edits an item. Three switches give it another shape. */
#include "invoice.h"

struct task {
    BOOL is_new;
    struct item *item;
};

static int template_id(void)
{
    if (switches.replace_dialog) {
        return IDD_ITEM_OTHER;
    }
    if (switches.remove_button) {
        return IDD_ITEM_NO_OK;
    }
    return switches.extra_sibling ? IDD_ITEM_EXTRA : IDD_ITEM;
}

static void fill(HWND dialog, const struct task *task)
{
    const struct item *item = task->item;
    HWND category = GetDlgItem(dialog, IDC_CATEGORY);
    SYSTEMTIME date = { 0 };
    WCHAR price[AMOUNT_SIZE];
    int i;
    SetWindowTextW(dialog, text(task->is_new ? IDS_ADD_TITLE : IDS_EDIT_TITLE));
    SendDlgItemMessageW(dialog, IDC_DESCRIPTION, EM_LIMITTEXT, TEXT_SIZE - 1, 0);
    SetDlgItemTextW(dialog, IDC_DESCRIPTION, item->description);
    for (i = 0; i < CATEGORY_COUNT; i++) {
        ComboBox_AddString(category, text(IDS_CATEGORY_BOOKS + i));
    }
    ComboBox_SetCurSel(category, item->category);
    SendDlgItemMessageW(dialog, IDC_QUANTITY, EM_LIMITTEXT, 3, 0);
    SendDlgItemMessageW(dialog, IDC_QUANTITY_SPIN, UDM_SETRANGE32, 1, 999);
    SendDlgItemMessageW(dialog, IDC_QUANTITY_SPIN, UDM_SETPOS32, 0, item->quantity);
    SendDlgItemMessageW(dialog, IDC_PRICE, EM_LIMITTEXT, 12, 0);
    if (!task->is_new) {
        format_plain(price, item->price);
        SetDlgItemTextW(dialog, IDC_PRICE, price);
    }
    date.wYear = (WORD)item->year;
    date.wMonth = (WORD)item->month;
    date.wDay = (WORD)item->day;
    SendDlgItemMessageW(dialog, IDC_DELIVERY, DTM_SETFORMATW, 0, (LPARAM)L"yyyy-MM-dd");
    SendDlgItemMessageW(dialog, IDC_DELIVERY, DTM_SETSYSTEMTIME, GDT_VALID, (LPARAM)&date);
    CheckRadioButton(dialog, IDC_VAT_STANDARD, IDC_VAT_NONE, IDC_VAT_STANDARD + item->vat);
    CheckDlgButton(dialog, IDC_GIFT_WRAP, item->gift ? BST_CHECKED : BST_UNCHECKED);
}

/* Says what is wrong and goes there. */
static BOOL refuse(HWND dialog, int control, int text_id)
{
    HWND window = GetDlgItem(dialog, control);
    ask(dialog, text_id, L"", MB_OK | MB_ICONWARNING);
    SendMessageW(dialog, WM_NEXTDLGCTL, (WPARAM)window, TRUE);
    return FALSE;
}

/* A file has one line for an item, and tabs between its values. */
static void trim(WCHAR *words)
{
    int from = 0, length = lstrlenW(words), i;
    for (i = 0; i < length; i++) {
        if (words[i] < L' ') {
            words[i] = L' ';
        }
    }
    while (length > 0 && words[length - 1] == L' ') {
        words[--length] = 0;
    }
    while (words[from] == L' ') {
        from++;
    }
    MoveMemory(words, words + from, (size_t)(length - from + 1) * sizeof(WCHAR));
}

static void read_date(HWND dialog, struct item *item)
{
    SYSTEMTIME date;
    if (SendDlgItemMessageW(dialog, IDC_DELIVERY, DTM_GETSYSTEMTIME, 0, (LPARAM)&date) == GDT_VALID
        && !has_fault(FAULT_DATE_IGNORED)) {
        item->year = date.wYear;
        item->month = date.wMonth;
        item->day = date.wDay;
    }
}

/* FALSE if something is missing or wrong; the user knows then. */
static BOOL read(HWND dialog, struct item *item)
{
    struct item found = *item;
    WCHAR words[TEXT_SIZE];
    BOOL is_number;
    GetDlgItemTextW(dialog, IDC_DESCRIPTION, found.description, COUNT(found.description));
    trim(found.description);
    if (found.description[0] == 0) {
        return refuse(dialog, IDC_DESCRIPTION, IDS_NO_DESCRIPTION);
    }
    if (has_fault(FAULT_TEXT_TRUNCATED)) {
        found.description[8] = 0;
    }
    found.category = ComboBox_GetCurSel(GetDlgItem(dialog, IDC_CATEGORY));
    found.quantity = (int)GetDlgItemInt(dialog, IDC_QUANTITY, &is_number, FALSE) + has_fault(FAULT_SPIN_OFF);
    if (!is_number || found.quantity < 1) {
        return refuse(dialog, IDC_QUANTITY, IDS_BAD_QUANTITY);
    }
    GetDlgItemTextW(dialog, IDC_PRICE, words, COUNT(words));
    if (!parse_amount(words, &found.price)) {
        return refuse(dialog, IDC_PRICE, IDS_BAD_PRICE);
    }
    read_date(dialog, &found);
    found.vat = VAT_STANDARD;
    while (found.vat < VAT_NONE && !IsDlgButtonChecked(dialog, IDC_VAT_STANDARD + found.vat)) {
        found.vat++;
    }
    found.gift = IsDlgButtonChecked(dialog, IDC_GIFT_WRAP) == BST_CHECKED;
    *item = found;
    return TRUE;
}

/* The dialog of --replace-dialog: whatever is written becomes a description. */
static void read_quick(HWND dialog, struct item *item)
{
    GetDlgItemTextW(dialog, IDC_QUICK_LINE, item->description, COUNT(item->description));
    trim(item->description);
}

static WNDPROC box_procedure;

/* A box that takes no click. */
static LRESULT CALLBACK dead_box(HWND box, UINT message, WPARAM wparam, LPARAM lparam)
{
    if (message == BM_CLICK || message == WM_LBUTTONDOWN || message == WM_LBUTTONUP || message == WM_KEYDOWN) {
        return 0;
    }
    return CallWindowProcW(box_procedure, box, message, wparam, lparam);
}

static INT_PTR CALLBACK item_dialog(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    struct task *task = (struct task *)GetWindowLongPtrW(dialog, DWLP_USER);
    int command = LOWORD(wparam);
    switch (message) {
    case WM_INITDIALOG:
        SetWindowLongPtrW(dialog, DWLP_USER, lparam);
        if (GetDlgItem(dialog, IDC_DESCRIPTION) != NULL) {
            fill(dialog, (const struct task *)lparam);
            if (has_fault(FAULT_BOX_DEAD)) {
                box_procedure = (WNDPROC)SetWindowLongPtrW(GetDlgItem(dialog, IDC_GIFT_WRAP), GWLP_WNDPROC, (LONG_PTR)dead_box);
            }
            if (has_fault(FAULT_BUTTON_RENAMED)) {
                SetDlgItemTextW(dialog, IDCANCEL, L"Back");
            }
            SetFocus(GetDlgItem(dialog, has_fault(FAULT_FOCUS_WRONG) ? IDC_PRICE : IDC_DESCRIPTION));
            SendMessageW(GetFocus(), EM_SETSEL, 0, -1);
            return FALSE;
        }
        return TRUE;
    case WM_COMMAND:
        if (command == IDCANCEL && has_fault(FAULT_CANCEL_ADDS)) {
            command = IDOK;
        }
        /* Return sends IDOK even where there is no such button. */
        if (command == IDOK && !has_fault(FAULT_DIALOG_STAYS) && GetDlgItem(dialog, IDOK) != NULL) {
            if (read(dialog, task->item)) {
                EndDialog(dialog, TRUE);
            }
        } else if (command == IDC_QUICK_TAKE) {
            read_quick(dialog, task->item);
            EndDialog(dialog, TRUE);
        } else if (command == IDCANCEL || command == IDC_QUICK_LEAVE) {
            EndDialog(dialog, FALSE);
        }
        return TRUE;
    }
    return FALSE;
}

BOOL open_item_dialog(HWND owner, BOOL is_new, struct item *item)
{
    struct task task = { is_new, item };
    INT_PTR result;
    note(L"DIALOG item opened");
    result = run_dialog(template_id(), owner, item_dialog, (LPARAM)&task);
    note(L"DIALOG item result=%d", (int)result);
    return result == TRUE;
}
