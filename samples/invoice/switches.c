/* The command line. What is not understood ends the program with one sentence on standard error. */
#include "invoice.h"

#include <shellapi.h>

#define ENGLISH MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US)
#define GERMAN MAKELANGID(LANG_GERMAN, SUBLANG_GERMAN)
#define JAPANESE MAKELANGID(LANG_JAPANESE, SUBLANG_DEFAULT)

struct switches switches = { .language = ENGLISH };

static BOOL complain(const WCHAR *format, const WCHAR *word)
{
    WCHAR line[600];
    char bytes[1800];
    DWORD written;
    int length;
    StringCchPrintfW(line, COUNT(line), format, word);
    length = WideCharToMultiByte(CP_UTF8, 0, line, -1, bytes, (int)sizeof(bytes), NULL, NULL);
    if (length > 0) {
        WriteFile(GetStdHandle(STD_ERROR_HANDLE), bytes, (DWORD)length - 1, &written, NULL);
    }
    return FALSE;
}

static BOOL read_place(const WCHAR *value)
{
    int numbers[4], i;
    for (i = 0; i < 4; i++) {
        WCHAR *end;
        numbers[i] = (int)wcstol(value, &end, 10);
        if (end == value || *end != (i < 3 ? L',' : 0)) {
            return FALSE;
        }
        value = end + 1;
    }
    SetRect(&switches.place, numbers[0], numbers[1], numbers[2], numbers[3]);
    switches.placed = TRUE;
    return numbers[2] > 0 && numbers[3] > 0;
}

static BOOL read_language(const WCHAR *value)
{
    if (lstrcmpW(value, L"en") == 0) {
        switches.language = ENGLISH;
    } else if (lstrcmpW(value, L"de") == 0) {
        switches.language = GERMAN;
    } else if (lstrcmpW(value, L"ja") == 0) {
        switches.language = JAPANESE;
    } else {
        return FALSE;
    }
    return TRUE;
}

/* FALSE if there is no such switch. */
static BOOL read_flag(const WCHAR *word)
{
    if (lstrcmpW(word, L"--extra-sibling") == 0) {
        switches.extra_sibling = TRUE;
    } else if (lstrcmpW(word, L"--remove-button") == 0) {
        switches.remove_button = TRUE;
    } else if (lstrcmpW(word, L"--replace-dialog") == 0) {
        switches.replace_dialog = TRUE;
    } else {
        return FALSE;
    }
    return TRUE;
}

static BOOL read_value(const WCHAR *word, const WCHAR *value)
{
    BOOL known = lstrcmpW(word, L"--at") == 0 || lstrcmpW(word, L"--lang") == 0 || lstrcmpW(word, L"--fault") == 0
        || lstrcmpW(word, L"--journal") == 0;
    if (!known) {
        return complain(L"invoice has no switch %s.\n", word);
    }
    if (value == NULL) {
        return complain(L"invoice needs a value after %s.\n", word);
    }
    if (lstrcmpW(word, L"--journal") == 0) {
        switches.journal = value;
    } else if (lstrcmpW(word, L"--at") == 0 && !read_place(value)) {
        return complain(L"invoice needs X,Y,W,H after --at, not %s.\n", value);
    } else if (lstrcmpW(word, L"--lang") == 0 && !read_language(value)) {
        return complain(L"invoice speaks en, de and ja, not %s.\n", value);
    } else if (lstrcmpW(word, L"--fault") == 0 && !set_fault(value)) {
        return complain(L"invoice has no fault %s; --list-faults names them.\n", value);
    }
    return TRUE;
}

BOOL read_switches(int *code)
{
    int count, i;
    WCHAR **words = CommandLineToArgvW(GetCommandLineW(), &count);
    *code = 2;
    if (words == NULL) {
        return FALSE;
    }
    /* The words live as long as the program. */
    for (i = 1; i < count; i++) {
        if (lstrcmpW(words[i], L"--list-faults") == 0) {
            print_faults();
            *code = 0;
            return FALSE;
        }
        if (words[i][0] != L'-') {
            if (switches.file != NULL) {
                return complain(L"invoice opens one file, so %s is too much.\n", words[i]);
            }
            switches.file = words[i];
        } else if (!read_flag(words[i])) {
            if (!read_value(words[i], i + 1 < count ? words[i + 1] : NULL)) {
                return FALSE;
            }
            i++;
        }
    }
    return TRUE;
}
