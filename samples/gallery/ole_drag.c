/* Drag and drop by OLE: a list view whose items are texts to take along, a list box that takes them. */
#define COBJMACROS
#include "gallery.h"

#include <ole2.h>
#include <shlobj.h>

/* What is dragged. It lives as long as somebody holds it. */
struct text_object {
    IDataObject base;
    LONG references;
    WCHAR text[60];
};

static BOOL is_text(const FORMATETC *format)
{
    return format->cfFormat == CF_UNICODETEXT && (format->tymed & TYMED_HGLOBAL) != 0;
}

static HRESULT STDMETHODCALLTYPE object_query(IDataObject *self, REFIID id, void **out)
{
    if (!IsEqualIID(id, &IID_IUnknown) && !IsEqualIID(id, &IID_IDataObject)) {
        *out = NULL;
        return E_NOINTERFACE;
    }
    *out = self;
    IDataObject_AddRef(self);
    return S_OK;
}

static ULONG STDMETHODCALLTYPE object_add(IDataObject *self)
{
    return (ULONG)InterlockedIncrement(&((struct text_object *)self)->references);
}

static ULONG STDMETHODCALLTYPE object_release(IDataObject *self)
{
    LONG left = InterlockedDecrement(&((struct text_object *)self)->references);
    if (left == 0) {
        HeapFree(GetProcessHeap(), 0, self);
    }
    return (ULONG)left;
}

