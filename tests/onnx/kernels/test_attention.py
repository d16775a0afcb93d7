# SPDX-License-Identifier: Apache-2.0
"""Attention and its relatives with random shapes and attributes, in every version and element type, against two oracles.

The reference evaluator runs the same node on the same numbers in f64 and its result is rounded once, which is what the tool
does: they may differ by BOUNDS. ONNX Runtime, which rounds after each step, runs it in f32; what it refuses is counted.
Nodes whose shapes and numbers do not match must be kept, or fold; the rest of the model folds. --long: twenty times as many.
"""


import ml_dtypes
import numpy as np
import pytest
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import onnxfold_compare as compare
import onnxfold_testing as t
from onnxfold_opsets import OpsetRuns, RandomCases

F16, F32, F64 = (np.dtype(f"float{bits}") for bits in (16, 32, 64))
BF16 = np.dtype(ml_dtypes.bfloat16)
VERSIONS = {
    "Attention": (23, 24, 25),
    "preview.FlexAttention": (28,),
    "RotaryEmbedding": (23,),
    "LinearAttention": (27,),
    "CausalConvWithState": (27,),
    "Swish": (24,),
    "SwiGLU": (28,),
    "TensorScatter": (24,),
    "Scatter": (9,),
    "DynamicQuantizeLinear": (11,),
    "BitCast": (26,),
}
TYPES = {
    "RotaryEmbedding": (F32, F16, BF16),
    "LinearAttention": (F32, F16, BF16),
    "CausalConvWithState": (F32, F16, BF16),
    "Scatter": (F32, np.dtype(np.int8)),
    "TensorScatter": (F32, F16, np.dtype(np.int64)),
    "DynamicQuantizeLinear": (F32,),
    "BitCast": (F32, F16, np.dtype(np.uint8), np.dtype(np.int64)),
}
MOVES = {"TensorScatter", "Scatter", "BitCast", "DynamicQuantizeLinear"}  # bit for bit, in their own type
# (ulps of the result, part of its largest element). f64 has no wider type to compare with. In f32 the evaluator computes
# LinearAttention, the activation of CausalConvWithState and the scale of FlexAttention.
BOUNDS, F64_BOUNDS, F32_BOUNDS, RUNTIME_BOUNDS = (1, 1e-9), (8, 1e-14), (2, 1e-5), (8, 2e-6)
IN_F32 = {"LinearAttention", "CausalConvWithState", "preview.FlexAttention"}
RUNTIME = {"Attention", "RotaryEmbedding", "TensorScatter", "Scatter", "DynamicQuantizeLinear"}


