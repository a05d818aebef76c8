/* What the files of the gallery know of each other. */
#ifndef GALLERY_H
#define GALLERY_H

#ifndef UNICODE
#define UNICODE
#endif
#ifndef _UNICODE
#define _UNICODE
#endif
#define WINVER 0x0A00
#define _WIN32_WINNT 0x0A00

#include <windows.h>
#include <windowsx.h>
#include <commctrl.h>

#include "resource.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* gallery.c: the program. */
extern HINSTANCE instance;
extern HWND main_window;
/* How the items of some lists are: as ever, in another order, under other names. */
enum items { ITEMS_AS_EVER, ITEMS_REVERSED, ITEMS_RENAMED };
extern enum items items;
/* Tab, Enter, Esc and mnemonics work in these windows; forget them when they are destroyed. */
void add_modeless(HWND dialog);
void remove_modeless(HWND dialog);

/* events.c: the list at the bottom and the journal. Any thread may note something. */
void open_journal(const WCHAR *path);
void close_journal(void);
void set_event_list(HWND list);
void note(const WCHAR *format, ...);
/* In the journal alone. */
void note_quietly(const WCHAR *format, ...);
/* Between the two the main thread notes nothing: what a program does to itself is no event. */
void begin_quiet(void);
void end_quiet(void);
/* A text of another thread, handed over in lParam. */
#define WM_APP_EVENT (WM_APP + 1)
void take_event(LPARAM text);

/* messages.c, commands.c, notifications.c, scrolls.c: what a parent was told, in words. */
void note_message(HWND parent, UINT message, WPARAM wparam, LPARAM lparam);
void note_command(WPARAM wparam, LPARAM lparam);
void note_notification(const NMHDR *header);
void note_scroll(HWND parent, UINT message, WPARAM wparam, HWND control);

/* states.c: the state of every shown control, and a mark behind it. */
void note_mark(HWND frame);

/* frame.c: the main window. */
BOOL register_frame(void);
HWND create_frame(const WCHAR *page);

/* placement.c */
void keep_on_screen(HWND window);

/* menu_bar.c: the menu's moving parts. */
void prepare_menu_bar(HMENU bar);
void fill_menu(HMENU menu);
void add_recent(void);
void choose_size(HMENU bar, UINT command);
void measure_menu_item(MEASUREITEMSTRUCT *item);
void draw_menu_item(const DRAWITEMSTRUCT *item);

/* bars.c: rebar, tool bar, status bar. */
HWND create_rebar(HWND frame);
HWND create_status_bar(HWND frame);
void set_status_parts(HWND status, int width);
LRESULT handle_bar_notification(HWND frame, NMHDR *header);

/* pages.c: the pages and the window around each. */
struct page {
    const WCHAR *name;
    WORD template_id;
    DLGPROC proc;
};
extern const struct page PAGES[];
extern const int PAGE_COUNT;
HWND create_page(HWND frame, int index);

/* page_*.c */
INT_PTR CALLBACK buttons_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK edits_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK lists_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK combos_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK list_views_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK icons_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK trees_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK ranges_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK dates_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK more_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK dialogs_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK canvas_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK drag_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK menus_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);
INT_PTR CALLBACK windows_page(HWND page, UINT message, WPARAM wparam, LPARAM lparam);

/* Own control classes that templates name. */
BOOL register_canvas(void);   /* GalleryCanvas */
BOOL register_scroller(void); /* GalleryScroller */
BOOL register_splitter(void); /* GallerySplitter */
BOOL register_panel(void);    /* GalleryPanel */
BOOL register_dock(void);     /* GalleryDock */

/* ole_drag.c: what the page "drag" drags by OLE. */
void accept_ole_drops(HWND list);
void refuse_ole_drops(void);
void drag_by_ole(HWND view, int item);

/* outside.c: what comes from outside while nobody touches the program. */
#define WM_COMPOSE (WM_APP + 10) /* to the main window, with a text of the heap */
void take_orders(const WCHAR *file);
void compose(WCHAR *text);

/* images.c: pictures without picture files. */
HIMAGELIST create_images(int size);
#define IMAGE_COUNT 4
void draw_swatch(HDC dc, const RECT *area, int number);

/* dialogs.c, sheets.c, boxes.c, common_dialogs.c: what the page "dialogs" opens. */
void open_modal(HWND owner);
void open_modeless(HWND owner);
void open_about(HWND owner);
void open_property_sheet(HWND owner);
void open_wizard(HWND owner);
void open_message_box(HWND owner, int kind, int icon);
void fill_message_box_kinds(HWND kinds, HWND icons);
void open_task_dialog(HWND owner);
void open_file_dialog(HWND owner, BOOL save);
void open_colour_dialog(HWND owner);
void open_font_dialog(HWND owner);
void open_print_dialog(HWND owner);
void open_page_setup_dialog(HWND owner);
void open_find_dialog(HWND owner, BOOL replace);
void open_folder_dialog(HWND owner);
/* Takes the registered message of the find dialog; FALSE if it is another message. */
BOOL handle_find_message(UINT message, LPARAM lparam);

/* mdi.c, threads.c, ansi.c, timed.c, twins.c, tray.c: what the page "windows" opens. */
void open_mdi(HWND owner);
BOOL translate_mdi_key(MSG *message);
void open_second_thread(void);
void open_late_window(void);
void end_threads(void);
void open_ansi_window(HWND owner);
void open_timed_window(HWND owner);
void open_clock(HWND owner);
void open_twin(HWND owner);
void open_tray_icon(void);
void open_splash(HWND owner);

#endif
