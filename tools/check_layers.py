#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a folder includes what it may not see. The tables below are the law (docs/architecture.md names the folders).

Every C++ file of the repository is read. Its layer is the longest listed folder that holds it; a file in no listed folder is
an error, so a new folder needs a row here. Headers of ours are included as "onnxfold/<folder>/X.h" only: a path relative to
the file would hide an arrow. Headers in internal/ are for the folders below the same top folder only. Headers of others are
allowed by the prefix of their path, and a prefix that no row names is an error too. Standard and POSIX headers need no row.

    tools/check_layers.py [ROOT]       prints  widenum/WideNum.cpp:2: widenum may not include gc
    tools/check_layers.py --list       prints what each folder may include, of ours and of others
"""

import pathlib
import re
import sys

STORAGE = {"widenum", "elements/memory", "elements"}
OPERATIONS = STORAGE | {"elements/ops"}
VALUES = OPERATIONS | {"elements/ir"}
ENGINE = VALUES | {"symbolic", "constprop"}
ONNX_FOLDING = ENGINE | {"onnx/ir", "onnx/kernels", "onnx/folding"}
REWRITES = ONNX_FOLDING | {"onnx/transforms/rewrite"}
EVERYTHING = None  # no restriction: programs and tests

# layer -> the layers that it may include
LAYERS = {
    "options": set(),
    "widenum": set(),
    "elements/memory": {"widenum"},
    "elements": {"widenum", "elements/memory"},
    "elements/ops": STORAGE,
    "elements/nn": OPERATIONS,
    "elements/ir": STORAGE,
    "elements/npy": STORAGE,
    "gc": VALUES,
    "symbolic": OPERATIONS,
    "constprop": VALUES | {"symbolic"},
    "constprop/plan": ENGINE,
    "upstream": ENGINE | {"elements/nn"},
    "upstream/plugin": ENGINE | {"constprop/plan", "gc", "stablehlo", "upstream", "sequence/transforms", "dealloc", "dealloc/ownership", "dealloc/reuse",
                                 "dealloc/lowering", "tensorfolding", "tensorfolding/lowering"},
    "stablehlo/ir": set(),
    "stablehlo/vhlo": {"stablehlo/ir"},
    "stablehlo": ENGINE | {"elements/nn", "stablehlo/ir", "upstream"},
    "onnx/ir": set(),
    "onnx/io": VALUES | {"onnx/ir"},
    "onnx/kernels": ENGINE | {"elements/nn", "onnx/ir"},
    "onnx/folding": ENGINE | {"onnx/ir", "onnx/kernels"},
    "onnx/transforms/rewrite": ONNX_FOLDING | {"constprop/plan"},
    "onnx/transforms/rules": REWRITES,
    "onnx/transforms/ruleproof": REWRITES | {"onnx/transforms/rules", "onnx/verify"},
    "onnx/transforms/patterns": REWRITES | {"onnx/transforms/rules"},
    "onnx/transforms/functions": REWRITES,
    "onnx/transforms/controlflow": REWRITES,
    "onnx/transforms/cleanup": REWRITES
    | {"constprop/plan", "onnx/transforms/patterns", "onnx/transforms/functions", "onnx/transforms/controlflow"},
    "onnx/transforms/specialize": VALUES | {"onnx/ir"},
    "onnx/transforms/opset": ONNX_FOLDING | {"onnx/transforms/functions"},
    "onnx/transforms/convert": REWRITES | {"onnx/transforms/functions"},
    "onnx/transforms/compact": ONNX_FOLDING,
    "onnx/transforms/batch": ONNX_FOLDING,
    "onnx/transforms/runonce": REWRITES | {"onnx/transforms/functions"},
    "onnx/tosequence": ENGINE | {"elements/nn", "onnx/ir", "onnx/folding", "sequence"},
    "onnx/programs": ONNX_FOLDING | {"sequence/runtime"},
    "onnx/verify": ONNX_FOLDING,
    "onnx/driver": REWRITES
    | {"elements/npy", "constprop/plan", "onnx/io", "onnx/transforms/functions", "onnx/transforms/cleanup", "onnx/transforms/specialize"}
    | {"onnx/transforms/opset", "onnx/transforms/convert", "onnx/transforms/compact", "onnx/transforms/batch", "onnx/transforms/runonce", "onnx/verify", "options"}
    | {"onnx/transforms/rules", "onnx/transforms/ruleproof"},
    "onnx/values": ENGINE | {"elements/npy", "onnx/ir", "onnx/io", "onnx/folding", "onnx/programs"},
    "onnx/compile": ENGINE | {"gc", "onnx/ir", "onnx/io", "onnx/folding", "onnx/transforms/specialize", "onnx/driver", "onnx/tosequence"}
    | {"onnx/programs", "onnx/values", "sequence", "sequence/transforms", "sequence/runtime", "dealloc", "dealloc/optimizer", "dealloc/runtime"},
    "capi": {"onnx/driver", "options"},
    "dml": ENGINE | {"elements/npy", "onnx/ir", "onnx/io", "onnx/kernels", "onnx/folding", "onnx/transforms/rewrite", "onnx/transforms/functions", "onnx/driver"},
    "sequence": set(),
    "dealloc/ir": set(),
    "dealloc/ownership": {"dealloc/ir"},
    "dealloc/reuse": {"dealloc/ir"},
    "dealloc/lowering": {"dealloc/ir"},
    "dealloc/optimizer": set(),
    "dealloc/runtime": set(),
    "dealloc": {"dealloc/ir", "dealloc/ownership", "dealloc/reuse", "dealloc/lowering"},
    "sequence/runtime": set(),
    "sequence/transforms": {"sequence", "dealloc/lowering"},
    "tensorfolding/runtime": set(),
    "tensorfolding": {"tensorfolding/runtime"},
    "tensorfolding/lowering": {"dealloc/ir", "dealloc/ownership", "dealloc/reuse", "dealloc/lowering", "dealloc", "sequence/transforms", "tensorfolding/runtime",
                               "tensorfolding"},
    "tensorfolding/evaluation": ENGINE
    | {"elements/npy", "constprop/plan", "dealloc/optimizer", "tensorfolding/runtime", "tensorfolding", "tensorfolding/lowering"},
    "tools": EVERYTHING,
    "tests": EVERYTHING,
    "bench": EVERYTHING,
    "examples": EVERYTHING,
    "cmake": EVERYTHING,  # what takes the place of a header of a foreign library
}
NO_MLIR = {"options", "widenum", "elements/memory", "elements", "elements/ops", "elements/nn", "elements/npy", "symbolic", "dealloc/runtime", "sequence/runtime",
           "tensorfolding/runtime"}

# prefix of a foreign header -> the layers that may include it; None: all. Tests and benchmarks may include all that is
# listed: they compare.
COMPARING = {"tests", "bench"}
ONNX_LIBRARY = {"cmake", "onnx/ir", "onnx/io", "onnx/kernels", "onnx/folding", "onnx/driver", "onnx/values", "dml", "tools"} | {
    f"onnx/transforms/{room}" for room in ("rewrite", "rules", "ruleproof", "functions", "cleanup", "opset", "convert")
}
FOREIGN = {
    "llvm/Support/": None,
    "llvm/ADT/": None,
    "llvm/Option/": {"options"},
    "llvm/": set(LAYERS) - NO_MLIR,
    "mlir/": set(LAYERS) - NO_MLIR,
    "mlir-c/": {"upstream/plugin"},
    "onnx/": ONNX_LIBRARY,
    "google/protobuf/": ONNX_LIBRARY,
    "protozero/": {"onnx/io"},
    "Eigen/": {"elements/ops", "elements/nn"},
    "unsupported/Eigen/": {"elements/ops", "elements/nn"},
    "sleef.h": {"elements/ops"},
    "re2/": {"onnx/kernels"},
    "ffi.h": {"tensorfolding/runtime"},
    "xxhash.h": {"tensorfolding/runtime"},
    "zlib.h": {"elements/npy"},
    "gtest/": COMPARING,
    "gmock/": COMPARING,
    "benchmark/": COMPARING,
    "valgrind/": {"tests"},
}
SYSTEM = ("sys/", "ext/", "linux/", "netinet/", "arpa/", "bits/", "asm/", "cxxabi.h")

SUFFIXES = {".h", ".hpp", ".cpp", ".cc", ".c", ".def", ".inc"}
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def layerOf(folder):
    """The longest listed prefix of a folder's path, or None."""
    parts = folder.split("/")
    for length in range(len(parts), 0, -1):
        name = "/".join(parts[:length])
        if name in LAYERS:
            return name
    return None


