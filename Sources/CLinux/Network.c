#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int CLinux_network_watch(void) {
    int number = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (number < 0) return -errno;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(number, (struct sockaddr *)&address, sizeof address) < 0) {
        int error = errno;
        close(number);
        return -error;
    }
    return number;
}

// The address in its IPv6 form, so that IPv4 in an IPv6 socket is the same as by itself; 0: it is neither.
static int in6_of(const struct sockaddr *address, struct in6_addr *result) {
    if (address->sa_family == AF_INET6) {
        *result = ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
        return 1;
    }
    if (address->sa_family != AF_INET) return 0;
    memset(result, 0, sizeof *result);
    result->s6_addr[10] = result->s6_addr[11] = 0xFF;
    memcpy(&result->s6_addr[12], &((const struct sockaddr_in *)(const void *)address)->sin_addr, 4);
    return 1;
}

int CLinux_has_own_address(int socket) {
    struct sockaddr_storage storage;
    socklen_t length = sizeof storage;
    struct in6_addr own;
    if (getsockname(socket, (struct sockaddr *)&storage, &length) < 0) return -errno;
    if (!in6_of((struct sockaddr *)&storage, &own)) return -EAFNOSUPPORT;
    // The whole of 127.0.0.0/8 is this machine's.
    if (IN6_IS_ADDR_V4MAPPED(&own) && own.s6_addr[12] == 127) return 1;
    struct ifaddrs *list;
    if (getifaddrs(&list) < 0) return -errno;
    int found = 0;
    for (struct ifaddrs *entry = list; entry && !found; entry = entry->ifa_next) {
        struct in6_addr address;
        found = entry->ifa_addr && in6_of(entry->ifa_addr, &address) && memcmp(&address, &own, sizeof own) == 0;
    }
    freeifaddrs(list);
    return found;
}

int CLinux_tcp_retransmits(int socket) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) < 0) return -errno;
    return info.tcpi_retransmits;
}

int CLinux_enter_network(int descriptor) { return setns(descriptor, CLONE_NEWNET) < 0 ? -errno : 0; }
