// What Swift's Glibc module leaves out because glibc declares it only for _GNU_SOURCE.
#pragma once

#include <errno.h>
#include <limits.h>
#include <linux/rtnetlink.h>
#include <linux/stat.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <wchar.h>

struct todod_credentials {
    int process;
    unsigned int user;
    unsigned int group;
};

/// `struct flock` of a 64-bit system.
struct todod_file_lock {
    short type;
    short whence;
    long long start;
    long long length;
    int process;
};

/// O_NOATIME.
static const int todod_keeps_access_time = 01000000;

extern int fcntl(int descriptor, int command, ...);
extern int wcwidth(wchar_t character);
extern int memfd_create(const char *name, unsigned int flags);
extern int pipe2(int descriptors[2], int flags);
extern int pidfd_open(int process, unsigned int flags);
extern int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);
extern int pidfd_getfd(int process, int descriptor, unsigned int flags);
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
extern int statx(int directory, const char *path, int flags, unsigned int mask, struct statx *status);
extern int renameat2(int directory, const char *path, int new_directory, const char *new_path, unsigned int flags);

/// Renames a file unless the new name exists; 0, or -1 and errno.
static inline int todod_rename_to_new(const char *path, const char *new_path) {
    return renameat2(-100 /* AT_FDCWD */, path, -100, new_path, 1 /* RENAME_NOREPLACE */);
}

/// Reads the kind, the identity and the size of a file, without asking for its times: of an open file, or of the file at
/// the path if the descriptor is negative. 0, or -1 and errno.
static inline int todod_status_without_times(int descriptor, const char *path, struct statx *status) {
    int is_open = descriptor >= 0;
    return statx(is_open ? descriptor : -100 /* AT_FDCWD */, is_open ? "" : path,
                 is_open ? 0x1000 /* AT_EMPTY_PATH */ : 0, STATX_TYPE | STATX_INO | STATX_SIZE, status);
}

/// Locks one byte of a file for this open file, far beyond those that SQLite locks: alone, or together with others that
/// read. 0, or -1 and errno: EAGAIN when another open file has the lock.
static inline int todod_lock_store(int descriptor, int is_shared) {
    struct todod_file_lock lock = {is_shared ? 0 /* F_RDLCK */ : 1 /* F_WRLCK */, 0, 1LL << 62, 1, 0};
    return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock);
}

/// Ends that lock, also for a process that is just being started and has a copy of the descriptor.
static inline int todod_unlock_store(int descriptor) {
    struct todod_file_lock lock = {2 /* F_UNLCK */, 0, 1LL << 62, 1, 0};
    return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock);
}

/// Locks a byte of a file for this open file, alone or together with others, and waits for open files that have locked
/// it. 0, or -1 and errno.
static inline int todod_lock_byte(int descriptor, long long byte, int is_shared) {
    struct todod_file_lock lock = {is_shared ? 0 /* F_RDLCK */ : 1 /* F_WRLCK */, 0, byte, 1, 0};
    return fcntl(descriptor, 38 /* F_OFD_SETLKW */, &lock);
}

/// Ends that lock.
static inline int todod_unlock_byte(int descriptor, long long byte) {
    struct todod_file_lock lock = {2 /* F_UNLCK */, 0, byte, 1, 0};
    return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock);
}

/// Whether another open file has locked the byte: 1 or 0, or -1 and errno.
static inline int todod_is_byte_locked(int descriptor, long long byte) {
    struct todod_file_lock lock = {1 /* F_WRLCK */, 0, byte, 1, 0};
    if (fcntl(descriptor, 36 /* F_OFD_GETLK */, &lock) != 0)
        return -1;
    return lock.type != 2 /* F_UNLCK */;
}

/// A second descriptor of the same open file, closed on exec; -1 and errno when there is none.
static inline int todod_duplicate(int descriptor) { return fcntl(descriptor, 1030 /* F_DUPFD_CLOEXEC */, 3); }

/// Makes a pipe whose descriptors are closed on exec. Returns 0, or -1 and errno.
static inline int todod_pipe(int descriptors[2]) { return pipe2(descriptors, 02000000 /* O_CLOEXEC */); }

/// Accepts a connection that is non-blocking and closed on exec; -1 and errno when there is none.
static inline int todod_accept(int listener) {
    return accept4(listener, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/// The user at the other end, -1 when the system cannot tell.
static inline unsigned int todod_peer_uid(int descriptor) {
    struct todod_credentials credentials = {0, (unsigned int)-1, (unsigned int)-1};
    socklen_t length = sizeof credentials;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0)
        return (unsigned int)-1;
    return credentials.user;
}

/// A file in memory that is closed on exec; -1 when there is no memory.
static inline int todod_memory_file(void) {
    return memfd_create("todod", 1 /* MFD_CLOEXEC */);
}

/// Lets a spawned process close all descriptors from this one on. The actions are a posix_spawn_file_actions_t.
static inline int todod_close_from(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// A descriptor that can be read when the process has ended, closed on exec; -1 when there is no such process.
static inline int todod_process_descriptor(int process) { return pidfd_open(process, 0); }

/// The columns that a character takes on a terminal, -1 for one that cannot be printed.
static inline int todod_column_width(unsigned int scalar) { return wcwidth((wchar_t)scalar); }

/// A descriptor that will tell when the clock on the wall is set; -1 and errno when there is none.
static inline int todod_clock_watch(void) { return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

/// Makes the descriptor readable when the clock is set the next time, also by a resume. Returns 0, or -1 and errno.
static inline int todod_clock_watch_arm(int descriptor) {
    struct itimerspec never = {{0, 0}, {LONG_MAX, 0}};
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, 0);
}

/// A socket that receives the changes of the system's interfaces, addresses and routes. It is non-blocking and closed on
/// exec; -1 and errno when there is none.
static inline int todod_network_watch(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0)
        return -1;
    struct sockaddr_nl address = {0};
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_IFADDR | RTMGRP_IPV6_ROUTE;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        int error = errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    return descriptor;
}

/// Asks a netlink socket for all routes. Returns 0, or -1 and errno.
static inline int todod_request_routes(int descriptor) {
    struct {
        struct nlmsghdr header;
        struct rtmsg route;
    } request = {0};
    request.header.nlmsg_len = sizeof request;
    request.header.nlmsg_type = RTM_GETROUTE;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    return send(descriptor, &request, sizeof request, 0) < 0 ? -1 : 0;
}

extern int res_query(const char *name, int record_class, int type, unsigned char *answer, int size);

/// Asks the name server for the records of a type. Returns the size of the answer, which may exceed the given size, or -1
/// if there is none.
static inline int todod_name_query(const char *name, int type, unsigned char *answer, int size) {
    return res_query(name, 1 /* C_IN */, type, answer, size);
}
