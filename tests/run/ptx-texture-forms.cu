// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forms of tex, tld4, txq, suld, sust, sured and suq in inline PTX, against indices computed on the host: each texel
// of an array holds its number.
#include "textures.h"

typedef unsigned long long handle;
enum { W = 7, H = 5, D = 12 };

#define GIVEN(v) "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
#define TEX(form, at, ...)                                                                                             \
  asm volatile("tex." form ".v4.u32.f32 {%0, %1, %2, %3}, [%4, " at ";" : GIVEN(v) : "l"(t), __VA_ARGS__)
// The finest level by four ways; they must agree.
#define FINEST(geometry, coordinates, lod, step, ...)                                                                  \
  TEX(geometry, coordinates, __VA_ARGS__);                                                                             \
  first = v.x;                                                                                                         \
  TEX("base." geometry, coordinates, __VA_ARGS__);                                                                     \
  alike &= v.x == first;                                                                                               \
  TEX("level." geometry, coordinates ", " lod, __VA_ARGS__, "f"(0.0f));                                                \
  alike &= v.x == first;                                                                                               \
  TEX("grad." geometry, coordinates ", " step ", " step, __VA_ARGS__, "f"(0.0f));                                      \
  alike &= v.x == first;                                                                                               \
  out[i] = alike ? (int)first : -1;

template <int shape> __global__ void sample(handle t, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, layer = i % D;
  float x = i % 11 - 1.5f, y = i % 9 - 1.5f, z = i % 14 - 0.5f;
  uint4 v;
  unsigned first = 0, alike = 1;
  if constexpr (shape == 1) {
    FINEST("1d", "{%5}]", "%6", "%6", "f"(x))
  } else if constexpr (shape == 2) {
    FINEST("2d", "{%5, %6}]", "%7", "{%7, %7}", "f"(x), "f"(y))
    int p;
    asm volatile("{ .reg .pred p;\n tex.2d.v4.u32.f32 {%0, %1, %2, %3}|p, [%5, {%6, %7}];\n selp.s32 %4, 1, 0, p; }"
                 : GIVEN(v), "=r"(p)
                 : "l"(t), "f"(x), "f"(y));
    if (!p || v.x != first)
      out[i] = -2;
  } else if constexpr (shape == 3) {
    FINEST("3d", "{%5, %6, %7, %7}]", "%8", "{%8, %8, %8, %8}", "f"(x), "f"(y), "f"(z))
  } else if constexpr (shape == 4) {
    FINEST("a1d", "{%5, %6}]", "%7", "%7", "r"(layer), "f"(x))
  } else if constexpr (shape == 5) {
    FINEST("a2d", "{%5, %6, %7, %7}]", "%8", "{%8, %8}", "r"(layer), "f"(x), "f"(y))
  } else { // the middle of a face: +x, -x, +y, -y, +z, -z
    int face = i % 6;
    float way = face % 2 ? -1.0f : 1.0f, a = face / 2 == 0 ? way : 0.0f, b = face / 2 == 1 ? way : 0.0f,
          c = face / 2 == 2 ? way : 0.0f;
    if constexpr (shape == 6) {
      FINEST("cube", "{%5, %6, %7, %7}]", "%8", "{%8, %8, %8, %8}", "f"(a), "f"(b), "f"(c))
    } else {
      FINEST("acube", "{%5, %6, %7, %8}]", "%9", "{%9, %9, %9, %9}", "r"(i / 6 % 2), "f"(a), "f"(b), "f"(c))
    }
  }
}

