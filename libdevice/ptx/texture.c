/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: textures and surfaces by handle (PTX ISA, "Texture Instructions", "Surface Instructions"): tex, tld4, txq,
 * suld.b, sust.b, sured.b, suq. A handle is the address of the runtime's record, as in source (include/unwarp/textures.h,
 * surfaces.h). An array's layer stands in front of the coordinates; lists of three have a fourth one that nobody reads.
 */
#include "../../include/unwarp/texture_object.h"
#include "ptx.h"

typedef const struct __uw_texture *texture;
#define UNIT __attribute__((pure)) __uw_texel
UNIT uwrt_texture_fetch(texture t, int x);
UNIT uwrt_texture_sample(texture t, enum __uw_shape shape, float x, float y, float z, int layer, float level);
UNIT uwrt_texture_sample_gradient(texture t, enum __uw_shape shape, float x, float y, float z, int layer,
                                  const float *dx, const float *dy);
UNIT uwrt_texture_gather(texture t, float x, float y, int component);
void uwrt_trap_is(int error);

UW_LOCAL texture at(uint64_t handle) { return (texture)(__SIZE_TYPE__)handle; }
UW_LOCAL void give(uint32_t *out, __uw_texel texel) {
  for (int i = 0; i < 4; i++)
    out[i] = texel[i];
}

/* --- textures ----------------------------------------------------------------------------------------------------- */

#define FINEST (-__builtin_inff()) /* no level is asked for */
#define LIST(...) __VA_ARGS__
#define SAMPLES(geometry, type, shape, given, steps, x, y, z, layer)                                                   \
  PTX(void, tex_##geometry##_v4_##type##_f32)(uint64_t handle, LIST given, uint32_t *out) {                            \
    give(out, uwrt_texture_sample(at(handle), shape, x, y, z, layer, FINEST));                                         \
  }                                                                                                                    \
  PTX(void, tex_level_##geometry##_v4_##type##_f32)(uint64_t handle, LIST given, float level, uint32_t *out) {         \
    give(out, uwrt_texture_sample(at(handle), shape, x, y, z, layer, level));                                          \
  }                                                                                                                    \
  PTX(void, tex_grad_##geometry##_v4_##type##_f32)(uint64_t handle, LIST given, LIST steps, uint32_t *out) {           \
    const float dx[3] = {dx0, dx1, dx2}, dy[3] = {dy0, dy1, dy2};                                                      \
    give(out, uwrt_texture_sample_gradient(at(handle), shape, x, y, z, layer, dx, dy));                                \
  }

/* Steps in one and two dimensions are given as such; the others are 0 then. */
static const float dx1 = 0, dx2 = 0, dy1 = 0, dy2 = 0;
#define STEPS_1 (float dx0, float dy0)
#define STEPS_2 (float dx0, float dx1, float dy0, float dy1)
#define STEPS_3 (float dx0, float dx1, float dx2, float no_dx, float dy0, float dy1, float dy2, float no_dy)

