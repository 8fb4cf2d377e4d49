// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++20
// nvcc flags: -std=c++20
//
// Launches from host functions that are more than plain code, each with a kernel at the call: coroutines and what calls
// them, setjmp, assembly (in a function that is always inlined, too, and at file scope), labels as values.
#include "check.h"

#include <coroutine>
#include <csetjmp>

extern "C" int from_assembly();
#if !defined __CUDA_ARCH__ && defined __x86_64__
asm(".pushsection .text\n"
    ".globl from_assembly\n"
    "from_assembly:\n"
    "  movl $11, %eax\n"
    "  ret\n"
    ".popsection\n");
#else
extern "C" int from_assembly() { return 11; }
#endif

// One for each place, so that its launch may be one with the function around it.
template <int place> __global__ void add(int *numbers, int what) { numbers[threadIdx.x] += what; }

struct steps {
  struct promise_type {
    int seen = 0;
    steps get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int value) {
      seen = value;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { exit(1); }
  };
  std::coroutine_handle<promise_type> handle;
  int next() {
    handle.resume();
    return handle.promise().seen;
  }
};

static steps count_up() {
  for (int i = 1;; i++)
    co_yield i;
}

static steps launch_each(int *numbers, int block) {
  for (int i = 1; i <= 3; i++) {
    add<1><<<1, block>>>(numbers, i);
    co_yield i;
  }
}

static int launch_and_count(int *numbers, int block) {
  steps counter = count_up();
  add<2><<<1, block>>>(numbers, counter.next());
  add<3><<<1, block>>>(numbers, counter.next());
  int seen = counter.next();
  counter.handle.destroy();
  return seen;
}

static jmp_buf start;
__attribute__((noinline)) static void go_back(int times) {
  if (times < 3)
    longjmp(start, times + 1);
}

static int launch_again(int *numbers, int block) {
  volatile int launched = 0;
  int times = setjmp(start);
  add<4><<<1, block>>>(numbers, 10);
  launched = launched + 1;
  go_back(times);
  return launched;
}

__attribute__((always_inline)) static inline int twice(int number) {
#if defined __x86_64__
  asm volatile("addl %0, %0" : "+r"(number));
#else
  number += number;
#endif
  return number;
}

static void launch_twice(int *numbers, int block, int number) { add<5><<<1, block>>>(numbers, twice(number)); }

static int interpret(int *numbers, int block, const int *code) {
  static void *const labels[] = {&&launch, &&skip, &&stop};
  int done = 0;
  goto *labels[*code++];
launch:
  add<6><<<1, block>>>(numbers, 100);
  done++;
  goto *labels[*code++];
skip:
  goto *labels[*code++];
stop:
  return done;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  buffer<int> numbers(block);
  for (int i = 0; i < block; i++)
    numbers[i] = i;
  numbers.upload();
  int expected = 0;
  steps launches = launch_each(numbers.device, block);
  for (int i = 1; i <= 3; i++) {
    expect(i, launches.next(), i);
    expected += i;
  }
  launches.handle.destroy();
  expect(0, launch_and_count(numbers.device, block), 3);
  expected += 1 + 2;
  expect(0, launch_again(numbers.device, block), 4);
  expected += 40;
  launch_twice(numbers.device, block, from_assembly());
  expected += 22;
  static const int code[] = {0, 1, 0, 0, 1, 2};
  expect(0, interpret(numbers.device, block, code), 3);
  expected += 300;
  numbers.download();
  for (int i = 0; i < block; i++)
    expect(i, numbers[i], i + expected);
  puts("ok");
}
