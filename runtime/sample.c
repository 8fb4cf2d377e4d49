/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads textures as the Programming Guide's appendix "Texture Fetching" says: the nearest texel, or the weighted mean
 * of the 2, 4 or 8 around the place. Its weights have 8 fractional bits, and so have these, rounded to nearest;
 * products and sums are in single precision. A texel of weight zero does not count, whatever it holds.
 *
 * A read goes through four steps: the mipmap levels, on each the face of a cube, on each axis the texels and their
 * weight, and a texel's components.
 */
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

static int gives_floats(const uwrt_texture *t) { return t->format.is_float || t->to_float; }

/* floorf without the library's call: this is most of what a sample costs. Beyond 2^23 all floats are whole. */
static inline float floor_of(float x) {
  if (!(fabsf(x) < 0x1p23f))
    return x;
  float whole = (float)(int)x;
  return whole - (float)(whole > x);
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
  case UWRT_COMPONENT_U8:
    return *at;
  case UWRT_COMPONENT_S8:
    return (uint32_t)(signed char)*at;
  case UWRT_COMPONENT_U16:
  case UWRT_COMPONENT_S16:
    memcpy(&wide, at, sizeof wide);
    return t->format.component == UWRT_COMPONENT_U16 ? wide : (uint32_t)(int16_t)wide;
  case UWRT_COMPONENT_HALF:
    memcpy(&wide, at, sizeof wide);
    value.f[0] = float_of_half(wide);
    return value.u[0];
  default:
    return 0; /* of 32 bits: texel_at has them */
  }
}

/* What components that the format lacks read as: nothing, and an alpha of one. */
static components defaults(const uwrt_texture *t) {
  components value = {{0, 0, 0, 0}};
  if (gives_floats(t))
    value.f[3] = 1.0f;
  else
    value.u[3] = 1;
  return value;
}

static components border_of(const uwrt_texture *t) {
  components value = defaults(t);
  for (unsigned int c = 0; c < t->format.components; c++) {
    if (gives_floats(t))
      value.f[c] = t->sampler.borderColor[c];
    else
      value.u[c] = (uint32_t)(int64_t)t->sampler.borderColor[c];
  }
  return value;
}

static components texel_at(const uwrt_texture *t, const unsigned char *at) {
  components value = defaults(t);
  if (t->format.component == UWRT_COMPONENT_32) {
    for (unsigned int c = 0; c < t->format.components; c++)
      value.u[c] = ((const uint32_t *)at)[c];
    return value;
  }
  const unsigned int size = t->format.bytes / t->format.components;
  for (unsigned int c = 0; c < t->format.components; c++)
    value.u[c] = component_at(t, at + c * size, c);
  return value;
}

/* Where the texel at indices lies; null for the border, of which an index is negative. */
static inline const unsigned char *place_of(const uwrt_texture *t, const struct __uw_texture *level, int x, int y,
                                            int z) {
  if ((x | y | z) < 0)
    return NULL;
  return level->__data + (size_t)z * level->__slice + (size_t)y * level->__pitch + (size_t)x * t->format.bytes;
}

static components texel_or_border(const uwrt_texture *t, const unsigned char *at) {
  return at ? texel_at(t, at) : border_of(t);
}

/* --- one axis ----------------------------------------------------------------------------------------------------- */

/* The two texels on an axis and the weight of the second. */
typedef struct axis {
  int index[2];
  float weight;
} axis;

/* An index one beyond either end, by the address mode. A mirror's image of the last texel is that texel. */
static int wrapped(int index, int count, enum cudaTextureAddressMode mode) {
  if (index >= 0 && index < count)
    return index;
  switch (mode) {
  case cudaAddressModeWrap:
    return index < 0 ? count - 1 : 0;
  case cudaAddressModeBorder:
    return -1;
  default:
    return index < 0 ? 0 : count - 1;
  }
}

static enum cudaTextureAddressMode mode_of(const uwrt_texture *t, int dimension) {
  enum cudaTextureAddressMode mode = t->sampler.addressMode[dimension];
  return t->sampler.normalizedCoords || mode == cudaAddressModeBorder ? mode : cudaAddressModeClamp;
}

/* A coordinate in texels. A normalized one is folded into [0, 1] first where the mode says so. */
static float in_texels(const uwrt_texture *t, float x, int count, enum cudaTextureAddressMode mode) {
  if (t->sampler.normalizedCoords) {
    float whole = floor_of(x);
    if (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)
      x -= whole;
    if (mode == cudaAddressModeMirror && whole * 0.5f != floor_of(whole * 0.5f))
      x = 1.0f - x;
    x *= (float)count;
  }
  /* What lies further out, and no number, reads as what lies just outside. */
  return fminf(fmaxf(x, -1.0f), (float)count + 1.0f);
}

