/* Where further windows go: beside the main window where the screen has room, so that they can be seen and clicked.
 *
 * Windows keeps owned windows above their owner; Wine hides them behind it when the owner is activated.
 */
#include "gallery.h"

void keep_on_screen(HWND window)
{
    RECT screen, area;
    int left, top;
    SystemParametersInfoW(SPI_GETWORKAREA, 0, &screen, 0);
    GetWindowRect(window, &area);
    left = area.right > screen.right ? screen.right - (area.right - area.left) : area.left;
    top = area.bottom > screen.bottom ? screen.bottom - (area.bottom - area.top) : area.top;
    left = left < screen.left ? screen.left : left;
    top = top < screen.top ? screen.top : top;
    SetWindowPos(window, NULL, left, top, 0, 0, SWP_NOSIZE | SWP_NOZORDER | SWP_NOACTIVATE);
}
