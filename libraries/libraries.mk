# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# CUDA's libraries on libraries for the CPU, under NVIDIA's names in $(BUILD)/lib. Each is built where the package that it stands on is
# installed; the compiler says what to install for one that is not there (compiler/driver/libraries.c).
#
#   libNAME.so.N             the library, for CUDA 12 and for 13, which have the same functions; it finds libcudart.so.12 beside it and what it stands on by its run path
#   libNAME.so               for the linker
#   libNAME_static.a         a linker script that names libNAME.so: there is no other form
#   (libgomp.so.1)          LLVM has its libomp by that name too: Debian's OpenBLAS and FFTW are linked with GCC's OpenMP library, whose functions
#                            libomp has. Found first, it gives a process one pool of threads
DEB_LIBS ?= /usr/lib/$(shell $(CC) -print-multiarch 2>/dev/null || echo x86_64-linux-gnu)
DEB_LIBS := $(firstword $(wildcard /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu) $(DEB_LIBS))
OPENBLAS := $(wildcard $(DEB_LIBS)/openblas-openmp/libopenblas.so.0)
COMMON_LIBRARY_SRCS := $(addprefix libraries/common/,launch.c scratch.c)

LIBRARY_CC = $(CC) -std=gnu17 -O2 -g -Wall -Wextra -Werror -Wno-missing-field-initializers $(SMALL_FRAMES) -fPIC -ftls-model=global-dynamic \
  -fvisibility=hidden -fopenmp \
  -ffp-contract=off -Iinclude -MMD -MP

# One soname of a library, with what the library says of its version: name, number, version, link options
comma := ,
define library_soname
LIBRARY_SHARED += lib$(1).so.$(2)
LIBRARY_FILES += $$(BUILD)/lib/lib$(1).so.$(2)
$$(BUILD)/obj/version-$(1).$(2).o: libraries/common/version.c libraries/libraries.mk
	@mkdir -p $$(@D)
	$$(LIBRARY_CC) -DUWLIB_VERSION='$$(subst .,$$(comma),$(3))' -c $$< -o $$@
$$(BUILD)/lib/lib$(1).so.$(2): $$(LIBRARY_OBJS_$(1)) $$(BUILD)/obj/version-$(1).$(2).o $$(BUILD)/lib/libcudart.so.12 $$(BUILD)/obj/libgomp.so.1 \
  $$(BUILD)/obj/lib$(1).so.$(2).map
	@mkdir -p $$(@D)
	$$(CC) -shared -Wl,-soname,$$(@F) -Wl,--disable-new-dtags '-Wl,-rpath,$$$$ORIGIN:$$(LLVM_PREFIX)/lib' \
	  -Wl,--version-script=$$(BUILD)/obj/$$(@F).map -Wl,--no-as-needed $$(BUILD)/obj/libgomp.so.1 $$(filter %.o,$$^) $(4) \
	  $$(BUILD)/lib/libcudart.so.12 -L$$(LLVM_PREFIX)/lib -lomp -Wl,--as-needed -Wl,-z,defs -Wl,-z,start-stop-visibility=hidden -lm -lpthread -o $$@