def sources(root):
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        if parts[0].startswith((".", "build")) or path.suffix not in SUFFIXES or len(parts) == 1:
            continue
        if path.is_file():
            yield path


def homeOf(folder):
    """Whose internal headers a folder may include: those below the same top folder; onnx/ is a top folder of several."""
    parts = folder.removesuffix("/internal").split("/")
    return "/".join(parts[:2] if parts[0] == "onnx" else parts[:1])


def checkOwn(layer, header):
    """What is wrong with the include of one of our headers, or None."""
    folder = header.rpartition("/")[0]
    seen = layerOf(folder)
    if seen is None:
        return f"{folder} is not a listed folder"
    allowed = LAYERS[layer]
    if allowed is EVERYTHING:
        return None
    if folder.endswith("/internal") and homeOf(layer) != homeOf(folder):
        return f"{layer} may not include {header}: it is internal to {homeOf(folder)}/"
    if seen == layer or seen in allowed:
        return None
    return f"{layer} may not include {seen}"


def checkForeign(layer, header):
    prefixes = [prefix for prefix in FOREIGN if header.startswith(prefix)]
    if not prefixes:
        if "/" not in header or header.startswith(SYSTEM):
            return None
        return f"no row of tools/check_layers.py names the prefix of {header}"
    allowed = FOREIGN[max(prefixes, key=len)]
    if allowed is None or layer in allowed or layer in COMPARING:
        return None
    return f"{layer} may not include {header}"


def checkInclude(layer, quote, header):
    if header.startswith("onnxfold/"):
        return checkOwn(layer, header.removeprefix("onnxfold/"))
    inLibrary = LAYERS[layer] is not EVERYTHING
    if inLibrary and quote == '"' and (header.startswith(".") or "/" not in header):
        return f'{header} must be included as "onnxfold/<folder>/{header.rpartition("/")[2]}"'
    return checkForeign(layer, header)


def check(root):
    """Every violation as `file:line: text`."""
    errors = []
    for path in sources(root):
        name = path.relative_to(root)
        layer = layerOf(name.parent.as_posix())
        if layer is None:
            errors.append(f"{name}:1: {name.parent.as_posix()} is not a listed folder")
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            error = checkInclude(layer, *match.groups()) if match else None
            if error:
                errors.append(f"{name}:{number}: {error}")
    return errors


def rowOf(layer):
    """`gc: widenum, elements | mlir/`: the folders and then the prefixes of foreign headers that a folder may include."""
    seen = LAYERS[layer]
    ours = "all" if seen is EVERYTHING else ", ".join(name for name in LAYERS if name in seen) or "none of ours"
    return f"{layer}: {ours} | {', '.join(prefix for prefix, users in FOREIGN.items() if users is None or layer in users)}"


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(map(rowOf, LAYERS)))
        return 0
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    errors = check(root)
    for error in errors:
        print(error)
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
