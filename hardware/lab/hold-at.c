// Stops one thread of a process, the first that comes to a function, while all others go on: a debugger's breakpoint without the debugger.
// Nobody else gets what the thread holds at that moment (the scan loop's turn). It then says "held TID" and stays until the process is
// gone.
//
//   hold-at PID ADDRESS       of the function in the program's file, hexadecimal, as nm(1) tells it
//
// For x86-64.

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint8_t breakpoint = 0xcc;

static void fail(const char *what)
{
    fprintf(stderr, "hold-at: %s: %s\n", what, strerror(errno));
    exit(1);
}

static FILE *open_proc(pid_t pid, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    return file;
}

// Where the program's file begins in memory: its first mapping is the lowest of the process.
static uint64_t load_address(pid_t pid)
{
    FILE *maps = open_proc(pid, "maps");
    unsigned long start = 0;
    if (fscanf(maps, "%lx", &start) != 1) fail("maps");
    fclose(maps);
    return start;
}

// New threads are seized by the kernel on their parents' behalf; those that begin meanwhile are found in another turn.
static void seize_all(pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    for (bool found = true; found;) {
        found = false;
        DIR *folder = opendir(path);
        if (!folder) fail(path);
        for (struct dirent *entry; (entry = readdir(folder));) {
            const pid_t thread = atoi(entry->d_name);
            if (thread > 0 && ptrace(PTRACE_SEIZE, thread, 0, PTRACE_O_TRACECLONE) == 0) found = true;
        }
        closedir(folder);
    }
}

int main(int count, char **words)
{
    if (count != 3) {
        fprintf(stderr, "usage: hold-at PID ADDRESS\n");
        return 2;
    }
    const pid_t pid = atoi(words[1]);
    const uint64_t address = load_address(pid) + strtoull(words[2], NULL, 16);
    seize_all(pid);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", pid);
    const int memory = open(path, O_RDWR | O_CLOEXEC);
    uint8_t original = 0;
    if (memory < 0 || pread(memory, &original, 1, (off_t)address) != 1) fail("reading the function");
    if (pwrite(memory, &breakpoint, 1, (off_t)address) != 1) fail("writing the breakpoint");

    pid_t held = 0;
    for (;;) {
        int status = 0;
        const pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0 && errno == EINTR) continue;
        if (thread < 0) return 0; // All are gone.
        if (!WIFSTOPPED(status)) continue;
        int signal = WSTOPSIG(status);
        if (status >> 16) signal = 0; // Not a signal but news of a thread.
        struct user_regs_struct registers;
        if (signal == SIGTRAP && ptrace(PTRACE_GETREGS, thread, 0, &registers) == 0 && registers.rip == address + 1) {
            registers.rip = address;
            if (ptrace(PTRACE_SETREGS, thread, 0, &registers) < 0) fail("stepping back");
            signal = 0;
            if (!held) {
                if (pwrite(memory, &original, 1, (off_t)address) != 1) fail("taking the breakpoint away");
                held = thread;
                printf("held %d\n", held);
                fflush(stdout);
                continue;
            }
        }
        ptrace(PTRACE_CONT, thread, 0, signal);
    }
}
