// Takes everything from a process except computing, memory and the descriptors that it already has.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// A sanitizer maps terabytes of shadow memory, writes its report into a file and starts a symbolizer for it. A confined process can't do
// any of that.
CLinux_Sanitizer CLinux_sanitizer(void) {
#if __has_feature(address_sanitizer)
    return CLINUX_ADDRESS_SANITIZER;
#elif __has_feature(thread_sanitizer)
    return CLINUX_THREAD_SANITIZER;
#else
    return CLINUX_NO_SANITIZER;
#endif
}

// Asked before the confinement, which refuses to look for it.
static long page_bytes = 4096;

static int limit(int resource, rlim_t value) {
    struct rlimit current;
    if (getrlimit(resource, &current) < 0) return -errno;
    // Never above what we were given: a container or unit may have set less.
    if (current.rlim_max != RLIM_INFINITY && current.rlim_max < value) value = current.rlim_max;
    struct rlimit wanted = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &wanted) < 0 ? -errno : 0;
}

// Best effort: the file may be out of reach in a container.
static void be_first_to_go(void) {
    int descriptor = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    ssize_t ignored = write(descriptor, "1000", 4);
    (void)ignored;
    close(descriptor);
}

static int drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capset, &header, none) < 0 ? -errno : 0;
}

int CLinux_drop_privileges(const CLinux_Limits *limits) {
    be_first_to_go();
    page_bytes = sysconf(_SC_PAGESIZE);
    if (CLinux_sanitizer()) return 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return -errno;
    int status = drop_capabilities();
    if (!status) status = limit(RLIMIT_AS, limits->address_space_bytes);
    if (!status) status = limit(RLIMIT_NOFILE, limits->open_files);
    if (!status) status = limit(RLIMIT_CORE, 0);
    if (!status) status = limit(RLIMIT_FSIZE, 0);
    if (!status) status = limit(RLIMIT_NPROC, 0);
    return status;
}

int CLinux_memory_gauge(void) {
    int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

// Private writable memory in bytes: the sixth number of statm (proc(5)), in pages. What RLIMIT_DATA counts, and the stack.
static int64_t held_bytes(int gauge) {
    char text[160];
    if (lseek(gauge, 0, SEEK_SET) < 0) return -errno;
    ssize_t length = read(gauge, text, sizeof text - 1);
    if (length < 0) return -errno;
    text[length] = 0;
    char *next = text;
    unsigned long long pages = 0;
    for (int field = 0; field < 6; field++) {
        char *start = next;
        pages = strtoull(start, &next, 10);
        if (next == start) return -EIO;
    }
    return (int64_t)(pages * (unsigned long long)page_bytes);
}

int CLinux_bound_memory(int gauge, uint64_t more_bytes) {
    if (CLinux_sanitizer()) return 0;
    struct rlimit limits;
    if (getrlimit(RLIMIT_DATA, &limits) < 0) return -errno;
    rlim_t wanted = limits.rlim_max;
    if (more_bytes != UINT64_MAX) {
        int64_t held = held_bytes(gauge);
        if (held < 0) return (int)held;
        rlim_t sum = (rlim_t)held + more_bytes;
        if (sum >= more_bytes && (wanted == RLIM_INFINITY || sum < wanted)) wanted = sum;
    }
    limits.rlim_cur = wanted;
    return setrlimit(RLIMIT_DATA, &limits) < 0 ? -errno : 0;
}

// What malloc, the C++ and Swift runtimes, abort() and the message loop need. Names that an architecture lacks are skipped by
// libseccomp (`open`, `stat` on arm64), so the list serves both.
// clang-format off
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(readv), SCMP_SYS(writev), SCMP_SYS(lseek), SCMP_SYS(close),
    SCMP_SYS(recvmsg), SCMP_SYS(sendmsg), SCMP_SYS(recvfrom), SCMP_SYS(sendto), SCMP_SYS(poll), SCMP_SYS(ppoll),
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(membarrier),
    SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(restart_syscall), SCMP_SYS(sched_yield), SCMP_SYS(getcpu), SCMP_SYS(rseq), SCMP_SYS(getrandom),
    SCMP_SYS(sysinfo), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack), SCMP_SYS(exit), SCMP_SYS(exit_group),
};
// clang-format on

// What libraries try in passing (gconv modules, locale, tty checks, sysconf), where they accept a refusal.
// clang-format off
static const int refused[] = {
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(fstat),
    SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
    SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(ioctl), SCMP_SYS(fcntl), SCMP_SYS(prctl), SCMP_SYS(uname),
    SCMP_SYS(getrlimit), SCMP_SYS(sched_getaffinity),
};
// clang-format on

// A process bounds its own memory (CLinux_bound_memory); all other limits, and those of other processes, are out of reach.
static int add_limit_rules(scmp_filter_ctx filter) {
    const struct scmp_arg_cmp itself = SCMP_A0(SCMP_CMP_EQ, 0), memory = SCMP_A1(SCMP_CMP_EQ, RLIMIT_DATA);
    const struct scmp_arg_cmp another = SCMP_A0(SCMP_CMP_NE, 0), other = SCMP_A1(SCMP_CMP_NE, RLIMIT_DATA);
    int status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, itself, memory);
    if (!status) status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 1, another);
    if (!status) status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 1, other);
    return status;
}

static int add_rules(scmp_filter_ctx filter) {
    int status = 0;
    for (size_t i = 0; !status && i < sizeof allowed / sizeof allowed[0]; i++) {
        status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    }
    for (size_t i = 0; !status && i < sizeof refused / sizeof refused[0]; i++) {
        status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), refused[i], 0);
    }
    if (!status) status = add_limit_rules(filter);
    // No memory becomes executable: every library is loaded by now.
    if (!status) {
        status = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    }
    if (!status) {
        status = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    }
    // abort() signals its own thread; no other process can be signalled.
    if (!status) {
        status = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
    }
    return status;
}

int CLinux_confine(void) {
    if (CLinux_sanitizer()) return -ENOSYS;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return -ENOMEM;
    int status = add_rules(filter);
    if (!status) {
        status = seccomp_load(filter);
        // libseccomp's code for "the kernel refused".
        if (status == -ECANCELED) status = -ENOSYS;
    }
    seccomp_release(filter);
    return status;
}
