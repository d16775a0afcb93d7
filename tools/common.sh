# SPDX-License-Identifier: Apache-2.0
# Sourced by ./onnx-fold, ./run-tests, ./run-bench and tools/*.sh: where things are, set-up, build.
# A stamp file records each step; a step whose stamp is newer than what it depends on is skipped
# within milliseconds.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build
library_folders=(options widenum elements gc symbolic constprop onnx sequence dealloc tools cmake CMakeLists.txt)

say() { echo "$@" >&2; }
die() { say "$@"; exit 1; }

# find_python MODULE...: prints a Python of version 3.11 or newer that has the modules. The first in
# PATH may be one of pyenv or conda without them; Debian's own is then tried.
find_python() {
  local candidate module imports=
  for module in "$@"; do imports+="import $module;"; done
  for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c "import sys; assert sys.version_info >= (3, 11);$imports" 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  die "no python3 of version 3.11 or newer with: $*; run tools/setup.sh"
}

# newer_than STAMP PATH...: whether the stamp is absent, or something below the paths is newer.
newer_than() {
  local stamp=$1
  shift
  [[ ! -e $stamp ]] || [[ -n $(cd "$root" && find "$@" -newer "$stamp" -print -quit 2>/dev/null) ]]
}

# with_lock COMMAND...: one builder at a time in the build folder.
with_lock() {
  mkdir -p "$build"
  exec 9>"$build/.lock"
  flock -n 9 || { say "waiting for another build in $build"; flock 9; }
  "$@"
  exec 9>&-
}

set_up() {
  local stamp=$build/.set-up
  if newer_than "$stamp" tools/setup.sh; then
    "$root/tools/setup.sh" >&2 && touch "$stamp"
  fi
}

configure() {
  if [[ ! -f $build/build.ninja ]]; then
    say "configuring"
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_C_COMPILER="${CC:-gcc}" -DCMAKE_CXX_COMPILER="${CXX:-g++}" >"$build/configure.log" 2>&1 ||
      { cat "$build/configure.log" >&2; die "configuring failed"; }
  fi
}

# build_targets TARGET...: builds with progress on standard error.
build_targets() {
  NINJA_STATUS="[%f/%t, %e s] " ninja -C "$build" "$@" >&2
}

# prepare STAMP TARGET...: everything up to the built targets. The stamp gets the time at which the
# build began: what is edited meanwhile is newer.
prepare() {
  local stamp=$1
  shift
  set_up
  touch "$stamp.new"
  configure
  build_targets "$@" || die "the build failed"
  mv "$stamp.new" "$stamp"
}
