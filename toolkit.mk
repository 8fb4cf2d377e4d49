# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The build tree as a CUDA tool kit, for projects that look for one around nvcc (CUDA_HOME, CMake's FindCUDAToolkit and
# FindCUDA). All but `include` and `lib/libomp.so` is relative: the tree may be copied to where it is installed.
#
#   bin/nvcc, bin/ptxas            unwarp by the names that build systems and frameworks look for; bin/nvidia-smi
#   bin/icpx, bin/dpcpp, bin/acpp  unwarp by the names of SYCL compilers; bin/sycl-ls
#   bin/unwarp-clangd              what clangd needs in compile_commands.json
#   lib64, targets/x86_64-linux    other ways to lib and include
#   nvvm/libdevice/, nvvm/include/ libdevice under NVIDIA's name, libNVVM's header
#   include/cccl/                  what unwarp has of libcu++, where CUDA 13 has it
#   include/thrust/, include/cub/  the way to those of the distribution, where projects look for a version
#   version.json, version.txt      the CUDA release, as the compiler says it
#   lib/libunwarp.a                the runtime in one object: who takes a part of it takes all, and a program and its
#                                  shared libraries end up with one runtime; and host functions, each when it is used
#   lib/libcudart.so.12            the same as a shared library, with the checker, which waits for an object of -fcheck; libcudart.so.10.1, .10.2, .11.0 and .13: jumps into it (libraries.mk)
#   lib/libcudart_static.a, libcudart.so, libnvToolsExt.so
#                                  linker scripts, by which the host's linker finds the runtime (the archive's for the first, the shared
#                                  library for the others) and libomp beside them, and the checker where objects of -fcheck ask for it
#   lib/libsycl.a                  SYCL's part of the runtime, for -fsycl
#   lib/link/                      lib once more, as links to what linkers look for there: the folder that the dry run's link names. CMake takes
#                                  that for the system's, and gives programs no run path to it; to lib64 it does
#   lib/cmake/                     find_package of unwarp, IntelSYCL and AdaptiveCpp, for SYCL (tools/cmake/)
#   lib/pkgconfig/nccl.pc          pkg-config's NCCL; its folders are found from its own
#   lib/unwarp.id                  the identifier of the compiler and of what it reads of its own, by their contents, for the cache's keys
#   lib/unwarp.symbols             what a program shows of the runtime in it to libraries that it opens
#   lib/libcudadevrt.a, libculibos.a    empty: device code needs nothing more
TOOLKIT_SCRIPTS := $(addprefix $(BUILD)/lib/,libcudart_static.a libcudart.so libnvToolsExt.so)
TOOLKIT_EMPTY := $(addprefix $(BUILD)/lib/,libcudadevrt.a libculibos.a)
TOOLKIT_LINKS := $(addprefix $(BUILD)/,bin/nvcc bin/ptxas bin/icpx bin/dpcpp bin/acpp lib64 lib/stubs/libcuda.so lib/libomp.so nvvm/libdevice/libdevice.bc nvvm/include/nvvm.h \
  targets/x86_64-linux/include targets/x86_64-linux/lib)
CMAKE_PACKAGES := $(addprefix $(BUILD)/lib/cmake/,unwarp/unwarp-config.cmake IntelSYCL/IntelSYCLConfig.cmake \
  AdaptiveCpp/adaptivecpp-config.cmake NCCL/NCCLConfig.cmake NCCL/NCCLConfigVersion.cmake)
TOOLKIT := $(BUILD)/bin/unwarp-clangd $(TOOLKIT_SCRIPTS) $(TOOLKIT_EMPTY) $(TOOLKIT_LINKS) $(BUILD)/nvvm/libdevice/libdevice.10.bc \
  $(CMAKE_PACKAGES) $(addprefix $(BUILD)/,lib/pkgconfig/nccl.pc lib/libunwarp.a lib/libsycl.a lib/unwarp.symbols lib/unwarp.id lib/libcudart.so.12 version.json version.txt)

$(BUILD)/bin/unwarp-clangd: tools/unwarp-clangd
	@mkdir -p $(@D)
	install $< $@

# Entered by jumps, which lead to another copy of the runtime where a process has one (runtime/copies.c).
$(BUILD)/obj/runtime-own.o: $(filter $(BUILD)/obj/runtime/%,$(RUNTIME_OBJS))
	$(CC) -nostdlib -r $^ -o $@
$(BUILD)/obj/runtime-jumps.s: scripts/runtime-jumps.sh $(BUILD)/obj/runtime-own.o
	scripts/runtime-jumps.sh $(BUILD)/obj/runtime-own.o $(shell uname -m) $(BUILD)/obj/runtime.names > $@
$(BUILD)/obj/runtime-jumps.o: $(BUILD)/obj/runtime-jumps.s
	$(CC) -c $< -o $@
$(BUILD)/obj/runtime.o: $(BUILD)/obj/runtime-own.o $(BUILD)/obj/runtime-jumps.o $(BUILD)/obj/runtime/copies.o
	objcopy --redefine-syms=$(BUILD)/obj/runtime.names $< $@.own
	$(CC) -nostdlib -r $@.own $(wordlist 2,3,$^) -o $@ && rm $@.own
$(BUILD)/lib/libunwarp.a: $(BUILD)/obj/runtime.o $(filter-out $(BUILD)/obj/runtime/%,$(RUNTIME_OBJS))
	@mkdir -p $(@D)
	rm -f $@ && ar rcs $@ $^
