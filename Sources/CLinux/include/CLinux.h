// What Swift's Glibc lacks or makes awkward: clocks, sealed memory, children with exact descriptors, confinement.
//
// Every call returns a status or a value; nothing aborts, nothing keeps state. Unless a comment says otherwise, a negative
// return is a negated errno. A returned descriptor belongs to the caller and is close-on-exec.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

// CLOCK_BOOTTIME and CLOCK_MONOTONIC in nanoseconds.
int64_t CLinux_boottime_ns(void);
int64_t CLinux_monotonic_ns(void);

// The system clock, nanoseconds since 1970, UTC. A date before 1677 or after 2262 counts as the first or last second of that range.
int64_t CLinux_realtime_ns(void);

// 1 when the kernel considers the system clock synchronised (adjtimex) and it shows a date that CLinux_realtime_ns can express, else 0.
int CLinux_clock_is_synced(void);

// Of a date as mail and Debian's Release files have it, in UTC ("Fri, 20 Nov 2026 12:00:00 +0000"; what follows the seconds isn't looked at): seconds
// since 1970, at most those whose nanoseconds fit into 64 bits. INT64_MIN: it is no such date.
int64_t CLinux_seconds_of_date(const char *text);
// ---- Memory.c: memory that two processes share

// An anonymous file of `size` bytes that allows sealing. `name` shows up in /proc/PID/maps only.
int CLinux_memfd_create(const char *name, uint64_t size);

enum {
    // No one can change the size, or add seals; nobody but the holder of an existing writable mapping can write any more.
    CLINUX_SEAL_FOR_ONE_WRITER = 0,
    // No one can change the size or the content, or add seals. Fails while a writable shared mapping exists.
    CLINUX_SEAL_CONTENT = 1,
    // No one can change the size, or add seals: what is mapped stays there. Both sides write.
    CLINUX_SEAL_SIZE = 2,
};
int CLinux_memfd_seal(int descriptor, int mode);

// From now on, a freed piece of at least `bytes` goes back to the kernel. By itself malloc learns from the first such piece to keep as much
// for the next one, in each of its arenas, of which there are eight a processor: `arenas` is their number from now on. Before there are
// other threads. 0 on success.
int CLinux_keep_little(int bytes, int arenas);

// Shared mapping; NULL on failure, with the (positive) errno in *error.
void *CLinux_map(int descriptor, uint64_t size, int writable, int *error);
int CLinux_unmap(void *address, uint64_t size);

// ---- Files.c

// The magic number (linux/magic.h) of the file system that `path` is on.
int64_t CLinux_filesystem_type(const char *path);

// Opens a file for writing, writes nothing, and reads its first block from the device, not from memory, where a disk that is gone lives on.
// Returns 0, even if the file system can't do that; -errno (EROFS: it is read-only) when the disk isn't usable.
int CLinux_try_disk(const char *path);

// ---- Network.c

// A socket that becomes readable whenever a link, an address or a route of this machine changes. Non-blocking; the caller
// closes it.
int CLinux_network_watch(void);

// Whether this machine still has the local address of a connected socket: 1 yes, 0 no, -errno if that can't be found out.
int CLinux_has_own_address(int socket);

// How many times in a row the kernel has sent unacknowledged data to a TCP peer without any answer; -errno if that can't be found out.
int CLinux_tcp_retransmits(int socket);

// Moves the calling thread into another network namespace, by its descriptor; 0 or -errno. Needs a privilege.
int CLinux_enter_network(int descriptor);

// ---- Messages.c: packets between two processes

// A connected pair of SOCK_SEQPACKET sockets; both close-on-exec, both blocking.
int CLinux_seqpacket_pair(int pair[2]);

// Sends one packet, with `descriptor` attached unless it is negative (it stays the caller's). Never raises SIGPIPE.
// With `wait` 0, -EAGAIN when it doesn't fit.
ssize_t CLinux_send(int socket, const void *bytes, size_t length, int descriptor, int wait);

