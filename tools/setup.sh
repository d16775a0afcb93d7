#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh: installs the Debian packages that the build and the tests need, and only those that are
# missing. The ONNX sources are fetched when cmake configures (tools/fetch-onnx.sh); what only the
# tests need comes with ./run-tests (tools/setup-tests.sh).
set -euo pipefail

packages=(ca-certificates g++ cmake ninja-build libmlir-22-dev mlir-22-tools llvm-22 llvm-22-dev llvm-22-tools
  libprotobuf-dev protobuf-compiler libprotozero-dev libeigen3-dev libsleef-dev libre2-dev libffi-dev libxxhash-dev zlib1g-dev
  libgtest-dev libgmock-dev libbenchmark-dev python3 python3-pip python3-venv)

if ! command -v apt-get >/dev/null; then
  echo "this is not a Debian system: install what corresponds to ${packages[*]}" >&2
  exit 0
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || { echo "run as root once: apt-get install ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi

# apt_get ARGUMENTS: quiet where all is well.
apt_get() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >&2
}

available() { [[ $(apt-cache policy libmlir-22-dev 2>/dev/null) == *Candidate:\ [0-9]* ]]; }

# enable_security: MLIR 22 is in bookworm's security archive, which a bare debootstrap does not
# name. It stands beside the main archive, so its address follows from the one that is set up.
enable_security() {
  local address signed=
  address=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' |
    awk '$2 == "bookworm" { sub("/$", "", $1); print $1; exit }')
  [[ -n $address ]] || { echo "no archive of Debian bookworm is set up: cannot find MLIR 22" >&2; exit 1; }
  [[ -e /usr/share/keyrings/debian-archive-keyring.gpg ]] &&
    signed="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] "
  echo "deb $signed$address-security bookworm-security main" |
    "${as_root[@]}" tee /etc/apt/sources.list.d/bookworm-security-for-mlir.list >/dev/null
}

echo "installing: ${missing[*]}" >&2
# An installation that was interrupted keeps apt from working until it is finished.
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive dpkg --configure -a >&2
apt_get update || echo "apt-get update failed; going on with the lists that are there" >&2
if ! available; then
  enable_security
  apt_get update
fi
apt_get install -y --no-install-recommends "${missing[@]}"
