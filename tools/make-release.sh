#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# make-release.sh [ARCHITECTURE...]: all artefacts of a release, checked, in build/release: for x86_64 and aarch64 (or those
# that are named) an archive of the static programs, a wheel and a Debian package; for x86_64 the plugin for Debian's
# mlir-opt-22; the source distribution; SHA256SUMS, and a bill of materials for each architecture (SPDX). The version is that of
# CMakeLists.txt.
set -euo pipefail
source "$(dirname "$0")/common.sh"
case ${1:-} in -h | --help) sed -n '3,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;; esac

release=$build/release
architectures=("$@")
[[ $# -gt 0 ]] || architectures=(x86_64 aarch64)
version=$(sed -n 's/^project(onnxfold VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
venv=$build/release-venv
# Those that hold all that they use.
programs=(onnx-fold onnx-to-dml dml-to-onnx)
# The wheel holds a program without shared libraries, which runs with every C library.
declare -A preset=([x86_64]=release [aarch64]=aarch64) tree=([x86_64]=$build [aarch64]=$root/build-aarch64)
declare -A debian=([x86_64]=amd64 [aarch64]=arm64) emulator=([x86_64]= [aarch64]=qemu-aarch64-static)

make_venv() {
  "$(find_python venv ensurepip)" -m venv "$venv"
  "$venv/bin/python3" -m pip install --quiet --disable-pip-version-check -r "$root/tools/release-requirements.txt"
  touch "$venv/.complete"
}

# make_programs ARCHITECTURE: builds them, in ${tree[ARCHITECTURE]}; stripped, they are in the archive.
make_programs() {
  local name=onnx-fold-$version-linux-$1 strip=strip
  [[ $1 == x86_64 ]] || strip=$1-linux-gnu-strip
  (cd "$root" && cmake --preset "${preset[$1]}" &&
    cmake --build --preset "${preset[$1]}" --target "${programs[@]}" onnxfold_c onnxfold_option_files) >&2
  mkdir "$release/$name"
  for program in "${programs[@]}"; do "$strip" -o "$release/$name/$program" "${tree[$1]}/bin/$program"; done
  cmake --install "${tree[$1]}" --component release_share --prefix "$release/$name" >&2
  cp "$root/LICENSE" "$root/README.md" "$root/CHANGELOG.md" "$release/$name/"
  "$(find_python)" -B "$root/tools/make_notices.py" "${tree[$1]}/third-party" "$release/$name/THIRD-PARTY-NOTICES"
}

# make_wheel ARCHITECTURE: packs the program.
make_wheel() {
  local work
  work=$(mktemp -d "$release/wheel.XXXXXX")
  "$venv/bin/python3" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w "$work" \
    --config-settings=cmake.define.ONNXFOLD_PROGRAM="$release/onnx-fold-$version-linux-$1/onnx-fold" "$root" >&2
  "$venv/bin/python3" -m wheel tags --remove \
    --platform-tag "manylinux_2_17_$1.manylinux2014_$1.musllinux_1_1_$1" "$work"/*.whl >&2
  mv "$work"/*.whl "$release/"
  rm -r "$work"
}

# make_archive ARCHITECTURE [FOLDER]: of a folder of the release, which goes.
make_archive() {
  local name=${2:-onnx-fold-$version-linux-$1}
  tar -C "$release" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git -C "$root" log -1 --format=%ct)" \
    -cJf "$release/$name.tar.xz" "$name"
  rm -r "${release:?}/$name"
}

# make_plugin: of x86_64; it links libMLIR.so.22.1 of Debian, and what else Debian has as shared libraries.
make_plugin() {
  local name=onnx-fold-mlir-22-plugin-$version-linux-x86_64
  cmake --build "$build" --target onnxfold_passes >&2
  cmake --install "$build" --component plugin --strip --prefix "$release/$name" >&2
  cp "$root/LICENSE" "$release/$name/"
  "$(find_python)" -B "$root/tools/make_notices.py" "$build/third-party" "$release/$name/THIRD-PARTY-NOTICES"
  make_archive x86_64 "$name"
}

# lists TEXT COMMAND...: what the command prints has the text. All of it is read: a command whose reader ends early dies.
lists() { "${@:2}" | grep -F -- "$1" >/dev/null; }

# check_plugin: stock mlir-opt loads it from where it is unpacked, and folds an example.
check_plugin() {
  local work plugin
  work=$(mktemp -d)
  tar -C "$work" -xJf "$release/onnx-fold-mlir-22-plugin-$version-linux-x86_64.tar.xz"
  plugin=$(echo "$work"/onnx-fold-mlir-*/lib/libonnxfold_passes.so)
  ! lists 'not found' ldd "$plugin" || die "the plugin needs what is not there"
  [[ -s $(echo "$work"/onnx-fold-mlir-*/include/onnx_fold_mlir.h) ]] || die "the plugin has no header"
  mlir-opt-22 --load-pass-plugin="$plugin" --load-dialect-plugin="$plugin" \
    --pass-pipeline='builtin.module(constprop,scrub)' "$root/examples/plugin/constprop.mlir" >"$work/out.mlir"
  ! grep -q 'tensor.extract_slice' "$work/out.mlir" || die "the plugin did not fold"
  rm -rf "$work"
}

make_debian_package() {
  (cd "${tree[$1]}" && cpack -G DEB -B "$release") >&2
  rm -rf "$release/_CPack_Packages"
}

# check_wheel ARCHITECTURE FOLDER: pip installs it, and the module folds; for another architecture Debian's Python of that one
# under qemu, with the pip of this one. (There the program is started by a script, as binfmt_misc would.)
check_wheel() {
  local python=$2/venv/bin/python3 program=$2/venv/bin/onnx-fold site=
  "$(find_python venv ensurepip)" -m venv "$2/venv"
  if [[ -n ${emulator[$1]} ]]; then
    local sysroot=$build/sysroot-$1
    python=$2/python3 program=$2/onnx-fold site=$2/site
    write_script "$python" "${emulator[$1]}" -L "$sysroot" "$(readlink -f "$sysroot/usr/bin/python3")"
    write_script "$program" "${emulator[$1]}" "$site/bin/onnx-fold"
    PYTHONPATH=$(echo "$2"/venv/lib/python3*/site-packages) "$python" -m pip install --quiet --no-compile --no-index \
      --disable-pip-version-check --root-user-action=ignore --target "$site" "$release"/onnx_fold-*"_$1.whl"
  else
    "$python" -m pip install --quiet --disable-pip-version-check --no-index "$release"/onnx_fold-*"_$1.whl"
  fi
  (cd "$2" && env ${site:+PYTHONPATH="$site" ONNXFOLD_BINARY="$program"} "$python" -c "
import platform, onnx_fold
print(platform.machine(), platform.python_version(), onnx_fold.fold('root/sample.onnx', 'out.onnx'))" && "$program" --version) >&2
  cmp "$2/out.onnx" "$2/root/sample.folded.onnx"
}

# write_script FILE COMMAND...: a program that is this command.
write_script() {
  printf '#!/bin/sh\nexec%s "$@"\n' "$(printf " '%s'" "${@:2}")" >"$1"
  chmod +x "$1"
}

# check ARCHITECTURE: each artefact where nothing else is: the programs in an empty root, the wheel in a fresh environment.
check() {
  local work empty folder
  work=$(mktemp -d)
  mkdir "$work/root"
  tar -C "$work" -xJf "$release/onnx-fold-$version-linux-$1.tar.xz"
  cp "$root/examples/sample.onnx" "$work/root/"
  # An emulator is no file of the empty root.
  empty=(unshare --map-root-user chroot "$work/root")
  [[ -z ${emulator[$1]} ]] || empty=("${emulator[$1]}")
  folder=${emulator[$1]:+$work/root}
  for program in "${programs[@]}"; do
    cp "$work"/onnx-fold-*/"$program" "$work/root/"
    "${empty[@]}" "$folder/$program" --version >&2
  done
  "${empty[@]}" "$folder/onnx-fold" "$folder/sample.onnx" >&2
  [[ -s $work/root/sample.folded.onnx ]] || die "onnx-fold of $1 wrote nothing"
  sha256sum <"$work/root/sample.folded.onnx" >"$release/.sample-$1"
  cmp "$release/.sample-${architectures[0]}" "$release/.sample-$1" || die "the bytes of the sample differ on $1"
  check_wheel "$1" "$work"
  lists doc/onnx-fold/THIRD-PARTY-NOTICES dpkg -c "$release/onnx-fold_${version}_${debian[$1]}.deb" ||
    die "the package has no notices"
  for file in licenses/THIRD-PARTY-NOTICES share/man/man1/onnx-fold.1; do
    lists "$file" "$(find_python)" -m zipfile -l "$release"/onnx_fold-*"_$1.whl" || die "the wheel has no $file"
  done
  for file in "$work"/onnx-fold-*/share/man/man1/onnx-fold.1 "$work"/onnx-fold-*/share/bash-completion/completions/onnx-to-dml; do
    [[ -s $file ]] || die "the archive has no $file"
  done
  rm -rf "$work"
}

set_up
[[ -e $venv/.complete ]] || make_venv
rm -rf "$release"
mkdir -p "$release"
# What is committed, and not the build folders that stand beside it.
source=$(mktemp -d)
git -C "$root" archive HEAD | tar -x -C "$source"
"$venv/bin/python3" -m build --sdist --no-isolation --outdir "$release" "$source" >&2
rm -rf "$source"
for architecture in "${architectures[@]}"; do
  [[ -n ${debian[$architecture]:-} ]] || die "architecture '$architecture', expected x86_64 or aarch64"
  [[ $architecture == x86_64 ]] || "$root/tools/setup-$architecture.sh"
  say "making the artefacts for $architecture"
  make_programs "$architecture"
  make_wheel "$architecture"
  make_archive "$architecture"
  make_debian_package "$architecture"
  check "$architecture"
  if [[ $architecture == x86_64 ]]; then
    make_plugin
    check_plugin
  fi
  "$(find_python)" "$root/tools/make_sbom.py" "$version" "${debian[$architecture]}" \
    "$release"/*"$architecture"* "$release"/*"_${debian[$architecture]}.deb" >"$release/onnx-fold-$version-$architecture.spdx.json"
  "$venv/bin/pyspdxtools" -i "$release/onnx-fold-$version-$architecture.spdx.json"
done
rm -f "$release"/.sample-*
(cd "$release" && sha256sum -- * >SHA256SUMS)
say "the release is in $release:"
ls -l "$release" >&2
