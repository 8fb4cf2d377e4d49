/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ranks on several machines. Between each two there is a TCP connection of ours, by which the transport's connections
 * are made and which afterwards is silent: the kernel's own probes tell when a machine or a link is gone, and a rank
 * that leaves says so. A process that is stopped for a while is there all the same, as its kernel answers.
 *
 * All else goes over the transport, whose connections to a rank fail when that ends. A rank that sees one fail stops
 * all of its own, so that those that wait for it learn of it in turn.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LEFT = 'b', ABORTED = 'a', NOTE = 'n' }; /* what a rank says: the last thing, or before a number and an id */

/* How long bytes that were sent before a rank's end may still be on their way. The transport's connection to a rank that
 * was killed fails before, unless the network has lost the one packet that says so. */
static const double longest_grace = 10, grace_of_aborted = 0.5;
static double grace(void) { return uwnccl_seconds() < longest_grace ? uwnccl_seconds() : longest_grace; }

void uwnccl_open_tcp_door(const void *address, unsigned int bytes, uwnccl_address *own, int *door) {
  struct sockaddr_storage at;
  socklen_t length = sizeof at;
  int listener = socket(((const struct sockaddr *)address)->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0)
    return;
  if (bind(listener, address, bytes) != 0 || listen(listener, SOMAXCONN) != 0 ||
      getsockname(listener, (struct sockaddr *)&at, &length) != 0 || length > sizeof own->tcp) {
    close(listener);
    return;
  }
  memcpy(own->tcp, &at, length);
  own->tcp_bytes = (int32_t)length;
  *door = listener;
}

/* --- connections -------------------------------------------------------------------------------------------------- */

static ncclResult_t gone(int rank) { return uwnccl_say(ncclRemoteError, "rank %d is gone before it began", rank); }

static int wait_for(const struct ncclComm *c, int socket, short events, double end) {
  while (!c->aborted && uwnccl_now() < end) {
    struct pollfd one = {socket, events, 0};
    if (poll(&one, 1, 50) > 0)
      return 1;
  }
  return 0;
}

static int send_bytes(const struct ncclComm *c, int to, const void *bytes, size_t count, double end) {
  for (size_t done = 0; done < count;) {
    ssize_t sent = send(to, (const char *)bytes + done, count - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
      done += (size_t)sent;
    else if (sent == 0 || (errno != EINTR && (errno != EAGAIN || !wait_for(c, to, POLLOUT, end))))
      return 0;
  }
  return 1;
}

static int receive_bytes(const struct ncclComm *c, int from, void *bytes, size_t count, double end) {
  for (size_t done = 0; done < count;) {
    ssize_t got = recv(from, (char *)bytes + done, count - done, MSG_DONTWAIT);
    if (got > 0)
      done += (size_t)got;
    else if (got == 0 || (errno != EINTR && (errno != EAGAIN || !wait_for(c, from, POLLIN, end))))
      return 0;
  }
  return 1;
}

static int connect_to(const struct ncclComm *c, const uwnccl_address *to, double end) {
  struct sockaddr_storage at = {0};
  memcpy(&at, to->tcp, sizeof to->tcp);
  int error = 0, own = socket(at.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  socklen_t bytes = sizeof error;
  if (own < 0)
    return -1;
  if (connect(own, (const struct sockaddr *)&at, (socklen_t)to->tcp_bytes) != 0 &&
      (errno != EINPROGRESS || !wait_for(c, own, POLLOUT, end) ||
       getsockopt(own, SOL_SOCKET, SO_ERROR, &error, &bytes) != 0 || error)) {
    close(own);
    return -1;
  }
  return own;
}

typedef struct card { /* who knocks */
  uint64_t magic;
  int32_t rank, zero;
} card;

/* Each rank knocks at the doors of the lower ones, then opens to the higher ones. */
static ncclResult_t knit(struct ncclComm *c, const uwnccl_address *all, int door, double end) {
  const card own = {all[c->rank].magic, c->rank, 0};
  for (int i = 0; i < c->rank; i++) {
    int to = connect_to(c, &all[i], end);
    c->peers[i].socket = to;
    if (to < 0 || !send_bytes(c, to, &own, sizeof own, end))
      return gone(i);
  }
  for (int left = c->count - 1 - c->rank; left > 0;) {
    card theirs;
    int from = wait_for(c, door, POLLIN, end) ? accept4(door, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK) : -1;
    if (from < 0)
      return uwnccl_say(ncclRemoteError, "a rank is gone before it began, or cannot reach rank %d", c->rank);
    const double soon = uwnccl_now() + 5;
    if (!receive_bytes(c, from, &theirs, sizeof theirs, end < soon ? end : soon) || theirs.magic != own.magic ||
        theirs.rank <= c->rank || theirs.rank >= c->count || c->peers[theirs.rank].socket >= 0) {
      close(from); /* a stranger */
      continue;
    }
    c->peers[theirs.rank].socket = from;
    left--;
  }
  return ncclSuccess;
}

/* Silent links are probed, so that an end that nobody tells of is found within the time-out, or a minute. */
static void probe(int socket) {
  const int one = 1, most = uwnccl_seconds() < 60 ? uwnccl_seconds() : 60;
  const int probes = 3, every = most / 6 > 0 ? most / 6 : 1;
  const int rest = most - probes * every - 1, first = rest > 0 ? rest : 1;
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &first, sizeof first);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof every);
  setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
  setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
}

