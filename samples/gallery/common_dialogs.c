/* The dialogs that Windows brings along: files, colours, fonts, printing, searching, folders. */
#include "gallery.h"

#include <commdlg.h>
#include <shlobj.h>

void open_file_dialog(HWND owner, BOOL save)
{
    WCHAR path[MAX_PATH] = L"";
    OPENFILENAMEW dialog = { 0 };
    BOOL chosen;
    dialog.lStructSize = sizeof(dialog);
    dialog.hwndOwner = owner;
    dialog.lpstrFilter = L"Text\0*.txt\0Everything\0*.*\0";
    dialog.lpstrFile = path;
    dialog.nMaxFile = COUNT(path);
    dialog.lpstrDefExt = L"txt";
    dialog.Flags = OFN_EXPLORER | OFN_NOCHANGEDIR | OFN_HIDEREADONLY | (save ? OFN_OVERWRITEPROMPT : OFN_FILEMUSTEXIST);
    note(save ? L"DIALOG save opened" : L"DIALOG open opened");
    chosen = save ? GetSaveFileNameW(&dialog) : GetOpenFileNameW(&dialog);
    note(L"DIALOG %s result=%d file=\"%s\"", save ? L"save" : L"open", (int)chosen, path);
}

void open_colour_dialog(HWND owner)
{
    static COLORREF custom[16];
    CHOOSECOLORW dialog = { 0 };
    BOOL chosen;
    dialog.lStructSize = sizeof(dialog);
    dialog.hwndOwner = owner;
    dialog.rgbResult = RGB(255, 0, 0);
    dialog.lpCustColors = custom;
    dialog.Flags = CC_RGBINIT;
    note(L"DIALOG colour opened");
    chosen = ChooseColorW(&dialog);
    note(L"DIALOG colour result=%d rgb=%06lx", (int)chosen, dialog.rgbResult);
}

void open_font_dialog(HWND owner)
{
    LOGFONTW font = { 0 };
    CHOOSEFONTW dialog = { 0 };
    BOOL chosen;
    font.lfHeight = -16;
    lstrcpynW(font.lfFaceName, L"Arial", LF_FACESIZE);
    dialog.lStructSize = sizeof(dialog);
    dialog.hwndOwner = owner;
    dialog.lpLogFont = &font;
    dialog.Flags = CF_SCREENFONTS | CF_INITTOLOGFONTSTRUCT | CF_EFFECTS;
    note(L"DIALOG font opened");
    chosen = ChooseFontW(&dialog);
    note(L"DIALOG font result=%d face=\"%s\" height=%ld weight=%ld italic=%d strike=%d", (int)chosen, font.lfFaceName,
        font.lfHeight, font.lfWeight, font.lfItalic != 0, font.lfStrikeOut != 0);
}

void open_print_dialog(HWND owner)
{
    PRINTDLGW dialog = { 0 };
    BOOL chosen;
    dialog.lStructSize = sizeof(dialog);
    dialog.hwndOwner = owner;
    dialog.Flags = PD_NOSELECTION;
    dialog.nMinPage = dialog.nFromPage = dialog.nToPage = 1;
    dialog.nMaxPage = 9;
    dialog.nCopies = 1;
    note(L"DIALOG print opened");
    chosen = PrintDlgW(&dialog);
    note(L"DIALOG print result=%d copies=%d", (int)chosen, (int)dialog.nCopies);
    GlobalFree(dialog.hDevMode);
    GlobalFree(dialog.hDevNames);
}

void open_page_setup_dialog(HWND owner)
{
    PAGESETUPDLGW dialog = { 0 };
    BOOL chosen;
    dialog.lStructSize = sizeof(dialog);
    dialog.hwndOwner = owner;
    dialog.Flags = PSD_DEFAULTMINMARGINS | PSD_INHUNDREDTHSOFMILLIMETERS;
    note(L"DIALOG page setup opened");
    chosen = PageSetupDlgW(&dialog);
    note(L"DIALOG page setup result=%d", (int)chosen);
    GlobalFree(dialog.hDevMode);
    GlobalFree(dialog.hDevNames);
}

/* Find and replace stay open beside the program and tell by a registered message. */
static WCHAR find_text[80], replace_text[80];
static FINDREPLACEW find;
static HWND find_dialog;

void open_find_dialog(HWND owner, BOOL replace)
{
    if (find_dialog != NULL) {
        SetForegroundWindow(find_dialog);
        return;
    }
    ZeroMemory(&find, sizeof(find));
    find.lStructSize = sizeof(find);
    find.hwndOwner = owner;
    find.lpstrFindWhat = find_text;
    find.wFindWhatLen = COUNT(find_text) * sizeof(WCHAR);
    find.lpstrReplaceWith = replace_text;
    find.wReplaceWithLen = COUNT(replace_text) * sizeof(WCHAR);
    find.Flags = FR_DOWN;
    find_dialog = replace ? ReplaceTextW(&find) : FindTextW(&find);
    add_modeless(find_dialog);
    note(replace ? L"DIALOG replace opened" : L"DIALOG find opened");
}

BOOL handle_find_message(UINT message, LPARAM lparam)
{
    static UINT find_message;
    const FINDREPLACEW *request = (const FINDREPLACEW *)lparam;
    if (find_message == 0) {
        find_message = RegisterWindowMessageW(FINDMSGSTRINGW);
    }
    if (message != find_message) {
        return FALSE;
    }
    if (request->Flags & FR_DIALOGTERM) {
        note(L"FIND closed");
        remove_modeless(find_dialog);
        find_dialog = NULL;
    } else {
        note(L"FIND %s text=\"%s\" with=\"%s\" case=%d word=%d down=%d",
            request->Flags & FR_REPLACEALL ? L"replace-all" : request->Flags & FR_REPLACE ? L"replace" : L"next",
            request->lpstrFindWhat, request->lpstrReplaceWith, (request->Flags & FR_MATCHCASE) != 0,
            (request->Flags & FR_WHOLEWORD) != 0, (request->Flags & FR_DOWN) != 0);
    }
    return TRUE;
}

void open_folder_dialog(HWND owner)
{
    WCHAR path[MAX_PATH] = L"";
    BROWSEINFOW dialog = { 0 };
    PIDLIST_ABSOLUTE chosen;
    dialog.hwndOwner = owner;
    dialog.lpszTitle = L"Choose a folder";
    dialog.ulFlags = BIF_RETURNONLYFSDIRS | BIF_NEWDIALOGSTYLE;
    note(L"DIALOG folder opened");
    chosen = SHBrowseForFolderW(&dialog);
    if (chosen != NULL) {
        SHGetPathFromIDListW(chosen, path);
        CoTaskMemFree(chosen);
    }
    note(L"DIALOG folder result=%d path=\"%s\"", chosen != NULL, path);
}
