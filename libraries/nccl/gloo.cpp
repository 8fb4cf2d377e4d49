/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Gloo's TCP transport, as C: a library of its own, which is opened when ranks are on several machines, so that nobody
 * else needs libgloo. Of Gloo it uses unbound buffers, whose waits end when they are done, fail, or are aborted; a wait
 * that runs into Gloo's own time-out would close all connections. So a timer of ours aborts those that take too long,
 * and such a wait may be taken up again.
 */
#include "transport.h"

#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <gloo/transport/context.h>
#include <gloo/transport/pair.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>
#include <mutex>
#include <pthread.h>
#include <signal.h>
#include <thread>

using namespace gloo::transport;
using clock_type = std::chrono::steady_clock;

namespace {

struct request;

struct context {
  std::shared_ptr<Device> device;
  std::shared_ptr<Context> gloo;
  int rank, count;
  std::mutex lock;
  std::condition_variable wake;
  request *waiting = nullptr;
  clock_type::time_point until;
  std::chrono::microseconds usual{1000};
  bool is_stopped = false, is_closing = false, timer_sleeps = false;
  std::thread timer;
};

struct request {
  context *of;
  bool sends;
  int state = 0;
  std::unique_ptr<UnboundBuffer> buffer;
  void abort() { sends ? buffer->abortWaitSend() : buffer->abortWaitRecv(); }
};

/* Threads that are begun here take none of the program's signals, but those that they raise themselves. */
struct without_signals {
  sigset_t before;
  without_signals() {
    sigset_t all;
    sigfillset(&all);
    for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
      sigdelset(&all, own);
    pthread_sigmask(SIG_SETMASK, &all, &before);
  }
  ~without_signals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
};

/* Gloo writes to a socket whose other end may be gone: that is an error here, not the end of the program. */
struct without_pipe_signal {
  sigset_t pipe, before;
  bool was_pending;
  static bool is_pending() {
    sigset_t now;
    return sigpending(&now) == 0 && sigismember(&now, SIGPIPE) == 1;
  }
  without_pipe_signal() {
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    was_pending = is_pending();
    pthread_sigmask(SIG_BLOCK, &pipe, &before);
  }
  ~without_pipe_signal() {
    const timespec now = {0, 0};
    if (!was_pending && is_pending())
      sigtimedwait(&pipe, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
};

/* Waits follow each other closely, so it sleeps on for a while when there is none: who waits need not wake it. */
void run_timer(context *c) {
  std::unique_lock<std::mutex> hold(c->lock);
  for (int idle = 0; !c->is_closing;) {
    if (c->waiting) {
      idle = 0;
      if (clock_type::now() < c->until) {
        c->wake.wait_until(hold, c->until);
        continue;
      }
      c->waiting->abort();
      c->waiting = nullptr;
    } else if (idle++ < 20) {
      c->wake.wait_for(hold, c->usual);
    } else {
      c->timer_sleeps = true;
      c->wake.wait(hold, [&] { return c->is_closing || c->waiting; });
      c->timer_sleeps = false;
    }
  }
}

void *open(const char *address, int rank, int count, int seconds, char *error, size_t room) try {
  auto *c = new context;
  std::unique_ptr<context> owned(c);
  without_signals quiet;
  c->rank = rank;
  c->count = count;
  c->device = tcp::CreateDevice(tcp::attr(address));
  c->gloo = c->device->createContext(rank, count);
  /* Five times as long, it waits for a connection. */
  c->gloo->setTimeout(std::chrono::milliseconds(seconds * 200 + 200));
  for (int i = 0; i < count; i++)
    if (i != rank)
      c->gloo->createPair(i);
  c->timer = std::thread(run_timer, c);
  return owned.release();
} catch (const std::exception &e) {
  snprintf(error, room, "%s", e.what());
  return nullptr;
}

size_t describe(void *of, int peer, void *to, size_t room) try {
  const std::vector<char> bytes = static_cast<context *>(of)->gloo->getPair(peer)->address().bytes();
  if (bytes.size() > room)
    return 0;
  memcpy(to, bytes.data(), bytes.size());
  return bytes.size();
} catch (const std::exception &) {
  return 0;
}

int connect(void *of, int peer, const void *description, size_t bytes, char *error, size_t room) try {
  const char *begin = static_cast<const char *>(description);
  static_cast<context *>(of)->gloo->getPair(peer)->connect(std::vector<char>(begin, begin + bytes));
  return 1;
} catch (const std::exception &e) {
  snprintf(error, room, "%s", e.what());
  return 0;
}

void *post(void *of, int sends, int peer, uint64_t slot, void *memory, size_t bytes) {
  auto *c = static_cast<context *>(of);
  {
    std::lock_guard<std::mutex> hold(c->lock);
    if (c->is_stopped)
      return nullptr;
  }
  without_pipe_signal quiet;
  try {
    std::unique_ptr<request> r(new request{c, sends != 0, 0, c->gloo->createUnboundBuffer(memory, bytes)});
    if (sends)
      r->buffer->send(peer, slot, 0, bytes);
    else
      r->buffer->recv(peer, slot, 0, bytes);
    return r.release();
  } catch (const std::exception &) {
    return nullptr;
  }
}

int wait(void *request_of, long microseconds) {
  auto *r = static_cast<request *>(request_of);
  context *c = r->of;
  const std::chrono::microseconds time(microseconds);
  if (r->state || !microseconds)
    return r->state;
  {
    std::lock_guard<std::mutex> hold(c->lock);
    if (c->is_stopped)
      return r->state = -1;
    const auto until = clock_type::now() + time;
    const bool is_sooner = time < c->usual;
    c->waiting = r;
    c->until = until;
    c->usual = time;
    if (c->timer_sleeps || is_sooner)
      c->wake.notify_one();
  }
  bool done = false;
  try {
    constexpr std::chrono::hours longest(24 * 365);
    done = r->sends ? r->buffer->waitSend(nullptr, longest) : r->buffer->waitRecv(nullptr, longest);
  } catch (const std::exception &) {
    r->state = -1;
  }
  std::lock_guard<std::mutex> hold(c->lock);
  c->waiting = nullptr;
  if (done)
    r->state = 1;
  return r->state;
}

void forget(void *r) { delete static_cast<request *>(r); }

/* A hard end, which the other sides see at once. */
void stop(void *of) {
  auto *c = static_cast<context *>(of);
  {
    std::lock_guard<std::mutex> hold(c->lock);
    if (c->is_stopped)
      return;
    c->is_stopped = true;
    if (c->waiting)
      c->waiting->abort();
  }
  for (int i = 0; i < c->count; i++)
    try {
      if (i != c->rank)
        c->gloo->getPair(i)->close();
    } catch (const std::exception &) {}
}

void close(void *of) {
  auto *c = static_cast<context *>(of);
  {
    std::lock_guard<std::mutex> hold(c->lock);
    c->is_closing = true;
    c->wake.notify_one();
  }
  c->timer.join();
  c->gloo.reset();
  c->device.reset();
  delete c;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const uwnccl_transport uwnccl_transport_of_library;
const uwnccl_transport uwnccl_transport_of_library = {"Gloo", open, describe, connect, post, wait, forget, stop, close};
