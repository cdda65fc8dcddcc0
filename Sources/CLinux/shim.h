// What Swift's Glibc module leaves out: accept4, and the credentials of a socket's peer.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sys/socket.h>
#include <sys/un.h>

// Restated because glibc declares `struct ucred` and `accept4` only under _GNU_SOURCE, which the
// importer does not define once sys/socket.h was read elsewhere.
struct todod_peer { int pid; unsigned int uid; unsigned int gid; };
