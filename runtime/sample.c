/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads textures as the Programming Guide's appendix "Texture Fetching" says: the nearest texel, or the weighted mean
 * of the 2, 4 or 8 around the position. What the guide leaves open is as measured on an H100: weights are whole 256ths
 * that sum up to one; means are exact and rounded once, of floats to floats, of halves to halves, of integers that
 * read as normalized floats to 16 bits. A texel of weight zero does not count, whatever it holds.
 *
 * A read goes through four steps: the mipmap levels, on each the face of a cube, on each axis the texels and their
 * weight, and a texel's components.
 */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "texture.h"

/* The components of one texel or of a mean, before they are handed out. */
typedef union components {
  float f[4];
  uint32_t u[4];
} components;

static __uw_texel handed_out(components value) { return (__uw_texel){value.u[0], value.u[1], value.u[2], value.u[3]}; }

/* floor without the library's call: this is most of what a sample costs. */
static inline long long floor_of(double x) {
  long long whole = (long long)x;
  return whole - ((double)whole > x);
}

/* --- one texel ---------------------------------------------------------------------------------------------------- */

static float float_of_half(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 1023, bits;
  float value;
  if (exponent == 0) {
    value = (float)fraction * 0x1p-24f;
    return sign ? -value : value;
  }
  bits = sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float srgb_to_linear[256];

static void fill_srgb(void) {
  for (int i = 0; i < 256; i++) {
    double c = i / 255.0;
    srgb_to_linear[i] = (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
  }
}

/* The most negative integer reads as -1, like the one above it. */
static float signed_unit(int value, float largest) { return fmaxf((float)value / largest, -1.0f); }

static float converted(const uwrt_texture *t, const unsigned char *at, unsigned int which) {
  uint16_t wide = 0;
  if (t->format.component == UWRT_COMPONENT_U8)
    return t->sampler.sRGB && which < 3 ? srgb_to_linear[*at] : (float)*at / 255.0f;
  if (t->format.component == UWRT_COMPONENT_S8)
    return signed_unit((signed char)*at, 127.0f);
  memcpy(&wide, at, sizeof wide);
  return t->format.component == UWRT_COMPONENT_U16 ? (float)wide / 65535.0f : signed_unit((int16_t)wide, 32767.0f);
}

static uint32_t component_at(const uwrt_texture *t, const unsigned char *at, unsigned int which) {
  components value = {{0}};
  uint16_t wide;
  if (t->to_float) {
    value.f[0] = converted(t, at, which);
    return value.u[0];
  }
  switch (t->format.component) {
  case UWRT_COMPONENT_U8: return *at;
  case UWRT_COMPONENT_S8: return (uint32_t)(signed char)*at;
  case UWRT_COMPONENT_U16:
  case UWRT_COMPONENT_S16:
    memcpy(&wide, at, sizeof wide);
    return t->format.component == UWRT_COMPONENT_U16 ? wide : (uint32_t)(int16_t)wide;
  case UWRT_COMPONENT_HALF:
    memcpy(&wide, at, sizeof wide);
    value.f[0] = float_of_half(wide);
    return value.u[0];
  default: return 0; /* of 32 bits: texel_at has them */
  }
}

/* A component of the border's color as a texel could have it: a float as near as the format gets, and for integers the
 * float's bits, as many as there is room for. */
static uint32_t border_component(const uwrt_texture *t, float color) {
  components value = {{color}};
  const int bits = (int)(t->format.bytes / t->format.components) * 8;
  const int is_signed = t->format.component == UWRT_COMPONENT_S8 || t->format.component == UWRT_COMPONENT_S16;
  if (t->to_float) {
    const float most = (float)((1 << (bits - is_signed)) - 1);
    const double steps = (double)fminf(fmaxf(color, is_signed ? -1.0f : 0.0f), 1.0f) * most;
    value.f[0] = color == color ? (float)copysign(ceil(fabs(steps) - 0.5), steps) / most : 0; /* halves towards 0 */
  } else if (t->format.component == UWRT_COMPONENT_HALF) {
    value.f[0] = fminf(fmaxf(color, -65504.0f), 65504.0f);
  } else if (bits < 32) {
    value.u[0] &= (1u << bits) - 1;
    if (is_signed && value.u[0] >> (bits - 1))
      value.u[0] |= ~0u << bits;
  }
  return value.u[0];
}

/* Components that the format lacks read as nothing. */
static components border_of(const uwrt_texture *t) {
  components value = {{0, 0, 0, 0}};
  for (unsigned int c = 0; c < t->format.components; c++)
    value.u[c] = border_component(t, t->sampler.borderColor[c]);
  return value;
}

/* As loads: a loop over so few words would become a call of memcpy. */
static inline components words_at(const uint32_t *at, unsigned int count) {
  switch (count) {
  case 1: return (components){.u = {at[0]}};
  case 2: return (components){.u = {at[0], at[1]}};
  default: return (components){.u = {at[0], at[1], at[2], at[3]}};
  }
}

static components texel_of_parts(const uwrt_texture *t, const unsigned char *at) {
  components value = {{0, 0, 0, 0}};
  const unsigned int size = t->format.bytes / t->format.components;
  for (unsigned int c = 0; c < t->format.components; c++)
    value.u[c] = component_at(t, at + c * size, c);
  return value;
}

static inline components texel_at(const uwrt_texture *t, const unsigned char *at) {
  return t->format.component == UWRT_COMPONENT_32 ? words_at((const uint32_t *)at, t->format.components)
                                                  : texel_of_parts(t, at);
}

/* Where the texel at indices lies; null for the border, of which an index is negative. */
static inline const unsigned char *place_of(const uwrt_texture *t, const struct __uw_texture *level, int x, int y,
                                            int z) {
  if ((x | y | z) < 0)
    return NULL;
  return level->__data + (size_t)z * level->__slice + (size_t)y * level->__pitch + (size_t)x * t->format.bytes;
}

static inline components texel_or_border(const uwrt_texture *t, const unsigned char *at) {
  return at ? texel_at(t, at) : border_of(t);
}

/* --- one axis ----------------------------------------------------------------------------------------------------- */

/* The two texels on an axis and the weight of the second, in 256ths. */
typedef struct axis {
  int index[2];
  int weight;
} axis;

/* An index outside, at most one period below the first texel or above the last, by the address mode. */
static int wrapped(int index, int count, enum cudaTextureAddressMode mode) {
  if (index >= 0 && index < count)
    return index;
  switch (mode) {
  case cudaAddressModeWrap: return index < 0 ? index + count : index - count;
  case cudaAddressModeMirror:
    return index < 0 ? -1 - index : index < 2 * count ? 2 * count - 1 - index : index - 2 * count;
  case cudaAddressModeBorder: return -1;
  default: return index < 0 ? 0 : count - 1;
  }
}

static enum cudaTextureAddressMode mode_of(const uwrt_texture *t, int dimension) {
  enum cudaTextureAddressMode mode = t->sampler.addressMode[dimension];
  return t->sampler.normalizedCoords || mode == cudaAddressModeBorder ? mode : cudaAddressModeClamp;
}

/* A coordinate in 512ths of a texel, rounded down. A normalized one has 21 fractional bits, 22 where the texels are a
 * power of two; where it repeats, it is taken into [0, 1), or into [0, 2) for a mirror. No number is 0, and so is what
 * is flushed. */
static inline long long place_on_axis(const uwrt_texture *t, float x, int count, enum cudaTextureAddressMode mode) {
  const int repeats = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
  if (!(fabsf(x) >= FLT_MIN) || (repeats && fabsf(x) >= 0x1p24f))
    return 0;
  if (!t->sampler.normalizedCoords)
    return floor_of(512.0 * fminf(fmaxf(x, -0.5f), (float)count + 0.5f));
  const int bits = count & (count - 1) ? 21 : 22;
  double folded = x;
  if (mode == cudaAddressModeWrap)
    folded -= (double)floor_of(folded);
  else if (mode == cudaAddressModeMirror)
    folded -= 2 * (double)floor_of(folded * 0.5);
  else
    folded = fmin(fmax(folded, -1), 2);
  const long long place = floor_of(folded * (1 << bits)) * count * 512 >> bits, beyond = count * 512ll + 256;
  return repeats ? place : place < -256 ? -256 : place > beyond ? beyond : place;
}

static inline int nearest_on_axis(const uwrt_texture *t, float coordinate, unsigned int texels, int dimension) {
  enum cudaTextureAddressMode mode = mode_of(t, dimension);
  return wrapped((int)(place_on_axis(t, coordinate, (int)texels, mode) >> 9), (int)texels, mode);
}

static axis on_axis(const uwrt_texture *t, float coordinate, unsigned int texels, int dimension) {
  const int count = (int)texels;
  enum cudaTextureAddressMode mode = mode_of(t, dimension);
  long long middle = ((place_on_axis(t, coordinate, count, mode) + 1) >> 1) - 128;
  int first = (int)(middle >> 8);
  return (axis){{wrapped(first, count, mode), wrapped(first + 1, count, mode)}, (int)(middle & 255)};
}

/* --- one level ---------------------------------------------------------------------------------------------------- */

static int clamped(int index, unsigned int count) {
  return index < 0 ? 0 : index >= (int)count ? (int)count - 1 : index;
}

/* The face of a cube that a direction hits, and where, in [0, 1] (Programming Guide, "Cubemap Textures"). */
static int cube_face(const float d[3], float *s, float *t) {
  const float size[3] = {fabsf(d[0]), fabsf(d[1]), fabsf(d[2])};
  int major = size[2] >= size[0] && size[2] >= size[1] ? 2 : size[1] >= size[0] ? 1 : 0; /* of equal ones the last */
  int negative = d[major] < 0;
  float across, down;
  switch (major) {
  case 0:
    across = negative ? d[2] : -d[2];
    down = -d[1];
    break;
  case 1:
    across = d[0];
    down = negative ? -d[2] : d[2];
    break;
  default: across = negative ? -d[0] : d[0]; down = -d[1];
  }
  *s = (across / size[major] + 1.0f) * 0.5f;
  *t = (down / size[major] + 1.0f) * 0.5f;
  return 2 * major + negative;
}

/* Where on the cube a position of a face lies: cube_face the other way around. Beyond the face's edge it points at the
 * neighbour. */
static void cube_direction(int face, float s, float t, float d[3]) {
  const float across = 2.0f * s - 1.0f, down = 2.0f * t - 1.0f, ahead = face & 1 ? -1.0f : 1.0f;
  d[face / 2] = ahead;
  switch (face / 2) {
  case 0:
    d[2] = -ahead * across;
    d[1] = -down;
    break;
  case 1:
    d[0] = across;
    d[2] = ahead * down;
    break;
  default: d[0] = ahead * across; d[1] = -down;
  }
}

/* Indices beyond a face's edge become those of the neighbouring face, for seamless filtering. */
static void over_the_edge(const struct __uw_texture *level, int index[3]) {
  const int size = (int)level->__width, face = index[2] % 6;
  if (index[0] >= 0 && index[0] < size && index[1] >= 0 && index[1] < size)
    return;
  float d[3], s, t;
  cube_direction(face, ((float)index[0] + 0.5f) / (float)size, ((float)index[1] + 0.5f) / (float)size, d);
  index[2] += cube_face(d, &s, &t) - face;
  index[0] = clamped((int)(s * (float)size), level->__width);
  index[1] = clamped((int)(t * (float)size), level->__height);
}

/* The slice that a position is in, the last one of negative layers too; a cube's position moves to its face. */
static inline int find_slice(const uwrt_texture *t, const struct __uw_texture *level, enum __uw_shape shape,
                             float at[3], int layer) {
  if (shape == __UW_CUBE) {
    int last = (int)level->__depth / 6 - 1;
    float across, down;
    layer = (layer < 0 || layer > last ? last : layer) * 6 + cube_face(at, &across, &down);
    const float scale = t->sampler.normalizedCoords ? 1.0f : (float)level->__width;
    at[0] = across * scale;
    at[1] = down * scale;
    return layer;
  }
  return layer < 0 ? (int)level->__depth - 1 : clamped(layer, level->__depth);
}

/* The nearest texel; null for the border. */
static inline const unsigned char *find_nearest(const uwrt_texture *t, const struct __uw_texture *level,
                                                enum __uw_shape shape, float at[3], int layer) {
  int z = find_slice(t, level, shape, at, layer), y = 0, x = nearest_on_axis(t, at[0], level->__width, 0);
  if (shape != __UW_1D)
    y = nearest_on_axis(t, at[1], level->__height, 1);
  if (shape == __UW_3D)
    z = nearest_on_axis(t, at[2], level->__depth, 2);
  return place_of(t, level, x, y, z);
}

/* The texels on each axis; axes that the shape lacks stay at the one index that there is. */
static void find_axes(const uwrt_texture *t, const struct __uw_texture *level, enum __uw_shape shape, float at[3],
                      int layer, axis axes[3]) {
  const int dimensions = shape == __UW_CUBE ? 2 : (int)shape;
  const unsigned int size[3] = {level->__width, level->__height, level->__depth};
  int slice = find_slice(t, level, shape, at, layer);
  axes[1] = (axis){{0, 0}, 0};
  axes[2] = (axis){{slice, slice}, 0};
  for (int i = 0; i < dimensions; i++)
    axes[i] = on_axis(t, at[i], size[i], i);
  if (shape == __UW_1D) /* a row of a plane, sampled at its edge */
    axes[1] = on_axis(t, 0, 1, 1);
  if (shape == __UW_CUBE && t->sampler.seamlessCubemap)
    for (int i = 0; i < 2; i++) { /* unfolded: over_the_edge takes each texel to its face */
      int first = (int)(((place_on_axis(t, at[i], (int)size[i], cudaAddressModeClamp) + 1) >> 1) - 128) >> 8;
      first = first < -1 ? -1 : first < (int)size[i] ? first : (int)size[i] - 1; /* no direction is NaN */
      axes[i].index[0] = first;
      axes[i].index[1] = first + 1;
    }
}

/* The texels around a position, on one or two levels, and their weights in 256ths. */
typedef struct corners {
  int count;
  const unsigned char *at[16];
  int weight[16];
} corners;

static inline int share_of(int whole, int part) { return (whole * part + 128) >> 8; }

/* The weights of four texels: those of first and first, second and first, first and second, second and second. Halves
 * of the weights of two corners round up, of the others down, so that the sum is the whole. */
static inline void share_out(int whole, int across, int down, int weight[4]) {
  const int right = share_of(whole, across), left = whole - right;
  weight[0] = share_of(left, 256 - down);
  weight[1] = right - share_of(right, down);
  weight[2] = left - weight[0];
  weight[3] = right - weight[1];
}

static void add_corners(const uwrt_texture *t, const struct __uw_texture *level, const axis axes[3], int seamless,
                        int whole, corners *found) {
  const int is_one_slice = axes[2].index[0] == axes[2].index[1];
  const int after = is_one_slice ? 0 : share_of(whole, axes[2].weight), slices[2] = {whole - after, after};
  for (int corner = 0; corner < 8; corner++) {
    int weight[4], index[3] = {axes[0].index[corner & 1], axes[1].index[corner >> 1 & 1], axes[2].index[corner >> 2]};
    share_out(slices[corner >> 2], axes[0].weight, axes[1].weight, weight);
    if (weight[corner & 3] == 0)
      continue;
    if (seamless)
      over_the_edge(level, index);
    found->at[found->count] = place_of(t, level, index[0], index[1], index[2]);
    found->weight[found->count++] = weight[corner & 3];
  }
}

/* To so many bits less than a double has, halves away from zero. */
static inline float rounded(double value, int bits) {
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  word = (word + (1ull << (bits - 1))) & ~((1ull << bits) - 1);
  memcpy(&value, &word, sizeof value);
  return (float)value;
}

static float rounded_to_half(double value) {
  return fabs(value) < 0x1p-14 ? (float)((double)(int)(value * 0x1p24 + copysign(0.5, value)) * 0x1p-24)
                               : rounded(value, 42);
}

static components mean_of(const uwrt_texture *t, const corners *around) {
  const int is_signed = t->format.component == UWRT_COMPONENT_S8 || t->format.component == UWRT_COMPONENT_S16;
  const int in_16_bits = t->format.component != UWRT_COMPONENT_S8; /* as many steps of 16 bits as there are */
  const double steps = is_signed ? 32767 : 65535;
  double sum[4] = {0, 0, 0, 0};
  components mean = {{0, 0, 0, 0}};
  for (int i = 0; i < around->count; i++) {
    components texel = texel_or_border(t, around->at[i]);
    for (unsigned int c = 0; c < t->format.components; c++)
      sum[c] += around->weight[i] * (!t->to_float ? (double)texel.f[c]
                                     : in_16_bits ? (double)floor_of(texel.f[c] * steps + 0.5)
                                                  : texel.f[c] * steps);
  }
  for (unsigned int c = 0; c < t->format.components; c++)
    if (t->to_float)
      mean.f[c] = (float)((double)floor_of(sum[c] / 256 + 0.5) / steps);
    else
      mean.f[c] =
          t->format.component == UWRT_COMPONENT_HALF ? rounded_to_half(sum[c] / 256) : rounded(sum[c] / 256, 29);
  return mean;
}

static void add_level(const uwrt_texture *t, const struct __uw_texture *level, enum __uw_shape shape, float x, float y,
                      float z, int layer, int whole, corners *found) {
  axis axes[3];
  float at[3] = {x, y, z};
  if (t->sampler.filterMode == cudaFilterModePoint) {
    found->at[found->count] = find_nearest(t, level, shape, at, layer);
    found->weight[found->count++] = whole;
    return;
  }
  find_axes(t, level, shape, at, layer, axes);
  add_corners(t, level, axes, shape == __UW_CUBE && t->sampler.seamlessCubemap, whole, found);
}

static components sample_level(const uwrt_texture *t, const struct __uw_texture *level, enum __uw_shape shape, float x,
                               float y, float z, int layer) {
  corners around = {0};
  if (t->sampler.filterMode == cudaFilterModePoint)
    return texel_or_border(t, find_nearest(t, level, shape, (float[]){x, y, z}, layer));
  add_level(t, level, shape, x, y, z, layer, 256, &around);
  return mean_of(t, &around);
}

/* --- a plane ------------------------------------------------------------------------------------------------------ */

/* The most frequent textures that are filtered, in few instructions: one or two dimensions, layers or not, no border,
 * floats or bytes that read as floats. */
int uwrt_texture_is_plane(const uwrt_texture *t) {
  const struct cudaTextureDesc *s = &t->sampler;
  int bytes = t->format.component == UWRT_COMPONENT_U8 && t->to_float && !s->sRGB;
  return t->levels == 1 && s->filterMode == cudaFilterModeLinear && s->addressMode[0] != cudaAddressModeBorder &&
         s->addressMode[1] != cudaAddressModeBorder && (bytes || t->format.component == UWRT_COMPONENT_32);
}

/* As on_axis. Next below an integer, x + 1 may round up to it: the weight is then 0 and not 1, of the same texel. */
static inline axis on_plane_axis(const uwrt_texture *t, float x, unsigned int texels, int dimension) {
  const int count = (int)texels;
  if (t->sampler.normalizedCoords)
    return on_axis(t, x, texels, dimension);
  x = fminf(fmaxf(x - 0.5f, -1.0f), (float)count);
  int first = (int)(x + 1.0f) - 1, second = first + 1 < count ? first + 1 : count - 1;
  int weight = (int)((x - (float)first) * 256.0f + 0.5f);
  return (axis){{first < 0 ? 0 : first < count ? first : count - 1, second}, weight};
}

static components sample_plane(const uwrt_texture *t, enum __uw_shape shape, float x, float y, int layer) {
  const struct __uw_texture *level = &t->seen;
  const unsigned char *slice =
      level->__data + (size_t)(layer < 0 ? (int)level->__depth - 1 : clamped(layer, level->__depth)) * level->__slice;
  const axis h = on_plane_axis(t, x, level->__width, 0);
  const axis v = shape == __UW_1D ? (axis){{0, 0}, 0} : on_plane_axis(t, y, level->__height, 1);
  components mean = {{0, 0, 0, 0}};
  const unsigned int count = t->format.components;
  const unsigned char *at[4];
  int weight[4];
  share_out(256, h.weight, v.weight, weight);
  for (int i = 0; i < 4; i++)
    at[i] = slice + (size_t)v.index[i >> 1] * level->__pitch + (size_t)h.index[i & 1] * t->format.bytes;
  if (t->format.component == UWRT_COMPONENT_32) {
    for (unsigned int c = 0; c < count; c++) {
      double sum = 0;
      for (int i = 0; i < 4; i++)
        sum += weight[i] != 0 ? (double)weight[i] * (double)((const float *)at[i])[c] : 0;
      mean.f[c] = rounded(sum / 256, 29);
    }
    return mean;
  }
  for (unsigned int c = 0; c < count; c++) { /* of bytes that are 257 times as much in 16 bits */
    int sum = 0;
    for (int i = 0; i < 4; i++)
      sum += weight[i] * at[i][c];
    mean.f[c] = (float)((sum * 257 + 128) >> 8) / 65535.0f;
  }
  return mean;
}

/* --- all levels --------------------------------------------------------------------------------------------------- */

static const struct __uw_texture *level_at(const uwrt_texture *t, unsigned int level) {
  return level == 0 ? &t->seen : &t->level[level - 1];
}

/* Rounded towards zero; no number is 0. */
static int level_in_256ths(float level) {
  return level == level ? (int)(fminf(fmaxf(level, -1000.0f), 1000.0f) * 256) : 0;
}

/* A sample without a level asks for one of minus infinity, to which no bias is added. */
__uw_texel uwrt_texture_sample(const struct __uw_texture *texture, enum __uw_shape shape, float x, float y, float z,
                               int layer, float level) {
  const uwrt_texture *t = (const uwrt_texture *)texture;
  if (!texture->__width)
    return (__uw_texel){0, 0, 0, 0}; /* a reference that nothing is bound to */
  if (t->is_plane && shape <= __UW_2D)
    return handed_out(sample_plane(t, shape, x, y, layer));
  if (t->levels <= 1)
    return handed_out(sample_level(t, texture, shape, x, y, z, layer));
  const struct cudaTextureDesc *s = &t->sampler;
  int lod = level_in_256ths(level) + (level != -INFINITY ? level_in_256ths(s->mipmapLevelBias) : 0);
  int least = level_in_256ths(s->minMipmapLevelClamp), most = level_in_256ths(s->maxMipmapLevelClamp);
  lod = lod > most ? most : lod;
  lod = lod < least ? least : lod;
  lod = lod<0 ? 0 : lod>(int)(t->levels - 1) * 256 ? (int)(t->levels - 1) * 256 : lod;
  if (s->mipmapFilterMode == cudaFilterModePoint)
    return handed_out(sample_level(t, level_at(t, (unsigned int)(lod + 128) >> 8), shape, x, y, z, layer));
  const unsigned int fine = (unsigned int)lod >> 8;
  const int weight = lod & 255;
  corners around = {0};
  if (weight == 0 || (!t->format.is_float && !t->to_float))
    return handed_out(sample_level(t, level_at(t, fine), shape, x, y, z, layer));
  add_level(t, level_at(t, fine), shape, x, y, z, layer, 256 - weight, &around);
  add_level(t, level_at(t, fine + 1), shape, x, y, z, layer, weight, &around);
  return handed_out(mean_of(t, &around));
}

/* The level at which a step to the next pixel is a step to the next texel, by the step's length in texels of level 0. A
 * cube's faces are two units wide at one unit from its middle. */
static float level_of_step(const struct __uw_texture *texture, enum __uw_shape shape, const float at[3],
                           const float step[3]) {
  const uwrt_texture *t = (const uwrt_texture *)texture;
  const unsigned int size[3] = {texture->__width, texture->__height, texture->__depth};
  const float distance = fmaxf(fmaxf(fabsf(at[0]), fabsf(at[1])), fabsf(at[2]));
  float squares = 0;
  for (int i = 0; i < (shape == __UW_CUBE ? 3 : (int)shape); i++) {
    float scale = t->sampler.normalizedCoords ? (float)size[i] : 1;
    if (shape == __UW_CUBE)
      scale = (float)size[0] / (2 * distance);
    squares += step[i] * scale * (step[i] * scale);
  }
  return 0.5f * log2f(squares);
}

__uw_texel uwrt_texture_sample_gradient(const struct __uw_texture *texture, enum __uw_shape shape, float x, float y,
                                        float z, int layer, const float dx[3], const float dy[3]) {
  const uwrt_texture *t = (const uwrt_texture *)texture;
  const float at[3] = {x, y, z};
  float level = 0;
  if (texture->__width && t->levels > 1)
    level = fmaxf(level_of_step(texture, shape, at, dx), level_of_step(texture, shape, at, dy));
  return uwrt_texture_sample(texture, shape, x, y, z, layer, level);
}

/* --- other reads -------------------------------------------------------------------------------------------------- */

__uw_texel uwrt_texture_fetch(const struct __uw_texture *texture, int x) {
  if ((unsigned int)x >= texture->__width)
    return (__uw_texel){0, 0, 0, 0};
  const uwrt_texture *t = (const uwrt_texture *)texture;
  return handed_out(texel_at(t, place_of(t, texture, x, 0, 0)));
}

/* One component of the four texels that linear filtering would take, counter-clockwise from the lower left. */
__uw_texel uwrt_texture_gather(const struct __uw_texture *texture, float x, float y, int component) {
  if (!texture->__width)
    return (__uw_texel){0, 0, 0, 0};
  const uwrt_texture *t = (const uwrt_texture *)texture;
  axis axes[3];
  find_axes(t, texture, __UW_2D, (float[]){x, y, 0}, 0, axes);
  static const int order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  components value;
  for (int i = 0; i < 4; i++) {
    const unsigned char *at = place_of(t, texture, axes[0].index[order[i][0]], axes[1].index[order[i][1]], 0);
    value.u[i] = texel_or_border(t, at).u[component & 3];
  }
  return handed_out(value);
}

void uwrt_texture_prepare_srgb(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, fill_srgb);
}
