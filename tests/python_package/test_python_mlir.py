# SPDX-License-Identifier: Apache-2.0
"""onnx_fold.mlir: a compiler in Python, which makes constants of any size, folds and collects."""

import ctypes
import gc
import os
import subprocess

import numpy as np
import onnxfold_testing as t
import pytest
from onnxfold_upstream import MLIR

PLUGIN = t.TOOL.parents[1] / "lib/libonnxfold_passes.so"
os.environ["ONNXFOLD_MLIR_LIBRARY"] = str(PLUGIN)

from onnx_fold import mlir  # noqa: E402

LARGE = """func.func @f() -> tensor<4xf32> {
  %c = arith.constant dense<0.0> : tensor<SIZExf32>
  %part = tensor.extract_slice %c[7] [4] [1] : tensor<SIZExf32> to tensor<4xf32>
  %sum = arith.addf %part, %part : tensor<4xf32>
  return %sum : tensor<4xf32>
}"""


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_a_gigabyte_without_a_copy():
    size = 1 << 28
    weights = np.zeros(size, np.float32)  # pages that nobody wrote take no memory
    weights[7:11] = 1, 2, 3, 4
    with mlir.Context() as context:
        module = context.parse(LARGE.replace("SIZE", str(size)))
        before = resident()
        constant = context.elements(weights)
        module.operations("arith.constant")[0]["value"] = constant
        assert constant.type == f"tensor<{size}xf32>"
        del constant
        assert context.statistics().live_bytes == 4 * size
        module.run("builtin.module(constprop,canonicalize)")
        folded = module.operations("arith.constant")
        assert [one["value"].array().tolist() for one in folded] == [[2, 4, 6, 8]]
        assert "tensor.extract_slice" not in str(module)
        gc.collect()
        context.collect()
        assert context.statistics().live_bytes < 1 << 20 and not mlir._held
        assert resident() - before < 1 << 28


def test_values_come_back():
    with mlir.Context() as context:
        arrays = [np.arange(6).reshape(2, 3).astype(one) for one in mlir._TYPES]
        for array in arrays:
            attribute = context.elements(array)
            assert np.array_equal(attribute.array(), array) and attribute.array().dtype == array.dtype
        half = context.elements(np.array([0x3F80, 0x4000], np.uint16), "tensor<2xbf16>")
        assert half.type == "tensor<2xbf16>" and half.tobytes() == b"\x80\x3f\x00\x40" and "2.0" in str(half)
        splat = context.parse("func.func @f() { %c = arith.constant dense<3> : tensor<2xi16> return }").operations("arith.constant")[0]
        assert splat["value"].array().tolist() == [3, 3]
    gc.collect()
    assert not mlir._held  # the context has ended


def test_an_attribute_outlives_its_module():
    with mlir.Context() as context:
        module = context.parse(LARGE.replace("SIZE", "1000"))
        module.operations("arith.constant")[0]["value"] = context.elements(np.arange(1000, dtype=np.float32))
        kept = module.operations("arith.constant")[0]["value"]
        module.close()
        assert context.collect() == 0 and kept.array()[999] == 999
        del kept
        gc.collect()
        again = context.parse("module {}")
        context.collect()
        assert context.statistics().live_bytes == 0 and str(again) == "module {\n}\n"


@pytest.mark.parametrize("work, words", [
    (lambda context: context.parse("func.func @f( {"), "expected"),
    (lambda context: context.parse("module {}").run("builtin.module(no-such-pass)"), "no-such-pass"),
    (lambda context: context.elements(np.zeros(4, np.float32)[::2]), "not contiguous"),
    (lambda context: context.elements(np.zeros(4, np.float32), "tensor<5xf32>"), "16 bytes are no value of type tensor<5xf32>"),
    (lambda context: context.elements(np.zeros(4, np.float32), "tensor<?xf32>"), "16 bytes are no value"),
    (lambda context: context.elements(np.zeros(4, np.float32), "i32"), "16 bytes are no value of type i32"),
    (lambda context: context.elements(np.zeros(4, np.float32), "memref<4xf32>"), "16 bytes are no value of type memref<4xf32>"),
    (lambda context: context.elements(np.zeros(4, np.float32), "vector<[4]xf32>"), "16 bytes are no value"),
    (lambda context: context.elements(np.zeros(4, np.float32), "tensor<"), "expected"),
    (lambda context: context.elements(np.zeros(2, "U3")), "give the type"),
    # MLIR's parsers end the process on both.
    (lambda context: context.parse("module attributes {\n  a = array<index: 1>} {}"), "line 2, column 7: array<index: ...> cannot be parsed"),
    (lambda context: context.elements(np.zeros(4, np.float32), "tensor<4xf32, array<index: 1>>"), "column 15: array<index: ...> cannot be"),
], ids=["text", "pass", "strides", "size", "dynamic", "scalar", "buffer", "scalable", "type", "dtype", "array", "encoding"])  # fmt: skip
def test_errors(work, words):
    with mlir.Context() as context, pytest.raises(mlir.Error) as caught:
        work(context)
    assert words in str(caught.value), caught.value


