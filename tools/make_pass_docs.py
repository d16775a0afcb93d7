#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/passes.md from every Passes.td, with mlir-tblgen. To be run again whenever one changes;
tests/tools/test_pass_docs.py fails while the file differs.

    tools/make_pass_docs.py [--check] [ROOT]     --check: writes nothing, exit status 1 if the file differs

ROOT/build must be configured: its CMakeCache.txt says where MLIR is.
"""

import re
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]

INTRODUCTION = """<!-- Made by tools/make_pass_docs.py from the Passes.td files; edit those. -->

# Passes

Every pass of `fold-opt`, by folder. The options of a pass follow its name: `-scrub="resources=1"`, or
`-pass-pipeline='builtin.module(scrub{resources=1})'`. In C++ the `Passes.h` of a folder (of `constprop/plan`:
`ConstantPropagation.h`) has a `create...Pass` and a `register...Pass` for each. `evaluate-constant-tensors` compiles what
it evaluates, and is in `fold-run`, which takes `--pass-pipeline` too. `-mlir-pass-statistics` prints the statistics of a pass.

Pipelines run several passes: `buffer-deallocation-and-reuse` and `lower-deallocation-to-llvm`
([deallocation.md](deallocation.md)), `lower-sequence-to-llvm` ([sequences.md](sequences.md)), and
`constant-tensor-folding-pipeline` and `lower-constant-tensors-to-llvm` ([tensor-folding.md](tensor-folding.md)).
"""


def definitions(root):
    """Every Passes.td of a tree."""
    paths = (path.relative_to(root) for path in root.rglob("Passes.td"))
    return sorted(path for path in paths if not path.parts[0].startswith((".", "build")))


def cached(build, name):
    match = re.search(f"^{name}:[A-Z]+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    if not match:
        sys.exit(f"{build}/CMakeCache.txt does not have {name}")
    return match[1]


def section(root, path, build):
    """The passes of one file, under the title that its banner has."""
    title = re.match(r"//===- Passes\.td - (.*?) -*\*-", (root / path).read_text())
    if not title:
        sys.exit(f"{path}: the first line is no banner with a title")
    include = Path(cached(build, "MLIR_DIR")).parents[2] / "include"
    text = subprocess.run([cached(build, "ONNXFOLD_TABLEGEN"), "-gen-pass-doc", root / path, f"-I{include}"],
                          check=True, capture_output=True, text=True).stdout
    passes = re.sub(r"#### Statistics\n\n```\n.*?```\n*", "", text.partition("-->\n")[2], flags=re.S).strip()
    return f"\n## {title[1]}\n\n`{path.parent.as_posix()}/Passes.td`\n\n{passes}\n"


def document(root, build=HOME / "build"):
    """What docs/passes.md has to be."""
    return INTRODUCTION + "".join(section(root, path, build) for path in definitions(root))


def main():
    check = "--check" in sys.argv[1:]
    roots = [argument for argument in sys.argv[1:] if argument != "--check"]
    root = Path(roots[0]).resolve() if roots else HOME
    target = root / "docs/passes.md"
    text = document(root, root / "build")
    if not check:
        target.write_text(text)
        return 0
    if target.exists() and target.read_text() == text:
        return 0
    print("docs/passes.md differs from the Passes.td files: run tools/make_pass_docs.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
