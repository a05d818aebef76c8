// A stand-in for MFC's header, with what the integration guide uses of it: MFC itself is not free.
#pragma once
#include <windows.h>

class CWinApp {
public:
    virtual ~CWinApp() {}
    virtual BOOL InitInstance() { return TRUE; }
    virtual int ExitInstance() { return 0; }
};
