/* A regular customer gets one gift wrap for free: that of the dearest wrapped item. It is given anew when an item
 * was added or edited and when the options changed.
 *
 * Here is the planted crash, and README.md tells how to get it: remove_item leaves the removed item's slot in free_wrap,
 * and edit_item believes it.
 */
#include "invoice.h"

void take_back_free_wrap(void)
{
    if (document.free_wrap != NO_SLOT) {
        /* The slot is empty if its item was removed: an access violation. */
        document.slots[document.free_wrap]->wrapped_free = FALSE;
    }
    document.free_wrap = NO_SLOT;
}

void clear_free_wrap(void)
{
    int row;
    for (row = 0; row < document.count; row++) {
        item_at(row)->wrapped_free = FALSE;
    }
    document.free_wrap = NO_SLOT;
}

void give_free_wrap(void)
{
    int row, slot;
    money highest = -1;
    if (!document.options.discount) {
        return;
    }
    for (row = 0; row < document.count; row++) {
        const struct item *item = item_at(row);
        if (item->gift && item->price > highest) {
            highest = item->price;
            document.free_wrap = document.rows[row];
        }
    }
    slot = document.free_wrap;
    if (slot != NO_SLOT) {
        document.slots[slot]->wrapped_free = TRUE;
    }
}
