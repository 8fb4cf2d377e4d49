#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Stock wheels under unwarp --exec, one line for each thing that they are to do:
#
#   tests/python/wheels/run.sh BUILD_DIR [openmm | torch | jax]…
#
# The wheels go into an environment of their own, BUILD_DIR/tests/wheels (3 GB); pip needs a package index for that, once. Those of NVIDIA's
# libraries are left out where unwarp has its own. PYTHON says which Python (python3).
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: tests/python/wheels/run.sh BUILD_DIR [openmm | torch | jax]…}" && pwd) || exit 2
shift
environment=$build/tests/wheels
pip=$environment/bin/pip
export UNWARP_CACHE_DIR=${UNWARP_CACHE_DIR:-$build/tests/cache} # not the user's

have() { # name, arguments of pip's: once
  [ -e "$environment/$1.installed" ] || { "$pip" install -q "${@:2}" && touch "$environment/$1.installed"; }
}

install() {
  [ -x "$pip" ] || "${PYTHON:-python3}" -m venv "$environment" || return
  have numpy numpy 'setuptools>=77' || return
  case $1 in
    openmm) have openmm --no-deps openmm==8.6.1 openmm-cuda-13==8.6.1 ;;
    torch) have torch-needs ninja filelock typing_extensions sympy networkx jinja2 fsspec &&
      have torch --no-deps torch==2.15.0 nvidia-nccl-cu13==2.30.7 nvidia-nvshmem-cu13==3.7.2 nvidia-cusparselt-cu13==0.8.1 nvidia-cufile==1.20.* &&
      have cupti --no-deps 'nvidia-cuda-cupti==13.0.*' ;;
    jax) have jax jax==0.10.2 && have jax-plugin --no-deps jax-cuda13-plugin==0.10.2 jax-cuda13-pjrt==0.10.2 &&
      have cupti --no-deps 'nvidia-cuda-cupti==13.0.*' ;; # newer ones ask NVIDIA's driver before they say their version
    *) false ;;
  esac
}

declare -A checks=([openmm]=openmm_forces.py [torch]=torch_tensors.py [jax]=jax_operations.py)
[ $# -gt 0 ] || set -- openmm torch jax
status=0
for wheel in "$@"; do
  install "$wheel" || { echo "FAIL $wheel: cannot be installed into $environment"; status=1; continue; }
  PATH=$environment/bin:$PATH "$build/bin/unwarp" --exec "$environment/bin/python" "$here/${checks[$wheel]}" 2>"$environment/$wheel.err" ||
    { status=1; echo "what $wheel said: $environment/$wheel.err"; }
done
exit $status
