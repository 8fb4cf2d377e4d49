// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call.h"

#include <c10/core/CPUAllocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <cuda_runtime_api.h>

#include <cstring>

namespace unwarp {

// --- memory ---------------------------------------------------------------------------------------------------------

static thread_local int allocating_device = -1;

AllocatesOnDevice::AllocatesOnDevice(c10::DeviceIndex device) : before_(allocating_device) {
  allocating_device = device;
}
AllocatesOnDevice::~AllocatesOnDevice() { allocating_device = before_; }

// The same memory under another device's name.
static at::DataPtr renamed(at::DataPtr pointer, c10::Device device) {
  void *data = pointer.get();
  c10::DeleterFnPtr deleter = pointer.get_deleter();
  return {data, pointer.release_context(), deleter, device};
}

// oneDNN keeps the bare pointer of what it allocates, and gives it back at any later time.
static c10::DeleterFnPtr usual_deleter;
static void delete_either(void *data) {
  cudaPointerAttributes attributes = {};
  if (cudaPointerGetAttributes(&attributes, data) == cudaSuccess && attributes.type == cudaMemoryTypeDevice)
    c10::cuda::CUDACachingAllocator::get()->raw_deleter()(data);
  else
    usual_deleter(data);
}

namespace {
class Allocator final : public c10::Allocator {
public:
  explicit Allocator(c10::Allocator *usual) : usual_(usual) { usual_deleter = usual->raw_deleter(); }

  at::DataPtr allocate(size_t bytes) override {
    if (allocating_device < 0)
      return usual_->allocate(bytes);
    return renamed(c10::cuda::CUDACachingAllocator::get()->allocate(bytes), c10::Device(c10::DeviceType::CPU));
  }
  at::DeleterFnPtr raw_deleter() const override { return usual_deleter ? delete_either : nullptr; }
  void copy_data(void *to, const void *from, size_t bytes) const override { std::memcpy(to, from, bytes); }

private:
  c10::Allocator *usual_;
};

// For CUDA memory in a CPU tensor's clothes, which may get larger.
class DeviceAllocator final : public c10::Allocator {
public:
  at::DataPtr allocate(size_t bytes) override {
    return renamed(c10::cuda::CUDACachingAllocator::get()->allocate(bytes), c10::Device(c10::DeviceType::CPU));
  }
  void copy_data(void *to, const void *from, size_t bytes) const override { std::memcpy(to, from, bytes); }
};
} // namespace

static DeviceAllocator device_allocator;

void replace_cpu_allocator() {
  static Allocator allocator(c10::GetCPUAllocator());
  c10::SetCPUAllocator(&allocator, 255);
}

static void release_storage(void *storage) { delete static_cast<c10::Storage *>(storage); }

// --- to CPU tensors -------------------------------------------------------------------------------------------------

const c10::Storage &Call::cpu_storage(const c10::Storage &cuda) {
  for (const SharedStorage &shared : storages_)
    if (shared.cuda.is_alias_of(cuda))
      return shared.cpu;
  // It keeps the CUDA storage, as kernels may keep what they are given (the autograd engine does). What is recorded for a
  // graph does not: as on a GPU the graph's pool, or the program, has the memory for as long as the graph is replayed.
  void *data = cuda.unsafeGetStorageImpl()->mutable_data();
  at::DataPtr pointer =
      borrows_ ? at::DataPtr(data, c10::Device(c10::DeviceType::CPU))
               : at::DataPtr(data, new c10::Storage(cuda), release_storage, c10::Device(c10::DeviceType::CPU));
  c10::Storage cpu(c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), cuda.nbytes(),
                                                         std::move(pointer), &device_allocator, cuda.resizable()));
  storages_.push_back({cuda, std::move(cpu), data, cuda.nbytes()});
  return storages_.back().cpu;
}

static bool is_dense(const at::Tensor &tensor) { return tensor.layout() == c10::kStrided && !tensor.is_nested(); }

static at::Tensor over(const c10::Storage &storage, c10::DispatchKey key, const at::Tensor &like) {
  at::Tensor made =
      at::detail::make_tensor<c10::TensorImpl>(c10::Storage(storage), c10::DispatchKeySet(key), like.dtype());
  c10::TensorImpl *impl = made.unsafeGetTensorImpl();
  impl->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
  if (like.is_conj())
    impl->_set_conj(true);
  if (like.is_neg())
    impl->_set_neg(true);
  if (like.unsafeGetTensorImpl()->is_wrapped_number())
    impl->set_wrapped_number(true);
  return made;
}

at::Tensor Call::to_cpu(const at::Tensor &tensor) {
  if (!tensor.defined())
    return tensor;
  if (!tensor.is_cuda()) {
    if (tensor.dim() > 0 && tensor.is_cpu())
      stranger_ = tensor;
    return tensor;
  }
  for (const SharedTensor &shared : tensors_)
    if (shared.cuda.is_same(tensor))
      return shared.cpu;
  if (device_ < 0)
    device_ = tensor.device().index();
  else if (device_ != tensor.device().index())
    other_device_ = tensor.device().index();
  at::Tensor cpu = is_dense(tensor) ? over(cpu_storage(tensor.storage()), c10::DispatchKey::CPU, tensor)
                                    : sparse_to_cpu(*this, tensor);
  tensors_.push_back({tensor, cpu});
  return cpu;
}