class Maker(RandomCases):
    """Random cases; the same for the same seed."""

    def chance(self, probability=0.5):
        return self.random.random() < probability

    def tensor(self, shape, dtype):
        if dtype.kind in "iu":
            return self.random.integers(0 if dtype.kind == "u" else -9, 9, shape).astype(dtype)
        return self.random.standard_normal(shape).astype(dtype)

    def mask(self, shape, total, opset, dtype):
        """A mask that broadcasts to the scores, sometimes a short one."""
        dims = [d if self.chance(0.7) else 1 for d in shape[:-1]] + [total]
        dims = dims[self.integer(0, 2) :]  # the evaluator asks for two dimensions
        if opset >= 24 and self.chance(0.3):
            dims[-1] = self.integer(max(1, total - 2), total)
        if self.chance():
            return self.random.random(dims) < 0.6
        values = self.tensor(dims, dtype)
        values[self.random.random(dims) < 0.2] = -np.inf
        return values

    def attention(self, opset, dtype):
        batch, shared, group, queries, keys, size, valueSize = self.integers(7, 1, 3)
        past = self.integer(1, 3) if self.chance(0.4) else 0
        total, heads = past + keys, shared * group
        q = self.tensor([batch, heads, queries, size], dtype)
        k, v = self.tensor([batch, shared, keys, size], dtype), self.tensor([batch, shared, keys, valueSize], dtype)
        attributes = {"is_causal": self.integer(0, 1), "qk_matmul_output_mode": self.integer(0, 3)}
        if self.chance(0.3):
            attributes["scale"] = 0.25  # whose root is exact: the evaluator takes it in f32
        if self.chance(0.3):
            attributes["softcap"] = 2.0
        if self.chance(0.2):
            attributes["softmax_precision"] = int(self.random.choice([1, 11]))
        if opset >= 25:
            for side in ("left", "right"):
                attributes[f"{side}_window_size"] = self.integer(-1, 2)
        if self.chance():
            q, k, v = (x.transpose(0, 2, 1, 3).reshape(batch, x.shape[2], -1) for x in (q, k, v))
            attributes |= {"q_num_heads": heads, "kv_num_heads": shared}
        inputs = [q, k, v, None, None, None, None]
        if self.chance(0.6):
            inputs[3] = self.mask([batch, heads, queries, total], total, opset, dtype)
        if past:
            inputs[4:6] = [self.tensor([batch, shared, past, n], dtype) for n in (size, valueSize)]
        elif opset >= 24 and self.chance(0.4):
            most = total if inputs[3] is None else inputs[3].shape[-1]
            inputs[6] = np.array(self.integers(batch, 0, most), np.int64)
        return inputs, attributes, ["y", "k" if past else "", "v" if past else "", "scores"]

    def flex(self, dtype):
        batch, shared, group, queries, keys, size, valueSize = self.integers(7, 1, 4)
        shapes = [batch, shared * group, queries, size], [batch, shared, keys, size], [batch, shared, keys, valueSize]
        return [self.tensor(shape, dtype) for shape in shapes], {"scale": 0.25} if self.chance() else {}, ["y"]

    def rotary(self, dtype):
        batch, heads, tokens, half, rest = self.integers(5, 1, 3)
        attributes = {"interleaved": self.integer(0, 1)}
        if self.chance():
            attributes["rotary_embedding_dim"] = 2 * half
        else:
            rest = 0
        x = self.tensor([batch, heads, tokens, 2 * half + rest], dtype)
        if self.chance():
            x = x.transpose(0, 2, 1, 3).reshape(batch, tokens, -1)
            attributes["num_heads"] = heads
        ids = self.chance()
        shape = [5, half] if ids else [batch, tokens, half]
        angles = self.random.uniform(0, 6, shape)
        inputs = [x, np.cos(angles).astype(dtype), np.sin(angles).astype(dtype)]
        return inputs + [self.random.integers(0, 5, [batch, tokens])] * ids, attributes, ["y"]

    def linear(self, dtype):
        batch, tokens, shared, group, keySize, valueSize = self.integers(6, 1, 4)
        heads = shared * group
        rule = str(self.random.choice(["linear", "gated", "delta", "gated_delta"]))
        attributes = {"q_num_heads": heads, "kv_num_heads": shared, "update_rule": rule}
        if self.chance():
            attributes["scale"] = 0.25
        sizes = heads * keySize, shared * keySize, shared * valueSize
        inputs = [self.tensor([batch, tokens, size], dtype) for size in sizes] + [None] * 3
        if self.chance():
            inputs[3] = self.tensor([batch, shared, keySize, valueSize], F32 if self.chance() else dtype)
        if "gated" in rule:
            size = shared * keySize if self.chance() else shared
            inputs[4] = -np.abs(self.tensor([batch, tokens, size], dtype))
        if "delta" in rule:
            size = shared if self.chance() else 1
            inputs[5] = self.random.random([batch, tokens, size]).astype(dtype) / dtype.type(2 * keySize)
        return inputs, attributes, ["y", "state"]

    def convolution(self, dtype):
        batch, channels, length, taps = self.integers(4, 1, 5)
        inputs = [self.tensor([batch, channels, length], dtype), self.tensor([channels, 1, taps], dtype), None, None]
        if self.chance():
            inputs[2] = self.tensor([channels], dtype)
        if self.chance():
            inputs[3] = self.tensor([batch, channels, taps - 1], dtype)
        return inputs, {"activation": str(self.random.choice(["none", "silu", "swish"]))}, ["y", "state"]

    def cache(self, dtype):
        shape = self.integers(self.integer(2, 4), 1, 4)
        axis = self.integer(1, len(shape) - 1)
        written = list(shape)
        written[axis] = self.integer(1, shape[axis])
        mode = str(self.random.choice(["linear", "circular"]))
        most = 9 if mode == "circular" else shape[axis] - written[axis]
        inputs = [self.tensor(shape, dtype), self.tensor(written, dtype)]
        if self.chance(0.8):
            inputs.append(np.array(self.integers(shape[0], 0, most), np.int64))
        return inputs, {"axis": axis - len(shape) * self.integer(0, 1), "mode": mode}, ["y"]

    def scatter(self, dtype):
        shape = self.integers(self.integer(1, 3), 1, 5)
        axis = self.integer(0, len(shape) - 1)
        extent = [self.integer(1, d) for d in shape]
        order = np.argsort(self.random.random(shape), axis=axis)  # no index twice
        indices = order[tuple(slice(0, n) for n in extent)]
        return [self.tensor(shape, dtype), indices, self.tensor(extent, dtype)], {"axis": axis}, ["y"]

    def make(self, operator, opset, dtype):
        """([input tensors or None], attributes, [output names])"""
        makers = {
            "Attention": lambda: self.attention(opset, dtype),
            "preview.FlexAttention": lambda: self.flex(dtype),
            "RotaryEmbedding": lambda: self.rotary(dtype),
            "LinearAttention": lambda: self.linear(dtype),
            "CausalConvWithState": lambda: self.convolution(dtype),
            "TensorScatter": lambda: self.cache(dtype),
            "Scatter": lambda: self.scatter(dtype),
        }
        if operator in makers:
            return makers[operator]()
        shape = self.integers(self.integer(0, 3), 1, 5)
        x = self.tensor(shape, dtype)
        if operator == "DynamicQuantizeLinear":
            return [x.astype(np.float32)], {}, ["y", "scale", "zero"]
        if operator == "BitCast":
            to = {F32: np.int32, F16: np.uint16, np.dtype(np.uint8): np.int8, np.dtype(np.int64): np.float64}[dtype]
            return [x], {"to": helper.np_dtype_to_tensor_dtype(np.dtype(to))}, ["y"]
        alpha = {"alpha": 0.5} if self.chance() else {}
        return [x] + [self.tensor(shape, dtype)] * (operator == "SwiGLU"), alpha, ["y"]


