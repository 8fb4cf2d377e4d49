/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Ranks find each other. Whoever makes an id runs a root: a thread that listens where the id says. Each rank tells the
 * root what it is; when all have come, or one does not fit, the root answers all of them the same: a result with its
 * text, and the table of all ranks. Between ranks of one machine nothing but
 * these tables goes over TCP.
 *
 * With NCCL_COMM_ID=host:port the id is that address, and rank 0 runs the root.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef union place {
  struct sockaddr any;
  struct sockaddr_in four;
  struct sockaddr_in6 six;
} place;

/* What the 128 bytes of an id are. */
typedef struct id {
  char layout[32];
  uint64_t magic;
  place at;
  int by_rank_0; /* the root comes with rank 0, perhaps later */
} id;
_Static_assert(sizeof(id) <= NCCL_UNIQUE_ID_BYTES, "an id holds an address");

typedef struct answer {
  int32_t result;
  char text[252];
} answer;

double uwnccl_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static _Atomic int seconds_to_wait = 600;

void uwnccl_read_environment(void) {
  const char *text = getenv("UNWARP_NCCL_TIMEOUT");
  const int seconds = text ? atoi(text) : 0;
  seconds_to_wait = seconds > 0 ? seconds : 600;
  uwnccl_read_level();
}

int uwnccl_seconds(void) { return seconds_to_wait; }

/* --- what this process is ----------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3;
  return hash;
}

/* One machine's kernel, as far as abstract sockets reach. */
static uint64_t host(void) {
  char boot[64] = {0};
  struct stat network = {0};
  const char *named = getenv("NCCL_HOSTID");
  if (named && *named)
    return mix(1, named, strlen(named));
  int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  if (file < 0 || read(file, boot, sizeof boot - 1) <= 0)
    gethostname(boot, sizeof boot - 1);
  if (file >= 0)
    close(file);
  if (stat("/proc/self/ns/net", &network) != 0)
    network.st_ino = 0;
  return mix(mix(2, boot, sizeof boot), &network.st_ino, sizeof network.st_ino);
}

/* A child of fork has its parent's number, so its own process number goes in. */
static uint64_t process_key(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static uint64_t random;
  const pid_t process = getpid();
  pthread_mutex_lock(&lock);
  if (!random && getrandom(&random, sizeof random, 0) != sizeof random)
    random = (uint64_t)time(NULL);
  uint64_t key = mix(random, &process, sizeof process);
  pthread_mutex_unlock(&lock);
  return key;
}

/* --- the root ----------------------------------------------------------------------------------------------------- */

enum { REFUSES = 2 }; /* seconds for those who come after a refusal, to a process that may end with it */

typedef struct guest {
  int socket, is_answered;
  size_t got;
  uwnccl_address is;
} guest;

typedef struct root {
  int listener;
  uint64_t magic;
  size_t guests, room, told; /* told: of them, how many said what they are */
  guest *all;
  int32_t count; /* of ranks, as the first one said; then the largest number that anyone said */
  answer answer;
  double
      lingers; /* with a refusal: until then ranks of this process are not told, so that it stays for those to come */
} root;

static void refuse(root *r, ncclResult_t result, const char *text) {
  if (r->answer.result == ncclSuccess) {
    r->answer.result = result;
    r->lingers = uwnccl_now() + REFUSES;
    snprintf(r->answer.text, sizeof r->answer.text, "%s", text);
  }
}

static int is_told(const guest *g) { return g->got == sizeof g->is; }

static const char *name_of_engine(int32_t wanted) {
  return wanted > UWNCCL_ANY && wanted < UWNCCL_ENGINES ? uwnccl_engine_names[wanted] : "not set";
}

