# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Read by scripts of this folder, which have set `build`: `install` puts the stock wheel into an environment of its own, $environment. PYTHON says which Python (python3),
# TORCH and TRITON which versions.
environment=$build/tests/torch-today
version=${TORCH:-2.15.0}
export UNWARP_CACHE_DIR=${UNWARP_CACHE_DIR:-$build/tests/cache} # not the user's

# What it needs of Python's, and of NVIDIA's what unwarp has not.
install() {
  [ -e "$environment/$version.installed" ] && return
  local pip=$environment/bin/pip
  "${PYTHON:-python3}" -m venv "$environment" &&
    "$pip" install -q ninja numpy 'setuptools>=77' filelock typing_extensions sympy networkx jinja2 fsspec expecttest pytest &&
    "$pip" install -q --no-deps "torch==$version" "triton==${TRITON:-3.9.0}" nvidia-nvshmem-cu13 nvidia-cusparselt-cu13 'nvidia-cufile==1.20.*' 'nvidia-cuda-cupti==13.0.*' &&
    touch "$environment/$version.installed"
}