class Case:
    def __init__(self, operator, opset, dtype, made):
        self.operator, self.opset, self.dtype = operator, opset, dtype
        self.inputs, self.attributes, self.outputs = made
        while self.inputs[-1] is None:
            self.inputs = self.inputs[:-1]

    def __str__(self):
        shapes = [None if x is None else (x.shape, x.dtype.name) for x in self.inputs]
        return f"{self.operator}-{self.opset} {shapes} {self.attributes}"

    def node(self, prefix, **changed):
        domain = "ai.onnx.preview" if "." in self.operator else ""
        names = ["" if x is None else f"{prefix}i{i}" for i, x in enumerate(self.inputs)]
        outputs = [name and prefix + name for name in self.outputs]
        attributes = self.attributes | changed
        node = helper.make_node(self.operator.split(".")[-1], names, outputs, domain=domain, name=prefix, **attributes)
        return node, dict(zip(names, self.inputs))


def modelOf(opset, nodes, tensors, outputs):
    initializers = [numpy_helper.from_array(x, name) for name, x in tensors.items() if name]
    infos = [helper.make_empty_tensor_value_info(name) for name in outputs if name]
    graph = helper.make_graph(nodes, "attention", [], infos, initializers)
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("ai.onnx.preview", 1)]
    model = helper.make_model(graph, opset_imports=imports)
    model.ir_version = 10
    return model


def widened(case):
    """The same case in f64, but for what moves bits; a mask of one row for all queries has a row for each, because the
    evaluator takes the number of queries from it."""
    floats = () if case.operator in MOVES else (F16, BF16, F32)
    inputs = [x.astype(F64) if x is not None and x.dtype in floats else x for x in case.inputs]
    if case.operator == "Attention" and len(inputs) > 3 and inputs[3] is not None:
        queries = inputs[0].shape[-2]
        inputs[3] = np.broadcast_to(inputs[3], [*inputs[3].shape[:-2], queries, inputs[3].shape[-1]]).copy()
    return Case(case.operator, case.opset, F64, (inputs, case.attributes, case.outputs))


