# SPDX-License-Identifier: Apache-2.0
"""Operators in every version and element type: what their schemas take, inputs of all types, and many nodes folded at once.

A module that tests operators by a table has for each a function `cases(maker, version, dtype)`, which yields inputs
(None: left out), attributes and the expected results, and optionally (ulps, part of the largest) that they may be off, and
ends with `test_table, test_evaluators, test_evaluators_were_asked = tableTests(...)`. What is expected is also compared with what ONNX Runtime and the reference evaluator
make of the same node, where they take it: the script lists for which operators they are wrong, and why.
"""

import functools
from collections import Counter

import ml_dtypes
import numpy as np
import pytest
import onnx
from onnx import helper, numpy_helper

import onnxfold_compare as compare
import onnxfold_oracles as oracles
import onnxfold_testing as t

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
        """Elements whose conversion is defined and undisputed: in the range of an integer, of 2 and 4 bits not half-way between
        two, positive and in range for float8e8m0."""
        x = self.tensor(source)
        if source == bool:
            return x | (target.name == "float8_e8m0fnu")
        with np.errstate(all="ignore"):
            wide = x.astype(np.float64)
            if target.name == "float8_e8m0fnu":
                bad = ~((wide >= 2.0**-127) & (wide <= 2.0**127))
            elif isInteger(target) and not isInteger(source):
                low, high = limits(target)
                whole = np.rint(wide) if target.name in NARROW else np.trunc(wide)
                bad = ~((whole >= low) & (whole < high)) | ((target.name in NARROW) & (np.abs(wide) % 1 == 0.5))
            else:
                return x
        return np.where(bad, np.ones_like(x), x)


def versions(operator, oldest=1):
    """(opset, schema) of all versions that opsets from `oldest` on resolve to, with the first such opset."""
    schemas = [s for s in onnx.defs.get_all_schemas_with_history() if s.domain == "" and s.name == operator]
    schemas.sort(key=lambda schema: schema.since_version)
    for schema, following in zip(schemas, schemas[1:] + [None]):
        if (following is None or following.since_version > oldest) and not schema.deprecated:
            yield max(oldest, schema.since_version), schema


def typesOf(schema, parameter):
    """Element types of tensors that an input may be."""
    variable = schema.inputs[parameter].type_str
    texts = [text for c in schema.type_constraints if c.type_param_str == variable for text in c.allowed_type_strs]
    return [dtypeOf(text) for text in texts if text.startswith("tensor(")]


