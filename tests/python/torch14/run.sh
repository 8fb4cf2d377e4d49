#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# PyTorch 1.4's stock wheel under unwarp --exec, its operators against its CPU:
#
#   tests/python/torch14/run.sh BUILD_DIR [training.py | compare.py | resnet.py] [what that takes]…
#
# The wheel goes into an environment of its own, BUILD_DIR/tests/torch14 (2 GB); pip needs a package index for that, once. PYTHON says which Python; it
# has to be 3.8, the newest for which that wheel is there.
set -u

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:?usage: tests/python/torch14/run.sh BUILD_DIR [training.py | compare.py | resnet.py] [NAME]…}" && pwd) || exit 2
shift
environment=$build/tests/torch14
export UNWARP_CACHE_DIR=${UNWARP_CACHE_DIR:-$build/tests/cache} # not the user's

is_38() { "$1" -c 'import sys, venv; sys.exit(sys.version_info[:2] != (3, 8))' 2>/dev/null; }

find_python() {
  local each
  for each in "${PYTHON:-}" python3.8 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.8.*/bin/python; do
    [ -n "$each" ] && is_38 "$each" && { echo "$each"; return; }
  done
  return 1
}

install() {
  [ -e "$environment/installed" ] && return
  local python
  python=$(find_python) || {
    echo "PyTorch 1.4 wants Python 3.8, which is not here: install it (pyenv install 3.8) and say PYTHON=/path/to/python3.8"
    return 1
  }
  "$python" -m venv "$environment" && "$environment/bin/pip" install -q torch==1.4.0 'numpy<1.25' && touch "$environment/installed"
}

install || { echo "FAIL torch14: cannot be installed into $environment"; exit 1; }
scripts="training.py compare.py"
case ${1:-} in
*.py) scripts=$1; shift ;;
esac
status=0
export UNWARP_DEVICES=${UNWARP_DEVICES:-2} # nets on several, and all else on the first of them
for script in $scripts; do
  PATH=$environment/bin:$PATH "$build/bin/unwarp" --exec "$environment/bin/python" "$here/$script" "$@" 2>"$environment/$script.err" ||
    { status=1; echo "what $script said: $environment/$script.err"; }
done
exit $status