/* --- coming together ---------------------------------------------------------------------------------------------- */

typedef struct description {
  uint32_t bytes;
  char is[UWNCCL_DESCRIPTION];
} description;

typedef struct watch {
  struct ncclComm *c;
  _Atomic int is_over, dead; /* dead: a rank, or -1 */
} watch;

/* A transport may wait long for a rank that is gone, or that has given up. One that has left in peace was through. */
static void *watch_ranks(void *argument) {
  watch *w = argument;
  while (!w->is_over && w->dead < 0) {
    for (int i = 0; i < w->c->count; i++) {
      char byte = 0;
      const int socket = w->c->peers[i].socket;
      const ssize_t got = socket < 0 ? 1 : recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
      if (got == 0 || byte == ABORTED || (got < 0 && errno != EAGAIN && errno != EINTR))
        w->dead = i;
    }
    if (w->dead >= 0 || w->c->aborted) {
      w->c->nodes->transport->stop(w->c->nodes->context);
      break;
    }
    nanosleep(&(struct timespec){0, 5000000}, NULL);
  }
  return NULL;
}

static ncclResult_t exchange_descriptions(struct ncclComm *c, description *all, double end) {
  const uwnccl_nodes *n = c->nodes;
  for (int i = 0; i < c->count; i++) {
    description own = {0};
    if (i == c->rank)
      continue;
    own.bytes = (uint32_t)n->transport->describe(n->context, i, own.is, sizeof own.is);
    if (!own.bytes)
      return uwnccl_say(ncclSystemError, "%s has no address for rank %d", n->transport->name, i);
    if (!send_bytes(c, c->peers[i].socket, &own, sizeof own, end))
      return gone(i);
  }
  for (int i = 0; i < c->count; i++)
    if (i != c->rank &&
        (!receive_bytes(c, c->peers[i].socket, &all[i], sizeof all[i], end) || all[i].bytes > sizeof all[i].is))
      return gone(i);
  return ncclSuccess;
}

static ncclResult_t connect_transport(struct ncclComm *c, double end) {
  const uwnccl_nodes *n = c->nodes;
  watch watching = {.c = c, .dead = -1};
  pthread_t watcher;
  char error[300] = "";
  description *all = calloc((size_t)c->count, sizeof *all);
  if (!all)
    return uwnccl_say(ncclSystemError, "no memory");
  ncclResult_t result = exchange_descriptions(c, all, end);
  if (result == ncclSuccess && pthread_create(&watcher, NULL, watch_ranks, &watching) != 0)
    result = uwnccl_say(ncclSystemError, "no thread");
  if (result == ncclSuccess) {
    for (int i = 0; i < c->count && result == ncclSuccess; i++)
      if (i != c->rank && !n->transport->connect(n->context, i, all[i].is, all[i].bytes, error, sizeof error))
        result = uwnccl_say(ncclRemoteError, "%s: rank %d: %s", n->transport->name, i, error);
    watching.is_over = 1;
    pthread_join(watcher, NULL);
    if (watching.dead >= 0)
      result = gone(watching.dead);
    else if (c->aborted)
      result = uwnccl_say(ncclInternalError, "aborted while ranks came together");
  }
  free(all);
  return result;
}

