# SPDX-License-Identifier: Apache-2.0
"""The layer check on small trees of the test's own: what must pass passes, and each kind of violation is named."""

import subprocess
import sys

import pytest


import onnxfold_testing as t

CHECK = t.ROOT / "tools/check_layers.py"


def complaints(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = subprocess.run([sys.executable, str(CHECK), str(folder)], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == (1 if lines else 0), "the exit status"
    assert done.stderr == "", "standard error"
    return lines


CASES = {}


def accepts(name, files):
    CASES[name] = (files, [])


def refuses(name, files, *expected):
    CASES[name] = (files, list(expected))


accepts("downward_arrow", {"gc/A.cpp": '#include "onnxfold/elements/B.h"\n#include "onnxfold/gc/A.h"\n#include <vector>\n'})
accepts("system_header", {"onnx/io/A.cpp": "#include <sys/mman.h>\n#include <protozero/pbf_reader.hpp>\n"})
accepts("tests_see_all", {"tests/gc/A.cpp": '#include "onnxfold/onnx/kernels/B.h"\n#include "gtest/gtest.h"\n#include "C.h"\n'})
accepts("nested_folder_belongs_to_its_layer", {"onnx/kernels/support/A.cpp": '#include "onnxfold/elements/B.h"\n'})
accepts("rooms_of_elements", {"elements/nn/A.cpp": '#include "onnxfold/elements/ops/B.h"\n#include "onnxfold/elements/memory/C.h"\n'})
accepts("rooms_of_dealloc", {"dealloc/A.cpp": '#include "onnxfold/dealloc/reuse/B.h"\n#include "onnxfold/dealloc/lowering/C.h"\n',
                             "dealloc/ownership/A.cpp": '#include "onnxfold/dealloc/ir/B.h"\n'})
accepts("internal_below_the_same_top_folder", {
    "elements/ops/A.cpp": '#include "onnxfold/elements/internal/B.h"\n#include "onnxfold/elements/ops/internal/C.h"\n',
    "dealloc/reuse/A.cpp": '#include "onnxfold/dealloc/ir/internal/B.h"\n',
    "onnx/kernels/ml/A.cpp": '#include "onnxfold/onnx/kernels/internal/B.h"\n'})
accepts("tests_see_internal_headers", {"tests/gc/A.cpp": '#include "onnxfold/gc/internal/B.h"\n',
                                       "bench/gc/A.cpp": '#include "onnxfold/gc/internal/B.h"\n'})
accepts("build_folders_are_not_read", {"build/x/A.cpp": '#include "onnxfold/nowhere/B.h"\n', "build-asan/A.h": ""})

refuses("upward_arrow", {"widenum/A.cpp": "\n#include \"onnxfold/gc/B.h\"\n"}, "widenum/A.cpp:2: widenum may not include gc")
refuses("engine_knows_no_onnx", {"constprop/A.h": '#  include "onnxfold/onnx/ir/B.h"\n'},
        "constprop/A.h:1: constprop may not include onnx/ir")
refuses("io_does_not_see_the_engine", {"onnx/io/A.h": '#include "onnxfold/constprop/B.h"\n'},
        "onnx/io/A.h:1: onnx/io may not include constprop")
refuses("independent_layer", {"dealloc/A.h": '#include "onnxfold/sequence/B.h"\n'}, "dealloc/A.h:1: dealloc may not include sequence")
refuses("the_attribute_does_not_see_the_operators", {"elements/ir/A.h": '#include "onnxfold/elements/ops/B.h"\n'},
        "elements/ir/A.h:1: elements/ir may not include elements/ops")
refuses("operators_do_not_see_the_attribute", {"elements/ops/A.h": '#include "onnxfold/elements/ir/B.h"\n'},
        "elements/ops/A.h:1: elements/ops may not include elements/ir")
refuses("the_engine_does_not_see_gc", {"constprop/A.h": '#include "onnxfold/gc/B.h"\n', "constprop/plan/A.h": '#include "onnxfold/gc/B.h"\n'},
        "constprop/A.h:1: constprop may not include gc", "constprop/plan/A.h:1: constprop/plan may not include gc")
refuses("rooms_of_dealloc_side_by_side", {"dealloc/reuse/A.h": '#include "onnxfold/dealloc/ownership/B.h"\n',
                                          "dealloc/ir/A.h": '#include "onnxfold/dealloc/Passes.h"\n'},
        "dealloc/ir/A.h:1: dealloc/ir may not include dealloc", "dealloc/reuse/A.h:1: dealloc/reuse may not include dealloc/ownership")
refuses("compiled_programs_do_not_link_mlir", {"dealloc/runtime/A.cpp": '#include "mlir/IR/Types.h"\n',
                                               "sequence/runtime/A.cpp": '#include "mlir/IR/Types.h"\n',
                                               "tensorfolding/runtime/A.cpp": '#include "mlir/IR/Types.h"\n'},
        "dealloc/runtime/A.cpp:1: dealloc/runtime may not include mlir/IR/Types.h",
        "sequence/runtime/A.cpp:1: sequence/runtime may not include mlir/IR/Types.h",
        "tensorfolding/runtime/A.cpp:1: tensorfolding/runtime may not include mlir/IR/Types.h")
refuses("only_the_evaluation_of_tensorfolding_sees_the_engine", {"tensorfolding/A.h": '#include "onnxfold/constprop/B.h"\n',
                                                                 "tensorfolding/evaluation/A.h": '#include "onnxfold/constprop/B.h"\n'},
        "tensorfolding/A.h:1: tensorfolding may not include constprop")
refuses("internal_of_another_folder", {
    "gc/A.cpp": '#include "onnxfold/elements/internal/B.h"\n#include "onnxfold/elements/ops/internal/C.h"\n',
    "onnx/verify/A.cpp": '#include "onnxfold/onnx/folding/internal/B.h"\n'},
        "gc/A.cpp:1: gc may not include elements/internal/B.h: it is internal to elements/",
        "gc/A.cpp:2: gc may not include elements/ops/internal/C.h: it is internal to elements/",
        "onnx/verify/A.cpp:1: onnx/verify may not include onnx/folding/internal/B.h: it is internal to onnx/folding/")
refuses("unlisted_folder", {"helpers/A.h": ""}, "helpers/A.h:1: helpers is not a listed folder")
refuses("unlisted_target", {"gc/A.h": '#include "onnxfold/helpers/B.h"\n'}, "gc/A.h:1: helpers is not a listed folder")
refuses("relative_path", {"gc/A.cpp": '#include "../elements/B.h"\n#include "A.h"\n'},
        'gc/A.cpp:1: ../elements/B.h must be included as "onnxfold/<folder>/B.h"',
        'gc/A.cpp:2: A.h must be included as "onnxfold/<folder>/A.h"')
refuses("foreign_prefixes", {"widenum/A.h": '#include "mlir/IR/Types.h"\n#include "llvm/IR/Type.h"\n#include "llvm/ADT/APInt.h"\n',
                             "gc/B.cpp": '#include <onnx/checker.h>\n#include <sleef.h>\n#include <Eigen/Core>\n'},
        "gc/B.cpp:1: gc may not include onnx/checker.h", "gc/B.cpp:2: gc may not include sleef.h",
        "gc/B.cpp:3: gc may not include Eigen/Core",
        "widenum/A.h:1: widenum may not include mlir/IR/Types.h", "widenum/A.h:2: widenum may not include llvm/IR/Type.h")
refuses("unknown_library", {"gc/A.h": "#include <boost/any.hpp>\n"},
        "gc/A.h:1: no row of tools/check_layers.py names the prefix of boost/any.hpp")


@pytest.mark.parametrize("files, expected", CASES.values(), ids=CASES)
def test_complaints(files, expected, folder):
    assert complaints(folder, files) == expected, "the list of complaints"


def test_list(folder):
    run = subprocess.run([sys.executable, CHECK, "--list"], capture_output=True, text=True, check=True)
    rows = dict(line.split(": ", 1) for line in run.stdout.splitlines())
    assert rows["symbolic"] == "widenum, elements/memory, elements, elements/ops | llvm/Support/, llvm/ADT/"
    assert rows["tools"].startswith("all | ")
