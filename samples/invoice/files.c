/* An invoice as a file: UTF-8, a first line that says what it is, then NAME=VALUE. An item's values stand between tabs. */
#include "invoice.h"

#include <stdlib.h>

#define FIRST_LINE L"invoice 1"
#define MAX_BYTES (256 * 1024)

static BOOL write_line(HANDLE file, const WCHAR *format, ...)
{
    WCHAR line[512];
    char bytes[3 * 512];
    DWORD written;
    int length;
    va_list args;
    va_start(args, format);
    StringCchVPrintfW(line, COUNT(line) - 2, format, args);
    va_end(args);
    StringCchCatW(line, COUNT(line), L"\r\n");
    length = WideCharToMultiByte(CP_UTF8, 0, line, -1, bytes, (int)sizeof(bytes), NULL, NULL) - 1;
    return WriteFile(file, bytes, (DWORD)length, &written, NULL) && written == (DWORD)length;
}

static BOOL write_item(HANDLE file, const struct item *item)
{
    WCHAR price[AMOUNT_SIZE];
    format_plain(price, item->price);
    return write_line(file, L"item=%s\t%d\t%d\t%s\t%d\t%d\t%04d-%02d-%02d", item->description, item->category,
        item->quantity, price, VAT_RATES[item->vat], item->gift, item->year, item->month, item->day);
}

static BOOL write_all(HANDLE file)
{
    const struct options *options = &document.options;
    BOOL well = write_line(file, FIRST_LINE) && write_line(file, L"customer=%s", options->customer)
        && write_line(file, L"discount=%d", options->discount) && write_line(file, L"percent=%d", options->percent)
        && write_line(file, L"currency=%s", CURRENCIES[options->currency])
        && write_line(file, L"rounding=%d", options->rounding) && write_line(file, L"numbers=%d", options->numbers)
        && write_line(file, L"show-currency=%d", options->show_currency);
    int row;
    for (row = 0; row < document.count && well; row++) {
        well = write_item(file, item_at(row));
    }
    return well;
}

BOOL write_document(const WCHAR *path)
{
    HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    BOOL well;
    if (file == INVALID_HANDLE_VALUE) {
        return FALSE;
    }
    well = has_fault(FAULT_SAVE_EMPTY) || write_all(file);
    return CloseHandle(file) && well;
}

/* Cuts the text before the next separator off and returns it; NULL at the end. */
static WCHAR *cut(WCHAR **rest, WCHAR separator)
{
    WCHAR *begin = *rest, *end;
    if (begin == NULL) {
        return NULL;
    }
    for (end = begin; *end != 0 && *end != separator; end++) {
    }
    *rest = *end != 0 ? end + 1 : NULL;
    *end = 0;
    return begin;
}

static BOOL read_number(const WCHAR *words, int least, int most, int *number)
{
    WCHAR *end;
    *number = words != NULL ? (int)wcstol(words, &end, 10) : least - 1;
    return *number >= least && *number <= most && *end == 0;
}

static BOOL read_item(WCHAR *values, struct item *item)
{
    const WCHAR *description = cut(&values, L'\t'), *category = cut(&values, L'\t'), *quantity = cut(&values, L'\t');
    const WCHAR *price = cut(&values, L'\t'), *vat = cut(&values, L'\t'), *gift = cut(&values, L'\t');
    const WCHAR *year = cut(&values, L'-'), *month = cut(&values, L'-'), *day = cut(&values, L'-');
    int rate;
    default_item(item);
    StringCchCopyW(item->description, COUNT(item->description), description);
    if (!read_number(category, 0, CATEGORY_COUNT - 1, &item->category)
        || !read_number(quantity, 1, 999, &item->quantity) || price == NULL || !parse_amount(price, &item->price)
        || !read_number(vat, 0, 100, &rate) || !read_number(gift, 0, 1, &item->gift)
        || !read_number(year, 1900, 9999, &item->year) || !read_number(month, 1, 12, &item->month)
        || !read_number(day, 1, 31, &item->day)) {
        return FALSE;
    }
    for (item->vat = 0; item->vat < VAT_COUNT; item->vat++) {
        if (VAT_RATES[item->vat] == rate) {
            return TRUE;
        }
    }
    return FALSE;
}

