# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# make            the compiler, the runtime and libdevice, into build/ (which mirrors an installation)
# make example    installs what is missing, builds, compiles and runs examples/saxpy.cu
# make check      installs what is missing, builds, passes the tests: some twenty minutes on two cores
# make check-quick        a sample of everything, another one for each commit, in three minutes: what to run between two commits
# make check-long         what make check leaves out of its parts: all of tests/run at all sizes, without optional passes and through PTX,
#                         the instrumented compiler, longer fuzzing, scaling
# make check CPU=x86-64-v3    any of these as on a CPU of that level (x86-64, x86-64-v2, x86-64-v3, x86-64-v4) on a machine that has more
# make check-sanitized    compiler and runtime under AddressSanitizer, UBSan and ThreadSanitizer; of it make check has the runtime's tests
# make install, uninstall, deb    into PREFIX (/usr/local), out of it, as a Debian package (install.mk)
# make check-each-pass   the programs of tests/run without one optional pass at a time
# make check-wheel       the wheel of unwarp itself (make wheel), packed twice, installed into fresh environments and used there
# make check-apt         the Debian package in a repository (make apt-repository), served to an apt of its own
# make check-image       the container image (make image: dist/unwarp.tar), made by debootstrap as root, and a Makefile project built in its root
# make check-torch14     PyTorch 1.4's stock wheel, whose kernels are PTX: its operators against its CPU (Python 3.8; 2 GB in build/tests/torch14)
# make check-torch-today  today's PyTorch, the stock wheel, by its CPU kernels: training, and its operators against its CPU (1.5 GB in build/tests/torch-today)
# make check-torch-nodes  data-parallel training by torchrun and NCCL, on one machine and over network namespaces (as root)
# make check-nccl-faults  NCCL between network namespaces: delays, stalls, kills and cut links at random moments (as root)
# make bench-torch14     ResNet-50 on that wheel: losses and speed against PyTorch's CPU
# make check-wheels      stock wheels of OpenMM, PyTorch and JAX, which are installed into build/tests/wheels (3 GB)
# make check-cudnn       all convolutions of tests/libraries/cudnn, of which make check has a sample
# make check-triton      kernels of triton.jit with the stock wheel of Triton, which is installed into build/tests/triton
# make fuzz N=100 FIRST=1   random programs of five kinds against host threads and against themselves without passes; make check has a few
# make fuzz-inputs N=1000   random changes to MLIR, CUDA and command lines: each is taken or refused with a message
# make accuracy   measures the mathematical functions against MPFR and writes docs/accuracy.md
# make compile_commands.json      for editors and clang's tools
# make bench      times our CUDA programs against hand-written OpenMP ones
# make never-slower      times them with and without optional passes, a sample of 12 minutes

BUILD ?= build
# The folder of this file may have blanks in its path, as nothing below names it; make takes targets apart at them.
ifneq ($(word 2,$(BUILD)),)
$(error BUILD='$(BUILD)' has a blank, which make cannot have in a target: name a folder without one)
endif
# A path from the root on. (abspath takes a blank for the end of a word.)
whole = $(if $(filter /%,$(1)),$(1),$(or $(UW_LINK:%=%/unwarp),$(CURDIR))/$(1))
LLVM_CONFIG ?= llvm-config-22
CC := clang-22
CXX := clang++-22
LLVM_PREFIX := $(shell $(LLVM_CONFIG) --prefix 2>/dev/null)

# The level of x86-64 to test as. Some systems have a variable CPU of another meaning in the environment, so it counts on the command line
# alone; what the compiler, programs, libraries and tests read is UNWARP_MARCH.
ifneq ($(origin CPU),command line)
CPU := $(UNWARP_MARCH)
endif
ifneq ($(CPU),)
export UNWARP_MARCH := $(CPU)
$(if $(shell UNWARP_MARCH='$(CPU)' scripts/cpu-levels.sh --check || echo none),$(error there is no CPU to test))
endif