$(BUILD)/lib/libsycl.a: $(SYCL_RUNTIME_OBJS)
	@mkdir -p $(@D)
	rm -f $@ && ar rcs $@ $^
# Its symbols have the version that NVIDIA's have. Ours find ours by it where a process has another libcudart, too.
$(BUILD)/lib/libcudart.so.12: $(RUNTIME_OBJS) $(WAITING_CHECK_OBJS) $(BUILD)/obj/libcudart.so.12.map
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,$(@F) -Wl,--version-script=$(BUILD)/obj/$(@F).map $(RUNTIME_OBJS) $(WAITING_CHECK_OBJS) -L$(LLVM_PREFIX)/lib -Wl,-rpath,$(LLVM_PREFIX)/lib -lomp -lm -ldl -lpthread -o $@

$(BUILD)/obj/%.map: toolkit.mk
	@mkdir -p $(@D)
	echo '$* { *; };' > $@

# The libraries of vector math that objects may call: those that are here when unwarp is built (driver/Makefile.inc).
VECTOR_MATH := $(strip $(if $(HAVE_MVEC),-lmvec) $(if $(HAVE_SLEEF),-l:libsleef.so.3))
# The archive beside the shared runtime is for the checker, which needs what that keeps to itself.
$(TOOLKIT_SCRIPTS): LINKED_RUNTIME := libcudart.so.12 libunwarp.a
$(BUILD)/lib/libcudart_static.a: LINKED_RUNTIME := libunwarp.a
$(TOOLKIT_SCRIPTS): toolkit.mk
	@mkdir -p $(@D)
	echo '/* unwarp: linker script */ INPUT(libunwarp_check.a $(LINKED_RUNTIME) libomp.so $(if $(VECTOR_MATH),AS_NEEDED($(VECTOR_MATH))) -lm -ldl -lpthread)' > $@

$(CMAKE_PACKAGES): $(BUILD)/lib/cmake/%: tools/cmake/%
	@mkdir -p $(@D)
	cp $< $@

# As nccl.h has its version.
$(BUILD)/lib/pkgconfig/nccl.pc: tools/nccl.pc.in include/nccl.h
	@mkdir -p $(@D)
	sed "s/@VERSION@/$$(sed -n 's/^#define NCCL_\(MAJOR\|MINOR\|PATCH\) //p' include/nccl.h | paste -sd.)/" $< > $@

$(BUILD)/lib/unwarp.symbols: toolkit.mk
	@mkdir -p $(@D)
	echo '{ cuda*; __cuda*; uwrt_*; };' > $@

COMPILER_PARTS := $(BUILD)/bin/unwarp $(BUILD)/lib/libdevice.bc $(BUILD)/nvvm/libdevice/libptx.bc $(BUILD)/nvvm/libdevice/libcheck.bc \
  $(sort $(shell find include -type f))
$(BUILD)/lib/unwarp.id: $(COMPILER_PARTS)
	@mkdir -p $(@D)
	{ cat $(COMPILER_PARTS); stat -L -c %s $(LLVM_PREFIX)/lib/libLLVM-22.so; } | sha256sum > $@

# For other compilers; ours is libdevice.bc beside it.
$(BUILD)/nvvm/libdevice/libdevice.10.bc: libdevice/nvptx/libdevice.10.c
	@mkdir -p $(@D)
	rm -f $@ && $(CC) --target=nvptx64-nvidia-cuda -std=c17 -O2 -emit-llvm -c $< -o $@

$(TOOLKIT_EMPTY):
	@mkdir -p $(@D)
	rm -f $@ && ar rcs $@

$(addprefix $(BUILD)/bin/,nvcc ptxas icpx dpcpp acpp): LINK_TO := unwarp
$(BUILD)/lib64: LINK_TO := lib
$(BUILD)/lib/libomp.so: LINK_TO := $(LLVM_PREFIX)/lib/libomp.so
$(BUILD)/lib/stubs/libcuda.so: LINK_TO := ../libcuda.so.1
$(BUILD)/nvvm/libdevice/libdevice.bc: LINK_TO := ../../lib/libdevice.bc
$(BUILD)/nvvm/include/nvvm.h: LINK_TO := ../../include/nvvm.h
$(BUILD)/targets/x86_64-linux/include: LINK_TO := ../../include
$(BUILD)/targets/x86_64-linux/lib: LINK_TO := ../../lib
$(TOOLKIT_LINKS):
	@mkdir -p $(@D)
	ln -sfn $(LINK_TO) $@

# After all that it names.
LINKED_NAMES = $(filter-out lib lib64 libdevice%,$(filter lib%,$(notdir $(TOOLKIT) $(LIBRARY_FILES)))) libunwarp_check.a
$(BUILD)/lib/link: toolkit.mk libraries/libraries.mk
	mkdir -p $@
	for name in $(sort $(LINKED_NAMES)); do ln -sfn ../$$name $@/$$name; done
	touch $@
all: $(BUILD)/lib/link

$(BUILD)/version.txt $(BUILD)/version.json: export ASAN_OPTIONS := detect_leaks=0
$(BUILD)/version.txt: $(BUILD)/bin/unwarp
	echo "CUDA Version $$($< -dumpversion)" > $@
$(BUILD)/version.json: $(BUILD)/bin/unwarp
	version=$$($< -dumpversion); for part in cuda cuda_cudart cuda_nvcc; do \
	  echo "\"$$part\": {\"name\": \"unwarp in the place of $$part\", \"version\": \"$$version\"}"; done | \
	  sed -e '1s/^/{/' -e '$$!s/$$/,/' -e '$$s/$$/}/' > $@
