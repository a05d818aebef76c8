/* Pictures without picture files: coloured squares with a shape. */
#include "gallery.h"

static const COLORREF COLOURS[IMAGE_COUNT] = { RGB(200, 40, 40), RGB(40, 140, 60), RGB(40, 80, 200), RGB(220, 160, 20) };

void draw_swatch(HDC dc, const RECT *area, int number)
{
    HBRUSH brush = CreateSolidBrush(COLOURS[number % IMAGE_COUNT]);
    HGDIOBJ before = SelectObject(dc, brush);
    if (number % 2 == 0) {
        Rectangle(dc, area->left, area->top, area->right, area->bottom);
    } else {
        Ellipse(dc, area->left, area->top, area->right, area->bottom);
    }
    SelectObject(dc, before);
    DeleteObject(brush);
}

HIMAGELIST create_images(int size)
{
    HIMAGELIST images = ImageList_Create(size, size, ILC_COLOR24 | ILC_MASK, IMAGE_COUNT, 1);
    HDC screen = GetDC(NULL), dc = CreateCompatibleDC(screen);
    RECT area = { 1, 1, 0, 0 }, all = { 0, 0, 0, 0 };
    int i;
    area.right = area.bottom = size - 1;
    all.right = all.bottom = size;
    for (i = 0; i < IMAGE_COUNT; i++) {
        HBITMAP picture = CreateCompatibleBitmap(screen, size, size);
        HGDIOBJ before = SelectObject(dc, picture);
        HBRUSH background = CreateSolidBrush(RGB(255, 0, 255));
        FillRect(dc, &all, background);
        DeleteObject(background);
        draw_swatch(dc, &area, i);
        SelectObject(dc, before);
        ImageList_AddMasked(images, picture, RGB(255, 0, 255));
        DeleteObject(picture);
    }
    DeleteDC(dc);
    ReleaseDC(NULL, screen);
    return images;
}
