# SPDX-License-Identifier: Apache-2.0
"""--ir-version: the result for runtimes that know another version of the format."""

import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import pytest
from onnx import TensorProto, helper
from onnx.helper import make_node as node


def written(folder, source, version, *flags):
    onnx.save(source, folder / "in.onnx")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", f"--ir-version={version}", *flags)
    t.expectSameBytes(t.fold(out, folder / "again.onnx", *flags), out, "folded again")
    t.expectSameBytes(t.fold(out, folder / "twice.onnx", f"--ir-version={version}", *flags), out, "written for the same version")
    result = onnx.load(out)
    assert result.ir_version == version
    onnx.checker.check_model(result, full_check=True)
    return result


def sameResults(folder, *feeds):
    for got, want in zip(compare.outputs(folder / "out.onnx", feeds), compare.outputs(folder / "in.onnx", feeds), strict=True):
        compare.expectAgreement(got, want, "written for another version")


X = np.float32([[1, -2, 3], [4, 5, -6]])


@pytest.mark.parametrize("version", [4, 7, 9, 13])
def test_only_the_number(folder, version):
    """Every other byte is that of the fold without it."""
    source = m.model([node("Mul", ["x", "w"], ["y"])], [m.info("x")], [m.info("y")], [m.const("w", [1, 2, 3], np.float32)], opset=13, ir=8)
    result = written(folder, source, version)
    result.ir_version = 8
    assert result == onnx.load(t.fold(folder / "in.onnx", folder / "plain.onnx"))
    if version <= 10:
        sameResults(folder, {"x": X})


def test_old_inputs_with_initializers(folder):
    """Before version 4 each weight is an input, and a folded shape is no Constant before opset 9."""
    weight = m.const("w", [1, 2, 3], np.float32)
    nodes = [node("Shape", ["z"], ["s"]), node("Reshape", ["x", "s"], ["r"]), node("Mul", ["r", "w"], ["y"])]
    inputs = [m.info("x", (3, 2)), m.info("w", (3,)), m.info("z")]
    source = m.model(nodes, inputs, [m.info("y")], [weight], opset=7, ir=3)
    result = written(folder, source, 8)
    assert [each.name for each in result.graph.input] == ["x", "z"]
    assert sorted(each.name for each in result.graph.initializer) == ["s", "w"]
    assert [each.op_type for each in result.graph.node] == ["Reshape", "Mul"]
    sameResults(folder, {"x": X.reshape(3, 2), "z": X})


def test_with_other_options(folder):
    weight = m.const("w", [1, 2, 3], np.float32)
    source = m.model([node("Mul", ["x", "w"], ["m"], axis=1, broadcast=1), node("Softmax", ["m"], ["y"], axis=1)], [m.info("x"), m.info("w", (3,))], [m.info("y")], [weight], opset=6, ir=3)
    onnx.save(source, folder / "in.onnx")
    t.runOk(folder / "in.onnx", "-o", folder / "out.onnx", "--ir-version=8", "--target-opset=17", "--verify", "--quiet", "--external-data")
    result = onnx.load(folder / "out.onnx")
    assert (result.ir_version, result.opset_import[0].version, len(result.graph.input)) == (8, 17, 1)
    t.runOk(folder / "in.onnx", "--in-place", "--ir-version=4", "--quiet")
    assert onnx.load(folder / "in.onnx").ir_version == 4
    done = t.run(folder / "in.onnx", "-o", folder / "no.onnx", "--ir-version=8", "--run-once")
    assert done.code == 1 and "--run-once" in done.err, done


def test_a_version_that_is_said_twice(folder):
    """The last one holds, as protobuf has it; one is left."""
    source = m.model([node("Neg", ["x"], ["y"])], [m.info("x")], [m.info("y")], opset=13, ir=8)
    (folder / "in.onnx").write_bytes(source.SerializeToString() + b"\x08\x09")
    out = t.fold(folder / "in.onnx", folder / "out.onnx", "--ir-version=7")
    assert out.read_bytes() == b"\x08\x07" + source.SerializeToString()[2:]


def functions(**more):
    function = helper.make_function("local", "F", ["a"], ["b"], [node("Relu", ["a"], ["b"])], [helper.make_opsetid("", 13)])
    for name, value in more.items():
        if name == "overload":
            function.overload = value
        else:
            function.attribute_proto.append(helper.make_attribute(name, value))
    source = m.model([node("F", ["x"], ["y"], domain="local", overload=function.overload)], [m.info("x")], [m.info("y")], opset=13, ir=11, domains=[("local", 1)])
    source.functions.append(function)
    return source


def cast(kind):
    return m.model([node("Cast", ["x"], ["y"], to=kind)], [m.info("x")], [m.info("y", (2, 3), kind)], opset=25, ir=13)


REFUSED = {
    "initializer": (m.model([node("Mul", ["x", "w"], ["y"])], [m.info("x")], [m.info("y")], [m.const("w", [1, 2, 3], np.float32)], ir=8), 3, "initializer 'w', which is no input, needs version 4"),
    "bfloat16": (cast(TensorProto.BFLOAT16), 3, "value 'y' of type tensor<2x3xbf16> needs version 4"),
    "float8": (cast(TensorProto.FLOAT8E5M2), 8, "value 'y' of type tensor<2x3xf8E5M2> needs version 9"),
    "int4": (cast(TensorProto.INT4), 9, "value 'y' of type tensor<2x3xi4> needs version 10"),
    "float4": (cast(TensorProto.FLOAT4E2M1), 10, "value 'y' of type tensor<2x3xf4E2M1FN> needs version 11"),
    "int2": (cast(TensorProto.INT2), 12, "value 'y' of type tensor<2x3xi2> needs version 13"),
    "function": (functions(), 7, "function 'local::F' needs version 8"),
    "defaults": (functions(alpha=1.0), 8, "with defaults of attributes needs version 9"),
    "overload": (functions(overload="one"), 9, "overload of node 'y' (F) needs version 10"),
    "too new": (cast(TensorProto.FLOAT), 99, "--ir-version is 99, expected 3 to"),
    "too old": (cast(TensorProto.FLOAT), 2, "--ir-version is 2, expected 3 to"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(folder, name):
    """What the version cannot hold is named, and nothing is written."""
    source, version, problem = REFUSED[name]
    onnx.save(source, folder / "in.onnx")
    done = t.run(folder / "in.onnx", "-o", folder / "nothing.onnx", f"--ir-version={version}", "-O0")
    assert done.code == 1 and problem in done.err and not (folder / "nothing.onnx").exists(), done.err


def test_wrong_values(folder):
    onnx.save(cast(TensorProto.FLOAT), folder / "in.onnx")
    for value in ("0", "-1", "new"):
        done = t.run(folder / "in.onnx", "-o", folder / "nothing.onnx", f"--ir-version={value}")
        assert done.code == 1 and f"--ir-version is '{value}', expected a number above 0" in done.err, done
