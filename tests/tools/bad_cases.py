# SPDX-License-Identifier: Apache-2.0
"""What test_bad_input.py and test_bad_files.py share: a small model, and what "refused" means."""


import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import onnxfold_testing as t
from onnxfold_models import info


def smallModel(nodes=None, initializers=None):
    weight = numpy_helper.from_array(np.arange(6, dtype=np.float32).reshape(2, 3), "w")
    nodes = nodes or [helper.make_node("Add", ["w", "w"], ["v"]), helper.make_node("Mul", ["x", "v"], ["y"])]
    graph = helper.make_graph(nodes, "g", [info("x")], [info("y")], [weight] if initializers is None else initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def external(name, location, shape=(2, 3), **more):
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
    for key, value in {"location": location, **more}.items():
        entry = tensor.external_data.add()
        entry.key, entry.value = key, str(value)
    return tensor


def expectRefused(folder, *arguments, names=("model.onnx",), says=(), out="out.onnx", what="", **keywords):
    """Runs the tool on a folder's model.onnx: exit 1, a message with all `names` and one of `says`, and no traces."""
    before = t.folderState(folder)
    result = t.run(*(arguments or ["-o", folder / out, folder / "model.onnx"]), timeout=600, **keywords)
    label = f"{what or folder.name}: {result}"
    assert result.code == 1, f"exit status ({label})"
    message = result.err.strip()
    assert message, f"no message ({label})"
    for name in names:
        assert name in message, f"the message does not name {name!r} ({label})"
    assert not says or any(word in message.lower() for word in says), f"the message says none of {says} ({label})"
    assert (
        "Assertion" not in message and "Stack dump" not in message and "terminate called" not in message
    ), f"the tool fell over ({label})"
    t.expectUnchanged(before, folder, label)
    return result


def put(folder, data, name="model.onnx"):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.SerializeToString())
    return path


def expectRefusedOrWhole(folder, what):
    """For damage that may leave a legal model: either refused as above, or folded into something that can be read."""
    before = t.folderState(folder)
    result = t.run("-o", folder / "out.onnx", folder / "model.onnx", timeout=600)
    assert result.code in (0, 1), f"{what}: expected exit 0 or 1: {result}"
    if result.code == 0:
        t.expectUnchanged(before, folder, what, added=["out.onnx"])
        onnx.load(folder / "out.onnx", load_external_data=False)
        (folder / "out.onnx").unlink()
        return
    assert "model.onnx" in result.err, f"{what}: the message does not name the file: {result}"
    t.expectUnchanged(before, folder, what)
