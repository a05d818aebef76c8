/* A canvas without controls. Its page is a square in the middle of the window, as large as the window allows;
 * what a click or a drag places is counted in cells of the page. Outside the page nothing happens.
 */
#include "truth.h"

#include <windowsx.h>

#define CELLS 20
#define RULER 40
#define MAX_SHAPES 16
#define IS_DRAG 6 /* pixels */

typedef struct {
    POINT from, to; /* in cells; equal for a dot */
} Shape;

static Shape shapes[MAX_SHAPES];
static int count;
static HWND canvas, panel, undo;
static POINT pressed;

/* Returns the side of the page; `page` is where it lies. */
static int page_of(HWND window, RECT *page)
{
    GetClientRect(window, page);
    page->left += options.more ? RULER : 0;
    int width = page->right - page->left, height = page->bottom - page->top;
    int side = min(width, height) * 8 / 10;
    page->left += (width - side) / 2;
    page->top += (height - side) / 2;
    page->right = page->left + side;
    page->bottom = page->top + side;
    return side;
}

/* Returns whether the point lies on the page; `cell` is the cell then. */
static BOOL cell_of(HWND window, POINT point, POINT *cell)
{
    RECT page;
    int side = page_of(window, &page);
    if (options.removed || side <= 0 || !PtInRect(&page, point)) {
        return FALSE;
    }
    cell->x = (point.x - page.left) * CELLS / side;
    cell->y = (point.y - page.top) * CELLS / side;
    return TRUE;
}

static POINT centre_of(const RECT *page, int side, POINT cell)
{
    int half = side / CELLS / 2;
    POINT centre = {page->left + cell.x * side / CELLS + half, page->top + cell.y * side / CELLS + half};
    return centre;
}

static void paint(HWND window)
{
    PAINTSTRUCT paint;
    RECT page;
    HDC dc = BeginPaint(window, &paint);
    int side = page_of(window, &page);
    if (!options.removed) {
        FillRect(dc, &page, GetStockObject(WHITE_BRUSH));
    }
    for (int i = 0; i < count; i++) {
        const Shape *shape = &shapes[i];
        int half = side / CELLS / 2;
        POINT from = centre_of(&page, side, shape->from), to = centre_of(&page, side, shape->to);
        Ellipse(dc, from.x - half, from.y - half, from.x + half, from.y + half);
        MoveToEx(dc, from.x, from.y, NULL);
        LineTo(dc, to.x, to.y);
    }
    EndPaint(window, &paint);
}

static void place(HWND window, POINT released)
{
    Shape shape;
    BOOL is_line = abs(released.x - pressed.x) > IS_DRAG || abs(released.y - pressed.y) > IS_DRAG;
    if (!is_line) {
        released = pressed;
    }
    if (count == MAX_SHAPES || !cell_of(window, pressed, &shape.from)
        || !cell_of(window, released, &shape.to)) {
        return;
    }
    shapes[count++] = shape;
    if (options.marked) {
        SetWindowTextW(GetParent(window), L"Truth *");
    }
    if (undo != NULL) {
        EnableWindow(undo, TRUE);
    }
    if (is_line) {
        outcome(L"LINE %d,%d %d,%d", shape.from.x, shape.from.y, shape.to.x, shape.to.y);
    } else {
        outcome(L"DOT %d,%d", shape.from.x, shape.from.y);
    }
    InvalidateRect(window, NULL, TRUE);
}

static LRESULT CALLBACK on_canvas(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    POINT point = {GET_X_LPARAM(lparam), GET_Y_LPARAM(lparam)};
    switch (message) {
    case WM_PAINT:
        paint(window);
        return 0;
    case WM_LBUTTONDOWN:
        pressed = point;
        SetCapture(window);
        return 0;
    case WM_LBUTTONUP:
        if (GetCapture() == window) {
            ReleaseCapture();
            place(window, point);
        }
        return 0;
    }
    return DefWindowProcW(window, message, wparam, lparam);
}

LRESULT CALLBACK on_canvas_frame(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE: {
        WNDCLASSW class = {.lpfnWndProc = on_canvas, .lpszClassName = L"TruthCanvas",
            .style = CS_HREDRAW | CS_VREDRAW, .hbrBackground = GetStockObject(GRAY_BRUSH),
            .hCursor = LoadCursor(NULL, IDC_CROSS)};
        RegisterClassW(&class);
        canvas = control(frame, class.lpszClassName, L"", WS_CLIPSIBLINGS, 101, 0, 0, 10, 10);
        if (options.undo) {
            undo = control(frame, L"BUTTON", L"&Undo", WS_DISABLED, 103, 4, 4, 80, 24);
        }
        if (options.covered) {
            panel = control(frame, L"STATIC", L"Layers", SS_NOTIFY | WS_CLIPSIBLINGS, 102, 0, 0, 10, 10);
            SetWindowPos(panel, HWND_TOP, 0, 0, 0, 0, SWP_NOMOVE | SWP_NOSIZE);
        }
        return 0;
    }
    case WM_SIZE:
        MoveWindow(canvas, 0, undo != NULL ? 32 : 0, LOWORD(lparam), HIWORD(lparam), TRUE);
        if (panel != NULL) {
            MoveWindow(panel, LOWORD(lparam) / 2, 0, LOWORD(lparam) / 2, HIWORD(lparam), TRUE);
        }
        return 0;
    }
    return DefWindowProcW(frame, message, wparam, lparam);
}