static inline int nearest_on_axis(const uwrt_texture *t, float coordinate, unsigned int texels, int dimension) {
  enum cudaTextureAddressMode mode = mode_of(t, dimension);
  return wrapped((int)floor_of(in_texels(t, coordinate, (int)texels, mode)), (int)texels, mode);
}

static axis on_axis(const uwrt_texture *t, float coordinate, unsigned int texels, int dimension) {
  const int count = (int)texels;
  enum cudaTextureAddressMode mode = mode_of(t, dimension);
  float x = in_texels(t, coordinate, count, mode) - 0.5f, first = floor_of(x);
  float weight = (float)(int)((x - first) * 256.0f + 0.5f) * (1 / 256.0f);
  return (axis){{wrapped((int)first, count, mode), wrapped((int)first + 1, count, mode)}, weight};
}

/* --- one level ---------------------------------------------------------------------------------------------------- */

static int clamped(int index, unsigned int count) {
  return index < 0 ? 0 : index >= (int)count ? (int)count - 1 : index;
}

/* The face of a cube that a direction hits, and where, in [0, 1] (Programming Guide, "Cubemap Textures"). */
static int cube_face(const float d[3], float *s, float *t) {
  const float size[3] = {fabsf(d[0]), fabsf(d[1]), fabsf(d[2])};
  int major = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
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
  default:
    across = negative ? -d[0] : d[0];
    down = -d[1];
  }
  *s = (across / size[major] + 1.0f) * 0.5f;
  *t = (down / size[major] + 1.0f) * 0.5f;
  return 2 * major + negative;
}

/* Where on the cube a place of a face lies: cube_face the other way around. Beyond the face's edge it points at the
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
  default:
    d[0] = ahead * across;
    d[1] = -down;
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

/* The slice that a place is in; a cube's place moves to its face. */
static inline int find_slice(const struct __uw_texture *level, enum __uw_shape shape, float at[3], int layer) {
  if (shape == __UW_CUBE) {
    int last = (int)level->__depth / 6 - 1;
    float across, down;
    layer = (layer < 0 ? 0 : layer > last ? last : layer) * 6 + cube_face(at, &across, &down);
    at[0] = across;
    at[1] = down;
  }
  return clamped(layer, level->__depth);
}

static inline components sample_nearest(const uwrt_texture *t, const struct __uw_texture *level, enum __uw_shape shape,
                                 float at[3], int layer) {
  int z = find_slice(level, shape, at, layer), y = 0, x = nearest_on_axis(t, at[0], level->__width, 0);
  if (shape != __UW_1D)
    y = nearest_on_axis(t, at[1], level->__height, 1);
  if (shape == __UW_3D)
    z = nearest_on_axis(t, at[2], level->__depth, 2);
  return texel_or_border(t, place_of(t, level, x, y, z));
}

/* The texels on each axis; axes that the shape lacks stay at the one index that there is. */
static int find_axes(const uwrt_texture *t, const struct __uw_texture *level, enum __uw_shape shape, float at[3],
                     int layer, axis axes[3]) {
  const int dimensions = shape == __UW_CUBE ? 2 : (int)shape;
  const unsigned int size[3] = {level->__width, level->__height, level->__depth};
  int slice = find_slice(level, shape, at, layer);
  axes[1] = (axis){{0, 0}, 0};
  axes[2] = (axis){{slice, slice}, 0};
  for (int i = 0; i < dimensions; i++)
    axes[i] = on_axis(t, at[i], size[i], i);
  if (shape == __UW_CUBE && t->sampler.seamlessCubemap)
    for (int i = 0; i < 2; i++) { /* unfolded: over_the_edge takes each texel to its face */
      float first = floor_of(fminf(fmaxf(at[i], 0.0f), 1.0f) * (float)size[i] - 0.5f); /* no direction is NaN */
      axes[i].index[0] = (int)first;
      axes[i].index[1] = (int)first + 1;
    }
  return dimensions;
}

/* The texels around a place and their weights. */
typedef struct corners {
  int count;
  const unsigned char *at[8];
  float weight[8];
} corners;

