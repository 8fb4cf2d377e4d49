// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SYCL 1.2.1's image and sampler (section 4.7.4 of that specification), which DPC++ has beside SYCL 2020's: a pixel is some
// channels in an order, each of a type; an accessor reads with a sampler that the kernel gives it.
#ifndef UNWARP_SYCL_OLDER_IMAGE_HPP
#define UNWARP_SYCL_OLDER_IMAGE_HPP

#include "image.hpp"

namespace sycl {
inline namespace _V1 {

enum class image_channel_order : unsigned {
  a,
  r,
  rx,
  rg,
  rgx,
  ra,
  rgb,
  rgbx,
  rgba,
  argb,
  bgra,
  intensity,
  luminance,
  abgr,
  ext_oneapi_srgba
};
enum class image_channel_type : unsigned {
  snorm_int8,
  snorm_int16,
  unorm_int8,
  unorm_int16,
  unorm_short_565,
  unorm_short_555,
  unorm_int_101010,
  signed_int8,
  signed_int16,
  signed_int32,
  unsigned_int8,
  unsigned_int16,
  unsigned_int32,
  fp16,
  fp32
};

class sampler {
public:
  sampler(coordinate_normalization_mode coordinate, addressing_mode addressing, filtering_mode filtering,
          const property_list & = {})
      : all{addressing, coordinate, filtering} {}
  addressing_mode get_addressing_mode() const { return all.addressing; }
  filtering_mode get_filtering_mode() const { return all.filtering; }
  coordinate_normalization_mode get_coordinate_normalization_mode() const { return all.coordinate; }
  const image_sampler &unwarp_sampler() const { return all; }
  friend bool operator==(const sampler &a, const sampler &b) { return a.all == b.all; }
  friend bool operator!=(const sampler &a, const sampler &b) { return !(a == b); }

private:
  image_sampler all;
};

namespace detail {

struct pixel_form {
  image_channel_order order;
  image_channel_type type;
};

constexpr int channels_of(image_channel_order order) {
  using is = image_channel_order;
  switch (order) {
  case is::a:
  case is::r:
  case is::rx:
  case is::intensity:
  case is::luminance: return 1;
  case is::rg:
  case is::rgx:
  case is::ra: return 2;
  case is::rgb:
  case is::rgbx: return 3;
  default: return 4;
  }
}
// Types that hold all channels of a pixel in one number.
constexpr bool is_packed(image_channel_type type) {
  return type == image_channel_type::unorm_short_565 || type == image_channel_type::unorm_short_555 ||
         type == image_channel_type::unorm_int_101010;
}
constexpr std::size_t pixel_bytes(pixel_form form) {
  using is = image_channel_type;
  const std::size_t count = std::size_t(channels_of(form.order));
  switch (form.type) {
  case is::snorm_int8:
  case is::unorm_int8:
  case is::signed_int8:
  case is::unsigned_int8: return count;
  case is::unorm_short_565:
  case is::unorm_short_555: return 2;
  case is::unorm_int_101010: return 4;
  case is::signed_int32:
  case is::unsigned_int32:
  case is::fp32: return 4 * count;
  default: return 2 * count;
  }
}

// Where in memory channel i of red, green, blue, alpha is, among the others; or a value that it always has.
enum { ALWAYS_0 = -1, ALWAYS_1 = -2 };
__UW_INLINE int channel_place(image_channel_order order, int i) {
  using is = image_channel_order;
  switch (order) {
  case is::a: return i == 3 ? 0 : ALWAYS_0;
  case is::r:
  case is::rx: return i == 0 ? 0 : i == 3 ? ALWAYS_1 : ALWAYS_0;
  case is::rg:
  case is::rgx: return i < 2 ? i : i == 3 ? ALWAYS_1 : ALWAYS_0;
  case is::ra: return i == 0 ? 0 : i == 3 ? 1 : ALWAYS_0;
  case is::rgb:
  case is::rgbx: return i < 3 ? i : ALWAYS_1;
  case is::argb: return (i + 1) & 3;
  case is::bgra: return i == 3 ? 3 : 2 - i;
  case is::abgr: return 3 - i;
  case is::intensity: return 0;
  case is::luminance: return i < 3 ? 0 : ALWAYS_1;
  default: return i;
  }
}
// The bits of a channel of a packed type: red is the highest.
__UW_INLINE int packed_width(image_channel_type type, int i) {
  return type == image_channel_type::unorm_int_101010            ? 10
         : type == image_channel_type::unorm_short_565 && i == 1 ? 6
                                                                 : 5;
}
__UW_INLINE int packed_shift(image_channel_type type, int i) {
  int shift = 0;
  for (int j = i + 1; j < 3; j++)
    shift += packed_width(type, j);
  return shift;
}
__UW_INLINE std::uint32_t packed_pixel(image_channel_type type, const char *pixel) {
  return type == image_channel_type::unorm_int_101010 ? component<std::uint32_t>(pixel, 0)
                                                      : component<std::uint16_t>(pixel, 0);
}
template <class E> __UW_INLINE E read_channel(image_channel_type type, const char *pixel, int i) {
  using is = image_channel_type;
  const auto no_less = [](float value) { return value < -1.0f ? -1.0f : value; };
  switch (type) {
  case is::snorm_int8: return E(no_less(float(component<std::int8_t>(pixel, i)) / 127.0f));
  case is::snorm_int16: return E(no_less(float(component<std::int16_t>(pixel, i)) / 32767.0f));
  case is::unorm_int8: return E(float(component<std::uint8_t>(pixel, i)) / 255.0f);
  case is::unorm_int16: return E(float(component<std::uint16_t>(pixel, i)) / 65535.0f);
  case is::signed_int8: return E(component<std::int8_t>(pixel, i));
  case is::signed_int16: return E(component<std::int16_t>(pixel, i));
  case is::signed_int32: return E(component<std::int32_t>(pixel, i));
  case is::unsigned_int8: return E(component<std::uint8_t>(pixel, i));
  case is::unsigned_int16: return E(component<std::uint16_t>(pixel, i));
  case is::unsigned_int32: return E(component<std::uint32_t>(pixel, i));
  case is::fp16: return E(float(component<half>(pixel, i)));
  case is::fp32: return E(component<float>(pixel, i));
  default: {
    const std::uint32_t most = (1u << packed_width(type, i)) - 1;
    return E(float(packed_pixel(type, pixel) >> packed_shift(type, i) & most) / float(most));
  }
  }
}
template <class E> __UW_INLINE void write_channel(image_channel_type type, char *pixel, int i, E value) {
  using is = image_channel_type;
  const auto to_signed_fraction = [](float value, float most) {
    const float inside = value > -1.0f ? value < 1.0f ? value : 1.0f : value != value ? 0.0f : -1.0f;
    return int(__builtin_rintf(inside * most));
  };
  switch (type) {
  case is::snorm_int8: set_component(pixel, i, std::int8_t(to_signed_fraction(float(value), 127.0f))); break;
  case is::snorm_int16: set_component(pixel, i, std::int16_t(to_signed_fraction(float(value), 32767.0f))); break;
  case is::unorm_int8: set_component(pixel, i, to_fraction<std::uint8_t>(float(value), 255.0f)); break;
  case is::unorm_int16: set_component(pixel, i, to_fraction<std::uint16_t>(float(value), 65535.0f)); break;
  case is::signed_int8: set_component(pixel, i, to_limits<std::int8_t>(value)); break;
  case is::signed_int16: set_component(pixel, i, to_limits<std::int16_t>(value)); break;
  case is::signed_int32: set_component(pixel, i, std::int32_t(value)); break;
  case is::unsigned_int8: set_component(pixel, i, to_limits<std::uint8_t>(value)); break;
  case is::unsigned_int16: set_component(pixel, i, to_limits<std::uint16_t>(value)); break;
  case is::unsigned_int32: set_component(pixel, i, std::uint32_t(value)); break;
  case is::fp16: set_component(pixel, i, half(float(value))); break;
  case is::fp32: set_component(pixel, i, float(value)); break;
  default: {
    const std::uint32_t most = (1u << packed_width(type, i)) - 1;
    const std::uint32_t bits = (packed_pixel(type, pixel) & ~(most << packed_shift(type, i))) |
                               to_fraction<std::uint32_t>(float(value), float(most)) << packed_shift(type, i);
    if (type == is::unorm_int_101010)
      set_component(pixel, 0, bits);
    else
      set_component(pixel, 0, std::uint16_t(bits));
  }
  }
}
// A colour of an sRGB image is linear to kernels.
__UW_INLINE float srgb_to_linear(float c) {
  return c <= 0.04045f ? c / 12.92f : sycl::pow((c + 0.055f) / 1.055f, 2.4f);
}
__UW_INLINE float linear_to_srgb(float c) {
  return c <= 0.0031308f ? c * 12.92f : 1.055f * sycl::pow(c, 1.0f / 2.4f) - 0.055f;
}
template <class V> __UW_INLINE V read_pixel(pixel_form form, const char *pixel) {
  using E = typename V::element_type;
  V color;
  for (int i = 0; i < 4; i++) {
    const int place = channel_place(form.order, i);
    color[i] = place < 0 ? E(place == ALWAYS_1) : read_channel<E>(form.type, pixel, place);
    if (form.order == image_channel_order::ext_oneapi_srgba && i < 3)
      color[i] = E(srgb_to_linear(float(color[i])));
  }
  return color;
}
template <class V> __UW_INLINE void write_pixel(pixel_form form, char *pixel, const V &color) {
  using E = typename V::element_type;
  for (int i = 3; i >= 0; i--) { // where channels share a place the first is it
    const int place = channel_place(form.order, i);
    if (place < 0)
      continue;
    E value = color[i];
    if (form.order == image_channel_order::ext_oneapi_srgba && i < 3)
      value = E(linear_to_srgb(float(value)));
    write_channel<E>(form.type, pixel, place, value);
  }
}
// An image without alpha, nor room for it, has a border that is opaque.
template <class V> __UW_INLINE V border_pixel(pixel_form form) {
  using E = typename V::element_type;
  using is = image_channel_order;
  V color = V(E(0));
  if (form.order == is::r || form.order == is::rg || form.order == is::rgb || form.order == is::luminance)
    color[3] = E(1);
  return color;
}

// What the three kinds of accessors read and write by.
template <class DataT, int D, access_mode Mode> class older_image_access {
  static_assert(D > 0 && D < 4, "an image has one to three dimensions");

public:
  using value_type = std::conditional_t<Mode == access_mode::read, const DataT, DataT>;
  using reference = value_type &;
  using const_reference = const DataT &;
  static constexpr int dimensions = D;
  __UW_INLINE explicit older_image_access(const image_view_of<pixel_form> &image) : image(image) {}

  template <class C, access_mode M = Mode, class = std::enable_if_t<M == access_mode::read>>
  __UW_INLINE DataT read(const C &at) const {
    const int x = int(along(at, 0)), y = D > 1 ? int(along(at, 1)) : 0, z = D > 2 ? int(along(at, 2)) : 0;
    return image.inside(x, y, z) ? read_pixel<DataT>(image.format, image.pixel(x, y, z))
                                 : border_pixel<DataT>(image.format);
  }
  template <class C, access_mode M = Mode, class = std::enable_if_t<M == access_mode::read>>
  __UW_INLINE DataT read(const C &at, const sampler &how) const {
    return sample<DataT, D>(image, how.unwarp_sampler(), at);
  }
  template <class C, access_mode M = Mode, class = std::enable_if_t<M != access_mode::read>>
  __UW_INLINE void write(const C &at, const DataT &color) const {
    const int x = int(along(at, 0)), y = D > 1 ? int(along(at, 1)) : 0, z = D > 2 ? int(along(at, 2)) : 0;
    if (image.inside(x, y, z))
      write_pixel(image.format, image.pixel(x, y, z), color);
  }
  range<D> get_range() const {
    range<D> extent;
    for (int d = 0; d < D; d++)
      extent[d] = std::size_t(image.extent[d]);
    return extent;
  }
  std::size_t size() const noexcept {
    return std::size_t(image.extent[0]) * std::size_t(image.extent[1]) * std::size_t(image.extent[2]);
  }
  std::size_t get_count() const noexcept { return size(); }
  std::size_t byte_size() const noexcept { return size() * pixel_bytes(image.format); }
  std::size_t get_size() const noexcept { return byte_size(); }
  friend bool operator==(const older_image_access &a, const older_image_access &b) {
    return a.image.memory == b.image.memory;
  }
  friend bool operator!=(const older_image_access &a, const older_image_access &b) { return !(a == b); }

protected:
  image_view_of<pixel_form> image;
};

} // namespace detail

template <int Dimensions = 1, class AllocatorT = image_allocator>
class image : public detail::image_base<Dimensions, AllocatorT, detail::pixel_form> {
  using base = detail::image_base<Dimensions, AllocatorT, detail::pixel_form>;
  using order_of = image_channel_order;
  using type_of = image_channel_type;
  using pitches = range<(Dimensions > 1 ? Dimensions - 1 : 1)>;

public:
  image(order_of order, type_of type, const range<Dimensions> &extent, const property_list &properties = {})
      : image(order, type, extent, AllocatorT(), properties) {}
  image(order_of order, type_of type, const range<Dimensions> &extent, AllocatorT allocator,
        const property_list &properties = {})
      : base(nullptr, false, form(order, type), extent, nullptr, allocator, properties) {}
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  image(order_of order, type_of type, const range<Dimensions> &extent, const pitches &pitch,
        const property_list &properties = {})
      : base(nullptr, false, form(order, type), extent, &pitch, AllocatorT(), properties) {}
  image(void *host, order_of order, type_of type, const range<Dimensions> &extent, const property_list &properties = {})
      : base(host, false, form(order, type), extent, nullptr, AllocatorT(), properties) {}
  image(void *host, order_of order, type_of type, const range<Dimensions> &extent, AllocatorT allocator,
        const property_list &properties = {})
      : base(host, false, form(order, type), extent, nullptr, allocator, properties) {}
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  image(void *host, order_of order, type_of type, const range<Dimensions> &extent, const pitches &pitch,
        const property_list &properties = {})
      : base(host, false, form(order, type), extent, &pitch, AllocatorT(), properties) {}
  image(const void *host, order_of order, type_of type, const range<Dimensions> &extent,
        const property_list &properties = {})
      : base(const_cast<void *>(host), true, form(order, type), extent, nullptr, AllocatorT(), properties) {}
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  image(const void *host, order_of order, type_of type, const range<Dimensions> &extent, const pitches &pitch,
        const property_list &properties = {})
      : base(const_cast<void *>(host), true, form(order, type), extent, &pitch, AllocatorT(), properties) {}
  template <class T>
  image(const std::shared_ptr<T> &host, order_of order, type_of type, const range<Dimensions> &extent,
        const property_list &properties = {})
      : image(host.get(), order, type, extent, properties) {
    this->data->keep_alive(host);
  }

  std::size_t get_count() const { return this->size(); }
  std::size_t get_size() const { return this->byte_size(); }
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0> pitches get_pitch() const {
    pitches pitch;
    pitch[0] = this->view.row;
    if constexpr (D > 2)
      pitch[1] = this->view.slice;
    return pitch;
  }
  template <class DataT, access_mode Mode> auto get_access(handler &group) {
    return accessor<DataT, Dimensions, Mode, target::image, access::placeholder::false_t>(*this, group);
  }
  template <class DataT, access_mode Mode> auto get_access() {
    return accessor<DataT, Dimensions, Mode, target::host_image, access::placeholder::false_t>(*this);
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

private:
  static detail::pixel_form form(order_of order, type_of type) {
    if (detail::is_packed(type) && detail::channels_of(order) != 3)
      detail::fail(errc::invalid, "an image of packed channels has the order rgb or rgbx");
    return {order, type};
  }
};

template <class T, int Dimensions, access_mode Mode, access::placeholder Placeholder>
class accessor<T, Dimensions, Mode, target::image, Placeholder>
    : public detail::older_image_access<T, Dimensions, Mode> {
public:
  template <class A>
  accessor(image<Dimensions, A> &of, handler &group, const property_list & = {})
      : detail::older_image_access<T, Dimensions, Mode>(of.unwarp_view()) {
    group.unwarp_access(this->image.memory, of.byte_size(), Mode != access_mode::read);
  }
};
template <class T, int Dimensions, access_mode Mode, access::placeholder Placeholder>
class accessor<T, Dimensions, Mode, target::host_image, Placeholder>
    : public detail::older_image_access<T, Dimensions, Mode> {
public:
  template <class A>
  accessor(image<Dimensions, A> &of, const property_list & = {})
      : detail::older_image_access<T, Dimensions, Mode>(of.unwarp_view()) {
    const char *from = this->image.memory;
    if (detail::any_task_is_open())
      uwrt_sycl_wait_for_memory(from, from + of.byte_size(), Mode != access_mode::read);
    cudaDeviceSynchronize();
    uwrt_sycl_check();
    if constexpr (Mode != access_mode::read)
      uwrt_host_writes(from, of.byte_size());
  }
};
// An image of a dimension more, whose last one numbers images.
template <class T, int Dimensions, access_mode Mode, access::placeholder Placeholder>
class accessor<T, Dimensions, Mode, target::image_array, Placeholder> {
  static_assert(Dimensions > 0 && Dimensions < 3, "the images of an array have one or two dimensions");

public:
  using value_type = std::conditional_t<Mode == access_mode::read, const T, T>;
  using reference = value_type &;
  using const_reference = const T &;
  static constexpr int dimensions = Dimensions;
  template <class A>
  accessor(image<Dimensions + 1, A> &of, handler &group, const property_list & = {}) : all(of.unwarp_view()) {
    group.unwarp_access(all.memory, of.byte_size(), Mode != access_mode::read);
  }
  __UW_INLINE detail::older_image_access<T, Dimensions, Mode> operator[](std::size_t index) const {
    auto one = all;
    const std::size_t last = std::size_t(all.extent[Dimensions] - 1);
    one.memory += (index < last ? index : last) * (Dimensions == 1 ? all.row : all.slice);
    one.extent[Dimensions] = 1;
    return detail::older_image_access<T, Dimensions, Mode>(one);
  }
  range<Dimensions + 1> get_range() const {
    return detail::older_image_access<T, Dimensions + 1, Mode>(all).get_range();
  }
  std::size_t size() const noexcept { return get_range().size(); }
  std::size_t get_count() const noexcept { return size(); }
  friend bool operator==(const accessor &a, const accessor &b) { return a.all.memory == b.all.memory; }
  friend bool operator!=(const accessor &a, const accessor &b) { return !(a == b); }

private:
  detail::image_view_of<detail::pixel_form> all;
};

} // namespace _V1
} // namespace sycl

template <int D, class A> struct std::hash<sycl::image<D, A>> {
  std::size_t operator()(const sycl::image<D, A> &one) const {
    return std::hash<const void *>()(one.unwarp_view().memory);
  }
};
template <> struct std::hash<sycl::sampler> {
  std::size_t operator()(const sycl::sampler &one) const {
    return std::size_t(one.get_addressing_mode()) * 4 + std::size_t(one.get_filtering_mode()) * 2 +
           std::size_t(one.get_coordinate_normalization_mode());
  }
};
#endif