static BOOL read_currency(const WCHAR *value, int *currency)
{
    for (*currency = 0; *currency < CURRENCY_COUNT; ++*currency) {
        if (lstrcmpW(CURRENCIES[*currency], value) == 0) {
            return TRUE;
        }
    }
    return FALSE;
}

static BOOL take_line(const WCHAR *name, WCHAR *value, struct options *options)
{
    struct item item;
    if (value == NULL) {
        return FALSE;
    }
    if (lstrcmpW(name, L"customer") == 0) {
        StringCchCopyW(options->customer, COUNT(options->customer), value);
        return TRUE;
    }
    if (lstrcmpW(name, L"discount") == 0) {
        return read_number(value, 0, 1, &options->discount);
    }
    if (lstrcmpW(name, L"percent") == 0) {
        return read_number(value, 1, 50, &options->percent);
    }
    if (lstrcmpW(name, L"currency") == 0) {
        return read_currency(value, &options->currency);
    }
    if (lstrcmpW(name, L"rounding") == 0) {
        return read_number(value, 0, ROUND_COUNT - 1, &options->rounding);
    }
    if (lstrcmpW(name, L"numbers") == 0) {
        return read_number(value, 0, NUMBERS_COUNT - 1, &options->numbers);
    }
    if (lstrcmpW(name, L"show-currency") == 0) {
        return read_number(value, 0, 1, &options->show_currency);
    }
    return lstrcmpW(name, L"item") == 0 && read_item(value, &item) && add_item(&item);
}

static BOOL take_lines(WCHAR *rest)
{
    struct options options = document.options;
    WCHAR *line = cut(&rest, L'\n');
    if (lstrcmpW(line, FIRST_LINE) != 0) {
        return FALSE;
    }
    while ((line = cut(&rest, L'\n')) != NULL) {
        WCHAR *value = line;
        const WCHAR *name = cut(&value, L'=');
        if (*name != 0 && !take_line(name, value, &options)) {
            return FALSE;
        }
    }
    set_options(&options);
    return TRUE;
}

/* The whole file as text without carriage returns, or NULL. */
static WCHAR *read_text(const WCHAR *path)
{
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    char *bytes = HeapAlloc(GetProcessHeap(), 0, MAX_BYTES);
    WCHAR *words = HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, (MAX_BYTES + 1) * sizeof(WCHAR));
    WCHAR *from, *to;
    DWORD length = 0;
    BOOL well = file != INVALID_HANDLE_VALUE && bytes != NULL && words != NULL
        && ReadFile(file, bytes, MAX_BYTES, &length, NULL);
    if (file != INVALID_HANDLE_VALUE) {
        CloseHandle(file);
    }
    if (well) {
        MultiByteToWideChar(CP_UTF8, 0, bytes, (int)length, words, MAX_BYTES);
        for (from = to = words; *from != 0; from++) {
            if (*from != L'\r') {
                *to++ = *from;
            }
        }
        *to = 0;
    }
    HeapFree(GetProcessHeap(), 0, bytes);
    if (!well) {
        HeapFree(GetProcessHeap(), 0, words);
    }
    return well ? words : NULL;
}

enum reading read_document(const WCHAR *path)
{
    static struct document before; /* too large for the stack */
    WCHAR *words = read_text(path);
    if (words == NULL) {
        return READ_NOT;
    }
    before = document;
    ZeroMemory(&document, sizeof(document));
    new_document();
    if (!take_lines(words)) {
        HeapFree(GetProcessHeap(), 0, words);
        new_document();
        document = before;
        return READ_NO_INVOICE;
    }
    HeapFree(GetProcessHeap(), 0, words);
    /* The items of the invoice before have gone out of use. */
    {
        int slot;
        for (slot = 0; slot < MAX_ITEMS; slot++) {
            HeapFree(GetProcessHeap(), 0, before.slots[slot]);
        }
    }
    StringCchCopyW(document.path, COUNT(document.path), path);
    document.changed = FALSE;
    return READ_WELL;
}
