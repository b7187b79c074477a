#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

enum { CHANNEL = 3 };

static int fill_actions(posix_spawn_file_actions_t *actions, int channel) {
    // The channel first: its descriptor may itself be one of 0, 1, 2. Onto itself, adddup2 clears close-on-exec.
    int status = posix_spawn_file_actions_adddup2(actions, channel, CHANNEL);
    if (!status) status = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (!status) status = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
    if (!status) status = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
    if (!status) status = posix_spawn_file_actions_addclosefrom_np(actions, CHANNEL + 1);
    return status;
}

static int fill_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    // A process group of its own: Ctrl-C at the station's terminal ends the station, which ends its children.
    int status = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    if (!status) status = posix_spawnattr_setpgroup(attributes, 0);
    if (!status) status = posix_spawnattr_setsigmask(attributes, &none);
    if (!status) status = posix_spawnattr_setsigdefault(attributes, &all);
    return status;
}

int CLinux_spawn(const char *path, char *const arguments[], char *const environment[], int channel, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int status = posix_spawn_file_actions_init(&actions);
    if (status) return -status;
    status = posix_spawnattr_init(&attributes);
    if (status) {
        posix_spawn_file_actions_destroy(&actions);
        return -status;
    }
    status = fill_actions(&actions, channel);
    if (!status) status = fill_attributes(&attributes);
    if (!status) status = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return -status;
}

int CLinux_pidfd_open(pid_t pid) {
    long descriptor = syscall(SYS_pidfd_open, pid, 0);
    return descriptor < 0 ? -errno : (int)descriptor;
}

int CLinux_pidfd_reap(int pidfd, int wait, int *signal, int *status) {
    siginfo_t info = {0};
    int result;
    do {
        result = waitid((idtype_t)P_PIDFD, (id_t)pidfd, &info, WEXITED | (wait ? 0 : WNOHANG));
    } while (result < 0 && errno == EINTR);
    if (result < 0) return -errno;
    if (info.si_pid == 0) return 0;
    int exited = info.si_code == CLD_EXITED;
    *signal = exited ? 0 : info.si_status;
    *status = exited ? info.si_status : 0;
    return 1;
}