endef
# name, its sonames' numbers with versions (the first is what the linker finds), what it stands on (all must be there), extra sources, extra link
# options, the package that it wants
define library
ifeq ($$(words $(3)),0)
LIBRARIES_LEFT_OUT += $(1)
LIBRARY_PACKAGES += $(6)
else
LIBRARY_OBJS_$(1) := $$(patsubst %.c,$$(BUILD)/obj/%.o,$$(wildcard libraries/$(1)/*.c) $(4) $$(COMMON_LIBRARY_SRCS))
LIBRARY_FILES += $$(BUILD)/lib/lib$(1).so $$(BUILD)/lib/lib$(1)_static.a
$(foreach as,$(2),$(call library_soname,$(1),$(firstword $(subst :, ,$(as))),$(lastword $(subst :, ,$(as))),$(5)))
$$(BUILD)/lib/lib$(1).so: $$(BUILD)/lib/lib$(1).so.$(firstword $(subst :, ,$(firstword $(2))))
	ln -sfn $$(<F) $$@
$$(BUILD)/lib/lib$(1)_static.a: libraries/libraries.mk
	@mkdir -p $$(@D)
	echo '/* unwarp: linker script */ INPUT(lib$(1).so)' > $$@
endif
endef

OPENBLAS_LINK = $(OPENBLAS) -Wl,-rpath,$(DEB_LIBS)/openblas-openmp
$(eval $(call library,cublas,12:12.4.5 13:13.0.0,$(OPENBLAS),libraries/common/product.c libraries/common/openblas.c,$(OPENBLAS_LINK),libopenblas-openmp-dev))

$(eval $(call library,curand,10:10.3.5,yes,,))

$(eval $(call library,cusparse,12:12.3.1,yes,,))
$(eval $(call library,cublasLt,12:12.4.5 13:13.0.0,$(OPENBLAS),libraries/common/product.c libraries/common/openblas.c,$(OPENBLAS_LINK),libopenblas-openmp-dev))
$(eval $(call library,cusolver,11:11.6.1 12:12.0.3,$(OPENBLAS),libraries/common/openblas.c,$(OPENBLAS_LINK),libopenblas-openmp-dev))
# For several devices, each soname on cuSOLVER's own. It launches nothing itself.
ifeq ($(OPENBLAS),)
LIBRARIES_LEFT_OUT += cusolverMg
LIBRARY_PACKAGES += libopenblas-openmp-dev
else
LIBRARY_FILES += $(BUILD)/lib/libcusolverMg.so
$(BUILD)/lib/libcusolverMg.so: $(BUILD)/lib/libcusolverMg.so.11
	ln -sfn $(<F) $@
define cusolver_mg
LIBRARY_SHARED += libcusolverMg.so.$(1)
LIBRARY_FILES += $$(BUILD)/lib/libcusolverMg.so.$(1)
$$(BUILD)/lib/libcusolverMg.so.$(1): $$(BUILD)/obj/libraries/cusolverMg/distributed.o $$(BUILD)/lib/libcusolver.so.$(1) $$(BUILD)/lib/libcudart.so.12 \
  $$(BUILD)/obj/libcusolverMg.so.$(1).map
	$$(CC) -shared -Wl,-soname,$$(@F) -Wl,--disable-new-dtags '-Wl,-rpath,$$$$ORIGIN' -Wl,--version-script=$$(BUILD)/obj/$$(@F).map \
	  $$(filter-out %.map,$$^) -Wl,-z,defs -o $$@

endef
$(foreach number,11 12,$(eval $(call cusolver_mg,$(number))))
endif
FFTW := $(if $(wildcard /usr/include/fftw3.h),$(wildcard $(DEB_LIBS)/libfftw3_omp.so))
$(eval $(call library,cufft,11:11.2.1 12:12.0.0,$(FFTW),,-lfftw3_omp -lfftw3 -lfftw3f_omp -lfftw3f,libfftw3-dev))
# FFTW's interface, which is FFTW's own: a script for linkers, and for programs that open it a library that brings FFTW along.
ifneq ($(FFTW),)
LIBRARY_FILES += $(BUILD)/lib/libcufftw.so
$(BUILD)/lib/libcufftw.so: libraries/libraries.mk
	@mkdir -p $(@D)
	echo '/* unwarp: linker script */ INPUT(-lfftw3 -lfftw3f)' > $@
define cufftw
LIBRARY_SHARED += libcufftw.so.$(1)
LIBRARY_FILES += $$(BUILD)/lib/libcufftw.so.$(1)
$$(BUILD)/lib/libcufftw.so.$(1): libraries/libraries.mk
	@mkdir -p $$(@D)
	$$(CC) -shared -nostdlib -Wl,-soname,$$(@F) -Wl,--no-as-needed -lfftw3 -lfftw3f -x c /dev/null -o $$@
endef
$(foreach number,11 12,$(eval $(call cufftw,$(number))))
endif

# The driver API, on the runtime alone. Files whose calls are given a stream are compiled twice (libraries/cuda/internal.h).
CUDA_SRCS := $(wildcard libraries/cuda/*.c)
JIT_SRCS := $(wildcard libraries/jit/*.c)
CUDA_OBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(CUDA_SRCS) $(JIT_SRCS)) \
  $(patsubst %_calls.c,$(BUILD)/obj/%_own_stream.o,$(filter %_calls.c,$(CUDA_SRCS)))
LIBRARY_SHARED += libcuda.so.1
LIBRARY_FILES += $(BUILD)/lib/libcuda.so.1 $(BUILD)/lib/libcuda.so
$(BUILD)/lib/libcuda.so.1: $(CUDA_OBJS) $(BUILD)/lib/libcudart.so.12
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,$(@F) -Wl,--disable-new-dtags '-Wl,-rpath,$$ORIGIN' $(CUDA_OBJS) $(BUILD)/lib/libcudart.so.12 \
	  -Wl,-z,defs -Wl,-z,start-stop-visibility=hidden -ldl -lpthread -o $@
$(BUILD)/lib/libcuda.so: libraries/libraries.mk $(BUILD)/lib/libcuda.so.1
	@mkdir -p $(@D)
	echo '/* unwarp: linker script */ INPUT(AS_NEEDED(libcuda.so.1))' > $@
$(BUILD)/obj/libraries/cuda/%_own_stream.o: libraries/cuda/%_calls.c
	@mkdir -p $(@D)
	$(LIBRARY_CC) -DCUDA_API_PER_THREAD_DEFAULT_STREAM -c $< -o $@

# NVRTC, on nothing; NVML, on the runtime.
define plain_library
LIBRARY_SHARED += lib$(1).so.$(2)
LIBRARY_FILES += $$(BUILD)/lib/lib$(1).so.$(2) $$(BUILD)/lib/lib$(1).so $(4)
$$(BUILD)/lib/lib$(1).so.$(2): $$(patsubst %.c,$$(BUILD)/obj/%.o,$$(wildcard libraries/$(1)/*.c) $(3))
	@mkdir -p $$(@D)
	$$(CC) -shared -Wl,-soname,$$(@F) $$^ -Wl,-z,defs $(5) -ldl -lpthread -o $$@
$$(BUILD)/lib/lib$(1).so: $$(BUILD)/lib/lib$(1).so.$(2)
	ln -sfn $$(<F) $$@
endef
$(eval $(call plain_library,nvrtc,12,$(JIT_SRCS),$(BUILD)/lib/libnvrtc_static.a))
# Archives alone in NVIDIA's tool kits.
$(eval $(call plain_library,nvptxcompiler,12,$(JIT_SRCS),$(BUILD)/lib/libnvptxcompiler_static.a))
$(eval $(call plain_library,cufilt,12,,$(BUILD)/lib/libcufilt.a,-lstdc++))
# The runtime under the names of other versions: jumps to the one that there is, but for what has another form there.
CUDART_13 := cudaGetDeviceProperties= cudaRuntimeGetVersion= cudaMemAdvise=cudaMemAdvise_v2 cudaMemPrefetchAsync=cudaMemPrefetchAsync_v2 \
  cudaMemPrefetchAsync_ptsz=cudaMemPrefetchAsync_v2_ptsz cudaMemcpyBatchAsync=cudaMemcpyBatchAsync_v2 \
  cudaMemcpyBatchAsync_ptsz=cudaMemcpyBatchAsync_v2_ptsz cudaMemcpy3DBatchAsync=cudaMemcpy3DBatchAsync_v2 \
  cudaMemcpy3DBatchAsync_ptsz=cudaMemcpy3DBatchAsync_v2_ptsz cudaStreamGetCaptureInfo=cudaStreamGetCaptureInfo_v3 \
  cudaStreamGetCaptureInfo_ptsz=cudaStreamGetCaptureInfo_v3_ptsz cudaStreamUpdateCaptureDependencies=cudaStreamUpdateCaptureDependencies_v2 \
  cudaStreamUpdateCaptureDependencies_ptsz=cudaStreamUpdateCaptureDependencies_v2_ptsz cudaGraphAddNode=cudaGraphAddNode_v2 \
  cudaGraphAddDependencies=cudaGraphAddDependencies_v2 cudaGraphRemoveDependencies=cudaGraphRemoveDependencies_v2 \
  cudaGraphGetEdges=cudaGraphGetEdges_v2 cudaGraphNodeGetDependencies=cudaGraphNodeGetDependencies_v2 \
  cudaGraphNodeGetDependentNodes=cudaGraphNodeGetDependentNodes_v2
CUDART_11.0 := cudaGetDeviceProperties= cudaRuntimeGetVersion= cudaChooseDevice= cudaFuncGetAttributes= cudaGraphInstantiate= cudaGraphExecUpdate= \
  cudaStreamGetCaptureInfo= cudaStreamGetCaptureInfo_ptsz=
CUDART_10.2 := $(CUDART_11.0) cudaPointerGetAttributes= cudaCreateTextureObject= cudaGetTextureObjectTextureDesc=
CUDART_10.1 := $(CUDART_10.2)
define cudart
$$(BUILD)/obj/cudart-$(1).s: scripts/cudart-forwarders.sh libraries/libraries.mk $$(BUILD)/lib/libcudart.so.12
	scripts/cudart-forwarders.sh $$(BUILD)/lib/libcudart.so.12 $$(shell uname -m) $$(CUDART_$(1)) > $$@
LIBRARY_SHARED += libcudart.so.$(1)
LIBRARY_FILES += $$(BUILD)/lib/libcudart.so.$(1)
$$(BUILD)/obj/cudart-version-$(1).o: libraries/cudart/version$(basename $(1)).c
	@mkdir -p $$(@D)
	$$(LIBRARY_CC) -DUWCUDART_MINOR=$(subst .,,$(suffix $(1))) -c $$< -o $$@
$$(BUILD)/lib/libcudart.so.$(1): $$(BUILD)/obj/cudart-$(1).s $$(BUILD)/obj/cudart-version-$(1).o $$(BUILD)/obj/libcudart.so.$(1).map $$(BUILD)/lib/libcudart.so.12
	@mkdir -p $$(@D)
	$$(CC) -shared -Wl,-soname,$$(@F) -Wl,--disable-new-dtags '-Wl,-rpath,$$$$ORIGIN' -Wl,--version-script=$$(BUILD)/obj/$$(@F).map \
	  $$(filter %.s %.o,$$^) $$(BUILD)/lib/libcudart.so.12 -Wl,-z,defs -o $$@
endef
$(eval $(call cudart,10.1))
$(eval $(call cudart,10.2))
$(eval $(call cudart,11.0))
$(eval $(call cudart,13))

LIBRARY_SHARED += libnvrtc.so.13
LIBRARY_FILES += $(BUILD)/lib/libnvrtc.so.13
$(BUILD)/obj/nvrtc-13.o: libraries/nvrtc/program.c
	@mkdir -p $(@D)
	$(LIBRARY_CC) -DUWRTC_MAJOR=13 -c $< -o $@
$(BUILD)/lib/libnvrtc.so.13: $(BUILD)/obj/nvrtc-13.o $(patsubst %,$(BUILD)/obj/libraries/nvrtc/%.o,options text) $(JIT_SRCS:%.c=$(BUILD)/obj/%.o)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,$(@F) $^ -Wl,-z,defs -ldl -lpthread -o $@

# libNVVM stands in nvvm/lib64, where tool kits have it, and in lib.
$(eval $(call plain_library,nvvm,4,$(JIT_SRCS)))
LIBRARY_FILES += $(BUILD)/nvvm/lib64
$(BUILD)/nvvm/lib64:
	@mkdir -p $@
	ln -sfn ../../lib/libnvvm.so.4 $@/libnvvm.so.4 && ln -sfn libnvvm.so.4 $@/libnvvm.so
# nvJitLink and nvFatbin in two versions each, with their symbols' version: the name, the source, the macro of the version, the version.
define face_of_jit
LIBRARY_SHARED += lib$(1).so.$(4)
LIBRARY_FILES += $$(BUILD)/lib/lib$(1).so.$(4)
$$(BUILD)/obj/$(1)-$(4).o: $(2)
	@mkdir -p $$(@D)
	$$(LIBRARY_CC) -D$(3)=$(4) -c $$< -o $$@
$$(BUILD)/lib/lib$(1).so.$(4): $$(BUILD)/obj/$(1)-$(4).o $$(JIT_SRCS:%.c=$$(BUILD)/obj/%.o) $$(BUILD)/obj/lib$(1).so.$(4).map
	@mkdir -p $$(@D)
	$$(CC) -shared -Wl,-soname,$$(@F) -Wl,--version-script=$$(BUILD)/obj/$$(@F).map $$(filter %.o,$$^) -Wl,-z,defs -ldl -lpthread -o $$@
endef
$(foreach version,12 13,$(eval $(call face_of_jit,nvJitLink,libraries/nvJitLink/link.c,UWJL_MAJOR,$(version))))
$(foreach version,12 13,$(eval $(call face_of_jit,nvfatbin,libraries/nvfatbin/fatbin.c,UWFB_MAJOR,$(version))))
LIBRARY_FILES += $(BUILD)/lib/libnvJitLink.so
$(BUILD)/lib/libnvJitLink.so: $(BUILD)/lib/libnvJitLink.so.12
	ln -sfn $(<F) $@
LIBRARY_FILES += $(BUILD)/lib/libnvfatbin.so $(BUILD)/lib/libnvfatbin_static.a
$(BUILD)/lib/libnvfatbin.so: $(BUILD)/lib/libnvfatbin.so.12
	ln -sfn $(<F) $@
$(addprefix $(BUILD)/lib/lib,nvrtc_static.a nvfatbin_static.a nvptxcompiler_static.a nccl_static.a cufilt.a): libraries/libraries.mk
	@mkdir -p $(@D)
	echo '/* unwarp: linker script */ INPUT($(patsubst %_static,%,$(basename $(@F))).so)' > $@

# cuDNN, compiled for each major version. oneDNN is opened when it is first needed (libraries/cudnn/onednn.c): only its headers are used here.
DNNL := $(if $(wildcard /usr/include/oneapi/dnnl/dnnl.h),$(OPENBLAS))
CUDNN_SRCS := $(wildcard libraries/cudnn/*.c) $(COMMON_LIBRARY_SRCS) libraries/common/product.c libraries/common/openblas.c
define cudnn
LIBRARY_SHARED += libcudnn.so.$(1)
LIBRARY_FILES += $$(BUILD)/lib/libcudnn.so.$(1)
$$(BUILD)/obj/cudnn-$(1)/%.o: %.c
	@mkdir -p $$(@D)
	$$(LIBRARY_CC) -DCUDNN_MAJOR=$(1) -c $$< -o $$@
$$(BUILD)/lib/libcudnn.so.$(1): $$(CUDNN_SRCS:%.c=$$(BUILD)/obj/cudnn-$(1)/%.o) $$(BUILD)/lib/libcudart.so.12 $$(BUILD)/obj/libgomp.so.1 \
  $$(BUILD)/obj/libcudnn.so.$(1).map
	@mkdir -p $$(@D)
	$$(CC) -shared -Wl,-soname,$$(@F) -Wl,--disable-new-dtags '-Wl,-rpath,$$$$ORIGIN:$$(LLVM_PREFIX)/lib' \
	  -Wl,--version-script=$$(BUILD)/obj/$$(@F).map -Wl,--no-as-needed $$(BUILD)/obj/libgomp.so.1 $$(filter %.o,$$^) $$(OPENBLAS_LINK) \
	  $$(BUILD)/lib/libcudart.so.12 -L$$(LLVM_PREFIX)/lib -lomp -Wl,--as-needed -Wl,-z,defs -Wl,-z,start-stop-visibility=hidden -ldl -lm -lpthread -o $$@
-include $$(CUDNN_SRCS:%.c=$$(BUILD)/obj/cudnn-$(1)/%.d)

endef
ifneq ($(DNNL),)
$(foreach major,7 8 9,$(eval $(call cudnn,$(major))))
LIBRARY_FILES += $(BUILD)/lib/libcudnn.so
# NVIDIA's is in parts, which some programs name: each is all of ours.
CUDNN_PARTS := $(foreach part,ops_infer ops_train cnn_infer cnn_train adv_infer adv_train,8:$(part)) $(foreach part,graph ops cnn adv heuristic \
  engines_precompiled engines_runtime_compiled engines_tensor_ir ext,9:$(part))
define cudnn_part
LIBRARY_FILES += $$(BUILD)/lib/libcudnn_$(2).so.$(1)
$$(BUILD)/lib/libcudnn_$(2).so.$(1): $$(BUILD)/lib/libcudnn.so.$(1)
	ln -sfn $$(<F) $$@
endef
$(foreach part,$(CUDNN_PARTS),$(eval $(call cudnn_part,$(firstword $(subst :, ,$(part))),$(lastword $(subst :, ,$(part))))))
$(BUILD)/lib/libcudnn.so: $(BUILD)/lib/libcudnn.so.9
	ln -sfn $(<F) $@
else
LIBRARIES_LEFT_OUT += cudnn
LIBRARY_PACKAGES += libdnnl-dev $(if $(OPENBLAS),,libopenblas-openmp-dev)
endif

# NCCL on the runtime; by another name where it was linked into a program (libraries/exec/linked_in.c).
NCCL_OBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard libraries/nccl/*.c))
LIBRARY_FILES += $(BUILD)/lib/libnccl.so $(BUILD)/lib/libnccl_static.a
$(BUILD)/lib/libnccl.so: $(BUILD)/lib/libnccl.so.2
	ln -sfn $(<F) $@
define nccl
LIBRARY_SHARED += $(1)
LIBRARY_FILES += $$(BUILD)/lib/$(1)
$$(BUILD)/lib/$(1): $$(NCCL_OBJS) $$(BUILD)/lib/libcudart.so.12
	@mkdir -p $$(@D)
	$$(CC) -shared -Wl,-soname,$$(@F) -Wl,--disable-new-dtags '-Wl,-rpath,$$$$ORIGIN' $$^ -Wl,-z,defs -ldl -lm -lpthread -o $$@

endef
$(foreach name,libnccl.so.2 libunwarp_nccl.so.2,$(eval $(call nccl,$(name))))
# Gloo, between machines: opened when it is used (libraries/nccl/choose.c).
ifneq ($(wildcard /usr/include/gloo/transport/tcp/device.h),)
LIBRARY_SHARED += libunwarp_nccl_gloo.so
LIBRARY_FILES += $(BUILD)/lib/libunwarp_nccl_gloo.so
$(BUILD)/lib/libunwarp_nccl_gloo.so: libraries/nccl/gloo.cpp libraries/nccl/transport.h
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -O2 -g $(WARNINGS) -fPIC -fvisibility=hidden -shared -Wl,-soname,$(@F) $< -Wl,-z,defs -lgloo -lpthread -o $@
else
LIBRARIES_LEFT_OUT += NCCL between machines
LIBRARY_PACKAGES += libgloo-dev
endif
# MPI, on request: one for each that is here. name, header, what it is linked with
define nccl_on_mpi
ifneq ($(2),)
LIBRARY_SHARED += libunwarp_nccl_$(1).so
LIBRARY_FILES += $$(BUILD)/lib/libunwarp_nccl_$(1).so
$$(BUILD)/lib/libunwarp_nccl_$(1).so: libraries/nccl/mpi/mpi.c libraries/nccl/transport.h
	@mkdir -p $$(@D)
	$$(CC) -std=gnu17 -O2 -g $$(WARNINGS) -fPIC -fvisibility=hidden -isystem $(dir $(2)) -shared -Wl,-soname,$$(@F) $$< -Wl,-z,defs $(3) -lpthread -o $$@
endif
endef
$(eval $(call nccl_on_mpi,openmpi,$(wildcard $(DEB_LIBS)/openmpi/include/mpi.h),-L$(DEB_LIBS)/openmpi/lib -lmpi))
$(eval $(call nccl_on_mpi,mpich,$(wildcard $(subst /usr/lib,/usr/include,$(DEB_LIBS))/mpich/mpi.h),-lmpich))

# MAGMA on LAPACK, where it was linked into a program.
ifneq ($(OPENBLAS),)
LIBRARY_SHARED += libunwarp_magma.so.2
LIBRARY_FILES += $(BUILD)/lib/libunwarp_magma.so.2
MAGMA_OBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard libraries/magma/*.c))
$(BUILD)/lib/libunwarp_magma.so.2: $(MAGMA_OBJS) $(BUILD)/lib/libcudart.so.12 $(BUILD)/obj/libgomp.so.1
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,$(@F) -Wl,--disable-new-dtags '-Wl,-rpath,$$ORIGIN:$(LLVM_PREFIX)/lib' -Wl,--no-as-needed $(BUILD)/obj/libgomp.so.1 $(MAGMA_OBJS) $(OPENBLAS_LINK) \
	  $(BUILD)/lib/libcudart.so.12 -Wl,--as-needed -Wl,-z,defs -o $@
endif

LIBRARY_SHARED += libnvidia-ml.so.1
LIBRARY_FILES += $(BUILD)/lib/libnvidia-ml.so.1 $(BUILD)/lib/libnvidia-ml.so
$(BUILD)/lib/libnvidia-ml.so.1: $(BUILD)/obj/libraries/nvidia-ml/nvml.o $(BUILD)/lib/libcudart.so.12
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,$(@F) -Wl,--disable-new-dtags '-Wl,-rpath,$$ORIGIN' $^ -Wl,-z,defs -lpthread -o $@
LIBRARY_FILES += $(BUILD)/bin/nvidia-smi
$(BUILD)/bin/nvidia-smi: tools/nvidia-smi.c include/nvml.h $(BUILD)/lib/libnvidia-ml.so.1
	@mkdir -p $(@D)
	$(CC) -std=gnu17 -O2 $(WARNINGS) $< $(BUILD)/lib/libnvidia-ml.so.1 -Wl,--disable-new-dtags '-Wl,-rpath,$$ORIGIN/../lib' -Wl,--allow-shlib-undefined -o $@
LIBRARY_FILES += $(BUILD)/bin/sycl-ls
$(BUILD)/bin/sycl-ls: tools/sycl-ls.c include/cuda_runtime_api.h $(BUILD)/lib/libcudart.so.12
	@mkdir -p $(@D)
	$(CC) -std=gnu17 -O2 $(WARNINGS) $< $(BUILD)/lib/libcudart.so.12 -Wl,--disable-new-dtags '-Wl,-rpath,$$ORIGIN/../lib' -Wl,--allow-shlib-undefined -o $@
$(BUILD)/lib/libnvidia-ml.so: $(BUILD)/lib/libnvidia-ml.so.1
	ln -sfn $(<F) $@

# NVTX 2 for programs that open it; the linker's libnvToolsExt.so is toolkit.mk's.
LIBRARY_SHARED += libnvToolsExt.so.1
LIBRARY_FILES += $(BUILD)/lib/libnvToolsExt.so.1
$(BUILD)/lib/libnvToolsExt.so.1: $(BUILD)/obj/libraries/nvToolsExt/nvtx.o
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,$(@F) $^ -Wl,-z,defs -o $@

# What unwarp --exec puts into a command's loader.
LIBRARY_SHARED += libunwarp_exec.so
LIBRARY_FILES += $(BUILD)/lib/libunwarp_exec.so
$(BUILD)/lib/libunwarp_exec.so: $(patsubst %,$(BUILD)/obj/libraries/exec/%.o,audit devices linked_in missing programs resolve)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,$(@F) $^ -Wl,-z,defs -o $@

# What PyTorch finds under unwarp --exec (libraries/torch), and unwarp --build-torch compiles.
TORCH_SOURCES := $(wildcard libraries/torch/*.cpp libraries/torch/*.h)
LIBRARY_FILES += $(BUILD)/lib/python/unwarp_torch-1.dist-info/entry_points.txt
$(BUILD)/lib/python/unwarp_torch-1.dist-info/entry_points.txt: $(TORCH_SOURCES) libraries/torch/unwarp_torch.py libraries/libraries.mk
	rm -rf $(BUILD)/lib/python
	mkdir -p $(@D) $(BUILD)/lib/python/unwarp_torch
	cp $(TORCH_SOURCES) $(BUILD)/lib/python/unwarp_torch
	cp libraries/torch/unwarp_torch.py $(BUILD)/lib/python/unwarp_torch/__init__.py
	printf 'Metadata-Version: 2.1\nName: unwarp-torch\nVersion: 1\n' > $(@D)/METADATA
	printf '[torch.backends]\nunwarp = unwarp_torch:start\n' > $@

# What the libraries are linked with, so that the loader looks for libgomp.so.1 beside them before their own libraries ask for it.
$(BUILD)/obj/libgomp.so.1:
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libgomp.so.1 -nostdlib -x c /dev/null -o $@

libraries: $(LIBRARY_FILES)
all: libraries
.PHONY: libraries

$(BUILD)/obj/libraries/%.o: libraries/%.c
	@mkdir -p $(@D)
	$(LIBRARY_CC) -c $< -o $@