# What users have set for their own programs is not the tests': these say themselves how many threads there are and which devices, find
# libraries by run paths, and compare lines in the order of their bytes.
ifneq ($(filter check%,$(MAKECMDGOALS)),)
USERS := $(filter OMP_% KMP_% GOMP_% OPENBLAS_% CUDA_% NVCC_% UNWARP UNWARP_% LD_LIBRARY_PATH LD_PRELOAD,$(.VARIABLES))
unexport $(filter-out UNWARP_MARCH UNWARP_CLANG,$(USERS))
export LC_ALL := C.UTF-8
# The tests' commands have paths as words. Where this folder's has a blank they get to it by a link, which a shell takes as where it is.
ifneq ($(word 2,$(CURDIR)),)
export UW_LINK ?= $(shell mktemp -d "$${TMPDIR:-/tmp}/unwarp-tests.XXXXXX")
UW_LINK := $(UW_LINK)
$(shell ln -sfn '$(CURDIR)' '$(UW_LINK)/unwarp')
export PWD := $(UW_LINK)/unwarp
endif
endif

-include compiler/driver/Makefile.inc
-include runtime/Makefile.inc
-include runtime/sycl/Makefile.inc
-include libdevice/Makefile.inc

SANITIZE_FLAGS := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
WARNINGS := -Wall -Wextra -Werror -Wno-missing-field-initializers
# What is called by threads of the program's, whose stacks may be small, has no large frames.
SMALL_FRAMES := -Wframe-larger-than=12288
COMPILER_CFLAGS := -std=c17 -O2 -g $(WARNINGS) -D_GNU_SOURCE -Icompiler -isystem $(LLVM_PREFIX)/include $(SANITIZE_FLAGS)
COMPILER_CXXFLAGS := -std=c++17 -O2 -g -fno-rtti -isystem $(LLVM_PREFIX)/include $(SANITIZE_FLAGS)

