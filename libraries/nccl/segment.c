/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A rank's shared memory. It is a memfd, so that it has no name, needs no room in /dev/shm and is gone with its last
 * user however that ends. Its descriptor goes to all other ranks over abstract Unix sockets ("doors"), which take only
 * those of the same user that know the communicator's magic number; its size is sealed, so that nobody can take pages
 * away under the others.
 *
 *   control words, a channel for each rank | two buffers | slots for each channel
 *
 * A rank that waits sleeps on its own bell, which all others ring. Whether a peer is gone is told by a process
 * descriptor or, where its process cannot be seen from here, by the end of the connection at its door.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };

static size_t control_bytes(int count) {
  const size_t bytes = sizeof(uwnccl_segment) + (size_t)count * sizeof(uwnccl_channel);
  return (bytes + 65535) & ~(size_t)65535;
}

static size_t segment_bytes(int count) {
  return control_bytes(count) + 2 * (size_t)UWNCCL_BUFFER + (size_t)count * UWNCCL_SLOTS * UWNCCL_SLOT;
}

static ncclResult_t failed(const char *what) {
  return uwnccl_say(ncclSystemError, "shared memory of ranks: %s: %s", what, strerror(errno));
}

/* --- doors -------------------------------------------------------------------------------------------------------- */

ncclResult_t uwnccl_open_door(uwnccl_address *own, int *door) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  socklen_t bytes = sizeof name;
  *door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  /* A name that the kernel chooses. */
  if (*door < 0 || bind(*door, (const struct sockaddr *)&name, sizeof(sa_family_t)) != 0 ||
      listen(*door, SOMAXCONN) != 0 || getsockname(*door, (struct sockaddr *)&name, &bytes) != 0)
    return failed("a socket");
  own->socket_bytes = (int32_t)(bytes - sizeof(sa_family_t));
  if (own->socket_bytes > (int32_t)sizeof own->socket)
    return failed("a socket's name");
  memcpy(own->socket, name.sun_path, (size_t)own->socket_bytes);
  return ncclSuccess;
}

typedef struct card { /* who knocks */
  uint64_t magic;
  int32_t rank;
} card;

