/* See secrets.c. */
#pragma once
#include <windows.h>

void add_secrets(HWND on, BOOL is_changed);
void secrets_command(HWND on, WPARAM wparam, BOOL is_changed);
