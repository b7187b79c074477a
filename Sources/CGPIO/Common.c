// The parts that need no libgpiod: finding the chips' device files, and the small helpers.
#define _DEFAULT_SOURCE  // scandir, lstat
#include "Internal.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char chip_prefix[] = "gpiochip";

void CGPIO_copy_text(char target[CGPIO_TEXT_SIZE], const char *text) {
    snprintf(target, CGPIO_TEXT_SIZE, "%s", text ? text : "");
}

int CGPIO_failure(void) {
    int error = errno;
    return error > 0 ? -error : -EIO;
}

int CGPIO_poll_readable(int fd) {
    struct pollfd waiting = {.fd = fd, .events = POLLIN | POLLPRI};
    int count = poll(&waiting, 1, 0);
    if (count < 0) {
        return CGPIO_failure();
    }
    if (count > 0 && (waiting.revents & (POLLIN | POLLPRI))) {
        return 0;
    }
    // The kernel hangs up on a request whose chip has been unbound or unplugged.
    return count > 0 && (waiting.revents & (POLLERR | POLLHUP | POLLNVAL)) ? -ENODEV : -EAGAIN;
}

static int is_chip(const struct dirent *entry) {
    return strncmp(entry->d_name, chip_prefix, sizeof(chip_prefix) - 1) == 0;
}

static int by_number(const struct dirent **a, const struct dirent **b) {
    long first = strtol((*a)->d_name + sizeof(chip_prefix) - 1, NULL, 10);
    long second = strtol((*b)->d_name + sizeof(chip_prefix) - 1, NULL, 10);
    return (first > second) - (first < second);
}

int CGPIO_list_chips(const char *directory, CGPIO_chip_info *chips, size_t capacity) {
    struct dirent **entries = NULL;
    int found = scandir(directory, &entries, is_chip, by_number);
    if (found < 0) {
        return CGPIO_failure();
    }
    int count = 0;
    for (int i = 0; i < found; i++) {
        CGPIO_chip_info info;
        memset(&info, 0, sizeof(info));
        int length = snprintf(info.path, sizeof(info.path), "%s/%s", directory, entries[i]->d_name);
        free(entries[i]);
        struct stat status;
        if (length < 0 || (size_t)length >= sizeof(info.path) || lstat(info.path, &status) != 0
            || S_ISLNK(status.st_mode)) {
            continue;
        }
        if ((size_t)count < capacity) {
            CGPIO_describe_chip(&info);
            chips[count] = info;
        }
        count++;
    }
    free(entries);
    return count;
}
