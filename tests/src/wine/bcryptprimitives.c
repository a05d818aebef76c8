/* Wine 8 has no bcryptprimitives.dll, which Rust's standard library imports for its random numbers.
   For the project's Wine prefix only, never shipped. */
#include <windows.h>

BOOLEAN WINAPI SystemFunction036(PVOID buffer, ULONG size);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{
    return SystemFunction036(data, (ULONG)size);
}