static void compare(root *r, const guest *fresh) {
  char text[200];
  const uwnccl_address *a = &fresh->is;
  if (strncmp(a->layout, UWNCCL_LAYOUT, sizeof a->layout) != 0) {
    snprintf(text, sizeof text, "ranks have different versions of unwarp: %.31s and %s", a->layout, UWNCCL_LAYOUT);
    refuse(r, ncclInvalidUsage, text);
  }
  for (size_t i = 0; i < r->guests; i++) {
    const uwnccl_address *b = &r->all[i].is;
    if (&r->all[i] == fresh || !is_told(&r->all[i]))
      continue;
    if (a->count != b->count) {
      snprintf(text, sizeof text, "mismatch in rank count: rank %d says %d, rank %d says %d", b->rank, b->count,
               a->rank, a->count);
      refuse(r, ncclInvalidUsage, text);
    } else if (a->rank == b->rank) {
      snprintf(text, sizeof text, "rank %d of %d has already checked in", a->rank, a->count);
      refuse(r, ncclInvalidUsage, text);
    } else if (a->wants != b->wants) {
      snprintf(text, sizeof text, "UNWARP_NCCL is not the same on all ranks: %s on rank %d, %s on rank %d",
               name_of_engine(b->wants), b->rank, name_of_engine(a->wants), a->rank);
      refuse(r, ncclInvalidUsage, text);
    } else if (a->wants == UWNCCL_SHARED && uwnccl_are_apart(a, b)) {
      refuse(r, ncclInvalidUsage,
             "ranks are on several machines (or network namespaces, or NCCL_HOSTID says so), and UNWARP_NCCL=shm");
    } else if (a->process_key == b->process_key && a->device == b->device) {
      snprintf(text, sizeof text, "Duplicate GPU detected : rank %d and rank %d both on CUDA device %d of one process",
               b->rank, a->rank, a->device);
      refuse(r, ncclInvalidUsage, text);
    }
  }
  if (a->count > r->count)
    r->count = a->count;
}

static int send_all(int socket, const void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t sent = send(socket, (const char *)bytes + done, count - done, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return 0;
    done += (size_t)sent;
  }
  return 1;
}

static void tell(root *r) {
  uwnccl_address *table = NULL;
  if (r->answer.result == ncclSuccess) {
    table = calloc((size_t)r->count, sizeof *table);
    if (!table)
      refuse(r, ncclSystemError, "no memory for the table of ranks");
  }
  for (size_t i = 0; table && i < r->guests; i++)
    if (is_told(&r->all[i]))
      table[r->all[i].is.rank] = r->all[i].is;
  /* Those of this process last: it may end once they know, and the root with it. */
  const int all_came = r->count && r->told >= (size_t)r->count;
  for (int own = 0; own < (all_came || uwnccl_now() >= r->lingers ? 2 : 1); own++)
    for (size_t i = 0; i < r->guests; i++) {
      guest *g = &r->all[i];
      if (g->is_answered || !is_told(g) || (g->is.process_key == process_key()) != own)
        continue;
      g->is_answered = 1;
      if (send_all(g->socket, &r->answer, sizeof r->answer) && table)
        send_all(g->socket, table, (size_t)r->count * sizeof *table);
    }
  free(table);
}

/* Takes what came. A stranger, who does not know the magic number, is shown out. */
static void listen_to(root *r, guest *g) {
  ssize_t got = recv(g->socket, (char *)&g->is + g->got, sizeof g->is - g->got, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (got > 0)
    g->got += (size_t)got;
  if (got > 0 && !is_told(g))
    return;
  if (got > 0 && g->is.magic == r->magic && g->is.count > 0 && g->is.count <= UWNCCL_RANKS_MOST && g->is.rank >= 0 &&
      g->is.rank < g->is.count) {
    r->told++;
    compare(r, g);
    return;
  }
  close(g->socket);
  g->socket = -1;
  g->got = 0;
}

/* One who was here and hangs up before all have come will not come again. */
static void hear_end(root *r, guest *g) {
  char byte;
  ssize_t got = recv(g->socket, &byte, 1, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (!g->is_answered)
    refuse(r, ncclRemoteError, "a rank went away before all ranks had come");
  g->is_answered = 1;
  close(g->socket);
  g->socket = -1;
}

static int welcome(root *r) {
  int socket = accept4(r->listener, NULL, NULL, SOCK_CLOEXEC);
  if (socket < 0)
    return errno == EINTR || errno == ECONNABORTED || errno == EAGAIN;
  /* Whoever does not take its answer keeps the others waiting for theirs no longer. */
  setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){.tv_sec = 1}, sizeof(struct timeval));
  if (r->guests == r->room) {
    guest *larger = realloc(r->all, (r->room * 2 + 8) * sizeof *larger);
    if (!larger) {
      close(socket);
      return 0;
    }
    r->all = larger;
    r->room = r->room * 2 + 8;
  }
  r->all[r->guests++] = (guest){.socket = socket};
  return 1;
}

