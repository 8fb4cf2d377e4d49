// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector types: loads and stores of float4, int2, double2, uchar4, make_ functions, float3 in structs.
#include "check.h"

struct body {
  float3 place;
  float mass;
};

__global__ void mix(const float4 *in, float4 *out, int2 *pairs, uchar4 *bytes, double2 *wide, body *bodies, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 v = in[i];
  out[i] = make_float4(v.w, v.z, v.y, v.x + 1);
  pairs[i] = make_int2((int)v.x, -(int)v.y);
  bytes[i] = make_uchar4(i, i + 1, i + 2, 255);
  wide[i].x = v.z;
  wide[i].y = v.w * 0.5;
  body b;
  b.place = make_float3(v.x, v.y, v.z);
  b.mass = v.w;
  bodies[i] = b;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 270;
  buffer<float4> in(n), out(n);
  buffer<int2> pairs(n);
  buffer<uchar4> bytes(n);
  buffer<double2> wide(n);
  buffer<body> bodies(n);
  for (int i = 0; i < n; i++)
    in[i] = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
  in.upload();
  mix<<<blocks_for(n, block), block>>>(in.device, out.device, pairs.device, bytes.device, wide.device, bodies.device,
                                       n);
  out.download();
  pairs.download();
  bytes.download();
  wide.download();
  bodies.download();
  for (int i = 0; i < n; i++) {
    expect(i, out[i].x, i + 0.75f);
    expect(i, out[i].w, i + 1.0f);
    expect(i, pairs[i].x * 1000 + pairs[i].y, i * 1000 - i);
    expect(i, bytes[i].x + bytes[i].z * 1000 + bytes[i].w * 1000000, i % 256 + (i + 2) % 256 * 1000 + 255000000);
    expect(i, wide[i].x + wide[i].y, i + 0.5 + (i + 0.75) * 0.5);
    expect(i, bodies[i].place.y + bodies[i].mass, 2 * i + 1.0f);
  }
  return passed();
}
