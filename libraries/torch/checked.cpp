// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch's caching allocator parts large segments among tensors. Where a kernel is checked (-fcheck), the checker is told
// of each tensor, and each has room behind it that is nobody's, so that an overrun into the next one is found.
//
// What is given and comes back, the allocator tells by itself (attachAllocatorTraceTracker). Room it has none: it rounds
// up to 512 bytes, so tensors of 512 lie side by side. So its functions that allocate are led through ours, which ask for
// more: in its table of virtual functions, as a class of our own would have to forward all of them, of which each version of
// PyTorch has others. Its statistics count that room. Nothing of this is done before the checker begins.
#include <c10/cuda/CUDACachingAllocator.h>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <exception>

#include "checked.h"

namespace unwarp {

namespace allocator_of = c10::cuda::CUDACachingAllocator;

// unwarp's runtime (runtime/lent.h), which is in the process already.
enum part { PARTS_BEGIN, PARTS_END, PART_GIVEN, PART_BACK };
static void (*note_part)(int what, const void *start, size_t bytes, const char *name);

constexpr size_t room = 512;
static thread_local size_t added; // to what the calling thread asks for

class Room {
public:
  explicit Room(size_t bytes) : outer_(added) { added = bytes && bytes <= SIZE_MAX - room ? room : 0; }
  ~Room() { added = outer_; }
  Room(const Room &) = delete;
  Room &operator=(const Room &) = delete;

private:
  size_t outer_;
};

template <typename Function> struct Slot;
template <typename Result, typename... Rest>
struct Slot<Result (allocator_of::CUDAAllocator::*)(size_t, Rest...)> {
  using Own = allocator_of::CUDAAllocator;
  using Method = Result (Own::*)(size_t, Rest...);
  using Plain = Result (*)(Own *, size_t, Rest...);
  template <Plain *theirs> static Result with_room(Own *self, size_t bytes, Rest... rest) {
    const Room held(bytes);
    return (*theirs)(self, bytes + added, rest...);
  }
};

// Where the table has a virtual function, by the Itanium C++ ABI ("member function pointers").
static size_t slot_in_bytes(const void *method) {
  uintptr_t words[2];
  std::memcpy(words, method, sizeof words);
#if defined(__aarch64__)
  return words[0]; // and 1 in the other one
#else
  return words[0] - 1;
#endif
}

template <typename Plain> static void lead(allocator_of::CUDAAllocator *allocator, size_t offset, Plain *theirs, Plain ours) {
  char *table;
  std::memcpy(&table, static_cast<void *>(allocator), sizeof table);
  char *slot = table + offset;
  const uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)), start = reinterpret_cast<uintptr_t>(slot) & ~(page - 1);
  std::memcpy(theirs, slot, sizeof *theirs);
  if (mprotect(reinterpret_cast<void *>(start), page, PROT_READ | PROT_WRITE) != 0)
    return;
  std::memcpy(slot, &ours, sizeof ours);
  mprotect(reinterpret_cast<void *>(start), page, PROT_READ); // as the loader leaves it
}

using Allocate = Slot<c10::DataPtr (allocator_of::CUDAAllocator::*)(size_t)>;
using Raw = Slot<void *(allocator_of::CUDAAllocator::*)(size_t)>;
using RawOnStream = Slot<void *(allocator_of::CUDAAllocator::*)(size_t, cudaStream_t)>;
static Allocate::Plain allocate;
static Raw::Plain raw;
static RawOnStream::Plain raw_on_stream;

static void ask_for_room(allocator_of::CUDAAllocator *allocator) {
  const Allocate::Method allocate_of = &allocator_of::CUDAAllocator::allocate;
  const Raw::Method raw_of = &allocator_of::CUDAAllocator::raw_alloc;
  const RawOnStream::Method raw_on_stream_of = &allocator_of::CUDAAllocator::raw_alloc_with_stream;
  lead<Allocate::Plain>(allocator, slot_in_bytes(&allocate_of), &allocate, Allocate::with_room<&allocate>);
  lead<Raw::Plain>(allocator, slot_in_bytes(&raw_of), &raw, Raw::with_room<&raw>);
  lead<RawOnStream::Plain>(allocator, slot_in_bytes(&raw_on_stream_of), &raw_on_stream, RawOnStream::with_room<&raw_on_stream>);
}

static void on_trace(const allocator_of::TraceEntry &entry) {
  using Entry = allocator_of::TraceEntry;
  const void *start = reinterpret_cast<const void *>(entry.addr_);
  switch (entry.action_) {
  case Entry::SEGMENT_ALLOC:
  case Entry::SEGMENT_MAP: note_part(PARTS_BEGIN, start, entry.size_, nullptr); break;
  case Entry::SEGMENT_FREE:
  case Entry::SEGMENT_UNMAP: note_part(PARTS_END, start, entry.size_, nullptr); break;
  case Entry::ALLOC: note_part(PART_GIVEN, start, entry.size_ - added, "a tensor"); break;
  case Entry::FREE_COMPLETED: note_part(PART_BACK, start, 0, nullptr); break;
  default: break;
  }
}

// What it has given before. One that hands each tensor an allocation of its own has no segments, and says so.
static void tell_of_tensors() {
  try {
    allocator_of::CUDAAllocator *allocator = allocator_of::get();
    allocator->attachAllocatorTraceTracker(on_trace);
    ask_for_room(allocator);
    for (const auto &segment : allocator_of::snapshot().segments) {
      note_part(PARTS_BEGIN, reinterpret_cast<const void *>(segment.address), segment.total_size, nullptr);
      uintptr_t at = segment.address;
      for (const auto &block : segment.blocks) {
        if (block.allocated)
          note_part(PART_GIVEN, reinterpret_cast<const void *>(at), block.requested_size, "a tensor");
        at += block.size;
      }
    }
  } catch (const std::exception &) {
  }
}

// PyTorch begins with a device when it is first used. Until then the allocator keeps nothing that is attached to it.
static void (*theirs_at_begin)(allocator_of::CUDAAllocator *, int);

static void at_begin(allocator_of::CUDAAllocator *allocator, int devices) {
  const bool first = !allocator->initialized();
  theirs_at_begin(allocator, devices);
  if (first)
    tell_of_tensors();
}

static void checker_begins() {
  allocator_of::CUDAAllocator *allocator = allocator_of::get();
  void (allocator_of::CUDAAllocator::*const init)(int) = &allocator_of::CUDAAllocator::init;
  if (allocator->initialized())
    tell_of_tensors();
  else
    lead(allocator, slot_in_bytes(&init), &theirs_at_begin, at_begin);
}

void watch_for_checker() {
  const auto when_checked = reinterpret_cast<void (*)(void (*)())>(dlsym(RTLD_DEFAULT, "uwrt_when_checked"));
  note_part = reinterpret_cast<decltype(note_part)>(dlsym(RTLD_DEFAULT, "uwrt_note_part"));
  if (when_checked && note_part)
    when_checked(checker_begins);
}

} // namespace unwarp