CORE_SRCS := $(wildcard $(addprefix compiler/,ir/*.c frontend/*.c frontend/ptx/*.c frontend/sycl/*.c raise/*.c analysis/*.c transform/*.c passes/*.c passes/*/*.c instrument/*.c lower/*.c target/*.c))
CORE_OBJS := $(CORE_SRCS:%.c=$(BUILD)/obj/%.o) $(BUILD)/obj/compiler/ir/shim.o $(BUILD)/obj/dialect.o
DRIVER_OBJS := $(DRIVER_SRCS:%.c=$(BUILD)/obj/%.o)
RUNTIME_OBJS := $(RUNTIME_SRCS:%.c=$(BUILD)/obj/%.o)
SYCL_RUNTIME_OBJS := $(SYCL_RUNTIME_SRCS:%.c=$(BUILD)/obj/%.o)
LIBDEVICE_BCS := $(LIBDEVICE_SRCS:%.c=$(BUILD)/obj/%.bc)
LIBCHECK_BCS := $(LIBCHECK_SRCS:%.c=$(BUILD)/obj/%.bc)
CHECK_OBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out runtime/check/waits.c,$(wildcard runtime/check/*.c)))
WAITING_CHECK_OBJS := $(CHECK_OBJS) $(BUILD)/obj/runtime/check/waits.o
LIBPTX_BCS := $(LIBPTX_SRCS:%.c=$(BUILD)/obj/%.bc)
include toolkit.mk
include libraries/libraries.mk
include install.mk

# The MLIR C API comes as archives; the rest is in two shared libraries.
CAPI := $(addprefix $(LLVM_PREFIX)/lib/libMLIRCAPI,RegisterEverything.a IRDL.a LLVM.a Transforms.a Conversion.a Target.a \
          Interfaces.a IR.a)
COMPILER_LIBS := -Wl,--start-group $(CAPI) -Wl,--end-group -L$(LLVM_PREFIX)/lib -lMLIR -lLLVM-22 \
                 -Wl,-rpath,$(LLVM_PREFIX)/lib

.PHONY: check-run-all check-rare check-fuzz-long check-sanitized-runtime left-out FORCE compile_commands.json check-quick check-long check-text-sample check-run-sample check-sycl-sample check-ptx-quick check-scale-quick check-libraries-sample fuzz fuzz-inputs check-fuzz check-docs check-libraries check-cudnn docs all tools runtime example check check-text check-text-below check-text-of-cpu check-text-long check-libraries-all check-run-below check-run-twelfth check-runtime check-headers check-libdevice check-checker check-accuracy check-floats accuracy check-unit check-run check-sycl check-each-pass check-plain check-plain-sample check-projects check-triton check-wheel check-apt image check-image check-wheels check-torch-today check-torch-nodes check-nccl-faults check-torch14 bench-torch14 check-tensorflow check-sanitized check-sanitized-passes ablation bench never-slower clean deps
.DEFAULT_GOAL := all
all: tools runtime $(BUILD)/bin/unwarp $(TOOLKIT)
tools: $(BUILD)/bin/unwarp-opt
runtime: $(BUILD)/lib/libunwarp.a $(BUILD)/lib/libdevice.bc $(BUILD)/nvvm/libdevice/libptx.bc \
  $(BUILD)/nvvm/libdevice/libcheck.bc $(BUILD)/lib/libunwarp_check.a $(BUILD)/include

# The commit, which --version tells; none in a source tree without git. The file changes only when the commit does.
COMMIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
$(BUILD)/obj/commit.h: FORCE
	@mkdir -p $(@D)
	@echo '#define UW_COMMIT "$(COMMIT)"' | cmp -s - $@ || echo '#define UW_COMMIT "$(COMMIT)"' > $@
$(BUILD)/obj/compiler/driver/help.o: $(BUILD)/obj/commit.h
$(BUILD)/obj/compiler/driver/help.o: COMPILER_CFLAGS += -include $(BUILD)/obj/commit.h
FORCE:

# For editors and clang's tools: how each file of the compiler, the runtime and the libraries is compiled.
compile_commands.json: scripts/compile-commands.py
	$(MAKE) --no-print-directory --always-make --dry-run all | python3 scripts/compile-commands.py > $@

$(BUILD)/bin/unwarp: $(CORE_OBJS) $(DRIVER_OBJS) $(addprefix $(BUILD)/obj/libraries/jit/,cache.o compiler.o leftovers.o)
$(BUILD)/bin/unwarp-opt: $(CORE_OBJS) $(BUILD)/obj/compiler/driver/stages.o $(BUILD)/obj/tools/unwarp-opt.o $(BUILD)/obj/tools/passes_page.o
$(BUILD)/bin/%:
	@mkdir -p $(@D)
	$(CXX) $(SANITIZE_FLAGS) $^ $(COMPILER_LIBS) -o $@

$(BUILD)/lib/libdevice.bc: $(LIBDEVICE_BCS)
	@mkdir -p $(@D)
	$(LLVM_PREFIX)/bin/llvm-link $^ -o $@

# The instructions of inline PTX, with those functions of libdevice that they call.
$(BUILD)/nvvm/libdevice/libptx.bc: $(LIBPTX_BCS) $(LIBDEVICE_BCS)
	@mkdir -p $(@D)
	$(LLVM_PREFIX)/bin/llvm-link $(LIBPTX_BCS) -o $@.part
	$(LLVM_PREFIX)/bin/llvm-link --only-needed $@.part $(LIBDEVICE_BCS) -o $@ && rm $@.part

# What -fcheck adds to a program: checks that are inlined, and the checker, one object as the runtime is.
$(BUILD)/nvvm/libdevice/libcheck.bc: $(LIBCHECK_BCS)
	@mkdir -p $(@D)
	$(LLVM_PREFIX)/bin/llvm-link $^ -o $@
$(BUILD)/obj/check.o: $(CHECK_OBJS)
	$(CC) -nostdlib -r $^ -o $@
$(BUILD)/lib/libunwarp_check.a: $(BUILD)/obj/check.o
	@mkdir -p $(@D)
	rm -f $@ && ar rcs $@ $^

# The build tree finds its headers where an installation has them.
$(BUILD)/include:
	@mkdir -p $(BUILD)
	ln -sfn '$(CURDIR)/include' $@

$(BUILD)/obj/dialect.c: compiler/ir/dialect.irdl.mlir
	@mkdir -p $(@D)
	(echo 'const char uw_dialect_text[] ='; sed -e '/^ *\/\//d' -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/"&\\n"/' $<; echo ';') > $@
$(BUILD)/obj/dialect.o: $(BUILD)/obj/dialect.c
	$(CC) -c $< -o $@

$(BUILD)/obj/compiler/%.o: compiler/%.c
	@mkdir -p $(@D)
	$(CC) $(COMPILER_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/obj/compiler/%.o: compiler/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(COMPILER_CXXFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/obj/tools/%.o: tools/%.c
	@mkdir -p $(@D)
	$(CC) $(COMPILER_CFLAGS) -MMD -MP -c $< -o $@
$(BUILD)/obj/runtime/%.o: runtime/%.c
	@mkdir -p $(@D)
	$(CC) -std=c17 -O2 -gdwarf-4 -fno-omit-frame-pointer -Wall -Wextra -Werror $(SMALL_FRAMES) -fPIC -ftls-model=global-dynamic -fvisibility=hidden -fopenmp -Iinclude -MMD -MP -c $< -o $@
$(BUILD)/obj/libdevice/%.bc: libdevice/%.c
	@mkdir -p $(@D)
	$(CC) --target=x86_64-linux-gnu -std=c17 -O2 -fPIC $(LIBDEVICE_CFLAGS) -fno-math-errno -ffp-contract=off -DUW_BITCODE -emit-llvm -MMD -MP -MF $(@:.bc=.d) -c $< -o $@

# --- the README's two commands ------------------------------------------------------------------------------------------

# Packages come first, in a make of their own: this file asks llvm-config for paths while it is read.
deps:
	@scripts/install-deps.sh

example: deps
	@$(MAKE) --no-print-directory -j$(shell nproc) all
	@$(MAKE) --no-print-directory left-out
	$(BUILD)/bin/unwarp -O3 examples/saxpy.cu -o $(BUILD)/saxpy
	$(BUILD)/saxpy

# Which of CUDA's libraries the machine lacks the package for.
left-out:
ifneq ($(LIBRARIES_LEFT_OUT),)
	@echo "Built without $(LIBRARIES_LEFT_OUT): to have them, apt-get install $(sort $(LIBRARY_PACKAGES)) and make again."
endif

check:
	@scripts/install-deps.sh --tests
	@$(MAKE) --no-print-directory -j$(shell nproc) all
	@scripts/check.sh $(BUILD) $(PARTS)
check-quick: all
	@scripts/check.sh $(BUILD) $(QUICK_PARTS)
check-long: all
	@scripts/check.sh $(BUILD) $(LONG_PARTS)

PARTS := docs unit text text-below libdevice accuracy headers runtime checker libraries run run-below rare ptx-sample fuzz sycl plain-sample \
         projects sanitized-runtime scale-quick
QUICK_PARTS := docs unit text-sample libraries-sample run-sample sycl-sample ptx-quick
LONG_PARTS := text-long libraries-all run-all floats plain ptx fuzz-long sanitized scale

# --- the parts of the tests ---------------------------------------------------------------------------------------------

LIT := $(LLVM_PREFIX)/bin/lit --show-unsupported
# One in so many of the names, others on each commit.
sample = $(shell scripts/sample.sh $(1) $(2))
# What compiles keep for each other lies with the build, not with the user's.
check-%: export UNWARP_CACHE_DIR = $(call whole,$(BUILD))/tests/cache
check-text: all
	$(LIT) -sv --param build='$(call whole,$(BUILD))' tests
check-text-sample: all
	$(LIT) -s --param build='$(call whole,$(BUILD))' $(call sample,12,$(shell find tests -name '*.test' -o -name '*.mlir'))
# Those that take minutes and have not found anything for long.
check-text-long: all
	$(LIT) -sv --param build='$(call whole,$(BUILD))' --param long=1 $(shell grep -rlE 'REQUIRES:.*\<long\>' tests --include=*.test)

# What depends on the CPU is tested as on the next one below, too, by a make of its own: the programs of a twelfth of tests/run, and a third
# of the text tests that run what they compile or compile for the CPU at hand, others on each commit. The rest of the text tests have the
# same text on each; SYCL's and those of installations are about the command line.
BELOW = $(shell UNWARP_MARCH='$(CPU)' scripts/cpu-levels.sh --below)
at_below = $(if $(BELOW),$(MAKE) --no-print-directory CPU=$(BELOW) $(1),@echo "SKIP $@: there is no CPU below with other vectors")
RUNS_PROGRAMS := march=native|RUN:.*(RUN:|&&|[|]|not|env [A-Z_]+=[^ ]+) *([.]/|%t)
check-text-below: all
	$(call at_below,check-text-of-cpu)
check-text-of-cpu: all
	$(LIT) -sv --param build='$(call whole,$(BUILD))' $(call sample,3,$(shell grep -rlE '$(RUNS_PROGRAMS)' \
	  $(addprefix tests/,driver diagnosis stages ptx) --include=*.test --include=*.cu --include=*.cpp --include=*.ll --include=*.ptx))
check-run-below: all
	$(call at_below,check-run-twelfth)
check-run-twelfth: all
	UW_RUNS="33:2 256:7" tests/run/run.sh $(BUILD) $(call sample,12,$(basename $(notdir $(wildcard tests/run/*.cu))))

# What docs/support.md, docs/libraries.md and the layers of docs/design.md say, against the tests and the sources.
check-docs: tools
	python3 tests/docs/support.py .
	python3 tests/docs/libraries.py .
	python3 tests/docs/layers.py .
	python3 tests/docs/thresholds.py .
	python3 tests/docs/costs.py .
	python3 tests/docs/rows.py .
	python3 tests/docs/tour.py .
	python3 tests/docs/remarks.py .
	python3 scripts/ptx-page.py . | diff - docs/ptx.md
	python3 bench/nccl/scaling.py --check docs/nodes.md docs/scaling.svg
	$(BUILD)/bin/unwarp-opt --passes-page=. | diff - docs/passes.md
	@! grep -rnE --include='*.md' '^(<<<<<<<|>>>>>>>) ' docs $(wildcard *.md)
# What -fcheck finds, and does not.
check-checker: all
	tests/check/run.sh $(BUILD)
check-unit: all
	tests/unit/run.sh $(BUILD)
check-runtime: all
	CC=$(CC) CXX=$(CXX) tests/runtime/run.sh $(BUILD)
check-libdevice: all
	tests/libdevice/run.sh $(BUILD)
# One by one, and by vectors of this processor, which call other functions of the C library.
check-accuracy: all
	tests/accuracy/run.sh $(BUILD) >/dev/null
	UW_FLAGS="-O3 -march=native" tests/accuracy/run.sh $(BUILD) >/dev/null
# All floats, in SIMD lanes: half an hour.
check-floats: all
	$(BUILD)/bin/unwarp -O3 -march=native tests/accuracy/floats.cu -o $(BUILD)/tests/floats
	$(BUILD)/tests/floats
check-headers: all
	tests/headers/run.sh $(BUILD)
check-sycl: all
	UW_THREADS="2 7" tests/sycl/run.sh $(BUILD)
# A third of the programs, others on each commit, and those of several files, with three sizes of blocks, each for one number of threads; all
# of them are check-run-all, which check-long has.
check-run: all
	UW_RUNS="1:7 33:2 256:7" tests/run/run.sh $(BUILD) 'multi/*' $(call sample,3,$(basename $(notdir $(wildcard tests/run/*.cu))))
check-run-all: all
	tests/run/run.sh $(BUILD)
# A tenth of them, with one size of block.
check-run-sample: all
	UW_BLOCKS=33 UW_THREADS=2 tests/run/run.sh $(BUILD) $(call sample,10,$(basename $(notdir $(wildcard tests/run/*.cu))))
check-sycl-sample: all
	UW_THREADS=2 tests/sycl/run.sh $(BUILD) $(call sample,20,$(basename $(notdir $(wildcard tests/sycl/run/*.cpp))))
check-ptx-quick: all
	tests/ptx/run.sh $(BUILD) --sample $(call sample,8,$(shell cat tests/ptx/sample))
# A sample of them with device code sent through PTX and back, and modules of PTX are tests/ptx among the text tests.
check-ptx-sample: all
	tests/ptx/run.sh $(BUILD) --sample
# All of them, with what differs and why.
check-ptx: all
	tests/ptx/run.sh $(BUILD)
# The same programs without any optional pass and without LLVM's optimiser: a difference is a miscompile. Of it make check has an eighth.
check-plain check-plain-sample: all
	UW_FLAGS="-O0 $(addprefix --skip=,$(shell $(BUILD)/bin/unwarp-opt --optional 2>/dev/null))" UW_BLOCKS=33 UW_THREADS=2 \
	  tests/run/run.sh $(BUILD) $(if $(filter %-sample,$@),$(call sample,8,$(basename $(notdir $(wildcard tests/run/*.cu)))))

# The versions that hardly ever run, and the kernels of processors without AVX2 where there is much code: compiler/ir/stress.h.
check-rare: all
	UW_STRESS=masks UW_BLOCKS=33 UW_THREADS=2 tests/run/run.sh $(BUILD) $(call sample,14,$(basename $(notdir $(wildcard tests/run/*.cu))))
	UW_STRESS=levels UNWARP_MARCH=x86-64 UW_LEVELS=default UW_BLOCKS=33 UW_THREADS=2 \
	  tests/run/run.sh $(BUILD) $(call sample,16,$(basename $(notdir $(wildcard tests/run/*.cu))))

# And without one optional pass at a time; an hour, so no part of make check.
check-each-pass: all
	UW_BLOCKS=33 UW_THREADS=2 tests/run/run.sh $(BUILD) --each-pass

# Instructions of each pass on kernels of one and of two times the size, under valgrind: minutes, so no part of make check.
check-scale: all
	tests/scale/scale.py $(BUILD)
# Operations instead of instructions: a minute.
check-scale-quick: all
	tests/scale/scale.py $(BUILD) --quick

# CUDA's libraries, and what docs/libraries.md says of them: half of the programs on each commit, and of those that are others' for an older
# cuDNN a third; all in check-libraries-all, which check-long has.
LIBRARY_PROGRAMS := $(patsubst tests/libraries/%.cu,%,$(wildcard tests/libraries/*/*.cu))
OLDER_CUDNN := $(filter cudnn/%7 cudnn/%8,$(LIBRARY_PROGRAMS))
check-libraries-all: all
	tests/libraries/run.sh $(BUILD)
