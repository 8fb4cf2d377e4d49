#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Today's PyTorch, the stock wheel, under unwarp --exec:
#
#   tests/python/torch_today/run.sh BUILD_DIR [SCRIPT.py [what that takes]…]
#
# The wheel goes into an environment of its own, BUILD_DIR/tests/torch-today (1.5 GB); pip needs a package index for that, once (install.sh).
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: tests/python/torch_today/run.sh BUILD_DIR [SCRIPT.py [ARGUMENT]…]}" && pwd) || exit 2
shift
. "$here/install.sh"

install || { echo "FAIL torch-today: cannot be installed into $environment"; exit 1; }
scripts="training.py half.py operators.py faults.py extension.py triton_kernels.py compile.py example.py"
case ${1:-} in
*.py) scripts=$1; shift ;;
esac
status=0
# What was compiled by another build of unwarp would not be compiled again.
made=$(mktemp -d) && trap 'rm -rf "$made"' EXIT
export TORCH_EXTENSIONS_DIR=$made/extensions TRITON_CACHE_DIR=$made/triton TORCHINDUCTOR_CACHE_DIR=$made/inductor
for script in $scripts; do
  PATH=$environment/bin:$PATH "$build/bin/unwarp" --exec "$environment/bin/python" "$here/$script" "$@" 2>"$environment/$script.err" ||
    { status=1; echo "what $script said: $environment/$script.err"; }
done
exit $status
