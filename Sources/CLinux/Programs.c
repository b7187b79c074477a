// System programs as children: they hold devices, so none may outlive the thread that started it.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUTPUTS = 3, FIRST_OUTPUT = 1, OUT_OF_THE_WAY = 16 };

// 0, or the errno of what failed. Between fork and exec: only what a signal handler might call.
static int prepare(const int outputs[OUTPUTS], pid_t parent, int report) {
    if (setpgid(0, 0) < 0) return errno;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return errno;
    if (getppid() != parent) return ESRCH;
    // Ignored signals stay ignored over exec, and this process ignores those that would end it.
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    if (sigprocmask(SIG_SETMASK, &none, NULL) < 0) return errno;

    // Any of them may itself be numbered 0 to 3: all are moved away first.
    int moved[OUTPUTS];
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) return errno;
    for (int i = 0; i < OUTPUTS; i++) {
        moved[i] = fcntl(outputs[i] < 0 ? null : outputs[i], F_DUPFD_CLOEXEC, OUT_OF_THE_WAY);
        if (moved[i] < 0) return errno;
    }
    if (dup2(null, STDIN_FILENO) < 0) return errno;
    for (int i = 0; i < OUTPUTS; i++) {
        if (dup2(moved[i], FIRST_OUTPUT + i) < 0) return errno;
    }
    // Closes everything else except the report, which exec closes: the program must not get what this process has open.
    const unsigned first = FIRST_OUTPUT + OUTPUTS;
    if (syscall(SYS_close_range, first, (unsigned)report - 1, 0) < 0) return errno;
    if (syscall(SYS_close_range, (unsigned)report + 1, ~0U, 0) < 0) return errno;
    return 0;
}

int CLinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC) < 0 ? -errno : 0; }

int CLinux_set_pipe_size(int descriptor, int bytes) {
    int size = fcntl(descriptor, F_SETPIPE_SZ, bytes);
    return size < 0 ? -errno : size;
}

int CLinux_start_program(
    const char *path, char *const arguments[], char *const environment[], const int outputs[3], pid_t *pid) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -errno;
    // Above what the program gets, so that the rest can be closed around it.
    int report = fcntl(ends[1], F_DUPFD_CLOEXEC, 2 * OUT_OF_THE_WAY);
    int failure = report < 0 ? errno : 0;
    close(ends[1]);
    const pid_t parent = getpid();
    pid_t child = -1;
    if (!failure) {
        child = fork();
        if (child < 0) failure = errno;
    }
    if (child == 0) {
        int problem = prepare(outputs, parent, report);
        if (!problem) {
            execve(path, arguments, environment);
            problem = errno;
        }
        ssize_t ignored = write(report, &problem, sizeof problem);
        (void)ignored;
        _exit(127);
    }
    if (report >= 0) close(report);
    if (!failure) {
        ssize_t count;
        do {
            count = read(ends[0], &failure, sizeof failure);
        } while (count < 0 && errno == EINTR);
        // Nothing to read: the program runs.
        if (count != (ssize_t)sizeof failure) failure = 0;
        if (failure) waitpid(child, NULL, 0);
    }
    close(ends[0]);
    if (!failure) *pid = child;
    return -failure;
}