// Receives one packet. Returns its length, 0 at the end of the stream, -EMSGSIZE for a packet that was cut to `capacity`.
// An attached descriptor is stored in *descriptor (-1 if none; the caller's to close); `descriptor` may be NULL, then
// attached ones are closed. More than one attached descriptor: all are closed and -EBADMSG is returned.
ssize_t CLinux_receive(int socket, void *bytes, size_t capacity, int *descriptor, int wait);

// The process at the other end when the socket was connected.
int CLinux_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid);

// A counter for waking a poll(2): non-blocking.
int CLinux_eventfd(void);
int CLinux_eventfd_signal(int descriptor);

// The calling thread's name in ps and gdb; cut after 15 bytes.
void CLinux_name_thread(const char *name);

// ---- Children.c

// Starts `path` with exactly these descriptors: /dev/null as 0, 1 and 2, and `channel` as 3. Own process group, no blocked
// signals, default dispositions. `arguments` and `environment` end with NULL. The child must be waited for.
int CLinux_spawn(const char *path, char *const arguments[], char *const environment[], int channel, pid_t *pid);

// Programs.c: starts a program of the system with /dev/null as 0, these descriptors as 1, 2 and 3 (negative: /dev/null), and
// nothing else open. Own process group, no blocked signals, default dispositions. It is killed when the calling *thread* ends,
// however that comes about: call it from one that stays until the child is gone. Returns once the program runs, or with why
// it doesn't. The child must be waited for.
int CLinux_start_program(
    const char *path, char *const arguments[], char *const environment[], const int outputs[3], pid_t *pid);

// A pipe: `ends[0]` is read, `ends[1]` written; both close-on-exec.
int CLinux_pipe(int ends[2]);

// How much fits into it; the system may refuse, or take more. Returns what it holds from now on.
int CLinux_set_pipe_size(int descriptor, int bytes);

// A descriptor for a child that has not been waited for; readable when it has ended.
int CLinux_pidfd_open(pid_t pid);

// 1 and *signal (0 if none) and *status (exit code) when the child has ended and is now reaped; 0 while it runs (only with
// `wait` 0).
int CLinux_pidfd_reap(int pidfd, int wait, int *signal, int *status);

// ---- Confinement.c

typedef enum CLinux_Sanitizer {
    CLINUX_NO_SANITIZER,
    CLINUX_ADDRESS_SANITIZER,
    CLINUX_THREAD_SANITIZER,
} CLinux_Sanitizer;

// What this program was built with (deploy/sanitize). With one there is no confinement: the calls below do nothing, and
// CLinux_confine says that there is no filter.
CLinux_Sanitizer CLinux_sanitizer(void);

typedef struct CLinux_Limits {
    uint64_t address_space_bytes;  // RLIMIT_AS
    uint64_t open_files;           // RLIMIT_NOFILE
} CLinux_Limits;

// The part that must come first: no new privileges, not dumpable, no capabilities, resource limits (also: no core, no file
// writing, no new processes), first to go when memory runs out.
int CLinux_drop_privileges(const CLinux_Limits *limits);

// A look at the memory that this process holds, which must be opened before CLinux_confine; -ENOENT without /proc.
int CLinux_memory_gauge(void);

// From now on the process may take `more_bytes` of private memory besides what it holds, and then gets no more (malloc: NULL). Earlier
// bounds are lifted, as far as the hard limit allows; UINT64_MAX lifts all.
int CLinux_bound_memory(int gauge, uint64_t more_bytes);

// After this the process may compute, use memory and the descriptors it has, and exit. Opening anything gives EPERM; any
// other system call ends the process. Returns 0 or a negated errno: -ENOSYS when the kernel has no seccomp filters (as
// under qemu-user). Not reversible.
int CLinux_confine(void);

#ifdef __cplusplus
}
#endif
