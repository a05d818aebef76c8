/* The seeded faults. Each is asked for at exactly one place of the program: search for its name. */
#include "invoice.h"

static const struct {
    const WCHAR *name, *what;
} FAULTS[FAULT_COUNT] = {
    [FAULT_WRONG_TOTAL] = { L"wrong-total", L"the last item is not in the total" },
    [FAULT_GIFT_FREE] = { L"gift-free", L"the gift wrap box has no effect on the price" },
    [FAULT_DIALOG_STAYS] = { L"dialog-stays", L"OK in the item dialog does nothing" },
    [FAULT_MENU_DISABLED] = { L"menu-disabled", L"Items, Remove stays disabled" },
    [FAULT_TEXT_TRUNCATED] = { L"text-truncated", L"a description loses all but its first eight characters" },
    [FAULT_WRONG_SELECTION] = { L"wrong-selection", L"after an item was added the first one is selected" },
    [FAULT_LATE_WINDOW] = { L"late-window", L"the item dialog opens one and a half seconds late" },
    [FAULT_TITLE_STALE] = { L"title-stale", L"the title keeps its first text" },
    [FAULT_FOCUS_WRONG] = { L"focus-wrong", L"the item dialog begins in the price" },
    [FAULT_ORDER_WRONG] = { L"order-wrong", L"a new item comes first, not last" },
    [FAULT_VAT_IGNORED] = { L"vat-ignored", L"no VAT is added" },
    [FAULT_CURRENCY_HIDDEN] = { L"currency-hidden", L"amounts are shown without the currency" },
    [FAULT_STATUS_STALE] = { L"status-stale", L"the status bar keeps its first total" },
    [FAULT_SAVE_EMPTY] = { L"save-empty", L"an empty file is saved" },
    [FAULT_NO_QUESTION] = { L"no-question", L"unsaved changes are dropped without a question" },
    [FAULT_DOUBLE_ADD] = { L"double-add", L"an item is added twice" },
    [FAULT_SPIN_OFF] = { L"spin-off", L"the quantity is read one too high" },
    [FAULT_DATE_IGNORED] = { L"date-ignored", L"the chosen delivery date is not taken" },
    [FAULT_COMBO_DEFAULT] = { L"combo-default", L"a new item begins with the last category" },
    [FAULT_RADIO_DEFAULT] = { L"radio-default", L"a new item begins with the reduced VAT rate" },
    [FAULT_ABOUT_CRASH] = { L"about-crash", L"the program crashes when the About box is asked for" },
    [FAULT_CANCEL_ADDS] = { L"cancel-adds", L"Cancel in the item dialog works as OK" },
    [FAULT_SORT_WRONG] = { L"sort-wrong", L"a click on a column sorts backwards" },
    [FAULT_DISCOUNT_IGNORED] = { L"discount-ignored", L"the discount is not taken off" },
    [FAULT_OPTIONS_LOST] = { L"options-lost", L"the customer's name is not kept" },
    [FAULT_KEY_DEAD] = { L"key-dead", L"Del does nothing" },
    [FAULT_EXTRA_BOX] = { L"extra-box", L"a message box says thank you after each added item" },
    [FAULT_HANG] = { L"hang", L"the program hangs when an item is moved" },
    [FAULT_NEVER_OPENS] = { L"never-opens", L"the item dialog does not open" },
    [FAULT_EDIT_HANGS] = { L"edit-hangs", L"the program hangs when an item is to be edited" },
    [FAULT_EDIT_EXITS] = { L"edit-exits", L"the program ends without a word when an item is to be edited" },
    [FAULT_EDIT_CRASHES] = { L"edit-crashes", L"the program crashes when an item is to be edited" },
    [FAULT_BOX_DEAD] = { L"box-dead", L"a click on the gift wrap box does nothing" },
    [FAULT_STATUS_HIDDEN] = { L"status-hidden", L"the status bar goes when an item is added" },
    [FAULT_BUTTON_RENAMED] = { L"button-renamed", L"the Cancel button of the item dialog is called Back" },
};

static BOOL chosen[FAULT_COUNT];

BOOL set_fault(const WCHAR *name)
{
    int i;
    for (i = 0; i < FAULT_COUNT; i++) {
        if (lstrcmpW(FAULTS[i].name, name) == 0) {
            chosen[i] = TRUE;
            return TRUE;
        }
    }
    return FALSE;
}

BOOL has_fault(enum fault fault)
{
    return chosen[fault];
}

void print_faults(void)
{
    int i;
    for (i = 0; i < FAULT_COUNT; i++) {
        WCHAR line[200];
        char bytes[600];
        DWORD written;
        int length;
        StringCchPrintfW(line, COUNT(line), L"%s: %s\n", FAULTS[i].name, FAULTS[i].what);
        length = WideCharToMultiByte(CP_UTF8, 0, line, -1, bytes, (int)sizeof(bytes), NULL, NULL);
        WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), bytes, (DWORD)length - 1, &written, NULL);
    }
}
