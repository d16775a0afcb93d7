#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# setup-aarch64.sh: what `cmake --preset aarch64` needs: Debian's cross compiler, an emulator for the tests, and in
# build/sysroot-aarch64 the files of the arm64 packages that the build links, and a Python. Those are only unpacked: nothing of another
# architecture is installed, and the lists of packages of this machine stay as they are.
set -euo pipefail
source "$(dirname "$0")/common.sh"
sysroot=$build/sysroot-aarch64
packages=(libmlir-22-dev mlir-22-tools llvm-22-dev libprotobuf-dev libprotozero-dev libeigen3-dev libsleef-dev libre2-dev libffi-dev
  libxxhash-dev zlib1g-dev libzstd-dev libc6-dev libstdc++-12-dev python3)

as_root() { if [[ $(id -u) -eq 0 ]]; then "$@"; else sudo "$@"; fi; }

for tool in aarch64-linux-gnu-g++ qemu-aarch64-static; do
  command -v "$tool" >/dev/null && continue
  say "installing Debian's cross compiler for arm64 and qemu"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends \
    g++-aarch64-linux-gnu qemu-user-static >&2
done

# apt_arm64 ARGUMENTS: apt-get as on an arm64 machine on which nothing is installed, with lists of its own.
apt_arm64() {
  apt-get -qq -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" \
    -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root "$@" >&2
}

# The archives of bookworm that this machine is set up with.
write_sources() {
  apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' | sort -u |
    awk '$2 ~ /^bookworm/ { print "deb [arch=arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]", $1, $2, "main" }'
}

if newer_than "$sysroot/.complete" tools/setup-aarch64.sh; then
  say "fetching the arm64 packages (230 MB)"
  mkdir -p "$build"
  work=$(mktemp -d "$build/arm64.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  touch "$work/status"
  write_sources >"$work/sources.list"
  apt_arm64 update
  apt_arm64 install --download-only -y --no-install-recommends "${packages[@]}"
  rm -rf "$sysroot"
  mkdir -p "$sysroot"
  for package in "$work"/cache/archives/*.deb; do dpkg -x "$package" "$sysroot"; done
  # Links to /usr/lib/... mean those of the sysroot.
  find "$sysroot" -type l -lname '/*' | while read -r link; do
    ln -sfrn "$sysroot$(readlink "$link")" "$link"
  done
  touch "$sysroot/.complete"
fi
