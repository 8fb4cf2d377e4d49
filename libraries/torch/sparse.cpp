// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sparse and nested tensors of a call: their parts are dense tensors, which change sides as such.
#include <ATen/ATen.h>
#include <ATen/NestedTensorImpl.h>
#include <ATen/SparseCsrTensorUtils.h>
#include <ATen/native/SparseTensorUtils.h>

#include "call.h"

namespace unwarp {

static bool has_rows(const at::Tensor &tensor) {
  return tensor.layout() == at::kSparseCsr || tensor.layout() == at::kSparseBsr;
}

// Of COO: indices and values; of the compressed layouts: compressed indices, plain indices and values.
struct Parts {
  at::Tensor compressed, plain, values;
};

static Parts parts_of(const at::Tensor &tensor) {
  if (tensor.layout() == at::kSparse)
    return {at::Tensor(), tensor._indices(), tensor._values()};
  if (has_rows(tensor))
    return {tensor.crow_indices(), tensor.col_indices(), tensor.values()};
  return {tensor.ccol_indices(), tensor.row_indices(), tensor.values()};
}

static at::Tensor together(const Parts &parts, const at::Tensor &like, c10::DeviceType device) {
  const auto options = like.options().device(device == c10::DeviceType::CPU ? c10::Device(device) : parts.values.device());
  if (like.layout() == at::kSparse)
    return at::_sparse_coo_tensor_with_dims_and_tensors(like.sparse_dim(), like.dense_dim(), like.sizes(), parts.plain,
                                                        parts.values, options, like.is_coalesced());
  return at::_sparse_compressed_tensor_unsafe(parts.compressed, parts.plain, parts.values, like.sizes(), options);
}

// Over another buffer; the sizes of its parts are CPU tensors on either side.
static at::Tensor nested_over(const at::Tensor &buffer, const at::Tensor &like) {
  const auto *impl = at::native::get_nested_tensor_impl(like);
  return at::_nested_view_from_buffer(buffer, impl->get_nested_sizes(), impl->get_nested_strides(),
                                      impl->get_storage_offsets());
}

static at::Tensor nested_buffer(const at::Tensor &tensor) {
  return at::native::get_nested_tensor_impl(tensor)->get_unsafe_storage_as_tensor();
}

at::Tensor sparse_to_cpu(Call &call, const at::Tensor &tensor) {
  if (tensor.is_nested())
    return nested_over(call.to_cpu(nested_buffer(tensor)), tensor);
  const Parts parts = parts_of(tensor);
  return together({call.to_cpu(parts.compressed), call.to_cpu(parts.plain), call.to_cpu(parts.values)}, tensor,
                  c10::DeviceType::CPU);
}

at::Tensor sparse_to_cuda(Call &call, const at::Tensor &tensor) {
  if (tensor.is_nested())
    return nested_over(call.to_cuda(nested_buffer(tensor)), tensor);
  const Parts parts = parts_of(tensor);
  return together({call.to_cuda(parts.compressed), call.to_cuda(parts.plain), call.to_cuda(parts.values)}, tensor,
                  c10::DeviceType::CUDA);
}

void sparse_take_changes(Call &call, const at::Tensor &cuda, const at::Tensor &cpu) {
  if (cuda.is_nested()) // whose form stays
    return;
  const Parts parts = parts_of(cpu);
  if (cpu.layout() == at::kSparse) {
    at::SparseTensorImpl *impl = at::sparse::get_sparse_impl(cuda);
    impl->raw_resize_(cpu.sparse_dim(), cpu.dense_dim(), cpu.sizes());
    impl->set_indices_and_values_unsafe(call.to_cuda(parts.plain), call.to_cuda(parts.values));
    impl->set_coalesced(cpu.is_coalesced());
  } else {
    at::sparse_csr::get_sparse_csr_impl(cuda)->set_member_tensors(
        call.to_cuda(parts.compressed), call.to_cuda(parts.plain), call.to_cuda(parts.values), cpu.sizes());
  }
}

} // namespace unwarp
