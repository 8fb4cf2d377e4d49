#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The kernels of test_triton.py with the stock triton wheel, on unwarp's driver: compiled for sm_80, and for sm_75, where products have other
# instructions and no copies beside the computation.
#
#   tests/python/triton/run.sh BUILD_DIR [test…]
#
# The wheel and NumPy go into an environment of their own, BUILD_DIR/tests/triton; pip needs a package index for that, once. PYTHON says which
# Python (python3), UW_ARCHITECTURES which architectures ("sm80 sm75").
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: tests/python/triton/run.sh BUILD_DIR [test…]}" && pwd) || exit 2
shift
environment=$build/tests/triton
python=$environment/bin/python
if ! "$python" -c 'import numpy, triton; assert triton.__version__ == "3.9.0"' 2>/dev/null; then
  "${PYTHON:-python3}" -m venv "$environment" && "$environment/bin/pip" install -q triton==3.9.0 numpy ||
    { echo "run.sh: the wheel of Triton 3.9.0 cannot be installed into $environment" >&2; exit 2; }
fi
export UNWARP_CACHE_DIR=${UNWARP_CACHE_DIR:-$build/tests/cache} # not the user's
export TRITON_CACHE_DIR=$environment/cache TRITON_DEFAULT_FP_FUSION=1
rm -rf "$TRITON_CACHE_DIR" # modules of the compiler as it was
status=0
for architecture in ${UW_ARCHITECTURES:-sm80 sm75}; do
  echo "$architecture:"
  TRITON_OVERRIDE_ARCH=$architecture "$build/bin/unwarp" --exec "$python" "$here/test_triton.py" "${@/#/Kernels.}" || status=1
done
exit $status
