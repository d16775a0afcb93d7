# SPDX-License-Identifier: Apache-2.0
"""Node tests of ONNX with other sizes, types and attributes: whatever an operator is asked for, it takes the time and the memory
that the limits allow, or is kept.

Of seven models in ten all inputs are constants. All sizes that are equal grow together, so that most calls stay valid; values
are denormal, huge or as they were; attributes and short inputs, which are mostly sizes, become odd numbers. Of the others the
large inputs stay inputs, which the model may declare as large as it likes, and the shapes of the outputs are asked for.

With --max-work=10^9 a node takes tenths of a second, and with --max-result=64M it needs a few results of that size. The bounds
are far from that: they find what hangs, and what forgets to count (sanitizers take time and memory, too). 100 models, --long:
20,000; a model that fails is kept beside the message.
"""

import json
import random
import resource
import shutil
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, TensorShapeProto, helper, numpy_helper

import onnxfold_testing as t

FLAGS = ("--threads=1", "--max-growth=unlimited", "--max-work=1000000000", "--max-result=64M")
MOST_SECONDS, MOST_BYTES, MOST_SPACE = 10, 1 << 30, 8 << 30
FLOATS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16)
NUMBERS = (0, 1, 2, 3, 17, 1000, 100_003, 1 << 20, (1 << 31) - 1, 1 << 40)
SIZES = (-1, 0, 1, 2, 3, 7, 50, 1009, 65_536, 1 << 20)
DECLARED = (0, 1, 3, 1 << 15, (1 << 31) - 1, 1 << 31, (1 << 32) + 4, 1 << 40, 1 << 62, (1 << 63) - 1, "N", "M")
REALS = (0.0, 1e-30, 0.5, 3.0, 1e30, float("inf"))
FILLINGS = {"denormal": 1e-40, "huge": 1e30, "zero": 0.0}


def inputsOf(folder, model):
    """The stored inputs; None if one is no tensor."""
    tensors = []
    for index, info in enumerate(model.graph.input):
        path = folder / f"test_data_set_0/input_{index}.pb"
        if info.type.WhichOneof("value") != "tensor_type" or not path.exists():
            return None
        tensors.append(TensorProto.FromString(path.read_bytes()))
    return tensors


def isShort(tensor):
    """Of sizes, axes or places, most likely."""
    return tensor.data_type in (TensorProto.INT64, TensorProto.INT32) and len(tensor.dims) <= 1 and np.prod(tensor.dims) <= 8


def enlarged(rng, shapes):
    """{size: new size}, of which the largest shape has up to 10^6 elements; 0 stays."""
    new = {size: size for shape in shapes for size in shape}
    shapes = [shape for shape in shapes if 0 not in shape]
    sizes = sorted({size for shape in shapes for size in shape})
    most = 10 ** rng.uniform(3, 6)
    while sizes:
        size = rng.choice(sizes)
        new[size] *= 2
        if max(np.prod([float(new[one]) for one in shape]) for shape in shapes) > most:
            new[size] //= 2
            break
    if sizes and rng.random() < 0.2:
        new[rng.choice(sizes)] += 1
    return new


def changedValues(rng, tensor, new, filling, types):
    """An input of the new sizes, and of another type if `types` has one for its own."""
    values = numpy_helper.to_array(tensor)
    if isShort(tensor):
        if values.size and rng.random() < 0.3:
            values = values.copy()
            values.flat[rng.randrange(values.size)] = rng.choice(SIZES)
        return values
    shape = [new[size] for size in values.shape]
    if tensor.data_type in FLOATS and filling:
        values = np.full(shape, FILLINGS[filling]).astype(values.dtype)
    elif values.size:
        values = np.resize(values, shape)
    return values.astype(helper.tensor_dtype_to_np_dtype(types.get(tensor.data_type, tensor.data_type)))


def changeAttributes(rng, node):
    for attribute in list(node.attribute):
        if attribute.name == "kernel_shape" and "Pool" not in node.op_type:
            node.attribute.remove(attribute)  # it is that of the weights, which change
        elif rng.random() < 0.3:
            if attribute.type == AttributeProto.INT:
                attribute.i = rng.choice(NUMBERS)
            elif attribute.type == AttributeProto.FLOAT:
                attribute.f = rng.choice(REALS)
            elif attribute.type == AttributeProto.INTS and attribute.ints:
                attribute.ints[rng.randrange(len(attribute.ints))] = rng.choice(SIZES)