/* Done when all have an answer; with a refusal, whoever may yet come is told, too. */
static void *serve(void *argument) {
  root *r = argument;
  const double end = uwnccl_now() + uwnccl_seconds();
  struct pollfd *watched = NULL;
  for (int goes_on = 1; goes_on && uwnccl_now() < end;) {
    struct pollfd *larger = realloc(watched, (r->guests + 1) * sizeof *watched);
    if (!larger)
      break;
    watched = larger;
    watched[0] = (struct pollfd){r->listener, POLLIN, 0};
    size_t count = r->guests;
    for (size_t i = 0; i < count; i++)
      watched[i + 1] = (struct pollfd){r->all[i].socket, POLLIN, 0};
    if (poll(watched, count + 1, r->answer.result == ncclSuccess ? 1000 : 50) < 0 && errno != EINTR)
      break;
    for (size_t i = 0; i < count; i++)
      if (watched[i + 1].revents && r->all[i].socket >= 0)
        is_told(&r->all[i]) ? hear_end(r, &r->all[i]) : listen_to(r, &r->all[i]);
    if (watched[0].revents)
      goes_on = welcome(r);
    int all_came = r->count && r->told >= (size_t)r->count;
    if (r->answer.result != ncclSuccess || all_came)
      tell(r);
    goes_on &= !all_came;
  }
  if (r->answer.result == ncclSuccess && (!r->count || r->told < (size_t)r->count)) {
    refuse(r, ncclRemoteError, "not all ranks came within UNWARP_NCCL_TIMEOUT seconds");
  }
  r->lingers = 0;
  tell(r);
  for (size_t i = 0; i < r->guests; i++)
    if (r->all[i].socket >= 0)
      close(r->all[i].socket);
  close(r->listener);
  free(watched);
  free(r->all);
  free(r);
  return NULL;
}

static socklen_t bytes_of(const place *at) { return at->any.sa_family == AF_INET6 ? sizeof at->six : sizeof at->four; }