def foldAll(opset, nodes, folder, *flags):
    """Folds nodes over constants, all of one model. `nodes`: (operator, inputs, attributes, number of results), an input that
    is None being left out. Returns for each node the arrays of its results, None where one did not fold."""
    made, initializers, names = [], [], []
    for k, (operator, inputs, attributes, results) in enumerate(nodes):
        given = ["" if x is None else f"c{k}_{i}" for i, x in enumerate(inputs)]
        initializers += [numpy_helper.from_array(x, name) for name, x in zip(given, inputs) if x is not None]
        names.append([f"y{k}_{i}" for i in range(results)])
        made.append(helper.make_node(operator, given, names[-1], name=f"n{k}", **attributes))
    outputs = [helper.make_empty_tensor_value_info(name) for one in names for name in one]
    graph = helper.make_graph(made, "types", [], outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = 14 if opset >= 28 else 13
    source, result = folder / f"opset{opset}.onnx", folder / f"opset{opset}.folded.onnx"
    source.write_bytes(model.SerializeToString())
    done = t.run(source, "-o", result, "-O0", "--max-growth=unlimited", "--fold-quantization=all", "--quiet", *flags)
    assert done.code == 0, f"the tool failed: {done}"
    stored = {tensor.name: tensor for tensor in onnx.load(result).graph.initializer}
    return [[numpy_helper.to_array(stored[name]) if name in stored else None for name in one] for one in names]


# ---- tables ------------------------------------------------------------------------------------------------------------


def i64(*values):
    return np.array(values, np.int64)


class Maker:
    """Makes tensors of any type; the same for the same seed."""

    def __init__(self, seed):
        self.seed, self.made = seed, 0

    def inputs(self, size):
        self.made += 1
        return Inputs(self.seed * 1000003 + self.made, max(size, 1))

    def tensor(self, dtype, *shape):
        """Extremes and special values among others."""
        size = int(np.prod(shape))
        return self.inputs(size).tensor(np.dtype(dtype))[:size].reshape(shape)

    def small(self, dtype, *shape, low=-4, high=5):
        """Whole numbers that every type but the narrowest holds."""
        random = self.inputs(1).random
        values = random.integers(max(low, 0) if np.dtype(dtype).kind == "u" else low, high, shape)
        return values.astype(np.float32).astype(dtype)

    def real(self, dtype, *shape, scale=2.0):
        """Numbers with a fraction, or whole ones for integers."""
        random = self.inputs(1).random
        return np.abs(random.normal(0, scale, shape)).astype(dtype) if np.dtype(dtype).kind == "u" else (
            random.normal(0, scale, shape).astype(dtype)
        )


def checkTable(opset, cases, folder):
    nodes = [(operator, inputs, attributes, len(want)) for _, operator, _, inputs, attributes, want, _ in cases]
    problems = []
    for (_, operator, dtype, inputs, attributes, expected, bounds), results in zip(cases, foldAll(opset, nodes, folder)):
        for got, want in zip(results, expected):
            text = "does not fold" if got is None else compare.differenceText(got, np.asarray(want), *bounds)
            if text:
                shapes = [x.shape for x in inputs if x is not None]
                problems.append(f"{operator}-{opset} of {dtype} {shapes} {attributes}: {text}")
    assert not problems, f"{len(problems)} of {len(cases)}:\n    " + "\n    ".join(problems[:12])


# Opsets that the evaluators know; others are not asked. The reference evaluator has the newest definition for most.
EVALUATORS = {"runtime": (oracles.runtimeResults, range(7, 27)), "reference": (oracles.referenceResults, range(1, 29))}


def looseBounds(dtype):
    """How far off evaluators may be, which compute in the element type."""
    if dtype.kind in "OSUbiuc" or isInteger(dtype):
        return (0, 0.0)
    return (4, 2e-3) if dtype.itemsize < 4 else (16, 1e-5)


def disagreement(results, expected):
    for got, want in zip(results, map(np.asarray, expected)):
        got = np.asarray(got)
        got = got.astype(object) if got.dtype.kind == "U" else got
        if got.dtype == np.uint8 and want.dtype.name.startswith("float8"):  # how ONNX Runtime hands them out
            got = got.view(want.dtype)
        text = compare.differenceText(got, want, *looseBounds(want.dtype))
        if text:
            return text
    return ""


def compareEvaluators(cases, wrong, count, same=None):
    """Compares what is expected with each evaluator; `wrong`: {(evaluator, operator): why it is wrong}. ONNX Runtime is asked
    only where same(operator, inputs) says that its answer is the same on every processor."""
    problems = []
    for opset, operator, dtype, inputs, attributes, expected, _ in cases:
        for name, (run, opsets) in EVALUATORS.items():
            if opset not in opsets or (name == "runtime" and same and not same(operator, inputs)):
                continue
            try:
                results = run(opset, operator, inputs, attributes, len(expected))
            except Exception:  # it does not take this type, version or attribute
                continue
            count[name] += 1
            text = disagreement(results, expected)
            if text:
                count[name, operator] += 1
            if text and (name, operator) not in wrong:
                problems.append(f"{name}: {operator}-{opset} of {dtype} {attributes}: {text}")
    assert not problems, f"{len(problems)}:\n    " + "\n    ".join(problems[:12])


class Table:
    """{operator: cases} in all versions and in the element types that elementTypes(operator, schema) gives."""

    def __init__(self, operators, elementTypes):
        self.operators, self.elementTypes = operators, elementTypes
        self.seeds = range(t.options.seed, t.options.seed + (10 if t.options.long else 1))
        self.opsets = sorted({opset for name in operators for opset, schema in versions(name) if elementTypes(name, schema)})
        self.keys = [(opset, seed) for opset in self.opsets for seed in self.seeds]

    @functools.cache
    def cases(self, seed):
        """{opset: its cases}; made when the first test asks for them, not when tests are collected."""
        maker, byOpset = Maker(seed), {opset: [] for opset in self.opsets}
        for operator, cases in self.operators.items():
            for opset, schema in versions(operator):
                for dtype in self.elementTypes(operator, schema):
                    for inputs, attributes, expected, *bounds in cases(maker, schema.since_version, dtype):
                        case = (opset, operator, dtype, inputs, attributes, expected, bounds[0] if bounds else (0, 0.0))
                        byOpset[opset].append(case)
        return byOpset


def tableTests(operators, elementTypes, least, wrong, same=None):
    """The three tests of a table: one model for each opset; --long: ten seeds. There must be at least so many cases. `wrong`:
    {(evaluator, operator): why what the evaluator says does not count}. `same`: see compareEvaluators."""
    table, count, asked = Table(operators, elementTypes), Counter(), set()

    @pytest.mark.parametrize("opset, seed", table.keys)
    def test_table(opset, seed, folder):
        checkTable(opset, table.cases(seed)[opset], folder)

    @pytest.mark.parametrize("opset, seed", table.keys)
    def test_evaluators(opset, seed):
        compareEvaluators(table.cases(seed)[opset], wrong, count, same)
        asked.add((opset, seed))

    def test_evaluators_were_asked():
        if asked != set(table.keys):
            pytest.skip("not all opsets were run")
        total = sum(len(cases) for seed in table.seeds for cases in table.cases(seed).values())
        assert total >= least, f"only {total} cases"
        for name in EVALUATORS:
            different = {key[1]: number for key, number in count.items() if key[0] == name}
            print(f"{name} agrees with {count[name]} of {total} cases, but for {different}")
            assert count[name] > total // 10, f"{name} took only {count[name]} of {total} cases"
        unused = [key for key in wrong if t.options.long and not count[key]]
        assert not unused, f"said to be wrong, but agree: {unused}"

    return test_table, test_evaluators, test_evaluators_were_asked
