# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# make install      into PREFIX (/usr/local), below DESTDIR if that is given. The installation may be moved as a whole
# make uninstall    takes away what that put there
# make wheel        a wheel for pip, dist/unwarp-VERSION-….whl, that holds what unwarp uses of LLVM, too (packaging/wheel/build.py); installs what is
#                   missing for that first, as make example does
# make deb          a Debian package, $(BUILD)/unwarp_VERSION_ARCH.deb, that depends on the packages that hold what unwarp uses
# make apt-repository    that package in a repository of apt's, $(DIST)/apt, signed by APT_KEY (packaging/apt/repository.sh)
#
#   PREFIX/bin/unwarp           the compiler
#   PREFIX/lib/unwarp/          the tool kit (toolkit.mk): what CUDA_HOME and CMake's CUDAToolkit_ROOT may name; bin/unwarp-clangd; unwarp-gdb.py
#   PREFIX/lib/cmake/           find_package of unwarp, IntelSYCL, AdaptiveCpp and NCCL
#   PREFIX/share/               manual page, completion for bash, zsh and fish, docs/support.md and docs/sycl.md, licence
PREFIX ?= /usr/local
INSTALLED := $(DESTDIR)$(PREFIX)
KIT := $(INSTALLED)/lib/unwarp
CMAKE_NAMES := unwarp IntelSYCL AdaptiveCpp NCCL
KIT_PARTS := lib lib64 nvvm targets version.json version.txt
VERSION = $(shell sed -n 's/^\#define UW_VERSION "\(.*\)"/\1/p' compiler/driver/help.h)

PAGES := $(addprefix $(BUILD)/share/,unwarp.1 unwarp.bash _unwarp unwarp.fish)
pages: $(PAGES)
all: pages
$(PAGES): export ASAN_OPTIONS := detect_leaks=0
$(BUILD)/bin/option-pages: COMPILER_LIBS :=
$(BUILD)/bin/option-pages: $(addprefix $(BUILD)/obj/,tools/option-pages.o compiler/driver/option_table.o \
  compiler/driver/suggest.o compiler/support/strings.o)
$(BUILD)/share/unwarp.1: docs/unwarp.1.in $(BUILD)/bin/option-pages
	@mkdir -p $(@D)
	$(BUILD)/bin/option-pages man $(VERSION) < $< > $@
$(BUILD)/share/unwarp.bash: SHELL_NAME := bash
$(BUILD)/share/_unwarp: SHELL_NAME := zsh
$(BUILD)/share/unwarp.fish: SHELL_NAME := fish
$(BUILD)/share/unwarp.bash $(BUILD)/share/_unwarp $(BUILD)/share/unwarp.fish: $(BUILD)/bin/option-pages
	@mkdir -p $(@D)
	$(BUILD)/bin/option-pages $(SHELL_NAME) > $@

# Where each page goes, below PREFIX/share.
PAGE_PLACES := unwarp.1:man/man1/unwarp.1 unwarp.bash:bash-completion/completions/unwarp \
  _unwarp:zsh/site-functions/_unwarp unwarp.fish:fish/vendor_completions.d/unwarp.fish
place_page = install -m 644 -D $(BUILD)/share/$(firstword $(1)) '$(INSTALLED)/share/$(lastword $(1))'
# Paths have quotes around them: a PREFIX may have blanks.
KIT_LIBRARIES = $(foreach library,libcudart.so.12 $(LIBRARY_SHARED),'$(KIT)/lib/$(library)')

install: all
	install -s -D $(BUILD)/bin/unwarp '$(INSTALLED)/bin/unwarp'
	rm -rf '$(KIT)' && mkdir -p '$(KIT)/bin'
	ln -s ../../../bin/unwarp '$(KIT)/bin/nvcc'
	for name in ptxas icpx dpcpp acpp; do ln -s ../../../bin/unwarp '$(KIT)/bin/'$$name; done
	install -s $(BUILD)/bin/nvidia-smi $(BUILD)/bin/sycl-ls $(BUILD)/bin/unwarp-opt '$(KIT)/bin'
	install tools/unwarp-clangd '$(KIT)/bin/unwarp-clangd'
	cp -RP $(addprefix $(BUILD)/,$(KIT_PARTS)) '$(KIT)'
	cp -RL $(BUILD)/include '$(KIT)/include'
	install -m 644 tools/unwarp-gdb.py '$(KIT)'
	mkdir -p '$(INSTALLED)/lib/cmake'
	for name in $(CMAKE_NAMES); do ln -sfn ../unwarp/lib/cmake/$$name '$(INSTALLED)/lib/cmake/'$$name; done
	strip -g '$(KIT)/lib/libunwarp.a' '$(KIT)/lib/libsycl.a'
	strip --strip-unneeded $(KIT_LIBRARIES)
	$(foreach page,$(PAGE_PLACES),$(call place_page,$(subst :, ,$(page))) &&) true
	install -m 644 -D docs/support.md '$(INSTALLED)/share/doc/unwarp/support.md'
	install -m 644 -D docs/sycl.md '$(INSTALLED)/share/doc/unwarp/sycl.md'
	install -m 644 -D LICENSE '$(INSTALLED)/share/doc/unwarp/LICENSE'
	chmod -R u=rwX,go=rX '$(KIT)'
	chmod 644 $(KIT_LIBRARIES)

uninstall:
	rm -rf '$(KIT)' '$(INSTALLED)/share/doc/unwarp'
	rm -f '$(INSTALLED)/bin/unwarp' $(foreach name,$(CMAKE_NAMES),'$(INSTALLED)/lib/cmake/$(name)') \
	  $(foreach page,$(PAGE_PLACES),'$(INSTALLED)/share/$(lastword $(subst :, ,$(page)))')

deb: all
	scripts/make-deb.sh $(BUILD) $(VERSION)

DIST ?= dist
apt-repository: export APT_KEY := $(APT_KEY)
apt-repository: export APT_SUITE := $(APT_SUITE)
apt-repository: deb
	packaging/apt/repository.sh $(DIST)/apt $(BUILD)/unwarp_$(VERSION)_*.deb

# From a fresh clone, too: what is missing is installed first, in a make of its own, as for make example.
wheel:
	@scripts/install-deps.sh --wheel
	@$(MAKE) --no-print-directory -j$(shell nproc) all
	python3 packaging/wheel/build.py $(BUILD) $(VERSION) "$$($(LLVM_CONFIG) --prefix)" $(DIST)

.PHONY: pages install uninstall deb wheel apt-repository
