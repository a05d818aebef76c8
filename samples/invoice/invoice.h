/* What the files of the invoice program know of each other. */
#ifndef INVOICE_H
#define INVOICE_H

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
#include <strsafe.h>

#include "resource.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* invoice.c: the program. */
extern HINSTANCE instance;
extern HWND main_window;

/* switches.c: the command line. */
struct switches {
    BOOL placed;
    RECT place; /* right and bottom are the width and the height */
    WORD language;
    const WCHAR *journal;
    const WCHAR *file;
    BOOL extra_sibling, remove_button, replace_dialog;
};
extern struct switches switches;
/* FALSE if the program must end with *code. */
BOOL read_switches(int *code);

/* faults.c: deviations that tests switch on, each made at one place. */
enum fault {
    FAULT_WRONG_TOTAL,
    FAULT_GIFT_FREE,
    FAULT_DIALOG_STAYS,
    FAULT_MENU_DISABLED,
    FAULT_TEXT_TRUNCATED,
    FAULT_WRONG_SELECTION,
    FAULT_LATE_WINDOW,
    FAULT_TITLE_STALE,
    FAULT_FOCUS_WRONG,
    FAULT_ORDER_WRONG,
    FAULT_VAT_IGNORED,
    FAULT_CURRENCY_HIDDEN,
    FAULT_STATUS_STALE,
    FAULT_SAVE_EMPTY,
    FAULT_NO_QUESTION,
    FAULT_DOUBLE_ADD,
    FAULT_SPIN_OFF,
    FAULT_DATE_IGNORED,
    FAULT_COMBO_DEFAULT,
    FAULT_RADIO_DEFAULT,
    FAULT_ABOUT_CRASH,
    FAULT_CANCEL_ADDS,
    FAULT_SORT_WRONG,
    FAULT_DISCOUNT_IGNORED,
    FAULT_OPTIONS_LOST,
    FAULT_KEY_DEAD,
    FAULT_EXTRA_BOX,
    FAULT_HANG,
    FAULT_NEVER_OPENS,
    FAULT_EDIT_HANGS,
    FAULT_EDIT_EXITS,
    FAULT_EDIT_CRASHES,
    FAULT_BOX_DEAD,
    FAULT_STATUS_HIDDEN,
    FAULT_BUTTON_RENAMED,
    FAULT_COUNT
};
BOOL set_fault(const WCHAR *name);
BOOL has_fault(enum fault fault);
/* One line for each fault: its name and what goes wrong. */
void print_faults(void);

/* journal.c: what the program did, line by line in a file. */
void open_journal(const WCHAR *path);
void close_journal(void);
void note(const WCHAR *format, ...);

/* texts.c: the resources of the chosen language. */
const WCHAR *text(int id); /* good until seven further texts were asked for */
HMENU load_menu(int id);
const DLGTEMPLATE *dialog_template(int id);
INT_PTR run_dialog(int id, HWND owner, DLGPROC proc, LPARAM value);
/* A message box in the chosen language; notes the text's number and the answer. %s in the text becomes `name`. */
int ask(HWND owner, int text_id, const WCHAR *name, UINT flags);

/* money.c: amounts in hundredths of the currency. */
typedef LONGLONG money;
#define AMOUNT_SIZE 48
money rounded_part(money amount, int percent);
money rounded_to(money amount, money step);
/* The amount in the chosen number format, with the currency if the options want it. */
void format_amount(WCHAR *buffer, money amount, BOOL with_currency);
/* The amount for an edit and for a file: digits, a point, two digits. */
void format_plain(WCHAR *buffer, money amount);
BOOL parse_amount(const WCHAR *words, money *amount);

/* document.c: the invoice. */
#define MAX_ITEMS 200
#define TEXT_SIZE 80
enum { VAT_STANDARD, VAT_REDUCED, VAT_NONE, VAT_COUNT };
enum { CURRENCY_EUR, CURRENCY_USD, CURRENCY_GBP, CURRENCY_JPY, CURRENCY_COUNT };
enum { ROUND_CENT, ROUND_FIVE, ROUND_WHOLE, ROUND_COUNT };
enum { NUMBERS_POINT, NUMBERS_COMMA, NUMBERS_PLAIN, NUMBERS_COUNT };
#define CATEGORY_COUNT 5
#define NO_SLOT (-1)
extern const int VAT_RATES[VAT_COUNT];
extern const WCHAR *const CURRENCIES[CURRENCY_COUNT];

struct item {
    WCHAR description[TEXT_SIZE];
    int category;
    int quantity;
    money price;
    int vat;
    BOOL gift;
    BOOL wrapped_free; /* the one gift wrap that a regular customer does not pay */
    int year, month, day;
};

struct options {
    WCHAR customer[TEXT_SIZE];
    BOOL discount;
    int percent;
    int currency;
    int rounding;
    int numbers;
    BOOL show_currency;
};

struct totals {
    money net, vat, total;
};

/* An item keeps its slot as long as it lives; the rows say in which order the items are shown. */
struct document {
    struct item *slots[MAX_ITEMS];
    int rows[MAX_ITEMS];
    int count;
    int free_wrap; /* the slot of the item wrapped for free, or NO_SLOT */
    struct options options;
    WCHAR path[MAX_PATH];
    BOOL changed;
};
extern struct document document;

void new_document(void);
struct item *item_at(int row);
void default_item(struct item *item);
BOOL add_item(const struct item *item); /* FALSE if there is no room */
void edit_item(int row, const struct item *item);
void remove_item(int row);
void move_item(int row, int to);
void sort_items(int column);
void set_options(const struct options *options);
money line_total(const struct item *item);
struct totals document_totals(void);

/* free_wrap.c: who gets the free gift wrap. */
void take_back_free_wrap(void); /* from the item that has it */
void clear_free_wrap(void);     /* from all items */
void give_free_wrap(void);

/* files.c: invoices as files. */
BOOL write_document(const WCHAR *path);
/* Leaves the document as it is if the file is none. */
enum reading { READ_WELL, READ_NOT, READ_NO_INVOICE } read_document(const WCHAR *path);

/* frame.c: the main window. */
BOOL register_frame(void);
HWND create_frame(void);
int scaled(int pixels);
#define KEEP_SELECTION (-2)
void refresh(int selected);
BOOL open_file(const WCHAR *path);

/* bars.c: tool bar and status bar. */
HWND create_tool_bar(HWND frame);
HWND create_status_bar(HWND frame);
void set_status_parts(HWND status, int width);
void show_totals(HWND status);
LRESULT handle_tool_tip(NMHDR *header);

/* item_list.c: the list view. */
enum { COLUMN_DESCRIPTION, COLUMN_QUANTITY, COLUMN_PRICE, COLUMN_VAT, COLUMN_GIFT, COLUMN_DELIVERY, COLUMN_TOTAL,
    COLUMN_COUNT };
HWND create_item_list(HWND frame);
void fit_columns(HWND list);
void show_items(HWND list, int selected);
int selected_row(HWND list);

/* item_dialog.c, options.c, about.c */
BOOL open_item_dialog(HWND owner, BOOL is_new, struct item *item);
void open_options(HWND owner);
void open_about(HWND owner);

#endif