ncclResult_t uwnccl_join_nodes(struct ncclComm *c, const uwnccl_address *all, int door,
                               const uwnccl_transport *transport) {
  const double end = uwnccl_now() + uwnccl_seconds();
  char address[INET6_ADDRSTRLEN] = "", error[300] = "";
  struct sockaddr_storage own = {0};
  if (!(c->nodes = calloc(1, sizeof *c->nodes)))
    return uwnccl_say(ncclSystemError, "no memory");
  c->nodes->transport = transport;
  for (int i = 0; i < c->count; i++)
    if (!all[i].tcp_bytes)
      return uwnccl_say(ncclSystemError, "rank %d has no address for ranks of other machines: NCCL_SOCKET_IFNAME", i);
  memcpy(&own, all[c->rank].tcp, sizeof all->tcp);
  inet_ntop(own.ss_family,
            own.ss_family == AF_INET6 ? (const void *)&((const struct sockaddr_in6 *)&own)->sin6_addr
                                      : (const void *)&((const struct sockaddr_in *)&own)->sin_addr,
            address, sizeof address);
  uwnccl_inform(c, "NET/%s : Using [0]%s<0>", transport->name, address);
  ncclResult_t result = knit(c, all, door, end);
  if (result == ncclSuccess &&
      !(c->nodes->context = transport->open(address, c->rank, c->count, uwnccl_seconds(), error, sizeof error)))
    result = uwnccl_say(ncclSystemError, "%s: %s", transport->name, error);
  if (result == ncclSuccess)
    result = connect_transport(c, end);
  for (int i = 0; i < c->count && result == ncclSuccess; i++)
    if (i != c->rank)
      probe(c->peers[i].socket);
  return result;
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

/* What was sent still arrives, unless this rank breaks off in the middle of something. */
static void end(struct ncclComm *c) {
  uwnccl_nodes *n = c->nodes;
  const char last = c->aborted || c->is_lost || c->is_revoked ? ABORTED : LEFT;
  if (!n || !n->context)
    return;
  if (c->is_lost || ((c->aborted || c->is_revoked) && n->busy))
    n->transport->stop(n->context);
  if (atomic_exchange(&n->has_ended, 1))
    return;
  for (int i = 0; i < c->count; i++)
    if (c->peers[i].socket >= 0)
      send(c->peers[i].socket, &last, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void leave(struct ncclComm *c) {
  if (c->nodes && c->nodes->context)
    c->nodes->transport->close(c->nodes->context);
  for (int i = 0; i < c->count; i++)
    if (c->peers[i].socket >= 0)
      close(c->peers[i].socket);
  for (int i = 0; c->nodes && i < 2; i++)
    free(c->nodes->kept[i].memory);
  free(c->nodes);
}

/* --- who is gone -------------------------------------------------------------------------------------------------- */

static void hear_note(uwnccl_peer *p, ssize_t got) {
  p->heard += got > 0 ? (size_t)got : 0;
  if (p->heard < 1 + sizeof p->hearing)
    return;
  memcpy(&p->note, p->hearing, sizeof p->note);
  memcpy(&p->noted, p->hearing + sizeof p->note, sizeof p->noted);
  p->heard = 0;
}

/* All that came. */
static void listen_to(uwnccl_peer *p, double now) {
  for (;;) {
    char first;
    void *to = p->heard ? (void *)(p->hearing + p->heard - 1) : &first;
    const ssize_t got = recv(p->socket, to, p->heard ? sizeof p->hearing + 1 - p->heard : 1, MSG_DONTWAIT);
    if (got < 0 && errno != EAGAIN && errno != EINTR)
      p->is_dead = 1; /* the link */
    if (got == 0 && !p->gone_since)
      p->gone_since = now;
    if (got <= 0)
      return;
    if (p->heard)
      hear_note(p, got);
    else if (first == NOTE)
      p->heard = 1;
    else
      p->gone_since = first == ABORTED ? now - grace() + grace_of_aborted : now;
  }
}

static void look_for_dead(struct ncclComm *c) {
  const double now = uwnccl_now();
  for (int i = 0; i < c->count; i++)
    if (c->peers[i].socket >= 0 && !c->peers[i].is_dead)
      listen_to(&c->peers[i], now);
}

static void tell(struct ncclComm *c, uint64_t number, const ncclUniqueId *id) {
  char note[1 + sizeof number + sizeof *id] = {NOTE};
  memcpy(note + 1, &number, sizeof number);
  memcpy(note + 1 + sizeof number, id, sizeof *id);
  for (int i = 0; i < c->count; i++)
    if (c->peers[i].socket >= 0)
      send(c->peers[i].socket, note, sizeof note, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static int is_told(struct ncclComm *c, uint64_t number, ncclUniqueId *id) {
  look_for_dead(c);
  for (int i = 0; i < c->count; i++)
    if (c->peers[i].note == number) {
      *id = c->peers[i].noted;
      return 1;
    }
  return 0;
}

static int waits_in_vain(const struct ncclComm *c, const uwnccl_operation *o) {
  for (int i = 0; i < c->count; i++) {
    const uwnccl_peer *p = &c->peers[i];
    if ((o->kind < UWNCCL_SEND || i == o->root) &&
        (p->is_dead || (p->gone_since && uwnccl_now() > p->gone_since + grace())))
      return i + 1;
  }
  return 0;
}

static int looks(struct ncclComm *c) {
  (void)c;
  return 0;
}

/* A request can be waited for alone. Where there are several, as many messages are under way, each gets a little. */
static void sleep_on(struct ncclComm *c, uwnccl_batch *b, uint32_t bell, double seconds) {
  uwnccl_nodes *n = c->nodes;
  size_t waiting = 0;
  (void)bell;
  for (size_t i = 0; i < b->count; i++)
    waiting += uwnccl_awaited(&b->operations[i]) != NULL;
  if (!waiting) {
    nanosleep(&(struct timespec){0, seconds < 1e-3 ? (long)(seconds * 1e9) : 1000000}, NULL);
    return;
  }
  const long most = (long)(seconds * 1e6), each = waiting == 1 || most < 50 ? most : 50;
  n->next++;
  for (size_t i = 0; i < b->count; i++) {
    void *request = uwnccl_awaited(&b->operations[(n->next + i) % b->count]);
    if (request)
      n->transport->wait(request, each);
  }
}

const uwnccl_engine uwnccl_by_nodes = {.leave = leave,
                                       .end = end,
                                       .step = uwnccl_exchange,
                                       .drop = uwnccl_drop_work,
                                       .look_for_dead = look_for_dead,
                                       .waits_in_vain = waits_in_vain,
                                       .looks = looks,
                                       .tell = tell,
                                       .is_told = is_told,
                                       .sleep = sleep_on};
