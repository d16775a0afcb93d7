# SPDX-License-Identifier: Apache-2.0
"""Folding through sequences and optionals, in every version and element type: programs of random operators on lists of
tensors, against lists of Python. Everything that comes out is a tensor: everything must fold, bit for bit. --long: ten seeds.
"""

import numpy as np
import pytest
import onnx
from onnx import helper, numpy_helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_types import Maker, dtypeOf, typesOf

OPSETS = (11, 14, 16, 18, 21, 24, 28)


class Program:
    """Nodes over constants, and what their tensors must be; sequences are lists beside their names."""

    def __init__(self, maker, dtype, opset):
        self.maker, self.dtype, self.opset = maker, dtype, opset
        self.random = maker.inputs(1).random
        self.nodes, self.constants, self.expected = [], [], {}

    def constant(self, value):
        self.constants.append(numpy_helper.from_array(np.asarray(value), f"c{id(self)}_{len(self.constants)}"))
        return self.constants[-1].name

    def node(self, operator, inputs, results=1, **attributes):
        names = [f"{operator}{id(self)}_{len(self.nodes)}_{k}" for k in range(results)]
        self.nodes.append(helper.make_node(operator, inputs, names, **attributes))
        return names[0] if results == 1 else names

    def expect(self, name, value):
        self.expected[name] = np.asarray(value)

    def tensor(self, *shape):
        value = self.maker.tensor(self.dtype, *shape)
        return self.constant(value), value

    # ---- sequences ------------------------------------------------------------------------------------------------------

    def construct(self, count):
        parts = [self.tensor(int(self.random.integers(0, 4)), 2) for _ in range(count)]
        if not parts:
            return self.node("SequenceEmpty", [], dtype=helper.np_dtype_to_tensor_dtype(self.dtype)), []
        return self.node("SequenceConstruct", [name for name, _ in parts]), [value for _, value in parts]

    def position(self, count):
        kind = np.int64 if self.random.random() < 0.5 else np.int32
        value = int(self.random.integers(-count, count))
        return self.constant(kind(value)), value

    def change(self, name, parts):
        """Insert, erase, or pass on."""
        what = self.random.integers(0, 4)
        if what == 0:
            added, value = self.tensor(1, 2)
            if self.random.random() < 0.4:
                return self.node("SequenceInsert", [name, added]), [*parts, value]
            at, position = self.position(len(parts)) if parts else (self.constant(np.int64(0)), 0)
            position = position + len(parts) if position < 0 else position
            return self.node("SequenceInsert", [name, added, at]), [*parts[:position], value, *parts[position:]]
        if what == 1 and parts:
            if self.random.random() < 0.4:
                return self.node("SequenceErase", [name]), parts[:-1]
            at, position = self.position(len(parts))
            return self.node("SequenceErase", [name, at]), [p for k, p in enumerate(parts) if k != position % len(parts)]
        if what == 2 and self.opset >= 14:
            return self.node("Identity", [name]), parts
        if what == 3 and self.opset >= 18:
            optional = self.node("Optional", [name])
            self.expect(self.node("OptionalHasElement", [optional]), True)
            return self.node("OptionalGetElement", [optional]), parts
        return name, parts

    def read(self, name, parts):
        self.expect(self.node("SequenceLength", [name]), np.int64(len(parts)))
        if not parts:
            return
        at, position = self.position(len(parts))
        self.expect(self.node("SequenceAt", [name, at]), parts[position])
        self.expect(self.node("ConcatFromSequence", [name], axis=0), np.concatenate(parts, 0))
        same = [self.tensor(2, 3) for _ in range(2)]
        alike = self.node("SequenceConstruct", [one for one, _ in same])
        for axis in (0, 1, 2, -1):
            stacked = self.node("ConcatFromSequence", [alike], axis=axis, new_axis=1)
            self.expect(stacked, np.stack([value for _, value in same], axis))

    def split(self):
        x, value = self.tensor(5, 3)
        for axis in (0, -1):
            size = value.shape[axis]
            kept = self.node("SplitToSequence", [x], axis=axis)
            self.checkParts(kept, [np.take(value, [k], axis) for k in range(size)])
            dropped = self.node("SplitToSequence", [x], axis=axis, keepdims=0)
            self.checkParts(dropped, [np.take(value, k, axis) for k in range(size)])
            two = self.node("SplitToSequence", [x, self.constant(np.int64(2))], axis=axis)
            self.checkParts(two, [np.take(value, range(k, min(k + 2, size)), axis) for k in range(0, size, 2)])
            kind = np.int32 if axis else np.int64
            sizes = self.node("SplitToSequence", [x, self.constant(np.array([1, 0, size - 1], kind))], axis=axis)
            self.checkParts(sizes, [np.take(value, range(*ends), axis) for ends in ((0, 1), (1, 1), (1, size))])

    def checkParts(self, name, parts):
        self.expect(self.node("SequenceLength", [name]), np.int64(len(parts)))
        for k, part in enumerate(parts):
            self.expect(self.node("SequenceAt", [name, self.constant(np.int64(k))]), part)

    # ---- optionals ------------------------------------------------------------------------------------------------------

    def optionals(self):
        x, value = self.tensor(2, 3)
        optional = self.node("Optional", [x])
        self.expect(self.node("OptionalHasElement", [optional]), True)
        self.expect(self.node("OptionalGetElement", [optional]), value)
        kind = helper.make_tensor_type_proto(helper.np_dtype_to_tensor_dtype(self.dtype), None)
        self.expect(self.node("OptionalHasElement", [self.node("Optional", [], type=kind)]), False)
        if self.opset >= 18:
            self.expect(self.node("OptionalHasElement", [x]), True)
            self.expect(self.node("OptionalHasElement", [""]), False)
            self.expect(self.node("OptionalHasElement", []), False)
            self.expect(self.node("OptionalGetElement", [x]), value)

    def mapped(self):
        """SequenceMap: each part turned over, with a tensor that all iterations share."""
        name, parts = self.construct(3)
        shared, value = self.tensor(1, 2)
        kind = helper.np_dtype_to_tensor_dtype(self.dtype)
        body = m.graph(
            [helper.make_node("Concat", ["part", "other"], ["joined"], axis=0)],
            [m.info("part", None, kind), m.info("other", None, kind)],
            [m.info("joined", None, kind)],
            name="body",
        )
        result = self.node("SequenceMap", [name, shared], body=body)
        self.checkParts(result, [np.concatenate([part, value], 0) for part in parts])

    def write(self):
        for count in (0, 1, 4):
            name, parts = self.construct(count)
            for _ in range(4):
                name, parts = self.change(name, parts)
            self.read(name, parts)
        self.split()
        if self.opset >= 16:
            self.optionals()
        if self.opset >= 18:
            self.mapped()


