// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Relocatable device code: what two files have of the same templates and inline functions is one thing, what is static or in an unnamed
// namespace is each file's own.
// flags: -rdc=true
// nvcc flags: --extended-lambda
#define OWN 1
#include "../../check.h"

#include "device_templates.h"

void add_there(int *x);
void use_there(int *x, const int *in);
void look_there(int *out);
void own_there(int *x);
value<int> **make_there(bool free);

template __global__ void instantiated_by_both<int>(int *x);

__global__ void change(int *out) {
  counter<int> c;
  out[0] = c.step(0);
  out[1] = counter<int>::last++;
  out[2] = factors[1] * offset<int>;
  out[3] = ++*slot<int>();
  out[4] = twice(4) + thrice(5);
  out[5] = (int)counter<long long>().step(1);
  taken += 5;
  seen_by_both++;
}
__global__ void get(value<int> *const *v, int *out) {
  doubled<long> other(12);
  const value<long> *any = &other;
  *out = (*v)->get() + (int)any->get();
}

int main(int argc, char **argv) {
  (void)block_size(argc, argv);
  buffer<int> x(8), in(64);
  for (int i = 0; i < 64; i++)
    in[i] = i;
  in.upload();
  auto zero = [&] { CHECK(cudaMemset(x.device, 0, 8 * sizeof(int))); };
  auto is = [&](int want) {
    x.download();
    expect(0, x[0], want);
  };

  zero();
  add<<<1, 1>>>(x.device, 1);
  add_there(x.device);
  is(3);
  zero();
  sum<int, 64><<<1, 64>>>(in.device, x.device);
  add_four<<<1, 1>>>(x.device);
  instantiated_by_other<<<1, 1>>>(x.device);
  instantiated_by_both<<<1, 1>>>(x.device);
  declared<<<1, 1>>>(x.device);
  use_there(x.device, in.device);
  call_lambda(x.device, 128);
  is(2 * (2016 + 4 + 8 + 16 + 64 + 128));
  zero();
  of_each<<<1, 1>>>(x.device);
  of_each_too<<<1, 1>>>(x.device);
  of_each_static<<<1, 1>>>(x.device);
  own_there(x.device);
  is(333);
  zero();
  parent<<<1, 1>>>(x.device);
  is(32);

  change<<<1, 1>>>(x.device);
  x.download();
  const int first[] = {6, 3, 21, 21, 23, 7};
  for (int i = 0; i < 6; i++)
    expect(i, x[i], first[i]);
  expect(0, seen_by_both, 12);
  const int steps[2] = {100, 200}, offset_now = 70;
  CHECK(cudaMemcpyToSymbol(counter<int>::steps, steps, sizeof steps));
  CHECK(cudaMemcpyToSymbol(offset<int>, &offset_now, sizeof offset_now));
  look_there(x.device);
  x.download();
  const int second[] = {206, 4, 210, 22, 23, 14, 5, 12};
  for (int i = 0; i < 8; i++)
    expect(i, x[i], second[i]);

  get<<<1, 1>>>(make_there(false), x.device);
  is(41 + 24);
  make_there(true);
  return passed();
}
