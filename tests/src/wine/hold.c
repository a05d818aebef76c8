/* Keeps the Wine desktop open while no other program is on it: Wine ends a desktop that has no user, and the
   next program would start explorer.exe anew, which then holds on to that program's standard output. */
#include <windows.h>

int WINAPI WinMain(HINSTANCE instance, HINSTANCE previous, LPSTR arguments, int show)
{
    GetDesktopWindow();
    Sleep(INFINITE);
    return 0;
}
