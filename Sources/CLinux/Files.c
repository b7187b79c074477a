#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <sys/vfs.h>

int64_t CLinux_filesystem_type(const char *path) {
    struct statfs status;
    if (statfs(path, &status) < 0) return -errno;
    return (int64_t)(uint32_t)status.f_type;
}
