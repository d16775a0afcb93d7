#!/usr/bin/env python3
"""Operators that are taken apart because a part of them folds, and the others, which stay."""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import cleaned
from onnxfold_models import const, info, node

suite = t.Suite(__doc__.splitlines()[0])
SIZES = {"a": 2, "b": 3, "c": 4, "d": 5, "e": 2}


def einsum(equation, which, dtype, rng):
    """A model whose inputs are constant but those of `which`; and a feed."""
    left, right = equation.split("->")
    values = [rng.integers(-9, 9, [SIZES[letter] for letter in term]).astype(dtype) for term in left.split(",")]
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    names = [f"v{k}" for k in range(len(values))]
    inputs = [info(names[k], [f"dim_{letter}" for letter in left.split(",")[k]], kind) for k in which]
    constants = [const(names[k], value) for k, value in enumerate(values) if k not in which]
    outputs = [info("y", [f"dim_{letter}" for letter in right], kind)]
    model = m.model([node("Einsum", names, ["y"], equation=equation)], inputs, outputs, constants)
    return model, {names[k]: values[k] for k in which}


def equationOf(model):
    return [one.attribute[0].s.decode() for one in model.graph.node if one.op_type == "Einsum"]


@suite.case
def einsum_of_integers(folder):
    """Exact, so at -O1; other letters of the constants are summed."""
    rng = np.random.default_rng(1)
    for number, (equation, which, expected) in enumerate(
        (
            ("ab,bc,cd->ad", [0], "ab,bd->ad"),
            ("ab,bc,cb->ab", [0], "ab,b->ab"),
            ("ab,bc->a", [0], "ab,b->a"),
            ("bc,ab->a", [1], "ab,b->a"),
            ("ab,bc,ab,cb->a", [0, 2], "ab,ab,b->a"),
            ("ab,b,c->abc", [0], "ab,b,c->abc"),  # would be larger
            ("ab,bc->ac", [0], "ab,bc->ac"),  # nothing to fold
            ("ab,c->ab", [0], "ab,c->ab"),  # no letter would be left
        )
    ):
        place = folder / str(number)
        place.mkdir()
        model, feed = einsum(equation, which, np.int64, rng)
        t.expectEqual(equationOf(cleaned(place, model, feeds=[feed])), [expected], f"equation of {equation}")


@suite.case
def einsum_of_floats(folder):
    """At -O2 only. The numbers are small integers, so that all sums are exact in any order."""
    rng = np.random.default_rng(1)
    for number, (equation, which, expected) in enumerate(
        (("ab,bc,cd->ad", [0], "ab,bd->ad"), ("bc,cd,ab->a", [2], "ab,b->a"), ("bcd,ab,dc->ab", [1], "ab,b->ab"))
    ):
        for level in (1, 2):
            place = folder / f"{number}_{level}"
            place.mkdir()
            model, feed = einsum(equation, which, np.float32, rng)
            out = cleaned(place, model, f"-O{level}", feeds=[feed])
            t.expectEqual(equationOf(out), [expected if level == 2 else equation], f"equation of {equation} at -O{level}")


@suite.case
def einsum_of_one_value(folder):
    rng = np.random.default_rng(1)
    model, feed = einsum("abc->cab", [0], np.float32, rng)
    out = cleaned(folder, model, feeds=[feed])
    t.expectEqual(m.operators(out), ["Transpose"], "operators")
    for equation in ("abc->ca", "aeb->aeb"):
        place = folder / equation[:3]
        place.mkdir()
        model, feed = einsum(equation, [0], np.float32, rng)
        expected = ["Einsum"] if len(equation) == 7 else ["Transpose"]
        t.expectEqual(m.operators(cleaned(place, model, feeds=[feed])), expected, f"operators of {equation}")


@suite.case
def a_constant_with_two_readers(folder):
    """What others read does not go: summed, the model would be larger."""
    model, feed = einsum("ab,bc->a", [0], np.int64, np.random.default_rng(1))
    model.graph.node.append(node("Shape", ["v0"], ["s"]))
    model.graph.node.append(node("MatMul", ["v0", "v1"], ["z"]))
    model.graph.output.append(info("z", ["dim_a", "dim_c"], TensorProto.INT64))
    t.expectEqual(equationOf(cleaned(folder, model, feeds=[feed])), ["ab,bc->a"], "equation")


@suite.case
def cast_like(folder):
    """A target that is only asked for its type goes."""
    x = np.float32([[-2.7, 300.4, 1e9], [0.5, -0.0, 65504]])
    for name, target in (("half", np.float16(1)), ("int", np.int64([1, 2])), ("text", np.array(["a"], object))):
        place = folder / name
        place.mkdir()
        tensor = const("k", target) if name != "text" else helper.make_tensor("k", TensorProto.STRING, [1], [b"a"])
        model = m.model(
            [node("CastLike", ["x", "k"], ["y"])], [info("x", ("n", 3))], [info("y", ("n", 3), tensor.data_type)], [tensor]
        )
        out = cleaned(place, model, feeds=[{"x": x}])
        t.expectEqual((m.operators(out), m.initializerNames(out)), (["Cast"], []), f"what is left of {name}")


def bodyNodes(schema, value):
    """How many nodes of a function body depend on one input."""
    depend = {value}
    count = 0
    for one in schema.function_body.node:
        if depend & set(one.input):
            depend |= set(one.output)
            count += 1
    return count


@suite.case
def bodies_never_pay(folder):
    """With any one input unknown, what is left of a body is more than one node. (SwiGLU: `Swish(A) * B` for a constant A is one
    node too, and no byte less. Axes alone are not unknown where data is constant in any model.) A new operator that this is not
    true of is one to think about."""
    fewer = set()
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "" and schema.has_function:
            for value in schema.inputs:
                if bodyNodes(schema, value.name) < 2:
                    fewer.add((schema.name, value.name))
    known = {("SwiGLU", "B"), ("ReduceL1", "axes"), ("ReduceSumSquare", "axes")}
    t.expect(fewer <= known, f"bodies that would pay: {fewer - known}")


# Operators whose bodies depend on their inputs' types or on which are given. Bernoulli is random, CastLike and SequenceMap have
# tests of their own (above, and test_control_flow.py). Of the others, whatever is constant, two nodes or more are left: what works
# on the unknown input, and what brings it into shape before or after (Clip: Less and Where; Softmax: Exp and Div; the losses:
# LogSoftmax or GatherElements, and a reduction; DepthToSpace: Reshape and Transpose; Range: Mul and Add in a Loop).
DEPEND_ON_INPUTS = {
    "Attention", "Bernoulli", "CastLike", "CausalConvWithState", "Celu", "CenterCropPad", "Clip", "DepthToSpace", "Gelu",
    "GroupNormalization", "LayerNormalization", "LinearAttention", "LogSoftmax", "NegativeLogLikelihoodLoss", "RMSNormalization",
    "Range", "RotaryEmbedding", "SequenceMap", "Softmax", "SoftmaxCrossEntropyLoss", "SpaceToDepth",
}  # fmt: skip


@suite.case
def bodies_that_depend_on_inputs(folder):
    """A new one is one to think about, too."""
    names = {
        schema.name
        for schema in onnx.defs.get_all_schemas_with_history()
        if schema.domain == "" and schema.has_context_dependent_function and not schema.has_function
    }
    t.expect(names <= DEPEND_ON_INPUTS, f"operators whose bodies nobody looked at: {names - DEPEND_ON_INPUTS}")


if __name__ == "__main__":
    sys.exit(suite.main())