static HRESULT STDMETHODCALLTYPE object_get(IDataObject *self, FORMATETC *format, STGMEDIUM *medium)
{
    const WCHAR *text = ((struct text_object *)self)->text;
    SIZE_T size = ((SIZE_T)lstrlenW(text) + 1) * sizeof(WCHAR);
    if (!is_text(format)) {
        return DV_E_FORMATETC;
    }
    ZeroMemory(medium, sizeof(*medium));
    medium->tymed = TYMED_HGLOBAL;
    medium->hGlobal = GlobalAlloc(GMEM_MOVEABLE, size);
    if (medium->hGlobal == NULL) {
        return E_OUTOFMEMORY;
    }
    CopyMemory(GlobalLock(medium->hGlobal), text, size);
    GlobalUnlock(medium->hGlobal);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE object_get_here(IDataObject *self, FORMATETC *format, STGMEDIUM *medium)
{
    (void)self, (void)format, (void)medium;
    return E_NOTIMPL;
}

static HRESULT STDMETHODCALLTYPE object_has(IDataObject *self, FORMATETC *format)
{
    (void)self;
    return is_text(format) ? S_OK : DV_E_FORMATETC;
}

static HRESULT STDMETHODCALLTYPE object_canonical(IDataObject *self, FORMATETC *in, FORMATETC *out)
{
    (void)self, (void)in;
    out->ptd = NULL;
    return DATA_S_SAMEFORMATETC;
}

static HRESULT STDMETHODCALLTYPE object_set(IDataObject *self, FORMATETC *format, STGMEDIUM *medium, BOOL release)
{
    (void)self, (void)format, (void)medium, (void)release;
    return E_NOTIMPL;
}

static HRESULT STDMETHODCALLTYPE object_formats(IDataObject *self, DWORD direction, IEnumFORMATETC **out)
{
    FORMATETC format = { CF_UNICODETEXT, NULL, DVASPECT_CONTENT, -1, TYMED_HGLOBAL };
    (void)self;
    return direction == DATADIR_GET ? SHCreateStdEnumFmtEtc(1, &format, out) : E_NOTIMPL;
}

static HRESULT STDMETHODCALLTYPE object_advise(IDataObject *self, FORMATETC *format, DWORD flags, IAdviseSink *sink,
    DWORD *connection)
{
    (void)self, (void)format, (void)flags, (void)sink, (void)connection;
    return OLE_E_ADVISENOTSUPPORTED;
}

static HRESULT STDMETHODCALLTYPE object_unadvise(IDataObject *self, DWORD connection)
{
    (void)self, (void)connection;
    return OLE_E_ADVISENOTSUPPORTED;
}

static HRESULT STDMETHODCALLTYPE object_advises(IDataObject *self, IEnumSTATDATA **out)
{
    (void)self, (void)out;
    return OLE_E_ADVISENOTSUPPORTED;
}

static IDataObjectVtbl object_table = {
    object_query, object_add, object_release, object_get, object_get_here, object_has, object_canonical, object_set,
    object_formats, object_advise, object_unadvise, object_advises,
};

/* Source and target live as long as the program. */
static HRESULT STDMETHODCALLTYPE source_query(IDropSource *self, REFIID id, void **out)
{
    BOOL known = IsEqualIID(id, &IID_IUnknown) || IsEqualIID(id, &IID_IDropSource);
    *out = known ? self : NULL;
    return known ? S_OK : E_NOINTERFACE;
}

static ULONG STDMETHODCALLTYPE source_count(IDropSource *self)
{
    (void)self;
    return 1;
}

static HRESULT STDMETHODCALLTYPE source_goes_on(IDropSource *self, BOOL escape, DWORD keys)
{
    (void)self;
    return escape ? DRAGDROP_S_CANCEL : keys & MK_LBUTTON ? S_OK : DRAGDROP_S_DROP;
}

static HRESULT STDMETHODCALLTYPE source_feedback(IDropSource *self, DWORD effect)
{
    (void)self, (void)effect;
    return DRAGDROP_S_USEDEFAULTCURSORS;
}

static IDropSourceVtbl source_table = { source_query, source_count, source_count, source_goes_on, source_feedback };
static IDropSource source = { &source_table };

static HWND target_list;
static BOOL is_welcome; /* what is over the target now */

static HRESULT STDMETHODCALLTYPE target_query(IDropTarget *self, REFIID id, void **out)
{
    BOOL known = IsEqualIID(id, &IID_IUnknown) || IsEqualIID(id, &IID_IDropTarget);
    *out = known ? self : NULL;
    return known ? S_OK : E_NOINTERFACE;
}

static ULONG STDMETHODCALLTYPE target_count(IDropTarget *self)
{
    (void)self;
    return 1;
}

static HRESULT STDMETHODCALLTYPE target_over(IDropTarget *self, DWORD keys, POINTL point, DWORD *effect)
{
    (void)self, (void)keys, (void)point;
    *effect = is_welcome ? DROPEFFECT_MOVE : DROPEFFECT_NONE;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE target_enter(IDropTarget *self, IDataObject *object, DWORD keys, POINTL point,
    DWORD *effect)
{
    FORMATETC format = { CF_UNICODETEXT, NULL, DVASPECT_CONTENT, -1, TYMED_HGLOBAL };
    is_welcome = IDataObject_QueryGetData(object, &format) == S_OK;
    return target_over(self, keys, point, effect);
}

static HRESULT STDMETHODCALLTYPE target_leave(IDropTarget *self)
{
    (void)self;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE target_drop(IDropTarget *self, IDataObject *object, DWORD keys, POINTL point,
    DWORD *effect)
{
    FORMATETC format = { CF_UNICODETEXT, NULL, DVASPECT_CONTENT, -1, TYMED_HGLOBAL };
    STGMEDIUM medium;
    target_over(self, keys, point, effect);
    if (is_welcome && IDataObject_GetData(object, &format, &medium) == S_OK) {
        const WCHAR *text = GlobalLock(medium.hGlobal);
        begin_quiet();
        ListBox_AddString(target_list, text);
        end_quiet();
        note(L"OLE dropped text=\"%s\" on=%d", text, GetDlgCtrlID(target_list));
        GlobalUnlock(medium.hGlobal);
        ReleaseStgMedium(&medium);
    }
    return S_OK;
}

static IDropTargetVtbl target_table = {
    target_query, target_count, target_count, target_enter, target_over, target_leave, target_drop,
};
static IDropTarget target = { &target_table };

void accept_ole_drops(HWND list)
{
    target_list = list;
    RegisterDragDrop(list, &target);
}

void refuse_ole_drops(void)
{
    RevokeDragDrop(target_list);
}

void drag_by_ole(HWND view, int item)
{
    struct text_object *object = HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, sizeof(*object));
    DWORD effect = DROPEFFECT_NONE;
    HRESULT result;
    if (object == NULL) {
        return;
    }
    object->base.lpVtbl = &object_table;
    object->references = 1;
    ListView_GetItemText(view, item, 0, object->text, COUNT(object->text));
    note(L"DRAG begins");
    result = DoDragDrop(&object->base, &source, DROPEFFECT_COPY | DROPEFFECT_MOVE, &effect);
    if (result == DRAGDROP_S_DROP && effect == DROPEFFECT_MOVE) {
        begin_quiet();
        ListView_DeleteItem(view, item);
        end_quiet();
    }
    note(L"OLE drag %s effect=%lu", result == DRAGDROP_S_DROP ? L"dropped" : L"cancelled", effect);
    IDataObject_Release(&object->base);
}
