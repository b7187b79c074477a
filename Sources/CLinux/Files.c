#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

int64_t CLinux_filesystem_type(const char *path) {
    struct statfs status;
    if (statfs(path, &status) < 0) return -errno;
    return (int64_t)(uint32_t)status.f_type;
}

int CLinux_try_disk(const char *path) {
    enum { block = 4096 };
    int descriptor = open(path, O_RDWR | O_DIRECT | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) return errno == EINVAL ? 0 : -errno;
    void *buffer = NULL;
    int result = 0;
    if (posix_memalign(&buffer, block, block) == 0) {
        ssize_t count;
        do count = pread(descriptor, buffer, block, 0);
        while (count < 0 && errno == EINTR);
        if (count < 0 && errno != EINVAL) result = -errno;
    }
    free(buffer);
    close(descriptor);
    return result;
}