static int give(int to, uint64_t magic, int rank, int descriptor) {
  card own = {magic, rank};
  char room[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec part = {&own, sizeof own};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(to, &message, MSG_NOSIGNAL) == (ssize_t)sizeof own;
}

/* The peer's rank, or -1. */
static int take(int from, uint64_t magic, int *descriptor, const struct ncclComm *c) {
  card theirs = {0};
  struct ucred who = {0};
  socklen_t bytes = sizeof who;
  char room[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec part = {&theirs, sizeof theirs};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
  int ready = 0;
  *descriptor = -1;
  for (int left = uwnccl_seconds() * 20; left > 0 && ready <= 0 && !c->aborted; left--)
    ready = poll(&(struct pollfd){from, POLLIN, 0}, 1, 50);
  if (ready <= 0 || recvmsg(from, &message, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof theirs)
    return -1;
  const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
    memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  if (getsockopt(from, SOL_SOCKET, SO_PEERCRED, &who, &bytes) != 0 || who.uid != geteuid() || theirs.magic != magic ||
      *descriptor < 0) {
    if (*descriptor >= 0)
      close(*descriptor);
    return -1;
  }
  return theirs.rank;
}

static ncclResult_t map(struct ncclComm *c, int rank, int descriptor) {
  struct stat status;
  uwnccl_peer *p = &c->peers[rank];
  if (fstat(descriptor, &status) != 0 || (size_t)status.st_size != c->segment_bytes ||
      (fcntl(descriptor, F_GET_SEALS) & SEALS) != SEALS)
    return uwnccl_say(ncclSystemError, "what rank %d gave is not the shared memory of a rank", rank);
  void *at = mmap(NULL, c->segment_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (at == MAP_FAILED)
    return failed("mmap");
  p->segment = at;
  p->buffers = (char *)at + control_bytes(c->count);
  p->slots = p->buffers + 2 * (size_t)UWNCCL_BUFFER;
  return ncclSuccess;
}

/* Takes the connection. */
static void watch_owned(struct ncclComm *c, int rank, const uwnccl_address *of, uint64_t own_key, int connection) {
  struct ucred who = {0};
  socklen_t bytes = sizeof who;
  uwnccl_peer *p = &c->peers[rank];
  p->is_own = of->process_key == own_key;
  if (!p->is_own && getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &bytes) == 0 && who.pid > 0)
    p->pid_descriptor = (int)syscall(SYS_pidfd_open, who.pid, 0);
  if (p->is_own || p->pid_descriptor >= 0)
    close(connection);
  else
    p->socket = connection;
}

static int knock(const uwnccl_address *at) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  memcpy(name.sun_path, at->socket, sizeof at->socket);
  int to = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (to >= 0 &&
      connect(to, (const struct sockaddr *)&name, (socklen_t)(sizeof(sa_family_t) + (size_t)at->socket_bytes)) != 0) {
    close(to);
    return -1;
  }
  return to;
}

/* Each rank knocks at the doors of all lower ones and hands its descriptor in; then it opens to the higher ones, and
 * last it takes what the lower ones hand back. Nobody waits for one who waits for it. */
static ncclResult_t exchange(struct ncclComm *c, const uwnccl_address *all, int door, int own, int *connections) {
  const uint64_t magic = all[c->rank].magic, key = all[c->rank].process_key;
  int given;
  for (int i = 0; i < c->rank; i++) {
    connections[i] = knock(&all[i]);
    if (connections[i] < 0 || !give(connections[i], magic, c->rank, own))
      return uwnccl_say(ncclRemoteError, "rank %d is gone before it began", i);
  }
  for (int left = c->count - 1 - c->rank; left > 0;) {
    int ready = 0;
    for (int tries = uwnccl_seconds() * 20; tries > 0 && ready <= 0 && !c->aborted; tries--)
      ready = poll(&(struct pollfd){door, POLLIN, 0}, 1, 50);
    int from = ready > 0 ? accept4(door, NULL, NULL, SOCK_CLOEXEC) : -1;
    if (from < 0)
      return uwnccl_say(ncclRemoteError, "a rank is gone before it began");
    int rank = take(from, magic, &given, c);
    if (rank < 0) { /* a stranger */
      close(from);
      continue;
    }
    if (rank <= c->rank || rank >= c->count || c->peers[rank].segment || !give(from, magic, c->rank, own)) {
      close(given);
      close(from);
      return uwnccl_say(ncclRemoteError, "rank %d is gone before it began", rank);
    }
    ncclResult_t result = map(c, rank, given);
    close(given);
    watch_owned(c, rank, &all[rank], key, from);
    if (result != ncclSuccess)
      return result;
    left--;
  }
  for (int i = 0; i < c->rank; i++) {
    if (take(connections[i], magic, &given, c) != i)
      return uwnccl_say(ncclRemoteError, "rank %d is gone before it began", i);
    ncclResult_t result = map(c, i, given);
    close(given);
    watch_owned(c, i, &all[i], key, connections[i]);
    connections[i] = -1;
    if (result != ncclSuccess)
      return result;
  }
  return ncclSuccess;
}

ncclResult_t uwnccl_join_shared(struct ncclComm *c, const uwnccl_address *all, int door) {
  ncclResult_t result = ncclSuccess;
  c->segment_bytes = segment_bytes(c->count);
  int *connections = malloc((size_t)c->count * sizeof *connections);
  for (int i = 0; connections && i < c->count; i++)
    connections[i] = -1;
  int own = memfd_create("unwarp-nccl", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (!connections || own < 0 || ftruncate(own, (off_t)c->segment_bytes) != 0 || fcntl(own, F_ADD_SEALS, SEALS) != 0)
    result = failed("memfd");
  if (result == ncclSuccess)
    result = map(c, c->rank, own);
  c->peers[c->rank].is_own = 1;
  if (result == ncclSuccess)
    result = exchange(c, all, door, own, connections);
  for (int i = 0; connections && i < c->count; i++)
    if (connections[i] >= 0)
      close(connections[i]);
  free(connections);
  if (own >= 0)
    close(own);
  if (c->peers[c->rank].segment)
    c->bell = &c->peers[c->rank].segment->bell;
  return result;
}

void uwnccl_leave_shared(struct ncclComm *c) {
  uwnccl_unmap_places(c);
  for (int i = 0; i < c->count; i++) {
    uwnccl_peer *p = &c->peers[i];
    if (p->segment)
      munmap(p->segment, c->segment_bytes);
    if (p->pid_descriptor >= 0)
      close(p->pid_descriptor);
    if (p->socket >= 0)
      close(p->socket);
    *p = (uwnccl_peer){.pid_descriptor = -1, .socket = -1};
  }
}

/* --- bells -------------------------------------------------------------------------------------------------------- */

/* What is told was stored before. Who is about to sleep says so, then looks again; so either it sees what is told, or
 * its bell changes under it. */
void uwnccl_ring(struct ncclComm *c, int rank) {
  uwnccl_segment *s = c->peers[rank].segment;
  if (!s)
    return;
  atomic_fetch_add(&s->bell, 1);
  if (atomic_load(&s->sleeps))
    syscall(SYS_futex, &s->bell, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

void uwnccl_ring_all(struct ncclComm *c) {
  atomic_store_explicit(&c->peers[c->rank].segment->core, sched_getcpu() + 1, memory_order_relaxed);
  for (int i = 0; i < c->count; i++)
    if (i != c->rank)
      uwnccl_ring(c, i);
}

int uwnccl_looks(struct ncclComm *c) {
  const int own = sched_getcpu() + 1;
  int shares = 0;
  for (int i = 0; i < c->count; i++)
    shares |= i != c->rank && atomic_load_explicit(&c->peers[i].segment->core, memory_order_relaxed) == own;
  return shares ? 0 : c->spins;
}

void uwnccl_sleep(struct ncclComm *c, uwnccl_batch *b, uint32_t bell, double seconds) {
  uwnccl_segment *own = c->peers[c->rank].segment;
  const struct timespec time = {0, (long)(seconds * 1e9)};
  (void)b;
  atomic_store(&own->sleeps, 1);
  syscall(SYS_futex, &own->bell, FUTEX_WAIT, bell, &time, NULL, 0);
  atomic_store(&own->sleeps, 0);
}

void uwnccl_end_shared(struct ncclComm *c) {
  if (!c->peers || !c->peers[c->rank].segment)
    return;
  atomic_store(&c->peers[c->rank].segment->ended, 1);
  uwnccl_ring_all(c);
  uwnccl_ring(c, c->rank); /* other threads of its own */
}

/* --- successors --------------------------------------------------------------------------------------------------- */

void uwnccl_tell(struct ncclComm *c, uint64_t number, const ncclUniqueId *id) {
  uwnccl_segment *own = c->peers[c->rank].segment;
  own->noted = *id;
  atomic_store(&own->note, number);
}

int uwnccl_is_told(struct ncclComm *c, uint64_t number, ncclUniqueId *id) {
  for (int i = 0; i < c->count; i++)
    if (i != c->rank && atomic_load(&c->peers[i].segment->note) == number) {
      *id = c->peers[i].segment->noted;
      return 1;
    }
  return 0;
}

/* --- who is gone -------------------------------------------------------------------------------------------------- */

void uwnccl_look_for_dead(struct ncclComm *c) {
  for (int i = 0; i < c->count; i++) {
    uwnccl_peer *p = &c->peers[i];
    char byte;
    if (p->is_own || p->is_dead)
      continue;
    if (p->pid_descriptor >= 0)
      p->is_dead = poll(&(struct pollfd){p->pid_descriptor, POLLIN, 0}, 1, 0) > 0;
    else if (p->socket >= 0)
      p->is_dead = recv(p->socket, &byte, 1, MSG_DONTWAIT) == 0;
  }
}

int uwnccl_is_gone(const struct ncclComm *c, int rank) {
  return rank != c->rank && (c->peers[rank].is_dead || atomic_load(&c->peers[rank].segment->ended));
}
