#!/usr/bin/env python3
"""Elementwise operators and Cast in every element type of every version, against the onnx package's reference evaluator.

One model per opset from 7 on holds one node per operator that changes there and per (input and output) element type that its
schema takes. Inputs are extremes and special values, shuffled, and seeded random numbers. Everything must fold, to the same
bits (any NaN is any NaN), but for functions that numpy computes in the element type itself: ULPS. `expectation` lists where
the evaluator does not say what the operator's text says. --long: longer inputs, ten seeds.
"""

import math
import sys
from fractions import Fraction
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib"))
import onnxfold_compare as compare
import onnxfold_testing as t

UNARY = "Abs Neg Sign Floor Ceil Round Sqrt Reciprocal Exp Log Erf Sin Cos Tanh Sigmoid Relu Not IsNaN".split()
UNARY += "ThresholdedRelu IsInf BitwiseNot".split()
WIDER = "Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Softplus Softsign LeakyRelu".split()  # computed in double
UNARY += WIDER
BINARY = "Add Sub Mul Div Mod Pow Equal Less LessOrEqual Greater GreaterOrEqual And Or Xor".split()
BINARY += "BitwiseAnd BitwiseOr BitwiseXor".split()
VARIADIC = "Min Max Sum Mean".split()
ULPS = {**dict.fromkeys(("Exp", "Log", "Erf", "Sin", "Cos", "Tanh", "Sigmoid", *WIDER), 4), "Pow": 4}
SIGN_OF_ZERO_IS_FREE = {"Min", "Max", "Relu", "Sign"}  # numpy's own answer depends on the type
SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, -0.5, 1.5, -2.5, 3.5, 1e-8, -1e-8, 65504, 1e30, 1e-40, 240, 7.9]
NARROW = ("int4", "uint4", "int2", "uint2", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn")


def dtypeOf(text):
    """'tensor(float16)' -> numpy's float16."""
    aliases = {"float": "float32", "double": "float64", "float8e4m3fn": "float8_e4m3fn", "float8e5m2": "float8_e5m2"}
    aliases |= {"float8e4m3fnuz": "float8_e4m3fnuz", "float8e5m2fnuz": "float8_e5m2fnuz", "float8e8m0": "float8_e8m0fnu"}
    aliases |= {"float4e2m1": "float4_e2m1fn", "float6e2m3": "float6_e2m3fn", "float6e3m2": "float6_e3m2fn"}
    name = text[len("tensor(") : -1]
    name = aliases.get(name, name)
    return np.dtype(object if name == "string" else getattr(ml_dtypes, name, None) or name)


def isInteger(dtype):
    return "int" in dtype.name


def limits(dtype):
    info = ml_dtypes.iinfo(dtype) if dtype.name in NARROW else np.iinfo(dtype)
    return int(info.min), int(info.max)


def asInteger(values, dtype):
    """Python integers as an array, also of types that numpy cannot convert them to."""
    wide = np.array(values, dtype=np.uint64 if max(values) >= 2**63 else np.int64)
    return wide.astype(np.int8).astype(dtype) if dtype.name in NARROW else wide.astype(dtype)


class Inputs:
    """Makes input tensors; the same for the same seed."""

    def __init__(self, seed, size):
        self.random, self.size = np.random.default_rng(seed), size

    def integers(self, dtype):
        low, high = limits(dtype)
        near = self.random.integers(max(low, -20), min(high, 20) + 1, self.size).tolist()
        far = self.random.integers(max(low, -(2**62)), min(high, 2**62) + 1, self.size).tolist()
        return ([low, high, 0, low + 1, high - 1, 1] + far[: self.size // 4] + near)[: self.size]

    def tensor(self, dtype):
        if dtype == bool:
            return self.random.integers(0, 2, self.size).astype(bool)
        if dtype == object:
            return self.random.choice(np.array(["a", "", "bc", "A"], dtype=object), self.size)
        if isInteger(dtype):
            return asInteger(self.integers(dtype), dtype)
        wide = np.concatenate([SPECIAL, self.random.normal(0, 3, self.size), self.random.normal(0, 1e3, 8)])[: self.size]
        with np.errstate(all="ignore"):
            return self.random.permutation(wide).astype(dtype)

    def divisor(self, dtype):
        """Without 0, and without -1, which the smallest integer cannot be divided by."""
        x = self.tensor(dtype)
        return np.where((x == 0) | (x.astype(np.int64) == -1), np.ones_like(x), x) if isInteger(dtype) else x

    def exponent(self, base, dtype):
        """For integer bases: not negative, and with a float exponent small enough for the result."""
        if not isInteger(base.dtype):
            return base, self.tensor(dtype)
        if isInteger(dtype):
            return base, (np.abs(self.tensor(dtype).astype(np.int64)) % 40).astype(dtype)
        return (base % 17).astype(base.dtype), (self.random.integers(0, 7, self.size)).astype(dtype)

    def castable(self, source, target):
        """Elements whose conversion is defined: in the range of an integer, positive for float8e8m0."""
        x = self.tensor(source)
        if source == bool:
            return x
        with np.errstate(all="ignore"):
            wide = x.astype(np.float64)
            if target.name == "float8_e8m0fnu":
                bad = ~(wide > 0)
            elif isInteger(target) and not isInteger(source):
                low, high = limits(target)
                bad = ~((np.trunc(wide) >= low) & (np.trunc(wide) < high))
            else:
                return x
        return np.where(bad, np.ones_like(x), x)


def versions(operator):
    """(since_version, schema) of all versions that opsets from 7 on resolve to, with the first such opset."""
    schemas = [s for s in onnx.defs.get_all_schemas_with_history() if s.domain == "" and s.name == operator]
    schemas.sort(key=lambda schema: schema.since_version)
    for schema, following in zip(schemas, schemas[1:] + [None]):
        if following is None or following.since_version > 7:
            yield max(7, schema.since_version), schema


def typesOf(schema, parameter):
    variable = schema.inputs[parameter].type_str
    return [dtypeOf(text) for c in schema.type_constraints if c.type_param_str == variable for text in c.allowed_type_strs]


def elementwiseCases(inputs):
    """(opset, operator, input tensors, attributes)"""
    for operator in UNARY + BINARY + VARIADIC:
        for opset, schema in versions(operator):
            for dtype in typesOf(schema, 0):
                x = inputs.tensor(dtype)
                if operator in UNARY:
                    yield opset, operator, [x], {}
                elif operator in VARIADIC:
                    yield opset, operator, [x, inputs.tensor(dtype), inputs.tensor(dtype)], {}
                elif operator == "Pow":
                    for other in typesOf(schema, 1) if opset >= 12 else [dtype]:
                        yield opset, operator, list(inputs.exponent(x, other)), {}
                elif operator in ("Div", "Mod"):
                    y = inputs.divisor(dtype)
                    if operator == "Div" or isInteger(dtype) or opset >= 28:
                        yield opset, operator, [x, y], {}
                    if operator == "Mod":
                        yield opset, operator, [x, y], {"fmod": 1}
                else:
                    y = inputs.tensor(dtype)
                    yield opset, operator, [x, np.where(inputs.random.random(len(x)) < 0.3, x, y).astype(dtype)], {}


def castCases(inputs):
    for opset, schema in versions("Cast"):
        for source in typesOf(schema, 0):
            for text in next(c.allowed_type_strs for c in schema.type_constraints if c.type_param_str == "T2"):
                target = dtypeOf(text)
                if object in (source, target):
                    continue
                to = helper.np_dtype_to_tensor_dtype(target)
                x = inputs.castable(source, target)
                yield opset, "Cast", [x], {"to": to}
                if "float8" in target.name and opset >= 19:
                    yield opset, "Cast", [x], {"to": to, "saturate": 0}


def singleNode(opset, operator, tensors, attributes):
    names = [f"x{i}" for i in range(len(tensors))]
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for name, x in zip(names, tensors)
    ]
    node = helper.make_node(operator, names, ["y"], **attributes)
    graph = helper.make_graph([node], "one", infos, [helper.make_empty_tensor_value_info("y")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    with np.errstate(all="ignore"):
        return ReferenceEvaluator(model).run(None, dict(zip(names, tensors)))[0]


def toExponentOnly(x, saturate):
    """Cast to float8e8m0, rounding up: the table of Cast-24 (the evaluator flushes 2^-127 and loses infinities of f16)."""
    wide = x.astype(np.float64)
    mantissa, exponent = np.frexp(wide)
    power = np.ldexp(1.0, np.where(mantissa == 0.5, exponent - 1, exponent))
    power = np.where((wide == 0) | np.isinf(wide), wide, power)
    low, high = 2.0**-127, 2.0**127
    if saturate:
        return np.clip(power, low, high)
    return np.where((wide < low) | (wide > high), np.nan, power)


def roundedOnce(x, guess):
    """Numbers of more than 24 bits in a narrow float type: the evaluator goes through f32, and so may be one step off."""
    pattern, result = f"u{guess.dtype.itemsize}", guess.copy()
    for i, number in enumerate(x):
        if not (np.isfinite(float(number)) and np.isfinite(float(guess[i]))):
            continue
        bits = int(guess[i : i + 1].view(pattern)[0])
        exact = Fraction(number.item())
        nearest = abs(Fraction(float(guess[i])) - exact), bits & 1
        for step in (bits - 1, bits + 1):
            value = np.array([step % 256**guess.itemsize], pattern).view(guess.dtype)[0]
            if np.isfinite(float(value)) and (abs(Fraction(float(value)) - exact), step & 1) < nearest:
                nearest, result[i] = (abs(Fraction(float(value)) - exact), step & 1), value
    return result


def castExpectation(opset, x, attributes):
    target, saturate = helper.tensor_dtype_to_np_dtype(attributes["to"]), attributes.get("saturate", 1)
    with np.errstate(all="ignore"):
        if target.name == "float8_e8m0fnu":
            return np.where(x != x, np.nan, toExponentOnly(x, saturate)).astype(target)
        if x.dtype.name in NARROW or x.dtype.name == "float8_e8m0fnu":  # ml_dtypes has not all pairs
            x = x.astype(np.int32 if isInteger(x.dtype) else np.float64)
            x = x.astype(np.int8) if isInteger(x.dtype) and target.name in NARROW else x
        want = singleNode(opset, "Cast", [x], attributes)
        if want.dtype.itemsize <= 2 and not isInteger(want.dtype) and want.dtype != bool and x.dtype.itemsize >= 4:
            want = roundedOnce(x, want)
        if target.name.endswith("fnuz") and saturate and opset < 24 and not isInteger(x.dtype) and x.dtype != bool:
            # Cast-19 to Cast-23 have NaN in their tables, the evaluator what Cast-24 says.
            want = np.where(np.isinf(x.astype(np.float64)), np.array(np.nan, target), want)
    return want


def expectation(opset, operator, tensors, attributes):
    if operator == "Cast":
        return castExpectation(opset, tensors[0], attributes)
    x = tensors[0]
    if operator == "Erf" and x.dtype == np.float64:  # the evaluator rounds to f32
        return np.array([math.erf(v) for v in x])
    if operator == "Pow" and isInteger(x.dtype) and isInteger(tensors[1].dtype):  # it goes through double for uint64
        exact = [pow(int(a), int(b), 2**64) for a, b in zip(x, tensors[1])]
        return np.array(exact, dtype=np.uint64).astype(x.dtype)
    return singleNode(opset, operator, tensors, attributes)


def foldAll(opset, cases, folder):
    """The tensor that each case folds to."""
    nodes, initializers = [], []
    for k, (_, operator, tensors, attributes) in enumerate(cases):
        names = [f"c{k}_{i}" for i in range(len(tensors))]
        initializers += [numpy_helper.from_array(x, name) for name, x in zip(names, tensors)]
        nodes.append(helper.make_node(operator, names, [f"y{k}"], name=f"n{k}", **attributes))
    outputs = [helper.make_empty_tensor_value_info(f"y{k}") for k in range(len(cases))]
    graph = helper.make_graph(nodes, "types", [], outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = 14 if opset >= 28 else 13
    source, result = folder / f"opset{opset}.onnx", folder / f"opset{opset}.folded.onnx"
    source.write_bytes(model.SerializeToString())
    done = t.run(source, "-o", result, "-O0", "--max-growth=unlimited", "--quiet")
    t.expect(done.code == 0, f"the tool failed: {done}")
    return {tensor.name: tensor for tensor in onnx.load(result).graph.initializer}


def describe(case):
    opset, operator, tensors, attributes = case
    return f"{operator} at opset {opset} of {', '.join(x.dtype.name for x in tensors)} {attributes or ''}".rstrip()


def nanToFinite(case, got, want):
    """The formats of 4 and 6 bits have no NaN; the sign of the zero that it becomes is the sign of a NaN."""
    if case[1] != "Cast" or got.dtype.name not in NARROW or isInteger(got.dtype) or isInteger(case[2][0].dtype):
        return want
    return np.where(np.isnan(case[2][0].astype(np.float64)), got, want).astype(want.dtype)


def difference(case, got, want):
    if got.dtype != want.dtype or got.shape != want.shape:
        return compare.differenceText(got, want)
    if case[1] in SIGN_OF_ZERO_IS_FREE and not isInteger(want.dtype):
        got, want = got + np.zeros_like(got), want + np.zeros_like(want)
    return compare.differenceText(got, nanToFinite(case, got, want), ulps=ULPS.get(case[1], 0))


def checkOpset(opset, cases, folder):
    folded = foldAll(opset, cases, folder)
    problems = []
    for k, case in enumerate(cases):
        if f"y{k}" not in folded:
            problems.append(f"{describe(case)} does not fold")
            continue
        text = difference(case, numpy_helper.to_array(folded[f"y{k}"]), np.asarray(expectation(*case)))
        if text:
            problems.append(f"{describe(case)} {text}")
    t.expect(not problems, f"{len(problems)} of {len(cases)}:\n    " + "\n    ".join(problems[:10]))


def main():
    suite = t.Suite(__doc__.splitlines()[0])
    options = suite.parse()
    count = 0
    for seed in range(options.seed, options.seed + (10 if options.long else 1)):
        inputs = Inputs(seed, 400 if options.long else 48)
        cases = list(elementwiseCases(inputs)) + list(castCases(inputs))
        count += len(cases)
        for opset in sorted({case[0] for case in cases}):
            mine = [case for case in cases if case[0] == opset]
            suite.add(f"opset{opset}_seed{seed}", lambda folder, o=opset, c=mine: checkOpset(o, c, folder))
    t.expect(count >= 4000, f"only {count} cases")
    print(f"{count} combinations of operator, version and element types")
    return suite.main()


if __name__ == "__main__":
    sys.exit(main())