def referenceResult(case):
    """What the reference evaluator makes of it in f64, rounded to the element types of the result."""
    wide, opset = widened(case), case.opset

    def run(**changed):
        node, tensors = wide.node("", **changed)
        model = modelOf(opset, [node], {}, [name for name in node.output if name])
        del model.graph.initializer[:]
        with np.errstate(all="ignore"):
            return ReferenceEvaluator(model.graph, opsets={"": opset, "ai.onnx.preview": 1}).run(None, feeds(model, tensors))

    def feeds(model, tensors):
        del model.graph.input[:]
        given = {name: x for name, x in tensors.items() if name}
        model.graph.input.extend(helper.make_empty_tensor_value_info(name) for name in given)
        return given

    if case.operator == "Scatter":  # the evaluator knows the new name alone
        wide.operator, opset = "ScatterElements", 11
    results = run()
    if case.operator == "Attention" and case.attributes["qk_matmul_output_mode"] == 0 and "softcap" in case.attributes:
        results[-1] = run(softcap=0.0)[-1]  # the text: of the product; the evaluator: after the cap
    if case.operator in MOVES:
        return results
    state = case.inputs[3] if case.operator == "LinearAttention" and len(case.inputs) > 3 else None
    types = [case.dtype] + [case.dtype if state is None else state.dtype] * (len(results) - 1)
    with np.errstate(all="ignore"):
        return [np.asarray(y).astype(dtype) for y, dtype in zip(results, types)]


def runtimeResult(case):
    """What ONNX Runtime makes of it in f32; None if it refuses."""
    floats = () if case.operator in MOVES else (F16, BF16, F64)
    inputs = [x.astype(np.float32) if x is not None and x.dtype in floats else x for x in case.inputs]
    case = Case(case.operator, min(case.opset, 24), F32, (inputs, case.attributes, case.outputs))
    node, tensors = case.node("")
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    try:
        model = modelOf(case.opset, [node], tensors, node.output).SerializeToString()
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"]).run(None, {})
    except Exception:  # not implemented
        return None


def bothAgree(case):
    """False where ONNX Runtime does not do what the text says: a single query sees all keys although is_causal is set, scores
    have -FLT_MAX for -inf, rows that see nothing have the mean, causality does not count from the valid keys, short masks."""
    if case.operator != "Attention":
        return True
    attributes, queries = case.attributes, case.inputs[0].shape[-2]
    if case.opset >= 25 or (attributes["is_causal"] and queries == 1) or len(case.inputs) > 6:
        return False
    if len(case.inputs) < 4 or case.inputs[3] is None:
        return True
    mask = case.inputs[3]
    seen = mask if mask.dtype == bool else mask != -np.inf
    plain = attributes["qk_matmul_output_mode"] < 2 and not attributes["is_causal"]
    return plain and seen.any(-1).all() and mask.shape[-1] == totalKeys(case)


def totalKeys(case):
    past = case.inputs[4].shape[2] if len(case.inputs) > 4 else 0
    return past + case.inputs[1].shape[-2]


def boundsOf(case):
    if case.operator in MOVES:
        return (0, 0)
    if case.operator in IN_F32 or case.attributes.get("softmax_precision") == 1:
        return F32_BOUNDS
    return F64_BOUNDS if case.dtype == F64 else BOUNDS


def checkOpset(opset, mine, folder, compared):
    nodes, tensors, outputs = [], {}, []
    for k, case in enumerate(mine):
        node, named = case.node(f"c{k}_")
        nodes.append(node)
        tensors |= named
        outputs += node.output
    source, result = folder / "model.onnx", folder / "folded.onnx"
    source.write_bytes(modelOf(opset, nodes, tensors, outputs).SerializeToString())
    t.runOk(source, "-o", result, "-O0", "--max-growth=unlimited", "--quiet")
    folded = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(result).graph.initializer}
    problems = []

    def compareWith(oracle, k, case, wanted, bounds):
        for name, want in zip([name for name in case.outputs if name], wanted):
            got = folded.get(f"c{k}_{name}")
            if got is not None and oracle == "ONNX Runtime" and got.dtype in (F64, F16, BF16):
                if got.dtype != F64:
                    return  # its f32 is rounded often, and so need not round to what is nearest
                got = got.astype(F32)
            text = "does not fold" if got is None else compare.differenceText(got, want, *bounds)
            if text:
                problems.append(f"{case} output {name}, {oracle}: {text}")

    for k, case in enumerate(mine):
        compareWith("reference evaluator", k, case, referenceResult(case), boundsOf(case))
        if case.operator in RUNTIME and bothAgree(case):
            wanted = runtimeResult(case)
            compared[case.operator, wanted is not None] += 1
            if wanted is not None:
                bounds = (0, 0) if case.operator in MOVES else RUNTIME_BOUNDS
                compareWith("ONNX Runtime", k, case, wanted, bounds)
    assert not problems, f"{len(problems)} of {len(mine)}:\n    " + "\n    ".join(problems[:10])


