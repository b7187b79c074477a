#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

// Linux 6.3: the file can't be made executable either. Older kernels refuse the flag.
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

int CLinux_keep_little(int bytes, int arenas) {
    return mallopt(M_MMAP_THRESHOLD, bytes) == 1 && mallopt(M_ARENA_MAX, arenas) == 1 ? 0 : -EINVAL;
}

int CLinux_memfd_create(const char *name, uint64_t size) {
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    if (descriptor < 0 && errno == EINVAL) descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -errno;
    if (ftruncate(descriptor, (off_t)size) < 0) {
        int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}

int CLinux_memfd_seal(int descriptor, int mode) {
    int write_seal = mode == CLINUX_SEAL_CONTENT ? F_SEAL_WRITE : mode == CLINUX_SEAL_SIZE ? 0 : F_SEAL_FUTURE_WRITE;
    // EBUSY: the kernel itself holds a page for a moment (it moves it, say). It has waited up to 0.15 s for that each time, which isn't always
    // enough on a machine that is busy. A writable mapping is EBUSY, too, at once and as long as it stands: callers have none.
    for (int tries = 0; tries < 10; tries++) {
        if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | write_seal | F_SEAL_SEAL) == 0) return 0;
        if (errno != EBUSY) break;
    }
    return -errno;
}

void *CLinux_map(int descriptor, uint64_t size, int writable, int *error) {
    int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    void *address = mmap(NULL, (size_t)size, protection, MAP_SHARED, descriptor, 0);
    if (address == MAP_FAILED) {
        *error = errno;
        return NULL;
    }
    *error = 0;
    return address;
}

int CLinux_unmap(void *address, uint64_t size) { return munmap(address, (size_t)size) < 0 ? -errno : 0; }