bool is_optional_tensor_list(const c10::IValue &value) {
  if (!value.isList())
    return false;
  const c10::TypePtr type = value.toList().elementType();
  const auto optional = type->cast<c10::OptionalType>();
  return optional && optional->getElementType()->kind() == c10::TypeKind::TensorType;
}

void Call::to_cpu(c10::IValue &value) {
  if (value.isTensor()) {
    value = to_cpu(value.toTensor());
  } else if (value.isTensorList()) {
    c10::List<at::Tensor> made;
    const auto list = value.toTensorList();
    made.reserve(list.size());
    for (const at::Tensor each : list)
      made.push_back(to_cpu(each));
    value = std::move(made);
  } else if (is_optional_tensor_list(value)) {
    c10::List<std::optional<at::Tensor>> made;
    const auto list = value.toListRef();
    made.reserve(list.size());
    for (const c10::IValue &each : list)
      made.push_back(each.isTensor() ? std::optional<at::Tensor>(to_cpu(each.toTensor())) : std::nullopt);
    value = std::move(made);
  } else if (value.isDevice()) {
    const c10::Device named = value.toDevice();
    if (named.is_cuda()) {
      if (device_ < 0)
        device_ = named.has_index() ? named.index() : c10::cuda::current_device();
      value = c10::Device(c10::DeviceType::CPU);
    }
  }
}

// --- and back -------------------------------------------------------------------------------------------------------

static c10::Storage new_cuda_storage(at::DataPtr pointer, size_t bytes) {
  return c10::Storage(c10::make_intrusive<c10::StorageImpl>(
      c10::StorageImpl::use_byte_size_t(), bytes, std::move(pointer), c10::cuda::CUDACachingAllocator::get(), true));
}

static bool is_of_device(const at::DataPtr &pointer) {
  return pointer.get_deleter() == c10::cuda::CUDACachingAllocator::get()->raw_deleter();
}

// What a kernel made: its memory changes hands, or is kept by who else has it. Memory of another kind is copied.
const c10::Storage &Call::cuda_storage(const c10::Storage &cpu) {
  for (const SharedStorage &shared : storages_)
    if (shared.cpu.is_alias_of(cpu))
      return shared.cuda;
  c10::StorageImpl *impl = cpu.unsafeGetStorageImpl();
  const c10::Device device(c10::DeviceType::CUDA, device_);
  const size_t bytes = impl->nbytes();
  void *data = impl->mutable_data();
  at::DataPtr pointer;
  if (!data || is_of_device(impl->data_ptr())) {
    if (cpu.use_count() > 1 && data)
      pointer = at::DataPtr(data, new c10::Storage(cpu), release_storage, device);
    else
      pointer = renamed(impl->set_data_ptr(at::DataPtr(nullptr, c10::Device(c10::DeviceType::CPU))), device);
  } else {
    pointer = c10::cuda::CUDACachingAllocator::get()->allocate(bytes);
    std::memcpy(pointer.get(), data, bytes);
  }
  storages_.push_back({new_cuda_storage(std::move(pointer), bytes), cpu, data, bytes});
  return storages_.back().cuda;
}

at::Tensor Call::to_cuda(const at::Tensor &tensor) {
  if (!tensor.defined() || !tensor.is_cpu())
    return tensor;
  for (const SharedTensor &shared : tensors_)
    if (shared.cpu.is_same(tensor))
      return shared.cuda;
  if (device_ < 0)
    return tensor;
  TORCH_CHECK_NOT_IMPLEMENTED(tensor.layout() != c10::kMkldnn, "unwarp: a result in MKL-DNN's layout, on \"cuda\"");
  if (!is_dense(tensor))
    return sparse_to_cuda(*this, tensor);
  return over(cuda_storage(tensor.storage()), c10::DispatchKey::CUDA, tensor);
}

void Call::to_cuda(c10::IValue &value) {
  if (value.isTensor()) {
    value = to_cuda(value.toTensor());
  } else if (value.isTensorList()) {
    c10::List<at::Tensor> made;
    for (const at::Tensor each : value.toTensorList())
      made.push_back(to_cuda(each));
    value = std::move(made);
  }
}

void Call::take_changes() {
  const c10::Device device(c10::DeviceType::CUDA, device_);
  for (SharedStorage &shared : storages_) {
    c10::StorageImpl *cpu = shared.cpu.unsafeGetStorageImpl(), *cuda = shared.cuda.unsafeGetStorageImpl();
    if (cpu->data() != shared.data) {
      at::DataPtr fresh = cpu->set_data_ptr(at::DataPtr(nullptr, c10::Device(c10::DeviceType::CPU)));
      cuda->set_data_ptr_noswap(renamed(std::move(fresh), device));
      shared.data = cuda->data();
    }
    if (cpu->nbytes() != shared.bytes)
      cuda->set_nbytes(cpu->nbytes());
  }
  for (size_t i = 0; i < tensors_.size(); i++) { // parts of sparse ones are added meanwhile
    const SharedTensor shared = tensors_[i];
    if (!is_dense(shared.cuda)) {
      sparse_take_changes(*this, shared.cuda, shared.cpu);
      continue;
    }
    c10::TensorImpl *cuda = shared.cuda.unsafeGetTensorImpl();
    const at::Tensor &cpu = shared.cpu;
    if (!cpu.sizes().equals(cuda->sizes()) || !cpu.strides().equals(cuda->strides()) ||
        cpu.storage_offset() != cuda->storage_offset())
      cuda->set_sizes_and_strides(cpu.sizes(), cpu.strides(), cpu.storage_offset());
  }
}

} // namespace unwarp
