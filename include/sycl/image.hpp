// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sampled and unsampled images (SYCL 2020, section 4.7.3): memory of pixels in one of eleven formats, and the samplers
// that read it.
#ifndef UNWARP_SYCL_IMAGE_HPP
#define UNWARP_SYCL_IMAGE_HPP

#include "accessor.hpp"
#include "bit_cast.hpp"
#include "math.hpp"

namespace sycl {
inline namespace _V1 {

enum class image_format : unsigned {
  r8g8b8a8_unorm,
  r16g16b16a16_unorm,
  r8g8b8a8_sint,
  r16g16b16a16_sint,
  r32b32g32a32_sint,
  r8g8b8a8_uint,
  r16g16b16a16_uint,
  r32b32g32a32_uint,
  r16b16g16a16_sfloat,
  r32g32b32a32_sfloat,
  b8g8r8a8_unorm
};
enum class addressing_mode : unsigned { mirrored_repeat, repeat, clamp_to_edge, clamp, none };
enum class filtering_mode : unsigned { nearest, linear };
enum class coordinate_normalization_mode : unsigned { normalized, unnormalized };
enum class image_target : unsigned { device, host_task };

struct image_sampler {
  addressing_mode addressing;
  coordinate_normalization_mode coordinate;
  filtering_mode filtering;
  friend bool operator==(const image_sampler &a, const image_sampler &b) {
    return a.addressing == b.addressing && a.coordinate == b.coordinate && a.filtering == b.filtering;
  }
  friend bool operator!=(const image_sampler &a, const image_sampler &b) { return !(a == b); }
};

namespace property::image {
struct use_host_ptr : sycl::detail::property_base {
  static constexpr std::uint32_t bit = 1u << 13;
};
using use_mutex = property::buffer::use_mutex;
using context_bound = property::buffer::context_bound;
} // namespace property::image

using image_allocator = std::allocator<std::byte>;

template <class DataT, int Dimensions, image_target AccessTarget> class sampled_image_accessor;
template <class DataT, int Dimensions> class host_sampled_image_accessor;
template <class DataT, int Dimensions, access_mode Mode, image_target AccessTarget> class unsampled_image_accessor;
template <class DataT, int Dimensions, access_mode Mode> class host_unsampled_image_accessor;

namespace detail {

constexpr std::size_t pixel_bytes(image_format format) {
  switch (format) {
  case image_format::r32b32g32a32_sint:
  case image_format::r32b32g32a32_uint:
  case image_format::r32g32b32a32_sfloat: return 16;
  case image_format::r16g16b16a16_unorm:
  case image_format::r16g16b16a16_sint:
  case image_format::r16g16b16a16_uint:
  case image_format::r16b16g16a16_sfloat: return 8;
  default: return 4;
  }
}

// What a kernel has of an image. Pitches are in bytes; extents count from the dimension that runs fastest, which in
// images is the first.
template <class Format> struct image_view_of {
  char *memory = nullptr;
  std::size_t row = 0, slice = 0;
  int extent[3] = {1, 1, 1};
  Format format{};

  __UW_INLINE char *pixel(int x, int y, int z) const {
    return memory + std::size_t(z) * slice + std::size_t(y) * row + std::size_t(x) * pixel_bytes(format);
  }
  __UW_INLINE bool inside(int x, int y, int z) const {
    return x >= 0 && x < extent[0] && y >= 0 && y < extent[1] && z >= 0 && z < extent[2];
  }
};
using image_view = image_view_of<image_format>;

template <class T> __UW_INLINE T component(const char *pixel, int i) {
  T value;
  __builtin_memcpy(&value, pixel + i * sizeof(T), sizeof value);
  return value;
}
template <class T> __UW_INLINE void set_component(char *pixel, int i, T value) {
  __builtin_memcpy(pixel + i * sizeof(T), &value, sizeof value);
}

// One component of a pixel, as the element of the accessor's type: normalized formats as fractions.
template <class E> __UW_INLINE E read_component(image_format format, const char *pixel, int i) {
  switch (format) {
  case image_format::r8g8b8a8_unorm: return E(float(component<std::uint8_t>(pixel, i)) / 255.0f);
  case image_format::b8g8r8a8_unorm: return E(float(component<std::uint8_t>(pixel, i == 3 ? 3 : 2 - i)) / 255.0f);
  case image_format::r16g16b16a16_unorm: return E(float(component<std::uint16_t>(pixel, i)) / 65535.0f);
  case image_format::r8g8b8a8_sint: return E(component<std::int8_t>(pixel, i));
  case image_format::r16g16b16a16_sint: return E(component<std::int16_t>(pixel, i));
  case image_format::r32b32g32a32_sint: return E(component<std::int32_t>(pixel, i));
  case image_format::r8g8b8a8_uint: return E(component<std::uint8_t>(pixel, i));
  case image_format::r16g16b16a16_uint: return E(component<std::uint16_t>(pixel, i));
  case image_format::r32b32g32a32_uint: return E(component<std::uint32_t>(pixel, i));
  case image_format::r16b16g16a16_sfloat: return E(float(component<half>(pixel, i)));
  default: return E(component<float>(pixel, i));
  }
}
template <class T, class E> __UW_INLINE T to_limits(E value) {
  constexpr long long least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  const long long wide = (long long)(value);
  return T(wide < least ? least : wide > most ? most : wide);
}
template <class T> __UW_INLINE T to_fraction(float value, float most) {
  const float inside = value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f; // not a number: 0
  return T(__builtin_rintf(inside * most));
}
template <class E> __UW_INLINE void write_component(image_format format, char *pixel, int i, E value) {
  switch (format) {
  case image_format::r8g8b8a8_unorm: set_component(pixel, i, to_fraction<std::uint8_t>(float(value), 255.0f)); break;
  case image_format::b8g8r8a8_unorm:
    set_component(pixel, i == 3 ? 3 : 2 - i, to_fraction<std::uint8_t>(float(value), 255.0f));
    break;
  case image_format::r16g16b16a16_unorm:
    set_component(pixel, i, to_fraction<std::uint16_t>(float(value), 65535.0f));
    break;
  case image_format::r8g8b8a8_sint: set_component(pixel, i, to_limits<std::int8_t>(value)); break;
  case image_format::r16g16b16a16_sint: set_component(pixel, i, to_limits<std::int16_t>(value)); break;
  case image_format::r32b32g32a32_sint: set_component(pixel, i, std::int32_t(value)); break;
  case image_format::r8g8b8a8_uint: set_component(pixel, i, to_limits<std::uint8_t>(value)); break;
  case image_format::r16g16b16a16_uint: set_component(pixel, i, to_limits<std::uint16_t>(value)); break;
  case image_format::r32b32g32a32_uint: set_component(pixel, i, std::uint32_t(value)); break;
  case image_format::r16b16g16a16_sfloat: set_component(pixel, i, half(float(value))); break;
  default: set_component(pixel, i, float(value)); break;
  }
}
template <class V> __UW_INLINE V read_pixel(image_format format, const char *pixel) {
  using E = typename V::element_type;
  return V(read_component<E>(format, pixel, 0), read_component<E>(format, pixel, 1),
           read_component<E>(format, pixel, 2), read_component<E>(format, pixel, 3));
}
template <class V> __UW_INLINE void write_pixel(image_format format, char *pixel, const V &color) {
  write_component(format, pixel, 0, color[0]);
  write_component(format, pixel, 1, color[1]);
  write_component(format, pixel, 2, color[2]);
  write_component(format, pixel, 3, color[3]);
}

// A coordinate is a scalar, or a vector of two or four of which the last of four says nothing.
template <class C> __UW_INLINE auto along(const C &at, int dimension) {
  if constexpr (is_vector<C>)
    return dimension < count_of<C> ? at[dimension] : typename vector_of<C>::element(0);
  else
    return dimension == 0 ? at : C(0);
}

// Which pixel a whole-numbered position means; -1: the border.
__UW_INLINE int address(addressing_mode mode, int place, int extent) {
  switch (mode) {
  case addressing_mode::repeat: {
    const int rest = place % extent;
    return rest < 0 ? rest + extent : rest;
  }
  case addressing_mode::mirrored_repeat: {
    const int period = 2 * extent;
    int rest = place % period;
    rest = rest < 0 ? rest + period : rest;
    return rest < extent ? rest : period - 1 - rest;
  }
  case addressing_mode::clamp_to_edge: return place < 0 ? 0 : place >= extent ? extent - 1 : place;
  default: return place < 0 || place >= extent ? -1 : place;
  }
}

template <class V> __UW_INLINE V border_pixel(image_format) { return V(typename V::element_type(0)); }
template <class V, int D, class Format>
__UW_INLINE V fetch(const image_view_of<Format> &image, addressing_mode mode, int x, int y, int z) {
  const int i = address(mode, x, image.extent[0]), j = D > 1 ? address(mode, y, image.extent[1]) : 0,
            k = D > 2 ? address(mode, z, image.extent[2]) : 0;
  if (i < 0 || j < 0 || k < 0)
    return border_pixel<V>(image.format);
  return read_pixel<V>(image.format, image.pixel(i, j, k));
}

template <class V, int D, class Format, class C>
__UW_INLINE V sample(const image_view_of<Format> &image, const image_sampler &sampler, const C &at) {
  float place[3];
  for (int d = 0; d < 3; d++) {
    place[d] = d < D ? float(along(at, d)) : 0.0f;
    if (d < D && sampler.coordinate == coordinate_normalization_mode::normalized)
      place[d] *= float(image.extent[d]);
  }
  const addressing_mode mode = sampler.addressing;
  if (sampler.filtering == filtering_mode::nearest)
    return fetch<V, D>(image, mode, int(__builtin_floorf(place[0])), int(__builtin_floorf(place[1])),
                       int(__builtin_floorf(place[2])));
  int low[3];
  float part[3];
  for (int d = 0; d < 3; d++) {
    const float shifted = d < D ? place[d] - 0.5f : 0.0f;
    low[d] = int(__builtin_floorf(shifted));
    part[d] = shifted - __builtin_floorf(shifted);
  }
  V sum = V(typename V::element_type(0));
  for (int corner = 0; corner < 1 << D; corner++) {
    const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2 & 1;
    float weight = x ? part[0] : 1.0f - part[0];
    if (D > 1)
      weight *= y ? part[1] : 1.0f - part[1];
    if (D > 2)
      weight *= z ? part[2] : 1.0f - part[2];
    const V color = fetch<V, D>(image, mode, low[0] + x, low[1] + y, low[2] + z);
    for (int i = 0; i < 4; i++)
      sum[i] = typename V::element_type(float(sum[i]) + weight * float(color[i]));
  }
  return sum;
}

// What all kinds of images are: shared memory with a form.
template <int D, class AllocatorT, class Format = image_format> class image_base {
public:
  range<D> get_range() const { return extent; }
  std::size_t size() const noexcept { return extent.size(); }
  std::size_t byte_size() const noexcept { return data->size(); }
  AllocatorT get_allocator() const { return allocator; }
  template <class Property> bool has_property() const noexcept { return properties.template has_property<Property>(); }
  template <class Property> Property get_property() const { return properties.template get_property<Property>(); }
  const image_view_of<Format> &unwarp_view() const { return view; }
  const std::shared_ptr<memory> &unwarp_memory() const { return data; }
  friend bool operator==(const image_base &a, const image_base &b) { return a.data == b.data; }
  friend bool operator!=(const image_base &a, const image_base &b) { return !(a == b); }

protected:
  // pitch: bytes from row to row, and from slice to slice; missing ones are as close as can be.
  image_base(void *host, bool is_const, Format format, const range<D> &extent, const range<(D > 1 ? D - 1 : 1)> *pitch,
             const AllocatorT &allocator, const property_list &properties)
      : extent(extent), allocator(allocator), properties(properties) {
    view.format = format;
    for (int d = 0; d < D; d++)
      view.extent[d] = int(extent.get(d));
    view.row = pitch ? pitch->get(0) : extent.get(0) * pixel_bytes(format);
    view.slice = pitch && D > 2 ? pitch->get(D > 2 ? 1 : 0) : view.row * (D > 1 ? extent.get(D > 1 ? 1 : 0) : 1);
    if (D > 1 && view.row < extent.get(0) * pixel_bytes(format))
      fail(errc::invalid, "the pitch of an image is less than a row");
    const std::size_t bytes = view.slice * (D > 2 ? extent.get(D > 2 ? 2 : 0) : 1);
    data = std::make_shared<memory>(bytes, is_const ? nullptr : host);
    if (is_const && host && bytes)
      std::memcpy(data->address(), host, bytes);
    view.memory = static_cast<char *>(data->address());
  }
  void move_memory() { view.memory = static_cast<char *>(data->address()); }

  range<D> extent;
  AllocatorT allocator;
  property_list properties;
  std::shared_ptr<memory> data;
  image_view_of<Format> view;
};

} // namespace detail

template <int Dimensions = 1, class AllocatorT = image_allocator>
class sampled_image : public detail::image_base<Dimensions, AllocatorT> {
  using base = detail::image_base<Dimensions, AllocatorT>;
  using pitches = range<(Dimensions > 1 ? Dimensions - 1 : 1)>;

public:
  // What is sampled is never written.
  sampled_image(const void *host, image_format format, image_sampler sampler, const range<Dimensions> &extent,
                const property_list &properties = {})
      : base(const_cast<void *>(host), true, format, extent, nullptr, AllocatorT(), properties), sampler(sampler) {}
  template <int D = Dimensions, class = std::enable_if_t<(D > 1)>>
  sampled_image(const void *host, image_format format, image_sampler sampler, const range<Dimensions> &extent,
                const pitches &pitch, const property_list &properties = {})
      : base(const_cast<void *>(host), true, format, extent, &pitch, AllocatorT(), properties), sampler(sampler) {}
  sampled_image(const std::shared_ptr<const void> &host, image_format format, image_sampler sampler,
                const range<Dimensions> &extent, const property_list &properties = {})
      : sampled_image(host.get(), format, sampler, extent, properties) {}
  template <int D = Dimensions, class = std::enable_if_t<(D > 1)>>
  sampled_image(const std::shared_ptr<const void> &host, image_format format, image_sampler sampler,
                const range<Dimensions> &extent, const pitches &pitch, const property_list &properties = {})
      : sampled_image(host.get(), format, sampler, extent, pitch, properties) {}
  const image_sampler &unwarp_sampler() const { return sampler; }
  template <class DataT, image_target Target = image_target::device> auto get_access(handler &group) {
    return sampled_image_accessor<DataT, Dimensions, Target>(*this, group);
  }
  template <class DataT> auto get_host_access() { return host_sampled_image_accessor<DataT, Dimensions>(*this); }

private:
  image_sampler sampler;
};

template <int Dimensions = 1, class AllocatorT = image_allocator>
class unsampled_image : public detail::image_base<Dimensions, AllocatorT> {
  using base = detail::image_base<Dimensions, AllocatorT>;
  using pitches = range<(Dimensions > 1 ? Dimensions - 1 : 1)>;

public:
  unsampled_image(image_format format, const range<Dimensions> &extent, const property_list &properties = {})
      : base(nullptr, false, format, extent, nullptr, AllocatorT(), properties) {}
  unsampled_image(image_format format, const range<Dimensions> &extent, AllocatorT allocator,
                  const property_list &properties = {})
      : base(nullptr, false, format, extent, nullptr, allocator, properties) {}
  template <int D = Dimensions, class = std::enable_if_t<(D > 1)>>
  unsampled_image(image_format format, const range<Dimensions> &extent, const pitches &pitch,
                  const property_list &properties = {})
      : base(nullptr, false, format, extent, &pitch, AllocatorT(), properties) {}
  unsampled_image(void *host, image_format format, const range<Dimensions> &extent,
                  const property_list &properties = {})
      : base(host, false, format, extent, nullptr, AllocatorT(), properties) {}
  unsampled_image(void *host, image_format format, const range<Dimensions> &extent, AllocatorT allocator,
                  const property_list &properties = {})
      : base(host, false, format, extent, nullptr, allocator, properties) {}
  template <int D = Dimensions, class = std::enable_if_t<(D > 1)>>
  unsampled_image(void *host, image_format format, const range<Dimensions> &extent, const pitches &pitch,
                  const property_list &properties = {})
      : base(host, false, format, extent, &pitch, AllocatorT(), properties) {}
  unsampled_image(const std::shared_ptr<void> &host, image_format format, const range<Dimensions> &extent,
                  const property_list &properties = {})
      : unsampled_image(host.get(), format, extent, properties) {
    this->data->keep_alive(host);
  }

  template <class DataT, access_mode Mode = access_mode::read_write, image_target Target = image_target::device>
  auto get_access(handler &group) {
    return unsampled_image_accessor<DataT, Dimensions, Mode, Target>(*this, group);
  }
  template <class DataT, access_mode Mode = access_mode::read_write> auto get_host_access() {
    return host_unsampled_image_accessor<DataT, Dimensions, Mode>(*this);
  }
  void set_write_back(bool wanted = true) {
    this->data->set_write_back(wanted);
    this->move_memory();
  }
  template <class Destination = std::nullptr_t> void set_final_data(Destination goal = nullptr) {
    const std::size_t bytes = this->byte_size();
    if constexpr (std::is_same_v<Destination, std::nullptr_t>)
      this->data->set_goal(nullptr);
    else
      this->data->set_goal([goal, bytes](const void *from) { std::memcpy(static_cast<void *>(&*goal), from, bytes); });
    this->move_memory();
  }
};

template <class DataT, int Dimensions, image_target AccessTarget = image_target::device> class sampled_image_accessor {
public:
  using value_type = const DataT;
  using reference = const DataT &;
  using const_reference = const DataT &;
  template <class A>
  sampled_image_accessor(sampled_image<Dimensions, A> &image, handler &group, const property_list & = {})
      : image(image.unwarp_view()), sampler(image.unwarp_sampler()), count(image.size()) {
    group.unwarp_access(this->image.memory, image.byte_size(), false);
  }
  template <class A, class Tag>
  sampled_image_accessor(sampled_image<Dimensions, A> &image, handler &group, const Tag &, const property_list & = {})
      : sampled_image_accessor(image, group) {}
  std::size_t size() const noexcept { return count; }
  template <class C> __UW_INLINE DataT read(const C &at) const noexcept {
    return detail::sample<DataT, Dimensions>(image, sampler, at);
  }
  const detail::image_view &unwarp_view() const { return image; }
  friend bool operator==(const sampled_image_accessor &a, const sampled_image_accessor &b) {
    return a.image.memory == b.image.memory && a.sampler == b.sampler;
  }
  friend bool operator!=(const sampled_image_accessor &a, const sampled_image_accessor &b) { return !(a == b); }

private:
  detail::image_view image;
  image_sampler sampler;
  std::size_t count;
};

template <class DataT, int Dimensions> class host_sampled_image_accessor {
public:
  using value_type = const DataT;
  using reference = const DataT &;
  using const_reference = const DataT &;
  template <class A>
  host_sampled_image_accessor(sampled_image<Dimensions, A> &image, const property_list & = {})
      : image(image.unwarp_view()), sampler(image.unwarp_sampler()), count(image.size()) {}
  std::size_t size() const noexcept { return count; }
  template <class C> DataT read(const C &at) const noexcept {
    return detail::sample<DataT, Dimensions>(image, sampler, at);
  }
  const detail::image_view &unwarp_view() const { return image; }
  friend bool operator==(const host_sampled_image_accessor &a, const host_sampled_image_accessor &b) {
    return a.image.memory == b.image.memory && a.sampler == b.sampler;
  }
  friend bool operator!=(const host_sampled_image_accessor &a, const host_sampled_image_accessor &b) {
    return !(a == b);
  }

private:
  detail::image_view image;
  image_sampler sampler;
  std::size_t count;
};

namespace detail {

// Reads give 0 outside of the image, writes do nothing there.
template <class DataT, int D, access_mode Mode> class unsampled_accessor_base {
public:
  using value_type = std::conditional_t<Mode == access_mode::read, const DataT, DataT>;
  using reference = value_type &;
  using const_reference = const DataT &;
  std::size_t size() const noexcept { return count; }
  template <class C, access_mode M = Mode, class = std::enable_if_t<M != access_mode::write>>
  __UW_INLINE DataT read(const C &at) const noexcept {
    const int x = int(along(at, 0)), y = D > 1 ? int(along(at, 1)) : 0, z = D > 2 ? int(along(at, 2)) : 0;
    return image.inside(x, y, z) ? read_pixel<DataT>(image.format, image.pixel(x, y, z))
                                 : DataT(typename DataT::element_type(0));
  }
  template <class C, access_mode M = Mode, class = std::enable_if_t<M != access_mode::read>>
  __UW_INLINE void write(const C &at, const DataT &color) const {
    const int x = int(along(at, 0)), y = D > 1 ? int(along(at, 1)) : 0, z = D > 2 ? int(along(at, 2)) : 0;
    if (image.inside(x, y, z))
      write_pixel(image.format, image.pixel(x, y, z), color);
  }
  const image_view &unwarp_view() const { return image; }
  friend bool operator==(const unsampled_accessor_base &a, const unsampled_accessor_base &b) {
    return a.image.memory == b.image.memory;
  }
  friend bool operator!=(const unsampled_accessor_base &a, const unsampled_accessor_base &b) { return !(a == b); }

protected:
  template <class Image>
  explicit unsampled_accessor_base(Image &image) : image(image.unwarp_view()), count(image.size()) {}
  image_view image;
  std::size_t count;
};

} // namespace detail

template <class DataT, int Dimensions, access_mode Mode, image_target AccessTarget = image_target::device>
class unsampled_image_accessor : public detail::unsampled_accessor_base<DataT, Dimensions, Mode> {
public:
  template <class A>
  unsampled_image_accessor(unsampled_image<Dimensions, A> &image, handler &group, const property_list & = {})
      : detail::unsampled_accessor_base<DataT, Dimensions, Mode>(image) {
    group.unwarp_access(this->image.memory, image.byte_size(), Mode != access_mode::read);
  }
  template <class A, class Tag>
  unsampled_image_accessor(unsampled_image<Dimensions, A> &image, handler &group, const Tag &,
                           const property_list & = {})
      : unsampled_image_accessor(image, group) {}
};

template <class DataT, int Dimensions, access_mode Mode = access_mode::read_write>
class host_unsampled_image_accessor : public detail::unsampled_accessor_base<DataT, Dimensions, Mode> {
public:
  template <class A>
  host_unsampled_image_accessor(unsampled_image<Dimensions, A> &image, const property_list & = {})
      : detail::unsampled_accessor_base<DataT, Dimensions, Mode>(image) {}
  template <class A, class Tag>
  host_unsampled_image_accessor(unsampled_image<Dimensions, A> &image, const Tag &, const property_list & = {})
      : host_unsampled_image_accessor(image) {}
};

} // namespace _V1
} // namespace sycl

#define __UW_HASH(parameters, ...)                                                                                     \
  template <__UW_PARAMETERS parameters> struct std::hash<__VA_ARGS__> {                                                \
    std::size_t operator()(const __VA_ARGS__ &one) const {                                                             \
      return std::hash<const void *>()(one.unwarp_view().memory);                                                      \
    }                                                                                                                  \
  };
#define __UW_PARAMETERS(...) __VA_ARGS__
__UW_HASH((int D, class A), sycl::sampled_image<D, A>)
__UW_HASH((int D, class A), sycl::unsampled_image<D, A>)
__UW_HASH((class T, int D, sycl::image_target G), sycl::sampled_image_accessor<T, D, G>)
__UW_HASH((class T, int D), sycl::host_sampled_image_accessor<T, D>)
__UW_HASH((class T, int D, sycl::access_mode M, sycl::image_target G), sycl::unsampled_image_accessor<T, D, M, G>)
__UW_HASH((class T, int D, sycl::access_mode M), sycl::host_unsampled_image_accessor<T, D, M>)
#undef __UW_HASH
#undef __UW_PARAMETERS
#endif