def declareSizes(rng, info):
    for dim in info.type.tensor_type.shape.dim:
        size = rng.choice(DECLARED)
        if rng.random() < 0.4:
            dim.CopyFrom(TensorShapeProto.Dimension(**{"dim_param" if isinstance(size, str) else "dim_value": size}))


def askForShapes(graph):
    for i, output in enumerate(list(graph.output)):
        if output.type.WhichOneof("value") == "tensor_type":
            graph.node.append(helper.make_node("Shape", [output.name], [f"shape_{i}"]))
            graph.output.append(helper.make_tensor_value_info(f"shape_{i}", TensorProto.INT64, None))


def changedCall(rng, folder):
    """A model made from a node test; None if that cannot be one."""
    model = onnx.load(folder / "model.onnx")
    tensors = inputsOf(folder, model)
    if not tensors or len(model.graph.node) > 3:
        return None
    new = enlarged(rng, [tuple(one.dims) for one in tensors if not isShort(one)])
    filling = rng.choice((None, None, None, *FILLINGS))
    types = {rng.choice(FLOATS): rng.choice(FLOATS)} if rng.random() < 0.3 else {}
    isOpen = rng.random() < 0.3
    infos = list(model.graph.input)
    del model.graph.input[:], model.graph.value_info[:]
    for info, tensor in zip(infos, tensors):
        if isOpen and not isShort(tensor):
            declareSizes(rng, info)
            model.graph.input.append(info)
            continue
        with np.errstate(all="ignore"):
            values = changedValues(rng, tensor, new, filling, {} if isOpen else types)
        model.graph.initializer.append(numpy_helper.from_array(values, info.name))
    for output in model.graph.output:
        kind = output.type.tensor_type
        kind.ClearField("shape")
        if not isOpen:
            kind.elem_type = types.get(kind.elem_type, kind.elem_type)
    for node in model.graph.node:
        changeAttributes(rng, node)
    if isOpen:
        askForShapes(model.graph)
    return model


def isValid(path):
    """Without types: ONNX's inference takes all memory for some of these models."""
    try:
        onnx.checker.check_model(path)
        return True
    except Exception:
        return False


def limit():
    """What forgets to count takes neither the machine's memory nor its time."""
    if not t.isSanitized():
        resource.setrlimit(resource.RLIMIT_AS, (MOST_SPACE, MOST_SPACE))
        resource.setrlimit(resource.RLIMIT_CPU, (2 * MOST_SECONDS, 2 * MOST_SECONDS))


def check(path, out):
    """Returns the actions of the report; [] if the model was refused."""
    result = t.run(*FLAGS, f"--report=json:{out}.json", "-o", out, path, preexec_fn=limit)
    assert result.code in (0, 1), f"a signal: {result}"
    assert t.isSanitized() or result.processorSeconds < MOST_SECONDS, f"{result.processorSeconds:.1f} s: {result}"
    assert "out of memory" not in result.err, f"more than {MOST_SPACE} bytes: {result}"
    if result.code == 1:
        assert str(path) in result.err and not out.exists(), f"one message, no output: {result}"
        return []
    report = json.loads(Path(f"{out}.json").read_text())
    assert t.isSanitized() or report["peak_bytes"] < MOST_BYTES, f"{report['peak_bytes']} bytes: {result}"
    assert isValid(out) or not isValid(path), f"the checker refuses only the output: {result}"
    shapes = [one for one in onnx.load(out).graph.initializer if one.name.startswith("shape_")]
    assert all((numpy_helper.to_array(one) >= 0).all() for one in shapes), f"a size below 0: {result}"
    return [one["action"] for one in report["nodes"]]


def test_enlarged_calls(folder):
    rng = random.Random(t.options.seed)
    folders = [*(t.TEST_DATA / "node").iterdir(), *t.TEST_RELEASES.glob("*/node/*")]
    tests = [path for path in sorted(folders) if "_expanded" not in path.name]
    actions = []
    for _ in range(20_000 if t.options.long else 100):
        source = rng.choice(tests)
        model = changedCall(rng, source)
        if model is None:
            continue
        path, out = folder / f"{source.name}.onnx", folder / "out.onnx"
        onnx.save(model, path)
        out.unlink(missing_ok=True)
        try:
            actions.append(check(path, out))
        except AssertionError:
            kept = Path(tempfile.mkdtemp(prefix="onnxfold-")) / path.name
            shutil.copy(path, kept)
            print(f"kept as {kept}")
            raise
        path.unlink()
    folded = sum("folded" in one for one in actions)
    print(f"  {len(actions)} models, {folded} folded, {sum(not one for one in actions)} refused")
    assert folded > len(actions) / 3, f"{folded} of {len(actions)} fold: most should stay valid"
