/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A switch between network interfaces that delays all frames, and holds or loses those of one interface when it is told:
 *
 *   relay MILLISECONDS INTERFACE …
 *
 * Lines on stdin: "stall I" holds what comes from or goes to the I-th interface, from 0 on, "go I" delivers it then; "lose resets" loses TCP's, which are sent once; at the end of
 * stdin the relay ends. Frames of several segments,
 * and those without a check sum yet, pass as they are, with the kernel's header for them (PACKET_VNET_HDR). What is on its way takes 256 MB at most; what comes then is lost.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PORTS = 16, FRAME = 1 << 17, HEADER = 10 /* struct virtio_net_hdr */, KNOWN = 64 };

struct frame {
  struct frame *next;
  double due;
  size_t size;
  unsigned char bytes[];
};

static struct port {
  int socket;
  bool stalled;
  struct frame *first, **last; /* what goes to it */
} ports[PORTS];
static int port_count;
static size_t on_the_way;
static bool loses_resets;
static double delay;

static struct {
  unsigned char address[6];
  int port;
} known[KNOWN];
static int known_count;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void open_port(const char *name) {
  struct port *port = &ports[port_count++];
  const struct sockaddr_ll address = {
      .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = (int)if_nametoindex(name)};
  const struct packet_mreq all = {.mr_ifindex = address.sll_ifindex, .mr_type = PACKET_MR_PROMISC};
  const int on = 1, buffer = 32 << 20;
  port->last = &port->first;
  port->socket = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, htons(ETH_P_ALL));
  if (port->socket < 0 || bind(port->socket, (const struct sockaddr *)&address, sizeof address) != 0 ||
      setsockopt(port->socket, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof on) != 0 ||
      setsockopt(port->socket, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on) != 0 ||
      setsockopt(port->socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) != 0)
    fail(name);
  (void)!setsockopt(port->socket, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof buffer);
  (void)!setsockopt(port->socket, SOL_SOCKET, SO_SNDBUFFORCE, &buffer, sizeof buffer);
}

static int port_of(const unsigned char *address) {
  for (int i = 0; i < known_count; i++)
    if (memcmp(known[i].address, address, 6) == 0)
      return known[i].port;
  return -1;
}

static void queue(int to, const unsigned char *bytes, size_t size) {
  if (on_the_way + size > (size_t)256 << 20)
    return;
  struct frame *frame = malloc(sizeof *frame + size);
  if (!frame)
    fail("malloc");
  *frame = (struct frame){.due = now() + delay, .size = size};
  memcpy(frame->bytes, bytes, size);
  *ports[to].last = frame;
  ports[to].last = &frame->next;
  on_the_way += size;
}

/* Of IPv4: what says that a connection's other end is gone. */
static bool is_reset(const unsigned char *frame, size_t size) {
  const size_t tcp = 14 + (size_t)(frame[14] & 15) * 4;
  return size >= tcp + 14 && frame[12] == 8 && frame[13] == 0 && frame[23] == IPPROTO_TCP && (frame[tcp + 13] & 4);
}

/* A stalled interface is not read: what its machine has sent stays in the socket's buffer. */
static void take(int from) {
  static unsigned char bytes[FRAME];
  for (int most = 64; most--;) {
    const ssize_t size = recv(ports[from].socket, bytes, sizeof bytes, 0);
    if (size < HEADER + 14)
      return;
    const unsigned char *to_address = bytes + HEADER, *own = to_address + 6;
    if (port_of(own) < 0 && known_count < KNOWN) {
      memcpy(known[known_count].address, own, 6);
      known[known_count++].port = from;
    }
    if (loses_resets && is_reset(to_address, (size_t)size - HEADER))
      continue;
    const int to = port_of(to_address);
    for (int i = 0; i < port_count; i++)
      if (i != from && (to < 0 || i == to))
        queue(i, bytes, (size_t)size);
  }
}

/* Sends what is due; returns when there is more to do. An interface that is down loses its frames. */
static double deliver(int to) {
  struct port *port = &ports[to];
  while (port->first && !port->stalled) {
    struct frame *frame = port->first;
    if (frame->due > now())
      return frame->due;
    if (send(port->socket, frame->bytes, frame->size, 0) < 0 && (errno == EAGAIN || errno == ENOBUFS))
      return now() + 1e-3;
    port->first = frame->next;
    if (!port->first)
      port->last = &port->first;
    on_the_way -= frame->size;
    free(frame);
  }
  return 1e300;
}

static bool told(void) {
  static char line[64];
  static size_t used;
  const ssize_t got = read(STDIN_FILENO, line + used, sizeof line - 1 - used);
  if (got <= 0)
    return false;
  used += (size_t)got;
  line[used] = 0;
  for (char *end; (end = strchr(line, '\n'));) {
    int port;
    if (sscanf(line, "stall %d", &port) == 1 && port >= 0 && port < port_count)
      ports[port].stalled = true;
    else if (sscanf(line, "go %d", &port) == 1 && port >= 0 && port < port_count)
      ports[port].stalled = false;
    else if (strncmp(line, "lose resets", 11) == 0)
      loses_resets = true;
    used -= (size_t)(end + 1 - line);
    memmove(line, end + 1, used + 1);
  }
  return used < sizeof line - 1;
}

int main(int count, char **argument) {
  if (count < 4 || count - 2 > PORTS) {
    fprintf(stderr, "usage: relay MILLISECONDS INTERFACE INTERFACE ...\n");
    return 2;
  }
  delay = 1e-3 * atof(argument[1]);
  for (int i = 2; i < count; i++)
    open_port(argument[i]);
  for (;;) {
    struct pollfd polled[PORTS + 1];
    double next = 1e300;
    for (int i = 0; i < port_count; i++) {
      const double due = deliver(i);
      next = due < next ? due : next;
      polled[i] = (struct pollfd){.fd = ports[i].stalled ? -1 : ports[i].socket, .events = POLLIN};
    }
    polled[port_count] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    double left = next - now();
    left = left < 0 ? 0 : left > 1 ? 1 : left;
    const struct timespec wait = {.tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
    if (ppoll(polled, (nfds_t)port_count + 1, &wait, NULL) < 0)
      fail("ppoll");
    for (int i = 0; i < port_count; i++)
      if (polled[i].revents & POLLIN)
        take(i);
    if (polled[port_count].revents && !told())
      return 0;
  }
}
