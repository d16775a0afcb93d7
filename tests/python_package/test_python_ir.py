# SPDX-License-Identifier: Apache-2.0
"""onnx_fold.ir.FoldPass in pipelines of onnx_ir."""

import onnx_ir
import onnx_ir.passes.common
import pytest

import onnx_fold
from onnx_fold.ir import FoldPass
from python_cases import save, simple, withExternalData


def operators(model):
    return [one.op_type for one in model.graph]


def test_alone():
    model = onnx_ir.from_proto(simple())
    folding = FoldPass(dims={"batch": 4}, nodes=True)
    result = folding(model)
    assert result.modified and operators(result.model) == ["Mul"] and operators(model) == ["Add", "Mul"], "operators"
    assert folding.report.operators_after == {"Mul": 1} and len(folding.report.nodes) == 2, "report"
    assert not FoldPass()(result.model).modified, "folded again"


def test_in_a_sequence():
    common = onnx_ir.passes.common
    steps = onnx_ir.passes.Sequential(
        common.RemoveUnusedNodesPass(), FoldPass(), common.NameFixPass(), common.TopologicalSortPass()
    )
    result = steps(onnx_ir.from_proto(simple()))
    assert result.modified and operators(result.model) == ["Mul"], "operators"


def test_in_a_manager():
    manager = onnx_ir.passes.PassManager(
        [FoldPass(), onnx_ir.passes.common.RemoveUnusedOpsetsPass()], steps=3, early_stop=True
    )
    assert operators(manager(onnx_ir.from_proto(simple())).model) == ["Mul"], "operators"


def test_external_data(folder):
    model = onnx_ir.load(save(folder, withExternalData(folder)))
    result = FoldPass()(model).model
    assert isinstance(result.graph.initializers["w"].const_value, onnx_ir.ExternalTensor), "data is kept in its file"
    onnx_ir.save(result, folder / "out.onnx")
    assert onnx_fold.verify(folder / "model.onnx", folder / "out.onnx").equal, "what was saved"


def test_errors():
    model = onnx_ir.from_proto(simple())
    with pytest.raises(onnx_fold.OptionError):
        FoldPass(level=9)(model)
    with pytest.raises(onnx_ir.passes.PassError) as caught:
        onnx_ir.passes.Sequential(FoldPass(level=9))(model)
    assert isinstance(caught.value.__cause__, onnx_fold.OptionError), "a sequence names the pass"
