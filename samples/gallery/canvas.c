/* GalleryCanvas: a window that knows nothing but points. The page "canvas" holds the only one. */
#include "gallery.h"

#define MOST_STROKES 100
#define MOST_POINTS 4000

struct drawing {
    int stroke_count;
    int first[MOST_STROKES + 1]; /* where each stroke begins in points; one more is the end */
    POINT points[MOST_POINTS];
};

static struct drawing drawing;

static int point_count(void)
{
    return drawing.first[drawing.stroke_count];
}

static void begin_stroke(HWND canvas, POINT point)
{
    if (drawing.stroke_count < MOST_STROKES && point_count() < MOST_POINTS) {
        SetCapture(canvas);
        drawing.points[point_count()] = point;
        drawing.stroke_count++;
        drawing.first[drawing.stroke_count] = drawing.first[drawing.stroke_count - 1] + 1;
    }
}

static void extend_stroke(HWND canvas, POINT point)
{
    int end = point_count();
    if (end < MOST_POINTS && (drawing.points[end - 1].x != point.x || drawing.points[end - 1].y != point.y)) {
        drawing.points[end] = point;
        drawing.first[drawing.stroke_count]++;
        InvalidateRect(canvas, NULL, FALSE);
    }
}

static void end_stroke(HWND canvas, POINT point)
{
    POINT from, to;
    extend_stroke(canvas, point);
    ReleaseCapture();
    from = drawing.points[drawing.first[drawing.stroke_count - 1]];
    to = drawing.points[point_count() - 1];
    note(L"STROKE %d from=%d,%d to=%d,%d", drawing.stroke_count, (int)from.x, (int)from.y, (int)to.x, (int)to.y);
}

static void paint(HWND canvas)
{
    PAINTSTRUCT paint;
    HDC dc = BeginPaint(canvas, &paint);
    HPEN pen = CreatePen(PS_SOLID, 2, RGB(20, 60, 160));
    HGDIOBJ before = SelectObject(dc, pen);
    int i;
    for (i = 0; i < drawing.stroke_count; i++) {
        Polyline(dc, drawing.points + drawing.first[i], drawing.first[i + 1] - drawing.first[i]);
    }
    SelectObject(dc, before);
    DeleteObject(pen);
    EndPaint(canvas, &paint);
}

static LRESULT CALLBACK canvas_proc(HWND canvas, UINT message, WPARAM wparam, LPARAM lparam)
{
    POINT point = { GET_X_LPARAM(lparam), GET_Y_LPARAM(lparam) };
    switch (message) {
    case WM_LBUTTONDOWN:
        begin_stroke(canvas, point);
        return 0;
    case WM_MOUSEMOVE:
        if (GetCapture() == canvas) {
            extend_stroke(canvas, point);
        }
        return 0;
    case WM_LBUTTONUP:
        if (GetCapture() == canvas) {
            end_stroke(canvas, point);
        }
        return 0;
    case WM_LBUTTONDBLCLK:
        note(L"DOUBLE CLICK at=%d,%d", (int)point.x, (int)point.y);
        return 0;
    case WM_RBUTTONUP:
        note(L"RIGHT CLICK at=%d,%d", (int)point.x, (int)point.y);
        return 0;
    case WM_MBUTTONUP:
        note(L"MIDDLE CLICK at=%d,%d", (int)point.x, (int)point.y);
        return 0;
    case WM_XBUTTONUP:
        note(L"X BUTTON %d at=%d,%d", (int)GET_XBUTTON_WPARAM(wparam), (int)point.x, (int)point.y);
        return TRUE;
    case WM_MOUSEWHEEL:
    case WM_MOUSEHWHEEL:
        note(L"%s by=%d", message == WM_MOUSEWHEEL ? L"WHEEL" : L"WHEEL SIDEWAYS", (int)GET_WHEEL_DELTA_WPARAM(wparam));
        return 0;
    case WM_PAINT:
        paint(canvas);
        return 0;
    }
    return DefWindowProcW(canvas, message, wparam, lparam);
}

BOOL register_canvas(void)
{
    WNDCLASSEXW class = { 0 };
    class.cbSize = sizeof(class);
    class.style = CS_DBLCLKS;
    class.lpfnWndProc = canvas_proc;
    class.hInstance = instance;
    class.hCursor = LoadCursorW(NULL, IDC_CROSS);
    class.hbrBackground = (HBRUSH)(COLOR_WINDOW + 1);
    class.lpszClassName = L"GalleryCanvas";
    return RegisterClassExW(&class) != 0;
}

INT_PTR CALLBACK canvas_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam)
{
    (void)lparam;
    if (message == WM_COMMAND && HIWORD(wparam) == BN_CLICKED) {
        if (LOWORD(wparam) == IDC_CANVAS_CLEAR) {
            drawing.stroke_count = 0;
        } else if (LOWORD(wparam) == IDC_CANVAS_UNDO && drawing.stroke_count > 0) {
            drawing.stroke_count--;
        }
        InvalidateRect(GetDlgItem(page, IDC_CANVAS), NULL, TRUE);
        return TRUE;
    }
    return FALSE;
}