// Levels of a mipmap: by number, and by steps of two texels.
__global__ void levels(handle t, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = (i % 8 + 0.5f) / 8, y = 0.5f, step = 2.0f / 8;
  uint4 v;
  TEX("base.2d", "{%5, %6}]", "f"(x), "f"(y));
  out[4 * i] = v.x;
  TEX("level.2d", "{%5, %6}], %7", "f"(x), "f"(y), "f"(1.0f));
  out[4 * i + 1] = v.x;
  TEX("grad.2d", "{%5, %6}], {%7, %8}, {%8, %7}", "f"(x), "f"(y), "f"(step), "f"(0.0f));
  out[4 * i + 2] = v.x;
  TEX("level.2d", "{%5, %6}], %7", "f"(x), "f"(y), "f"(2.0f));
  out[4 * i + 3] = v.x;
}

#define TLD4(letter)                                                                                                   \
  asm volatile("tld4." letter ".2d.v4.s32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : GIVEN(v) : "l"(t), "f"(x), "f"(y)); \
  *out++ = v.x, *out++ = v.y, *out++ = v.z, *out++ = v.w;
__global__ void gather(handle t, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i % W + 0.25f, y = i / W % H + 0.75f;
  uint4 v;
  out += 16 * i;
  TLD4("r") TLD4("g") TLD4("b") TLD4("a")
}

__global__ void sizes(handle texture, handle surface, int *out) {
  asm volatile("txq.width.b32 %0, [%3];\n txq.height.b32 %1, [%3];\n txq.depth.b32 %2, [%3];"
               : "=r"(out[0]), "=r"(out[1]), "=r"(out[2])
               : "l"(texture));
  asm volatile("suq.width.b32 %0, [%3];\n suq.height.b32 %1, [%3];\n suq.array_size.b32 %2, [%3];"
               : "=r"(out[3]), "=r"(out[4]), "=r"(out[5])
               : "l"(surface));
}

// Each texel by one more.
template <int shape> __global__ void move(handle s, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % W * 4, y = i / W % H, z = i / (W * H);
  unsigned one;
  if (i >= count)
    return;
  if constexpr (shape == 1) {
    asm volatile("suld.b.1d.cg.b32.trap %0, [%1, {%2}];" : "=r"(one) : "l"(s), "r"(x));
    asm volatile("sust.b.1d.wt.b32.zero [%0, {%1}], {%2};" ::"l"(s), "r"(x), "r"(one + 1) : "memory");
  } else if constexpr (shape == 3) {
    asm volatile("suld.b.3d.b32.clamp {%0}, [%1, {%2, %3, %4, %4}];" : "=r"(one) : "l"(s), "r"(x), "r"(y), "r"(z));
    asm volatile("sust.b.3d.b32.trap [%0, {%1, %2, %3, %3}], %4;" ::"l"(s), "r"(x), "r"(y), "r"(z), "r"(one + 1)
                 : "memory");
  } else if constexpr (shape == 4) {
    z = i / W;
    asm volatile("suld.b.a1d.b32.zero {%0}, [%1, {%2, %3}];" : "=r"(one) : "l"(s), "r"(z), "r"(x));
    asm volatile("sust.b.a1d.b32.clamp [%0, {%1, %2}], {%3};" ::"l"(s), "r"(z), "r"(x), "r"(one + 1) : "memory");
  } else {
    asm volatile("suld.b.a2d.b32.trap {%0}, [%1, {%2, %3, %4, %4}];" : "=r"(one) : "l"(s), "r"(z), "r"(x), "r"(y));
    asm volatile("sust.b.a2d.b32.trap [%0, {%1, %2, %3, %3}], {%4};" ::"l"(s), "r"(z), "r"(x), "r"(y), "r"(one + 1)
                 : "memory");
  }
}

// All threads on one row of words: what each operation leaves does not depend on their order.
__global__ void reduce(handle s, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
#define REDUCE(form, letter, x, value)                                                                                 \
  asm volatile("sured.b." form ".trap [%0, {%1, %2}], %3;" ::"l"(s), "r"(x), "r"(0), letter(value) : "memory")
  REDUCE("add.2d.u32", "r", 0, i);
  REDUCE("min.2d.s32", "r", 4, 5 - i);
  REDUCE("max.2d.u32", "r", 8, i);
  REDUCE("or.2d.b32", "r", 12, 1u << i % 32);
  REDUCE("add.2d.u64", "l", 16, (unsigned long long)i << 32);
  REDUCE("max.2d.s64", "l", 24, (long long)i - count);
  REDUCE("and.2d.b32", "r", 32, ~(1u << i % 32));
  asm volatile("sured.b.add.2d.s32.zero [%0, {%1, %2}], %3;" ::"l"(s), "r"(0), "r"(-1), "r"(1) : "memory"); // outside
  asm volatile("sured.b.add.2d.s32.clamp [%0, {%1, %2}], %3;" ::"l"(s), "r"(1000), "r"(7), "r"(-1)
               : "memory"); // the last
}

template <class T = unsigned> static cudaArray_t numbered(cudaExtent extent, unsigned flags) {
  size_t count =
      extent.width * (extent.height ? extent.height : 1) * (extent.depth ? extent.depth : 1) * sizeof(T) / sizeof(int);
  int *data = (int *)malloc(count * sizeof(int));
  for (size_t i = 0; i < count; i++)
    data[i] = (int)i;
  cudaArray_t array = array_of((const T *)data, extent.width, extent.height, extent.depth, flags);
  free(data);
  return array;
}

static cudaTextureDesc nearest(bool normalized) {
  cudaTextureDesc clamped = sampler(cudaFilterModePoint, cudaAddressModeClamp, normalized);
  clamped.maxMipmapLevelClamp = 10;
  return clamped;
}

static int into(int index, int count) { return index < 0 ? 0 : index < count ? index : count - 1; }

template <int shape> static void check_samples(cudaArray_t array, int blocks, int block) {
  buffer<int> out(blocks * block);
  sample<shape><<<blocks, block>>>(texture_over(array, nearest(shape >= 6)), out.device);
  out.download();
  for (int i = 0; i < blocks * block; i++) {
    int x = into((int)floorf(i % 11 - 1.5f), W), y = into((int)floorf(i % 9 - 1.5f), H),
        z = into((int)floorf(i % 14 - 0.5f), D), face = i % 6 + (shape == 7 ? i / 6 % 2 * 6 : 0);
    int right = shape == 1   ? x
                : shape == 2 ? y * W + x
                : shape == 3 ? (z * H + y) * W + x
                : shape == 4 ? i % D * W + x
                : shape == 5 ? (i % D * H + y) * W + x
                             : face * W * W + W / 2 * W + W / 2;
    expect(i, out[i], right);
  }
}

template <int shape> static void check_moves(cudaExtent extent, unsigned flags) {
  cudaArray_t array = numbered(extent, flags | cudaArraySurfaceLoadStore);
  int h = extent.height ? extent.height : 1, d = extent.depth ? extent.depth : 1, count = W * h * d;
  move<shape><<<blocks_for(count, 32), 32>>>(surface_over(array), count);
  buffer<int> now(count);
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(now.host, W * sizeof(int), W, h);
  copy.extent = make_cudaExtent(W, h, d);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  for (int i = 0; i < count; i++)
    expect(i, now[i], i + 1);
}

static void check_levels(int blocks, int block) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned>();
  cudaMipmappedArray_t mipmap;
  CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(8, 8, 0), 3));
  for (int level = 0, size = 8; level < 3; level++, size /= 2) {
    cudaArray_t array;
    CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
    int data[64];
    for (int i = 0; i < size * size; i++)
      data[i] = 1000 * level + i;
    CHECK(cudaMemcpy2DToArray(array, 0, 0, data, size * sizeof(int), size * sizeof(int), size, cudaMemcpyHostToDevice));
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  cudaTextureDesc clamped = nearest(true);
  cudaTextureObject_t object;
  CHECK(cudaCreateTextureObject(&object, &resource, &clamped, nullptr));
  buffer<int> out(4 * blocks * block);
  levels<<<blocks, block>>>(object, out.device);
  out.download();
  for (int i = 0; i < blocks * block; i++) {
    int x = i % 8;
    expect(4 * i, out[4 * i], 4 * 8 + x);
    expect(4 * i + 1, out[4 * i + 1], 1000 + 2 * 4 + x / 2);
    expect(4 * i + 2, out[4 * i + 2], 1000 + 2 * 4 + x / 2);
    expect(4 * i + 3, out[4 * i + 3], 2000 + 2 + x / 4);
  }
}