static corners find_corners(const uwrt_texture *t, const struct __uw_texture *level, const axis axes[3],
                            int dimensions, int seamless) {
  corners found = {0};
  for (int corner = 0; corner < 1 << dimensions; corner++) {
    const int sides[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
    int index[3];
    float weight = 1.0f;
    for (int i = 0; i < 3; i++) {
      index[i] = axes[i].index[sides[i]];
      if (i < dimensions)
        weight *= sides[i] ? axes[i].weight : 1.0f - axes[i].weight;
    }
    if (weight == 0)
      continue;
    if (seamless)
      over_the_edge(level, index);
    found.at[found.count] = place_of(t, level, index[0], index[1], index[2]);
    found.weight[found.count++] = weight;
  }
  return found;
}

static components mean_of(const uwrt_texture *t, const corners *around) {
  components sum = {{0, 0, 0, 0}};
  int inside = 1;
  for (int i = 0; i < around->count; i++)
    inside &= around->at[i] != NULL;
  if (inside && t->format.component == UWRT_COMPONENT_32) { /* most textures that are filtered hold floats */
    for (int i = 0; i < around->count; i++)
      for (unsigned int c = 0; c < t->format.components; c++)
        sum.f[c] += around->weight[i] * ((const float *)around->at[i])[c];
    if (t->format.components < 4)
      sum.f[3] = 1.0f;
    return sum;
  }
  for (int i = 0; i < around->count; i++) {
    components texel = texel_or_border(t, around->at[i]);
    for (int c = 0; c < 4; c++)
      sum.f[c] += around->weight[i] * texel.f[c];
  }
  return sum;
}

static components sample_level(const uwrt_texture *t, const struct __uw_texture *level, enum __uw_shape shape,
                               float x, float y, float z, int layer) {
  axis axes[3];
  float at[3] = {x, y, z};
  if (t->sampler.filterMode == cudaFilterModePoint)
    return sample_nearest(t, level, shape, at, layer);
  const int dimensions = find_axes(t, level, shape, at, layer, axes);
  corners around = find_corners(t, level, axes, dimensions, shape == __UW_CUBE && t->sampler.seamlessCubemap);
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
  if (mode_of(t, dimension) != cudaAddressModeClamp)
    return on_axis(t, x, texels, dimension);
  if (t->sampler.normalizedCoords)
    x *= (float)count;
  x = fminf(fmaxf(x - 0.5f, -1.0f), (float)count);
  int first = (int)(x + 1.0f) - 1, second = first + 1 < count ? first + 1 : count - 1;
  float weight = (float)(int)((x - (float)first) * 256.0f + 0.5f) * (1 / 256.0f);
  return (axis){{first < 0 ? 0 : first < count ? first : count - 1, second}, weight};
}

static components sample_plane(const uwrt_texture *t, enum __uw_shape shape, float x, float y, int layer) {
  const struct __uw_texture *level = &t->seen;
  const unsigned char *slice = level->__data + (size_t)clamped(layer, level->__depth) * level->__slice;
  const axis h = on_plane_axis(t, x, level->__width, 0);
  const axis v = shape == __UW_1D ? (axis){{0, 0}, 0} : on_plane_axis(t, y, level->__height, 1);
  const float across[2] = {1.0f - h.weight, h.weight}, down[2] = {1.0f - v.weight, v.weight};
  components sum = {{0, 0, 0, 1.0f}};
  const unsigned int count = t->format.components;
  const unsigned char *at[4];
  float weight[4];
  for (int i = 0; i < 4; i++) {
    at[i] = slice + (size_t)v.index[i >> 1] * level->__pitch + (size_t)h.index[i & 1] * t->format.bytes;
    weight[i] = across[i & 1] * down[i >> 1];
  }
  const int is_float = t->format.component == UWRT_COMPONENT_32;
  for (unsigned int c = 0; c < count; c++) {
    sum.f[c] = 0;
    for (int i = 0; i < 4; i++) { /* bytes sum up without rounding: 16 bits of weight, 8 of value */
      float value = is_float ? ((const float *)at[i])[c] : (float)at[i][c];
      sum.f[c] += weight[i] != 0 ? weight[i] * value : 0;
    }
    if (!is_float)
      sum.f[c] /= 255.0f;
  }
  return sum;
}

/* --- all levels --------------------------------------------------------------------------------------------------- */

static const struct __uw_texture *level_at(const uwrt_texture *t, unsigned int level) {
  return level == 0 ? &t->seen : &t->level[level - 1];
}

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
  float lod = fminf(fmaxf(level + s->mipmapLevelBias, s->minMipmapLevelClamp), s->maxMipmapLevelClamp);
  lod = fminf(fmaxf(lod, 0.0f), (float)(t->levels - 1));
  if (s->mipmapFilterMode == cudaFilterModePoint)
    return handed_out(sample_level(t, level_at(t, (unsigned int)(lod + 0.5f)), shape, x, y, z, layer));
  unsigned int fine = (unsigned int)lod;
  float weight = (float)(int)((lod - (float)fine) * 256.0f + 0.5f) * (1 / 256.0f);
  components sum = sample_level(t, level_at(t, fine), shape, x, y, z, layer);
  if (weight == 0 || !gives_floats(t))
    return handed_out(sum);
  components coarse = sample_level(t, level_at(t, fine + 1), shape, x, y, z, layer);
  for (int c = 0; c < 4; c++)
    sum.f[c] = (1.0f - weight) * sum.f[c] + weight * coarse.f[c];
  return handed_out(sum);
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
    const unsigned char *at =
        place_of(t, texture, axes[0].index[order[i][0]], axes[1].index[order[i][1]], 0);
    value.u[i] = texel_or_border(t, at).u[component & 3];
  }
  return handed_out(value);
}

void uwrt_texture_prepare_srgb(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, fill_srgb);
}
