/* See habits.c. */
#pragma once
#include <windows.h>

void add_habits(HWND on);
void habit_of_command(WPARAM wparam, LPARAM lparam);
void habit_of_notification(const NMHDR *header);