SMALL = "func.func @f() { %c = arith.constant 1 : i32 return }"


def closedModule(context):
    module = context.parse(SMALL)
    operation = module.operations("arith.constant")[0]
    module.close()
    return module, operation


def erasedOperation(context):
    module = context.parse(SMALL)
    operation = module.operations("arith.constant")[0]
    module.run("builtin.module(canonicalize)")
    return operation


def closedContext(context):
    attribute = context.parse(SMALL).operations("arith.constant")[0]["value"]
    context.close()
    return attribute


def runOfAnotherContext(context):
    with mlir.Context() as other:
        context.run("builtin.module(constprop)", other.parse(SMALL))


def setOfAnotherContext(context):
    with mlir.Context() as other:
        context.parse(SMALL).operations("arith.constant")[0]["value"] = other.elements(np.zeros(2, np.int32))


@pytest.mark.parametrize("work, words", [
    (lambda context: str(closedModule(context)[0]), "the module is closed"),
    (lambda context: closedModule(context)[0].run("builtin.module(constprop)"), "the module is closed"),
    (lambda context: closedModule(context)[1]["value"], "the module is closed"),
    (lambda context: erasedOperation(context)["value"], "passes have run on the module since"),
    (lambda context: str(closedContext(context)), "the context is closed"),
    (lambda context: (context.close(), context.parse(SMALL)), "the context is closed"),
    (setOfAnotherContext, "the attribute for 'value' is of another context"),
    (runOfAnotherContext, "the module is of another context"),
    (lambda context: context.parse(SMALL).operations("arith.constant")[0]["value"].array(), "type i32 has no bytes"),
], ids=["module", "passes", "operation", "erased", "attribute", "context", "set", "run", "scalar"])  # fmt: skip
def test_what_is_gone(work, words):
    """Each read memory that was freed."""
    context = mlir.Context()
    with pytest.raises(mlir.Error) as caught:
        work(context)
    assert words in str(caught.value), caught.value
    context.close()


def test_passes_that_did_not_run():
    with mlir.Context() as context:
        module = context.parse(SMALL)
        operation = module.operations("arith.constant")[0]
        with pytest.raises(mlir.Error):
            module.run("builtin.module(no-such-pass)")
        assert operation.name == "arith.constant"


class Foreign:
    """As objects of MLIR's own package: they hand a capsule to others."""

    def __init__(self, kind, pointer):
        self.name = f"mlir.ir.{kind}._CAPIPtr".encode()
        self._CAPIPtr = mlir._capsule_new(pointer, self.name, None)


def test_objects_of_an_mlir_package():
    owner = mlir.Context()
    module = owner.parse(LARGE.replace("SIZE", "64"))
    with mlir.Context(of=Foreign("Context", owner._ptr.ptr)) as context:
        constant = context.elements(np.full(64, 5, np.float32))

        class Attribute:
            _CAPICreate = staticmethod(lambda capsule: mlir._capsule_pointer(capsule, b"mlir.ir.Attribute._CAPIPtr"))

        assert constant.to(type("ir", (), {"Attribute": Attribute})) == constant._ptr.ptr
        operation = module.operations("arith.constant")[0]
        operation["value"] = Foreign("Attribute", constant._ptr.ptr)
        foreign = type("Module", (), {"operation": Foreign("Operation", module._ptr.ptr)})
        context.run("builtin.module(constprop)", foreign)
    assert module.operations("arith.constant")[-1]["value"].array().tolist() == [10] * 4
    owner.close()


PROGRAM = r"""
#include "onnxfold/upstream/plugin/onnx_fold_mlir.h"
#include <stdio.h>
static void released(void *count) { ++*(int *)count; }
int main(void) {
  MlirContext context = mlirContextCreate();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  onnxFoldRegisterDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
  float values[3] = {1, 2, 3}, read[3];
  int count = 0;
  MlirType type = mlirTypeParseGet(context, mlirStringRefCreateFromCString("tensor<3xf32>"));
  MlirAttribute attribute = onnxFoldElementsAttrGet(type, values, sizeof values, released, &count);
  if (!onnxFoldAttributeIsElements(attribute) || onnxFoldElementsSize(attribute) != 12 ||
      mlirLogicalResultIsFailure(onnxFoldElementsRead(attribute, read, sizeof read)) || read[2] != 3 ||
      mlirLogicalResultIsSuccess(onnxFoldElementsRead(attribute, read, 8)))
    return 1;
  if (!mlirAttributeIsNull(onnxFoldElementsAttrGet(type, values, 8, released, &count)) || count != 0)
    return 2;
  mlirContextDestroy(context);
  printf("%d\n", count);
  return 0;
}
"""


def test_from_c(tmp_path):
    (tmp_path / "main.c").write_text(PROGRAM)
    include = PLUGIN.parents[1] / "include"
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-std=c11", f"-I{include}", "-isystem", MLIR / "include", "main.c",
                    PLUGIN, f"-Wl,-rpath,{PLUGIN.parent}", "-o", "main"], cwd=tmp_path, check=True)  # fmt: skip
    assert subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout == "1\n"
    assert ctypes.sizeof(mlir._Numbers) == 48