// clang-format off
#define TEXTURES(type)                                                                                                 \
  SAMPLES(1d, type, __UW_1D, (float x), STEPS_1, x, 0, 0, 0)                                                           \
  SAMPLES(2d, type, __UW_2D, (float x, float y), STEPS_2, x, y, 0, 0)                                                  \
  SAMPLES(3d, type, __UW_3D, (float x, float y, float z, float none), STEPS_3, x, y, z, 0)                             \
  SAMPLES(a1d, type, __UW_1D, (int layer, float x), STEPS_1, x, 0, 0, layer)                                           \
  SAMPLES(a2d, type, __UW_2D, (int layer, float x, float y, float none), STEPS_2, x, y, 0, layer)                      \
  SAMPLES(cube, type, __UW_CUBE, (float x, float y, float z, float none), STEPS_3, x, y, z, 0)                         \
  SAMPLES(acube, type, __UW_CUBE, (int layer, float x, float y, float z), STEPS_3, x, y, z, layer)                     \
  PTX(void, tex_1d_v4_##type##_s32)(uint64_t handle, int x, uint32_t *out) { give(out, uwrt_texture_fetch(at(handle), x)); } \
  GATHER(r, 0, type) GATHER(g, 1, type) GATHER(b, 2, type) GATHER(a, 3, type)
// clang-format on
#define GATHER(letter, component, type)                                                                                \
  PTX(void, tld4_##letter##_2d_v4_##type##_f32)(uint64_t handle, float x, float y, uint32_t *out) {                    \
    give(out, uwrt_texture_gather(at(handle), x, y, component));                                                       \
  }
TEXTURES(f32)
TEXTURES(s32)
TEXTURES(u32)

#define QUERY(name, field)                                                                                             \
  PTX(uint32_t, txq_##name##_b32)(uint64_t handle) { return at(handle)->field; }                                       \
  PTX(uint32_t, suq_##name##_b32)(uint64_t handle) { return at(handle)->field; }
QUERY(width, __width)
QUERY(height, __height)
QUERY(depth, __depth)
QUERY(array_size, __depth)

/* --- surfaces: x in bytes ----------------------------------------------------------------------------------------- */

typedef enum boundary { ZERO, CLAMP, TRAP } boundary;
enum { ILLEGAL_ADDRESS = 700, MISALIGNED_ADDRESS = 716 };

UW_LOCAL uint32_t into(int32_t index, uint32_t count) {
  return index < 0 ? 0 : (uint32_t)index < count ? (uint32_t)index : count - 1;
}

/* Null: outside, with nothing to read or write. */
UW_LOCAL unsigned char *place(texture s, int32_t x, int32_t y, int32_t z, uint32_t bytes, boundary mode) {
  uint32_t row = s->__width * s->__bytes, places = row < bytes ? 0 : row - bytes + 1;
  if ((uint32_t)x % bytes) {
    uwrt_trap_is(MISALIGNED_ADDRESS);
    __builtin_trap();
  }
  if ((uint32_t)x >= places || (uint32_t)y >= s->__height || (uint32_t)z >= s->__depth) {
    if (mode == TRAP) {
      uwrt_trap_is(ILLEGAL_ADDRESS);
      __builtin_trap();
    }
    if (mode != CLAMP || !places)
      return 0;
    x = (int32_t)into(x, places), y = (int32_t)into(y, s->__height), z = (int32_t)into(z, s->__depth);
  }
  return s->__data + (uint64_t)(uint32_t)z * s->__slice + (uint64_t)(uint32_t)y * s->__pitch + (uint32_t)x;
}

/* memory: an element's type there; type: the register's. */
#define LOADS(form, geometry, memory, type, count, mode, which, given, x, y, z)                                        \
  PTX(void, suld_b_##geometry##_##form##_##mode)(uint64_t handle, LIST given, type *out) {                             \
    const unsigned char *from = place(at(handle), x, y, z, count * sizeof(memory), which);                             \
    memory values[count] = {0};                                                                                        \
    if (from)                                                                                                          \
      __builtin_memcpy(values, from, sizeof values);                                                                   \
    for (int i = 0; i < count; i++)                                                                                    \
      out[i] = values[i];                                                                                              \
  }
#define VALUES_1(type) type v0
#define VALUES_2(type) type v0, type v1
#define VALUES_4(type) type v0, type v1, type v2, type v3
#define STORED_1(memory) (memory) v0
#define STORED_2(memory) (memory) v0, (memory)v1
#define STORED_4(memory) (memory) v0, (memory)v1, (memory)v2, (memory)v3
#define STORES(form, geometry, memory, type, count, mode, which, given, x, y, z)                                       \
  PTX(void, sust_b_##geometry##_##form##_##mode)(uint64_t handle, LIST given, VALUES_##count(type)) {                  \
    unsigned char *to = place(at(handle), x, y, z, count * sizeof(memory), which);                                     \
    const memory values[count] = {STORED_##count(memory)};                                                             \
    if (to)                                                                                                            \
      __builtin_memcpy(to, values, sizeof values);                                                                     \
  }
// clang-format off
#define SHAPES(ACCESS, form, memory, type, count, mode, which)                                                         \
  ACCESS(form, 1d, memory, type, count, mode, which, (int32_t x), x, 0, 0)                                             \
  ACCESS(form, 2d, memory, type, count, mode, which, (int32_t x, int32_t y), x, y, 0)                                  \
  ACCESS(form, 3d, memory, type, count, mode, which, (int32_t x, int32_t y, int32_t z, int32_t none), x, y, z)         \
  ACCESS(form, a1d, memory, type, count, mode, which, (int32_t z, int32_t x), x, 0, z)                                 \
  ACCESS(form, a2d, memory, type, count, mode, which, (int32_t z, int32_t x, int32_t y, int32_t none), x, y, z)
#define MODES(form, memory, type, count)                                                                               \
  SHAPES(LOADS, form, memory, type, count, trap, TRAP)                                                                 \
  SHAPES(LOADS, form, memory, type, count, clamp, CLAMP)                                                               \
  SHAPES(LOADS, form, memory, type, count, zero, ZERO)                                                                 \
  SHAPES(STORES, form, memory, type, count, trap, TRAP)                                                                \
  SHAPES(STORES, form, memory, type, count, clamp, CLAMP)                                                              \
  SHAPES(STORES, form, memory, type, count, zero, ZERO)
// clang-format on
#define SURFACES(bits, memory, type)                                                                                   \
  MODES(b##bits, memory, type, 1)                                                                                      \
  MODES(v2_b##bits, memory, type, 2)
SURFACES(8, uint8_t, uint16_t)
SURFACES(16, uint16_t, uint16_t)
SURFACES(32, uint32_t, uint32_t)
SURFACES(64, uint64_t, uint64_t)
MODES(v4_b8, uint8_t, uint16_t, 4)
MODES(v4_b16, uint16_t, uint16_t, 4)
MODES(v4_b32, uint32_t, uint32_t, 4)

/* Atomic, one element at a time. */
#define REDUCES(form, geometry, memory, type, count, mode, which, given, x, y, z)                                      \
  PTX(void, sured_b_##type##_##geometry##_##form##_##mode)(uint64_t handle, LIST given, memory value) {                \
    memory *to = (memory *)(void *)place(at(handle), x, y, z, sizeof(memory), which);                                  \
    if (to)                                                                                                            \
      __atomic_fetch_##type(to, value, __ATOMIC_RELAXED);                                                              \
  }
#define REDUCTION(operation, form, memory)                                                                             \
  SHAPES(REDUCES, form, memory, operation, 1, trap, TRAP)                                                              \
  SHAPES(REDUCES, form, memory, operation, 1, clamp, CLAMP)                                                            \
  SHAPES(REDUCES, form, memory, operation, 1, zero, ZERO)
REDUCTION(add, u32, uint32_t)
REDUCTION(add, s32, int32_t)
REDUCTION(add, u64, uint64_t)
#define LEAST_AND_GREATEST(form, memory) REDUCTION(min, form, memory) REDUCTION(max, form, memory)
LEAST_AND_GREATEST(u32, uint32_t)
LEAST_AND_GREATEST(s32, int32_t)
LEAST_AND_GREATEST(u64, uint64_t)
LEAST_AND_GREATEST(s64, int64_t)
REDUCTION(and, b32, uint32_t)
REDUCTION(or, b32, uint32_t)
