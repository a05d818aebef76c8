/* The invoice: items, options and what they add up to. Knows no window. */
#include "invoice.h"

#define GIFT_WRAP_PRICE 250

const int VAT_RATES[VAT_COUNT] = { 19, 7, 0 };
const WCHAR *const CURRENCIES[CURRENCY_COUNT] = { L"EUR", L"USD", L"GBP", L"JPY" };

struct document document;

void new_document(void)
{
    int slot;
    for (slot = 0; slot < MAX_ITEMS; slot++) {
        HeapFree(GetProcessHeap(), 0, document.slots[slot]);
    }
    ZeroMemory(&document, sizeof(document));
    document.free_wrap = NO_SLOT;
    document.options.percent = 10;
    document.options.show_currency = TRUE;
}

struct item *item_at(int row)
{
    return document.slots[document.rows[row]];
}

/* The date is a fixed one: the same session looks the same on another day. */
void default_item(struct item *item)
{
    ZeroMemory(item, sizeof(*item));
    item->quantity = 1;
    item->category = has_fault(FAULT_COMBO_DEFAULT) ? CATEGORY_COUNT - 1 : 0;
    item->vat = has_fault(FAULT_RADIO_DEFAULT) ? VAT_REDUCED : VAT_STANDARD;
    item->year = 2026;
    item->month = 3;
    item->day = 2;
}

static int free_slot(void)
{
    int slot = 0;
    while (slot < MAX_ITEMS && document.slots[slot] != NULL) {
        slot++;
    }
    return slot;
}

BOOL add_item(const struct item *item)
{
    int slot = free_slot();
    if (slot == MAX_ITEMS) {
        return FALSE;
    }
    document.slots[slot] = HeapAlloc(GetProcessHeap(), 0, sizeof(*item));
    if (document.slots[slot] == NULL) {
        return FALSE;
    }
    *document.slots[slot] = *item;
    document.slots[slot]->wrapped_free = FALSE;
    document.rows[document.count++] = slot;
    clear_free_wrap();
    give_free_wrap();
    document.changed = TRUE;
    return TRUE;
}

void edit_item(int row, const struct item *item)
{
    take_back_free_wrap();
    *item_at(row) = *item;
    item_at(row)->wrapped_free = FALSE;
    give_free_wrap();
    document.changed = TRUE;
}

void remove_item(int row)
{
    int slot = document.rows[row];
    HeapFree(GetProcessHeap(), 0, document.slots[slot]);
    document.slots[slot] = NULL;
    document.count--;
    MoveMemory(&document.rows[row], &document.rows[row + 1], (size_t)(document.count - row) * sizeof(document.rows[0]));
    document.changed = TRUE;
}

/* Shifts what lies between. */
void move_item(int row, int to)
{
    int slot = document.rows[row], step = to > row ? 1 : -1;
    for (; row != to; row += step) {
        document.rows[row] = document.rows[row + step];
    }
    document.rows[to] = slot;
    document.changed = TRUE;
}

static LONGLONG compare(const struct item *left, const struct item *right, int column)
{
    switch (column) {
    case COLUMN_QUANTITY:
        return left->quantity - right->quantity;
    case COLUMN_PRICE:
        return left->price - right->price;
    case COLUMN_VAT:
        return VAT_RATES[left->vat] - VAT_RATES[right->vat];
    case COLUMN_GIFT:
        return right->gift - left->gift;
    case COLUMN_DELIVERY:
        return (left->year - right->year) * 10000 + (left->month - right->month) * 100 + left->day - right->day;
    case COLUMN_TOTAL:
        return line_total(left) - line_total(right);
    }
    return lstrcmpiW(left->description, right->description);
}

/* By insertion: equal items keep their order. */
void sort_items(int column)
{
    int i, sign = has_fault(FAULT_SORT_WRONG) ? -1 : 1;
    for (i = 1; i < document.count; i++) {
        int to = i;
        while (to > 0 && sign * compare(item_at(to - 1), item_at(i), column) > 0) {
            to--;
        }
        move_item(i, to);
    }
    document.changed = TRUE;
}

void set_options(const struct options *options)
{
    if (memcmp(&document.options, options, sizeof(*options)) != 0) {
        document.changed = TRUE;
    }
    document.options = *options;
    clear_free_wrap();
    give_free_wrap();
}

static money net_of(const struct item *item)
{
    money net = item->price * item->quantity;
    if (item->gift && !item->wrapped_free && !has_fault(FAULT_GIFT_FREE)) {
        net += GIFT_WRAP_PRICE;
    }
    if (document.options.discount && !has_fault(FAULT_DISCOUNT_IGNORED)) {
        net = rounded_part(net, 100 - document.options.percent);
    }
    return net;
}

static money vat_of(const struct item *item)
{
    return has_fault(FAULT_VAT_IGNORED) ? 0 : rounded_part(net_of(item), VAT_RATES[item->vat]);
}

money line_total(const struct item *item)
{
    return net_of(item) + vat_of(item);
}

struct totals document_totals(void)
{
    static const money STEPS[ROUND_COUNT] = { 1, 5, 100 };
    struct totals totals = { 0, 0, 0 };
    int row, count = has_fault(FAULT_WRONG_TOTAL) ? document.count - 1 : document.count;
    for (row = 0; row < count; row++) {
        totals.net += net_of(item_at(row));
        totals.vat += vat_of(item_at(row));
    }
    totals.total = rounded_to(totals.net + totals.vat, STEPS[document.options.rounding]);
    return totals;
}
