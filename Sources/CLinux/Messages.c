#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

int CLinux_seqpacket_pair(int pair[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0 ? -errno : 0;
}

// Room for one descriptor, aligned as a control message must be.
typedef union ControlBuffer {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
} ControlBuffer;

ssize_t CLinux_send(int socket, const void *bytes, size_t length, int descriptor, int wait) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ControlBuffer control;
    if (descriptor >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT));
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

// Takes the descriptors out of a received message: the only one, or -1; all are closed if there are more.
static int take_descriptor(struct msghdr *message, int *count) {
    int taken = -1;
    *count = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(message); header; header = CMSG_NXTHDR(message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t descriptors = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < descriptors; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
            if (++*count == 1) {
                taken = descriptor;
            } else {
                close(descriptor);
            }
        }
    }
    return taken;
}

ssize_t CLinux_receive(int socket, void *bytes, size_t capacity, int *descriptor, int wait) {
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    ControlBuffer control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    if (descriptor) *descriptor = -1;
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
    } while (received < 0 && errno == EINTR);
    if (received < 0) return -errno;

    int count;
    int attached = take_descriptor(&message, &count);
    // The kernel closes what didn't fit into the control buffer.
    int too_many = count > 1 || (message.msg_flags & MSG_CTRUNC);
    int cut = message.msg_flags & MSG_TRUNC;
    if (attached >= 0 && (!descriptor || too_many || cut)) {
        close(attached);
        attached = -1;
    }
    if (too_many) return -EBADMSG;
    if (cut) return -EMSGSIZE;
    if (descriptor) *descriptor = attached;
    return received;
}

int CLinux_peer_credentials(int socket, pid_t *pid, uid_t *uid, gid_t *gid) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -errno;
    *pid = credentials.pid;
    *uid = credentials.uid;
    *gid = credentials.gid;
    return 0;
}

int CLinux_eventfd(void) {
    int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

int CLinux_eventfd_signal(int descriptor) {
    uint64_t one = 1;
    // A full counter (EAGAIN) is a signal that waits already.
    if (write(descriptor, &one, sizeof one) < 0 && errno != EAGAIN) return -errno;
    return 0;
}

void CLinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