/* Listens at the id's address, whose port may be 0, and writes down which it is. */
static ncclResult_t start_root(id *in) {
  const int one = 1;
  socklen_t bytes = bytes_of(&in->at);
  pthread_t thread;
  root *r = calloc(1, sizeof *r);
  if (!r)
    return uwnccl_say(ncclSystemError, "no memory");
  r->magic = in->magic;
  r->listener = socket(in->at.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (r->listener < 0 || setsockopt(r->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
      bind(r->listener, &in->at.any, bytes) != 0 || listen(r->listener, SOMAXCONN) != 0 ||
      getsockname(r->listener, &in->at.any, &bytes) != 0 || pthread_create(&thread, NULL, serve, r) != 0) {
    ncclResult_t result = uwnccl_say(ncclSystemError, "listening for ranks: %s", strerror(errno));
    if (r->listener >= 0)
      close(r->listener);
    free(r);
    return result;
  }
  pthread_detach(thread);
  return ncclSuccess;
}

/* --- ids ---------------------------------------------------------------------------------------------------------- */

/* NCCL_SOCKET_IFNAME: beginnings of names with commas; `=` in front: whole names; `^`: all but these. */
static int is_named(const char *list, const char *name) {
  int others = *list == '^', whole = list[others] == '=', found = 0;
  for (const char *word = list + others + whole; *word && !found;) {
    size_t length = strcspn(word, ",");
    found = length && strncmp(name, word, length) == 0 && (!whole || !name[length]);
    word += length + (word[length] == ',');
  }
  return found != others;
}

/* NCCL's rule: what NCCL_SOCKET_IFNAME names; else the first interface that is neither a container's bridge nor the
 * loop; else the loop, and that alone where ranks of other machines are not wanted. 0: none has that name. */
static int address_here(int32_t wants, place *to) {
  const char *list = getenv("NCCL_SOCKET_IFNAME");
  struct ifaddrs *all;
  const int is_given = list && *list;
  int is_found = !is_given;
  *to = (place){.four = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}};
  if ((!is_given && wants == UWNCCL_SHARED) || getifaddrs(&all) != 0)
    return is_found;
  for (const struct ifaddrs *at = all; at; at = at->ifa_next)
    if (at->ifa_addr && at->ifa_addr->sa_family == AF_INET && (at->ifa_flags & IFF_UP) &&
        (is_given ? is_named(list, at->ifa_name)
                  : !(at->ifa_flags & IFF_LOOPBACK) && is_named("^docker,br-,virbr,veth,cni", at->ifa_name))) {
      memcpy(&to->four, at->ifa_addr, sizeof to->four);
      to->four.sin_port = 0;
      is_found = 1;
      break;
    }
  freeifaddrs(all);
  return is_found;
}

static ncclResult_t no_interface(void) {
  char names[256] = "";
  struct ifaddrs *all;
  if (getifaddrs(&all) == 0) {
    for (const struct ifaddrs *at = all; at; at = at->ifa_next)
      if (at->ifa_addr && at->ifa_addr->sa_family == AF_INET && (at->ifa_flags & IFF_UP))
        snprintf(names + strlen(names), sizeof names - strlen(names), " %s", at->ifa_name);
    freeifaddrs(all);
  }
  return uwnccl_say(ncclInvalidUsage, "no socket interface found: NCCL_SOCKET_IFNAME=%s, and there are%s",
                    getenv("NCCL_SOCKET_IFNAME"), *names ? names : " none");
}

/* "host:port" or "[host]:port". */
static int read_address(const char *text, place *at) {
  char name[256];
  const char *colon = strrchr(text, ':');
  if (!colon || (size_t)(colon - text) >= sizeof name)
    return 0;
  const int bracket = *text == '[' && colon > text && colon[-1] == ']';
  snprintf(name, sizeof name, "%.*s", (int)(colon - text) - 2 * bracket, text + bracket);
  struct addrinfo *found, wanted = {.ai_socktype = SOCK_STREAM};
  if (getaddrinfo(name, colon + 1, &wanted, &found) != 0)
    return 0;
  int fits = found->ai_addrlen <= sizeof *at;
  if (fits)
    memcpy(at, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return fits;
}

ncclResult_t uwnccl_new_id(ncclUniqueId *to, int heeds_environment) {
  int32_t wants;
  uwnccl_read_environment();
  ncclResult_t read = uwnccl_wanted(&wants);
  if (read != ncclSuccess)
    return read;
  id made = {.layout = UWNCCL_LAYOUT};
  const char *named = heeds_environment ? getenv("NCCL_COMM_ID") : NULL;
  memset(to, 0, sizeof *to);
  if (!address_here(wants, &made.at))
    return no_interface();
  if (named && *named) {
    if (!read_address(named, &made.at))
      return uwnccl_say(ncclInvalidArgument, "NCCL_COMM_ID=%s is not an address (host:port), or the host is not known",
                        named);
    made.by_rank_0 = 1;
    made.magic = mix(3, named, strlen(named));
  } else if (getrandom(&made.magic, sizeof made.magic, 0) != sizeof made.magic) {
    return uwnccl_say(ncclSystemError, "no random number: %s", strerror(errno));
  } else {
    ncclResult_t result = start_root(&made);
    if (result != ncclSuccess)
      return result;
  }
  memcpy(to, &made, sizeof made);
  return ncclSuccess;
}

/* --- a rank ------------------------------------------------------------------------------------------------------- */

static void pause_for(long milliseconds) { nanosleep(&(struct timespec){0, milliseconds * 1000000}, NULL); }

/* The kernel itself would wait for some two minutes for a link that is silent. */
static int connects(int to, const place *at, double end, const _Atomic int *aborted) {
  int error = 0;
  socklen_t bytes = sizeof error;
  if (connect(to, &at->any, bytes_of(at)) != 0 && errno != EINPROGRESS)
    return 0;
  while (uwnccl_now() < end && !*aborted)
    if (poll(&(struct pollfd){to, POLLOUT, 0}, 1, 50) > 0)
      return getsockopt(to, SOL_SOCKET, SO_ERROR, &error, &bytes) == 0 && !error && fcntl(to, F_SETFL, 0) == 0;
  return 0;
}

/* A root that comes with rank 0 may not be there yet. */
static int reach(const id *in, double end, const _Atomic int *aborted) {
  const double last = in->by_rank_0 || end < uwnccl_now() + 2 ? end : uwnccl_now() + 2;
  do {
    int to = socket(in->at.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (to < 0 || connects(to, &in->at, end, aborted))
      return to;
    close(to);
    pause_for(20);
  } while (uwnccl_now() < last && !*aborted);
  return -1;
}

static int receive_all(int from, void *bytes, size_t count, double end, const _Atomic int *aborted) {
  for (size_t done = 0; done < count;) {
    if (uwnccl_now() > end || *aborted)
      return 0;
    if (poll(&(struct pollfd){from, POLLIN, 0}, 1, 50) <= 0)
      continue;
    ssize_t got = recv(from, (char *)bytes + done, count - done, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (got <= 0)
      return 0;
    done += (size_t)got;
  }
  return 1;
}

/* For ranks of other machines: at the interface that NCCL_SOCKET_IFNAME names, else at that by which the root is
 * reached. */
static void open_tcp_door(int to_root, uwnccl_address *own, int *door) {
  const char *list = getenv("NCCL_SOCKET_IFNAME");
  place at = {0};
  socklen_t bytes = sizeof at;
  if (list && *list ? !address_here(own->wants, &at) : getsockname(to_root, &at.any, &bytes) != 0)
    return;
  if (at.any.sa_family == AF_INET6)
    at.six.sin6_port = 0;
  else
    at.four.sin_port = 0;
  uwnccl_open_tcp_door(&at, bytes_of(&at), own, door);
}

ncclResult_t uwnccl_meet(const ncclUniqueId *with, uwnccl_address *own, uwnccl_address *all, const _Atomic int *aborted,
                         uwnccl_doors *doors) {
  id in;
  answer said = {0};
  memcpy(&in, with, sizeof in);
  if (memcmp(in.layout, UWNCCL_LAYOUT, sizeof UWNCCL_LAYOUT) != 0)
    return uwnccl_say(ncclInvalidArgument, "the id is not one of this version's ncclGetUniqueId");
  if (in.by_rank_0 && own->rank == 0) {
    ncclResult_t result = start_root(&in);
    if (result != ncclSuccess)
      return result;
  }
  snprintf(own->layout, sizeof own->layout, "%s", UWNCCL_LAYOUT);
  own->magic = in.magic;
  own->process = getpid();
  own->host = host();
  own->process_key = process_key();
  /* The root gives up first, and says so to all. */
  const double end = uwnccl_now() + uwnccl_seconds() + 2;
  int to = reach(&in, end, aborted);
  if (to < 0)
    return uwnccl_say(ncclRemoteError, "nobody listens where the id says: whoever made it is gone, or it was used up");
  if (own->wants != UWNCCL_SHARED)
    open_tcp_door(to, own, &doors->tcp);
  int is_there = send_all(to, own, sizeof *own) && receive_all(to, &said, sizeof said, end, aborted) &&
                 (said.result != ncclSuccess || receive_all(to, all, (size_t)own->count * sizeof *all, end, aborted));
  close(to);
  if (*aborted)
    return uwnccl_say(ncclInternalError, "aborted while ranks came together");
  if (!is_there)
    return uwnccl_say(ncclRemoteError, "the connection to the root ended before all ranks had come");
  said.text[sizeof said.text - 1] = 0;
  return said.result == ncclSuccess ? ncclSuccess : uwnccl_say((ncclResult_t)said.result, "%s", said.text);
}