def elementTypes():
    constraints = onnx.defs.get_schema("SequenceConstruct", 11).type_constraints
    return [dtypeOf(text) for c in constraints if c.type_param_str == "T" for text in c.allowed_type_strs]


def programs(opset, seed):
    for dtype in elementTypes():
        program = Program(Maker(seed + opset), dtype, opset)
        program.write()
        assert len(program.expected) > 40, f"only {len(program.expected)} tensors are compared"
        yield program
    if opset >= 28:
        for dtype in typesOf(onnx.defs.get_schema("Optional", opset), 0):
            program = Program(Maker(seed), dtype, opset)
            program.optionals()
            yield program


def checkOpset(opset, seed, folder):
    problems = []
    for program in programs(opset, seed):
        outputs = [helper.make_empty_tensor_value_info(name) for name in program.expected]
        model = m.model(program.nodes, [], outputs, program.constants, opset, 14 if opset >= 28 else 13)
        onnx.save(model, folder / "model.onnx")
        report = t.foldWithReport(folder / "model.onnx", folder / "out.onnx", "--max-growth=unlimited")
        graph = onnx.load(folder / "out.onnx").graph
        kept = {one["outputs"][0]: one["reason"]["text"] for one in report["nodes"] if one["action"] == "kept"}
        for name, want in program.expected.items():
            got = m.constantValue(graph, name)
            text = f"does not fold: {kept.get(name)}" if got is None else compare.differenceText(got, want)
            if text:
                problems.append(f"{program.dtype} {name.partition(str(id(program)))[0]}: {text}")
    assert not problems, f"{len(problems)}:\n    " + "\n    ".join(problems[:12])


SEEDS = range(t.options.seed, t.options.seed + (10 if t.options.long else 1))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("opset", OPSETS)
def test_opset(opset, seed, folder):
    checkOpset(opset, seed, folder)
