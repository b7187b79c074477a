// What the two implementations share.
#pragma once
#include "include/CGPIO.h"

// Copies `text` (NULL counts as empty), cut to fit.
void CGPIO_copy_text(char target[CGPIO_TEXT_SIZE], const char *text);

// errno as a status: negative, and never 0, whatever the library left in it.
int CGPIO_failure(void);

// 0 when `fd` has something to read, -EAGAIN when not, -ENODEV when its chip is gone.
int CGPIO_poll_readable(int fd);

// Opens the chip at `info->path` to fill the rest of `info`; the outcome is in `info->status`. One per library version.
void CGPIO_describe_chip(CGPIO_chip_info *info);