check-libraries: all
	tests/libraries/run.sh $(BUILD) $(call sample,2,$(filter-out $(OLDER_CUDNN),$(LIBRARY_PROGRAMS))) $(call sample,3,$(OLDER_CUDNN))
	python3 tests/docs/libraries.py . $(BUILD)

# All convolutions of tests/libraries/cudnn: minutes.
check-cudnn: all
	UW_CUDNN_ALL=1 UW_LIBRARY_SECONDS=1200 tests/libraries/run.sh $(BUILD) cudnn

# One program of each library.
LIBRARY_TESTS := $(notdir $(patsubst %/,%,$(wildcard tests/libraries/*/)))
check-libraries-sample: all
	tests/libraries/run.sh $(BUILD) $(foreach library,$(LIBRARY_TESTS),$(call \
	  sample,one,$(patsubst tests/libraries/%.cu,%,$(wildcard tests/libraries/$(library)/*.cu))))

# Projects with their own build systems, which know of nvcc only.
check-projects: all
	tests/projects/run.sh $(BUILD)

# Kernels of triton.jit with its stock wheel, which pip fetches: no part of make check.
check-triton: all
	tests/python/triton/run.sh $(BUILD)

# Stock wheels of OpenMM, PyTorch and JAX, which pip fetches: no part of make check.
check-wheels: all
	tests/python/wheels/run.sh $(BUILD)

# The wheel of unwarp itself, packed twice, installed and used: minutes, so no part of make check.
check-wheel: wheel
	tests/wheel/run.sh $(DIST) $(BUILD)

# The Debian package twice, in repositories, and what an apt makes of these: half a minute, and of it tests/install has the part without it.
check-apt: all
	tests/apt/run.sh $(BUILD)

# The container image, and a project built in its root: as root, by debootstrap, minutes; no part of make check.
image: wheel
	packaging/image/image.py "$$(echo $(DIST)/unwarp-[0-9]*.whl)" $(DIST)/unwarp.tar $(BUILD)/image
check-image: wheel
	tests/image/run.sh $(DIST) $(BUILD)

# PyTorch 1.4, the last but one whose own kernels are PTX, which pip fetches for Python 3.8: no part of make check.
check-torch-today: all
	tests/python/torch_today/run.sh $(BUILD)

# Data-parallel training by it on one machine and over network namespaces, as root: two minutes, no part of make check either.
check-torch-nodes: all
	tests/python/torch_today/nodes.sh $(BUILD)

# NCCL between three network namespaces with faults at random moments, as root: three minutes, no part of make check.
check-nccl-faults: all
	tests/libraries/nccl/faults/faults.sh $(BUILD)

check-torch14: all
	tests/python/torch14/run.sh $(BUILD)
# ResNet-50 on it, against PyTorch's CPU: losses, then pictures a second with one thread and with two. Twenty minutes or so.
bench-torch14: all
	OMP_NUM_THREADS=2 UNWARP_DEVICES=1 tests/python/torch14/run.sh $(BUILD) resnet.py losses
	OMP_NUM_THREADS=1 UNWARP_DEVICES=1 tests/python/torch14/run.sh $(BUILD) resnet.py speed
	OMP_NUM_THREADS=2 UNWARP_DEVICES=1 tests/python/torch14/run.sh $(BUILD) resnet.py speed

# A stock TensorFlow, whose kernels are PTX: fetches 572 MB and compiles some hundred kernels the first time, so no part of make check.
check-tensorflow: all
	tests/python/tensorflow.sh $(BUILD)

# An instrumented compiler passes the text tests; an instrumented runtime passes its own. Memory of a compile lives until its
# process ends, and LLVM's own containers are not instrumented: no leak check, no container check. Freed memory is filled, so
# that a stale MLIR handle does not go unnoticed.
SANITIZED := $(BUILD)-asan
check-sanitized-passes: SANITIZED_TESTS = tests/passes tests/analysis
check-sanitized: SANITIZED_TESTS = tests
check-sanitized check-sanitized-passes: all
	@$(MAKE) --no-print-directory -j$(shell nproc) SANITIZE=address,undefined BUILD=$(SANITIZED) all
	ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0:max_free_fill_size=65536:free_fill_byte=165 \
	  UBSAN_OPTIONS=halt_on_error=1 $(LIT) -sv --param build='$(call whole,$(SANITIZED))' $(SANITIZED_TESTS)
	@$(MAKE) --no-print-directory check-sanitized-runtime
# The runtime alone, which is compiled with its tests.
check-sanitized-runtime:
	CC=$(CC) CXX=$(CXX) tests/runtime/run.sh $(SANITIZED) -fsanitize=address,undefined
	CC=$(CC) CXX=$(CXX) tests/runtime/run.sh $(SANITIZED) -fsanitize=thread

# Random programs: N of each kind, from seed FIRST. What differs is kept, and its seed is printed.
N ?= 100
FIRST ?= 1
LAST = $(shell expr $(FIRST) + $(N) - 1)
fuzz: all
	tests/fuzz/kernels.sh $(BUILD) $(FIRST) $(LAST)
	tests/fuzz/run.sh $(BUILD) $(FIRST) $(LAST)
	tests/fuzz/patterns.sh $(BUILD) $(FIRST) $(LAST)
	tests/fuzz/run.sh --lanes $(BUILD) $(FIRST) $(LAST)
	tests/fuzz/kernels.sh --sycl $(BUILD) $(FIRST) $(LAST)
	tests/fuzz/hostile.sh $(BUILD) $(FIRST)000 $(LAST)999
	tests/fuzz/damaged.py $(BUILD) $(FIRST) $(LAST) $(BUILD)/tests/fuzz/damaged
	tests/fuzz/killed.py $(BUILD) $(N) $(FIRST)
# Inputs spoiled at random: no crash, no assertion, no silence.
fuzz-inputs: all
	python3 tests/fuzz/inputs.py $(BUILD) $(FIRST) $(LAST)
check-fuzz-long: all
	@$(MAKE) --no-print-directory fuzz
check-fuzz: all
	python3 tests/fuzz/inputs.py $(BUILD) 1 90
	tests/fuzz/hostile.sh $(BUILD) 1 20000
	tests/fuzz/damaged.py $(BUILD) 1 40 $(BUILD)/tests/fuzz/damaged
	tests/fuzz/killed.py $(BUILD) 20
	tests/fuzz/kernels.sh $(BUILD) 1 6
	tests/fuzz/run.sh --lanes $(BUILD) 30 40
	tests/fuzz/kernels.sh --sycl $(BUILD) 1 3

docs: tools
	$(BUILD)/bin/unwarp-opt --passes-page=. > docs/passes.md
	python3 scripts/ptx-page.py . > docs/ptx.md

# The table of errors; SAMPLES=1000000 takes the night.
accuracy: all
	tests/accuracy/run.sh $(BUILD) $(or $(SAMPLES),20000) $(or $(STEP),1) > docs/accuracy.md

bench: all
	bench/run

# What each optional pass changes and gains, over bench/, bench/foreign-shapes and a folder of programs: PROGRAMS=FOLDER. An hour or two; what is
# done is kept in $(BUILD)/ablation.jsonl, and a second run goes on from there. docs/notes/ has the dated tables.
ablation: all
	bench/ablation --results $(BUILD)/ablation.jsonl $(if $(PROGRAMS),--programs $(PROGRAMS))

# Does an optional pass make a program of bench/ slower? A sample: all of it takes hours (NEVER_SLOWER=--minutes=0).
NEVER_SLOWER ?= --minutes=12
never-slower: all
	UNWARP=$(call whole,$(BUILD))/bin/unwarp bench/never-slower $(NEVER_SLOWER)

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)
