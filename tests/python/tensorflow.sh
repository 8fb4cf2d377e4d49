#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A stock TensorFlow under unwarp --exec:  tests/python/tensorflow.sh BUILD_DIR [name …]
#
# The wheel (572 MB) goes into an environment of its own in BUILD_DIR/tests/tensorflow, once; PYTHON names a Python that it is made for.
set -eu
build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
environment=$build/tests/tensorflow
python=${PYTHON:-python3.11}
if [ ! -e "$environment/complete" ]; then
  "$python" -m venv "$environment"
  "$environment/bin/pip" install --quiet tensorflow==2.21.0
  touch "$environment/complete"
fi
exec "$build/bin/unwarp" --exec "$environment/bin/python" "$here/tensorflow_operations.py" "$@"
