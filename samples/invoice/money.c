/* Amounts are whole hundredths of the currency: nothing here is a floating-point number. */
#include "invoice.h"

#define MAX_PRICE 9999999

/* Halves away from zero; amounts are never negative here. */
money rounded_to(money amount, money step)
{
    return (amount + step / 2) / step * step;
}

money rounded_part(money amount, int percent)
{
    return (amount * percent + 50) / 100;
}

void format_plain(WCHAR *buffer, money amount)
{
    StringCchPrintfW(buffer, AMOUNT_SIZE, L"%I64d.%02d", amount / 100, (int)(amount % 100));
}

static void group_digits(WCHAR *buffer, money whole, WCHAR separator)
{
    WCHAR digits[AMOUNT_SIZE];
    int i, length;
    StringCchPrintfW(digits, COUNT(digits), L"%I64d", whole);
    length = lstrlenW(digits);
    for (i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0 && separator != 0) {
            *buffer++ = separator;
        }
        *buffer++ = digits[i];
    }
    *buffer = 0;
}

void format_amount(WCHAR *buffer, money amount, BOOL with_currency)
{
    static const struct {
        WCHAR thousands, decimal;
    } FORMATS[NUMBERS_COUNT] = { { L',', L'.' }, { L'.', L',' }, { 0, L'.' } };
    const struct options *options = &document.options;
    WCHAR whole[AMOUNT_SIZE];
    group_digits(whole, amount / 100, FORMATS[options->numbers].thousands);
    StringCchPrintfW(buffer, AMOUNT_SIZE, L"%s%c%02d", whole, FORMATS[options->numbers].decimal, (int)(amount % 100));
    if (with_currency && options->show_currency && !has_fault(FAULT_CURRENCY_HIDDEN)) {
        StringCchCatW(buffer, AMOUNT_SIZE, L" ");
        StringCchCatW(buffer, AMOUNT_SIZE, CURRENCIES[options->currency]);
    }
}

BOOL parse_amount(const WCHAR *words, money *amount)
{
    int digits = 0, decimals = -1;
    *amount = 0;
    while (*words == L' ') {
        words++;
    }
    for (; *words >= L'0' && *words <= L'9'; words++, digits++) {
        *amount = *amount * 10 + (*words - L'0');
        if (*amount > MAX_PRICE) {
            return FALSE;
        }
    }
    if (*words == L'.' || *words == L',') {
        for (words++, decimals = 0; *words >= L'0' && *words <= L'9' && decimals < 2; words++, decimals++) {
            *amount = *amount * 10 + (*words - L'0');
        }
    }
    while (*words == L' ') {
        words++;
    }
    *amount *= decimals == 2 ? 1 : decimals == 1 ? 10 : 100;
    return digits > 0 && decimals != 0 && *words == 0 && *amount <= MAX_PRICE;
}
