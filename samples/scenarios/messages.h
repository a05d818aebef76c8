/* What the scenario "messages" shares with the others. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <windows.h>

/* In scenarios.c. */
void tell(const char *name, int value);
void pump(void);

/* In messages.c. */
HWND open_messages(void);
void play_messages(HWND parent, HWND edit);

#endif