static void check_gathers(int blocks, int block) {
  cudaArray_t array = numbered<uint4>(make_cudaExtent(W, H, 0), cudaArrayTextureGather);
  buffer<int> out(16 * blocks * block);
  gather<<<blocks, block>>>(texture_over(array, nearest(false)), out.device);
  out.download();
  static const int order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  for (int i = 0; i < 16 * blocks * block; i++) {
    int thread = i / 16, component = i / 4 % 4, x = thread % W - 1 + order[i % 4][0],
        y = thread / W % H + order[i % 4][1];
    expect(i, out[i], (into(y, H) * W + into(x, W)) * 4 + component);
  }
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), blocks = 3;
  check_samples<1>(numbered(make_cudaExtent(W, 0, 0), 0), blocks, block);
  check_samples<2>(numbered(make_cudaExtent(W, H, 0), 0), blocks, block);
  check_samples<3>(numbered(make_cudaExtent(W, H, D), 0), blocks, block);
  check_samples<4>(numbered(make_cudaExtent(W, 0, D), cudaArrayLayered), blocks, block);
  check_samples<5>(numbered(make_cudaExtent(W, H, D), cudaArrayLayered), blocks, block);
  check_samples<6>(numbered(make_cudaExtent(W, W, 6), cudaArrayCubemap), blocks, block);
  check_samples<7>(numbered(make_cudaExtent(W, W, 12), cudaArrayCubemap | cudaArrayLayered), blocks, block);
  check_levels(blocks, block);
  check_gathers(blocks, block);
  check_moves<1>(make_cudaExtent(W, 0, 0), 0);
  check_moves<3>(make_cudaExtent(W, H, D), 0);
  check_moves<4>(make_cudaExtent(W, 0, D), cudaArrayLayered);
  check_moves<5>(make_cudaExtent(W, H, D), cudaArrayLayered);

  buffer<int> size(6);
  sizes<<<1, 1>>>(texture_over(numbered(make_cudaExtent(W, H, D), 0), nearest(false)),
                  surface_over(numbered(make_cudaExtent(W, H, D), cudaArrayLayered | cudaArraySurfaceLoadStore)),
                  size.device);
  size.download();
  int right[6] = {W, H, D, W, H, D};
  for (int i = 0; i < 6; i++)
    expect(i, size[i], right[i]);

  int count = blocks * block;
  unsigned row[11] = {0, 0, 0, 0, 0, 0, 0, 0x80000000u, ~0u, 0, 100}, bits = count < 32 ? (1u << count) - 1 : ~0u;
  cudaArray_t words = numbered(make_cudaExtent(11, 1, 0), cudaArraySurfaceLoadStore);
  CHECK(cudaMemcpy2DToArray(words, 0, 0, row, sizeof row, sizeof row, 1, cudaMemcpyHostToDevice));
  reduce<<<blocks, block>>>(surface_over(words), count);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy2DFromArray(row, sizeof row, words, 0, 0, sizeof row, 1, cudaMemcpyDeviceToHost));
  unsigned sum = count * (count - 1) / 2;
  unsigned after[11] = {
      sum, (unsigned)(count > 6 ? 6 - count : 0), (unsigned)count - 1, bits, 0, sum, ~0u, ~0u, ~bits, 0, 100u - count};
  for (int i = 0; i < 11; i++)
    expect(i, row[i], after[i]);
  return passed();
}
