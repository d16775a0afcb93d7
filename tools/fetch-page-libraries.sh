#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fetch-page-libraries.sh FOLDER: the libraries of the report's page (onnx/driver/report/page) from their Debian packages: scripts,
# versions and licences. The packages are unpacked, not installed: they would bring node.js along.
set -euo pipefail
mkdir -p "$(dirname "$1")"
parent=$(cd "$(dirname "$1")" && pwd)
target=$parent/$(basename "$1")
packages=(node-dagre-layout node-graphlibrary node-lodash node-d3-hierarchy)
work=$(mktemp -d "$parent/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT

fail() { echo "fetch-page-libraries.sh: $1" >&2; exit 1; }
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
  fail "no apt-get here: put dagre.min.js, d3-hierarchy.min.js, package.json and copyright of each package into $target"

download() { (cd "$work" && apt-get -qq download "${packages[@]}" >/dev/null 2>"$work/errors"); }
as_root=()
[[ $(id -u) -eq 0 ]] || as_root=(sudo)
download || { "${as_root[@]}" apt-get -qq update >&2 && download; } ||
  fail "cannot download ${packages[*]}: $(tail -n 1 "$work/errors")"

mkdir "$work/unpacked" "$work/chosen"
for package in "$work"/*.deb; do dpkg-deb -x "$package" "$work/unpacked"; done
# keep NAME PACKAGE script|part: what the page needs of a library; part: it is in the script of another one.
keep() {
  mkdir "$work/chosen/$1"
  local script=$work/unpacked/usr/share/nodejs/$1/dist/$1.min.js
  [[ $3 == part ]] || cp "$script" "$work/chosen/$1/"
  cp "$work/unpacked/usr/share/nodejs/$1/package.json" "$work/unpacked/usr/share/doc/$2/copyright" "$work/chosen/$1/"
}
keep dagre node-dagre-layout script
keep graphlib node-graphlibrary part # in dagre's script
keep lodash node-lodash part
keep d3-hierarchy node-d3-hierarchy script
rm -rf "$target"
mv "$work/chosen" "$target"