def distorted(maker, x, name):
    """An initializer that may have another shape: none, one or many elements, a dimension more or less, or a huge one."""
    tensor, shape = numpy_helper.from_array(x, name), list(x.shape)
    kind = maker.integer(0, 9)
    if kind == 0:
        shape = shape[1:]
    elif kind == 1:
        shape.insert(maker.integer(0, len(shape)), 2)
    elif kind in (2, 3) and shape:
        shape[maker.integer(0, len(shape) - 1)] = maker.integer(0, 5)
    elif kind == 4 and shape:
        shape = [[1, 2**20, 2**40, 2**62][maker.integer(0, 3)] for _ in shape]
        shape[maker.integer(0, len(shape) - 1)] = 0
    elif kind == 5 and x.dtype == np.int64:
        return numpy_helper.from_array(np.full_like(x, [-1, 5, 2**62, -(2**63)][maker.integer(0, 3)]), name)
    if 0 not in shape:
        return numpy_helper.from_array(np.resize(x, shape).astype(x.dtype), name)
    del tensor.dims[:]
    tensor.dims.extend(shape)
    tensor.raw_data = b""
    return tensor


def checkHostile(operator, count, seed, folder):
    maker, nodes, tensors, outputs = Maker(seed), [], [], []
    for opset in VERSIONS[operator]:
        for k in range(count):
            case = Case(operator, opset, F32, maker.make(operator, opset, F32))
            for name, value in case.attributes.items():
                if isinstance(value, int) and maker.chance(0.1):
                    case.attributes[name] = [-1, 0, 3, 2**40, 2**62, -(2**63)][maker.integer(0, 5)]
            node, named = case.node(f"c{k}_")
            nodes.append(node)
            tensors += [distorted(maker, x, name) for name, x in named.items() if name]
            outputs += node.output
        model = modelOf(opset, nodes, {}, outputs)
        model.graph.initializer.extend(tensors)
        source = folder / f"hostile{opset}.onnx"
        source.write_bytes(model.SerializeToString())
        for precision in ("exact", "wide"):
            flags = ("-O0", "--max-growth=unlimited", "--quiet", f"--precision={precision}")
            t.runOk(source, "-o", folder / "folded.onnx", *flags, timeout=600)
        nodes, tensors, outputs = [], [], []


def cases():
    maker, made = Maker(t.options.seed), []
    for operator, versions in VERSIONS.items():
        for opset in versions:
            for dtype in TYPES.get(operator, (F32, F16, F64, BF16)):
                for _ in range(1000 if t.options.long else 50):
                    made.append(Case(operator, opset, dtype, maker.make(operator, opset, dtype)))
    return made


onnxruntime.set_default_logger_severity(4)
# Counts how often ONNX Runtime ran an operator.
runs = OpsetRuns(VERSIONS, cases, opsetOf=lambda case: case.opset)


@pytest.mark.parametrize("opset", runs.opsets)
def test_opset(opset, folder):
    runs.run(opset, checkOpset, folder)


@pytest.mark.parametrize("operator", VERSIONS)
def test_hostile(operator, folder):
    checkHostile(operator, 2000 if t.options.long else 200, t.options.seed, folder)


def test_most_were_compared():
    runs.needAll()
    few = {name: runs.counts[name, False] for name in RUNTIME if runs.counts[name, False] > runs.counts[name, True]}
    assert not few, f"ONNX Runtime refused {few}, compared {runs.counts}"
