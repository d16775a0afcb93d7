# SPDX-License-Identifier: Apache-2.0
"""Sequences of tensors that are not constant: what scripted torch.split, unbind and lists in loops become."""

import json

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_exact import canRun, cleaned
from onnxfold_models import const, info, node, sequenceInfo

BOOL, I64, F32 = TensorProto.BOOL, TensorProto.INT64, TensorProto.FLOAT
X = info("x", (6, 3))
FEEDS = [{"x": np.random.default_rng(k).standard_normal((6, 3)).astype(np.float32)} for k in range(2)]
NUMBERS = {f"n{i}": const(f"n{i}", np.int64(i)) for i in range(-4, 7)}
YES = const("yes", np.array(True))


def numbersOf(nodes):
    """The constants n-4 ... n6 that nodes read."""
    read = {name for one in nodes for name in one.input}
    return [value for name, value in NUMBERS.items() if name in read]


def modelOf(nodes, outputs, *constants, inputs=(X,), rank=2, **how):
    infos = [info(name, (None,) * rank) for name in outputs]
    return m.model(nodes, inputs, infos, [*numbersOf(nodes), *constants], **how)


def expectNoSequences(out):
    used = [op for op in m.operators(out) if "Sequence" in op]
    assert not used, f"operators are {m.operators(out)}"


def parts(names, sequence="s"):
    """Reads tensors 0, 1, ... of a sequence, each of which is used."""
    nodes = []
    for i, name in enumerate(names):
        nodes += [node("SequenceAt", [sequence, f"n{i}"], [f"{name}_t"]), node("Relu", [f"{name}_t"], [name])]
    return nodes


def test_split_into_sizes(folder):
    """torch.split(x, [1, 2, 3])"""
    sizes = const("sizes", np.array([1, 2, 3], np.int64))
    out = cleaned(folder, modelOf([node("SplitToSequence", ["x", "sizes"], ["s"]), *parts("abc")], "abc", sizes), feeds=FEEDS)
    assert m.operators(out) == ["Split", "Relu", "Relu", "Relu"], "operators"


def test_split_by_size(folder):
    """torch.split(x, 4): the last part is smaller; one is used."""
    nodes = [node("SplitToSequence", ["x", "n4"], ["s"]), node("SequenceAt", ["s", "n-1"], ["h"]), node("Relu", ["h"], ["y"])]
    out = cleaned(folder, modelOf(nodes, "y"), feeds=FEEDS)
    assert m.operators(out) == ["Split", "Relu"], "operators"
    m.expectValue(out.graph, out.graph.node[0].input[1], [4, 2])


def test_split_before_opset_13(folder):
    nodes = [node("SplitToSequence", ["x", "n2"], ["s"]), *parts("abc")]
    out = cleaned(folder, modelOf(nodes, "abc", opset=12, ir=7), feeds=FEEDS)
    assert m.operators(out) == ["Split", "Relu", "Relu", "Relu"], "operators"
    assert list(helper.get_node_attr_value(out.graph.node[0], "split")) == [2, 2, 2], "sizes"


def test_unbind(folder):
    """torch.unbind(x, 1): a Gather for each part."""
    out = cleaned(folder, modelOf([node("SplitToSequence", ["x"], ["s"], axis=1, keepdims=0), *parts("abc")], "abc", rank=1), feeds=FEEDS)
    assert sorted(m.operators(out)) == ["Gather"] * 3 + ["Relu"] * 3, "operators"


def test_split_is_kept_where_the_sequence_is_read(folder):
    """By a position that is not known, or as an output."""
    nodes = [node("SplitToSequence", ["x", "n2"], ["s"]), *parts("ab"), node("SequenceAt", ["s", "p"], ["c"])]
    model = modelOf(nodes, "abc", inputs=[X, info("p", (), I64)])
    out = cleaned(folder, model, feeds=[{**feed, "p": np.array(1)} for feed in FEEDS])
    assert m.operators(out).count("SequenceAt") == 3, f"operators are {m.operators(out)}"
    model = m.model(nodes[:-1], [X], [info("a", (None, 3)), info("b", (None, 3)), sequenceInfo("s")], numbersOf(nodes))
    assert "SplitToSequence" in m.operators(cleaned(folder, model, runs=False)), "operators"


def test_errors_stay(folder):
    """What a runtime refuses is refused still."""
    sizes = const("sizes", np.array([1, 2, 4], np.int64))
    cases = [
        [node("SplitToSequence", ["x", "sizes"], ["s"]), *parts("a")],
        [node("SplitToSequence", ["x", "n2"], ["s"]), node("SequenceAt", ["s", "n3"], ["a"])],
        [node("SequenceConstruct", ["x", "x"], ["s"]), node("SequenceAt", ["s", "n2"], ["a"])],
        [node("SequenceConstruct", ["x", "x"], ["s"]), node("SequenceErase", ["s", "n2"], ["u"]), node("SequenceLength", ["u"], ["a"])],
        [node("SequenceEmpty", [], ["s"], dtype=I64), node("SequenceInsert", ["s", "x"], ["u"]), node("SequenceAt", ["u", "n0"], ["a"])],
    ]
    for number, nodes in enumerate(cases):
        more = [sizes] if "sizes" in nodes[0].input else []
        kind = I64 if nodes[-1].op_type == "SequenceLength" else F32
        model = m.model(nodes, [X], [info("a", () if kind == I64 else (None, 3), kind)], [*numbersOf(nodes), *more])
        onnx.save(model, folder / "model.onnx")
        t.fold(folder / "model.onnx", folder / "out.onnx")
        out = onnx.load(folder / "out.onnx")
        assert any("Sequence" in op for op in m.operators(out)), f"operators of case {number} are {m.operators(out)}"


def listLoop(count, *, stack):
    """rows = []; for i in range(count): rows.append(x * i); torch.stack(rows) or torch.cat(rows)"""
    body = m.graph(
        [
            node("Cast", ["i"], ["f"], to=F32),
            node("Mul", ["x", "f"], ["row"]),
            node("SequenceInsert", ["rows", "row"], ["more"]),
            node("Identity", ["c"], ["c_out"]),
        ],
        [info("i", (), I64), info("c", (), BOOL), sequenceInfo("rows")],
        [info("c_out", (), BOOL), sequenceInfo("more")],
    )
    nodes = [
        node("SequenceEmpty", [], ["none"]),
        node("Loop", [f"n{count}", "yes", "none"], ["all"], body=body),
        node("ConcatFromSequence", ["all"], ["y"], axis=0, new_axis=int(stack)),
        node("SequenceLength", ["all"], ["length"]),
    ]
    outputs = [info("y", (None,) * (3 if stack else 2)), info("length", (), I64)]
    return m.model(nodes, [X], outputs, [*numbersOf(nodes), YES])


def test_lists_in_loops(folder):
    out = cleaned(folder, listLoop(3, stack=True), "--unroll=4", "--disable=times-one", feeds=FEEDS)
    assert sorted(m.operators(out)) == ["Concat", "Mul", "Mul", "Mul", "Reshape"], "operators of a stack"
    out = cleaned(folder, listLoop(2, stack=False), "--unroll=4", "--disable=times-one", feeds=FEEDS)
    assert sorted(m.operators(out)) == ["Concat", "Mul", "Mul"], "operators of a concatenation"
    m.expectValue(out.graph, "length", 2)


def test_a_loop_of_one_iteration(folder):
    """Without --unroll."""
    out = cleaned(folder, listLoop(1, stack=True), feeds=FEEDS)
    assert m.operators(out) == ["Mul", "Unsqueeze"], "operators"
    out = cleaned(folder, listLoop(1, stack=True), "--disable=single-iteration", feeds=FEEDS)
    assert "Loop" in m.operators(out), "operators"


def test_small_loops(folder):
    """Without --unroll, if no more nodes are left."""
    out = cleaned(folder, listLoop(2, stack=True), feeds=FEEDS)
    assert m.operators(out) == ["Mul", "Concat", "Reshape"], "operators of two iterations"
    for count, flags in ((2, ["--disable=sequence-loop"]), (6, [])):
        out = cleaned(folder, listLoop(count, stack=True), *flags, feeds=FEEDS)
        assert "Loop" in m.operators(out), f"operators of {count} iterations with {flags}"


def test_a_loop_that_ends_at_once(folder):
    """The condition is false after the first iteration; the trip count is not given."""
    body = m.graph(
        [node("Mul", ["a", "a"], ["b"]), node("Not", ["yes"], ["no"])],
        [info("i", (), I64), info("c", (), BOOL), info("a", (6, 3))],
        [info("no", (), BOOL), info("b", (6, 3))],
    )
    model = m.model([node("Loop", ["", "yes", "x"], ["y"], body=body)], [X], [info("y", (6, 3))], [YES])
    assert m.operators(cleaned(folder, model, feeds=FEEDS)) == ["Mul"], "operators"


def test_sequences_of_a_branch(folder):
    """An If with a constant condition gives a sequence."""
    branches = {
        name: m.graph([node("SequenceConstruct", names, ["r"])], [], [sequenceInfo("r")])
        for name, names in (("then_branch", ["x", "z"]), ("else_branch", ["z"]))
    }
    nodes = [
        node("Neg", ["x"], ["z"]),
        node("If", ["yes"], ["s"], **branches),
        node("SequenceAt", ["s", "n-1"], ["h"]),
        node("Relu", ["h"], ["y"]),
    ]
    assert m.operators(cleaned(folder, modelOf(nodes, "y", YES), feeds=FEEDS)) == ["Neg", "Relu"], "operators"


def test_outputs(folder):
    """A tensor of a sequence that is an input is copied; of a node, it has the name of the output."""
    nodes = [
        node("Neg", ["x"], ["z"]),
        node("SequenceConstruct", ["x", "z"], ["s"]),
        node("SequenceAt", ["s", "n0"], ["a"]),
        node("SequenceAt", ["s", "n1"], ["b"]),
    ]
    out = cleaned(folder, modelOf(nodes, "ab"), feeds=FEEDS)
    assert sorted((one.op_type, one.output[0]) for one in out.graph.node) == [("Identity", "a"), ("Neg", "b")], "nodes"


def test_report_names_them(folder):
    sizes = const("sizes", np.array([1, 2, 3], np.int64))
    model = modelOf([node("SplitToSequence", ["x", "sizes"], ["s"], name="cut"), *parts("ab")], "ab", sizes)
    onnx.save(model, folder / "model.onnx")
    t.runOk(f"--report=json:{folder / 'report.json'}", "-o", folder / "out.onnx", folder / "model.onnx")
    nodes = {one["name"]: one for one in json.loads((folder / "report.json").read_text())["nodes"]}
    assert (nodes["cut"]["action"], nodes["cut"]["reason"]["text"]) == ("changed", "sequence-split"), "the node"


class Writer:
    """Random sequences, whose lengths and shapes are known here."""

    def __init__(self, random):
        self.random, self.nodes, self.constants = random, [], {}
        self.tensors = [("x", (6, 3))]
        self.sequences = []

    def name(self, prefix):
        return f"{prefix}{len(self.nodes)}"

    def pick(self, values):
        return values[self.random.integers(len(values))]

    def number(self, value, wide=True):
        array = np.array(value, np.int64 if wide else np.int32)
        name = f"k{array.tolist()}{array.dtype}".replace(" ", "").replace("[", "l").replace("]", "").replace(",", "_").replace("-", "m")
        self.constants[name] = const(name, array)
        return name

    def position(self, count, end):
        """In range, or (now and then) not known."""
        at = int(self.random.integers(count))
        if self.random.random() < 0.1:
            return "p", None
        value = at - end if self.random.random() < 0.3 and at < end else at
        return self.number(value, wide=self.random.random() < 0.7), at

    def emit(self, op, inputs, **attributes):
        name = self.name("v")
        self.nodes.append(node(op, inputs, [name], **attributes))
        return name

    def unary(self):
        source, shape = self.pick(self.tensors)
        self.tensors.append((self.emit(self.pick(["Neg", "Relu", "Exp"]), [source]), shape))

    def construct(self):
        chosen = [self.pick(self.tensors) for _ in range(self.random.integers(1, 4))]
        self.sequences.append((self.emit("SequenceConstruct", [name for name, _ in chosen]), [shape for _, shape in chosen]))

    def empty(self):
        self.sequences.append((self.emit("SequenceEmpty", []), []))

    def split(self):
        source, shape = self.pick(self.tensors)
        if not shape or min(shape) == 0:
            return
        axis = int(self.random.integers(len(shape)))
        size, kind = shape[axis], self.random.integers(3)
        given = axis - len(shape) if self.random.random() < 0.3 else axis
        keeps, inputs, sizes = 1, [source], [1] * size
        if kind == 0:
            keeps = int(self.random.integers(2))
        elif kind == 1:
            one = int(self.random.integers(1, size + 1))
            inputs.append(self.number(one))
            sizes = [one] * (size // one) + ([size % one] if size % one else [])
        else:
            one = int(self.random.integers(1, size + 1))
            sizes = [one, size - one] if one < size else [one]
            inputs.append(self.number(sizes))
        shapes = [shape[:axis] + ((part,) if keeps else ()) + shape[axis + 1 :] for part in sizes]
        self.sequences.append((self.emit("SplitToSequence", inputs, axis=given, keepdims=keeps), shapes))

    def insert(self):
        (sequence, shapes), (source, shape) = self.pick(self.sequences), self.pick(self.tensors)
        inputs, at = [sequence, source], len(shapes)
        if self.random.random() < 0.6:
            position, at = self.position(len(shapes) + 1, len(shapes))
            inputs.append(position)
        if at is not None:
            self.sequences.append((self.emit("SequenceInsert", inputs), shapes[:at] + [shape] + shapes[at:]))

    def erase(self):
        sequence, shapes = self.pick(self.sequences)
        if not shapes:
            return
        inputs, at = [sequence], len(shapes) - 1
        if self.random.random() < 0.6:
            position, at = self.position(len(shapes), len(shapes))
            inputs.append(position)
        if at is not None:
            self.sequences.append((self.emit("SequenceErase", inputs), shapes[:at] + shapes[at + 1 :]))

    def at(self):
        sequence, shapes = self.pick(self.sequences)
        if not shapes:
            return
        position, at = self.position(len(shapes), len(shapes))
        if at is not None:
            self.tensors.append((self.emit("SequenceAt", [sequence, position]), shapes[at]))
        else:  # p is 0
            self.tensors.append((self.emit("SequenceAt", [sequence, position]), shapes[0]))

    def length(self):
        count = self.emit("SequenceLength", [self.pick(self.sequences)[0]])
        self.tensors.append((self.emit("Cast", [count], to=F32), ()))

    def concat(self):
        sequence, shapes = self.pick(self.sequences)
        if not shapes or any(shape != shapes[0] for shape in shapes):
            return
        shape, isNew = shapes[0], int(self.random.integers(2))
        if not isNew and not shape:
            return
        axis = int(self.random.integers(len(shape) + isNew))
        given = axis - len(shape) - isNew if self.random.random() < 0.3 else axis
        if isNew:
            result = shape[:axis] + (len(shapes),) + shape[axis:]
        else:
            result = shape[:axis] + (shape[axis] * len(shapes),) + shape[axis + 1 :]
        if np.prod(result) < 2000 and len(result) < 5:
            self.tensors.append((self.emit("ConcatFromSequence", [sequence], axis=given, new_axis=isNew), result))

    def step(self):
        steps = [self.unary, self.construct, self.empty, self.split]
        if self.sequences:
            steps += [self.insert, self.insert, self.erase, self.at, self.at, self.at, self.at, self.length, self.concat, self.concat]
        self.pick(steps)()


def makeModel(random):
    writer = Writer(random)
    while len(writer.nodes) < 18:
        writer.step()
    outputs = [info(writer.emit("Neg", [name]), shape) for name, shape in writer.tensors[-4:]]
    if random.random() < 0.3 and writer.tensors[-1][0] != "x":
        outputs.append(info(*writer.tensors[-1]))
    if random.random() < 0.15 and writer.sequences:
        outputs.append(sequenceInfo(writer.sequences[-1][0]))
    opset = int(random.choice([12, 13, 18, 21]))
    read = {name for one in writer.nodes for name in one.input}
    constants = [value for name, value in writer.constants.items() if name in read]
    return m.model(writer.nodes, [X, info("p", (), I64)], outputs, constants, opset=opset, ir=8)


def test_random_sequences(folder):
    """Bit for bit as before in ONNX Runtime, and nothing is left to do; most sequences are gone."""
    options = t.options
    count = 2000 if options.long else 80
    feeds = [{**feed, "p": np.array(0)} for feed in FEEDS]
    before = after = refused = 0
    for number in range(count):
        model = makeModel(np.random.default_rng([options.seed, number]))
        onnx.save(model, folder / "source.onnx")
        try:
            runs = canRun(folder / "source.onnx", feeds) and not any(one.type.HasField("sequence_type") for one in model.graph.output)
            refused += not runs
            flags = [[], ["-O2"], ["--disable=sequence-split"], ["--max-growth=0"]][number % 4]
            out = cleaned(folder, model, *flags, feeds=feeds, runs=runs)
        except AssertionError as why:
            raise AssertionError(f"model {number} of seed {options.seed}: {why}")
        assert len(m.operators(out)) <= len(m.operators(model)), f"model {number} has more nodes: {m.operators(out)}"
        before += sum("Sequence" in op for op in m.operators(model))
        after += sum("Sequence" in op for op in m.operators(out))
    assert refused < 0.4 * count, f"ONNX Runtime runs only {count - refused} of {count} models"
    assert after < 0.5 * before, f"{after} of {before} operators of sequences are left"


def randomLoop(random):
    """A loop that changes a list and a tensor: rows come from x, from the tensor, and from the list itself."""
    count = int(random.integers(2, 5))
    body, rows = [node("Gather", ["x", "i"], ["r0"], axis=0)], ["r0"]
    tensors, sequence = ["a", "r0"], "list"
    for k in range(int(random.integers(1, 6))):
        kind = random.choice(["insert", "at", "add", "relu", "erase", "first"])
        if kind == "insert":
            place = [] if random.integers(2) else ["n0"]
            body.append(node("SequenceInsert", [sequence, str(random.choice(tensors)), *place], [f"s{k}"]))
            sequence = f"s{k}"
        elif kind == "erase" and sequence != "list":
            body.append(node("SequenceErase", [sequence, *([] if random.integers(2) else ["n0"])], [f"s{k}"]))
            sequence = f"s{k}"
        elif kind in ("at", "first"):
            body.append(node("SequenceAt", ["others" if kind == "first" else sequence, "i" if kind == "first" else "n0"], [f"t{k}"]))
            tensors.append(f"t{k}")
        else:
            pair = [str(one) for one in random.choice(tensors, 2)]
            body.append(node("Add", pair, [f"t{k}"]) if kind == "add" else node("Relu", pair[:1], [f"t{k}"]))
            tensors.append(f"t{k}")
    body.append(node("SequenceInsert", [sequence, tensors[-1]], ["more"]))
    body += [node("Add", ["a", tensors[-1]], ["b"]), node("Identity", ["c"], ["c_out"])]
    inner = m.graph(
        body,
        [info("i", (), I64), info("c", (), BOOL), sequenceInfo("list"), info("a", (3,))],
        [info("c_out", (), BOOL), sequenceInfo("more"), info("b", (3,))],
    )
    stack = int(random.integers(2))
    # A position that is computed behind the loop ended the process: nothing was known of it yet.
    position = "position" if random.random() < 0.25 else "n-1"
    nodes = [
        node("Gather", ["x", "n5"], ["start"], axis=0),
        node("SequenceConstruct", ["start", "start"], ["none"]),
        node("SplitToSequence", ["x"], ["others"], axis=0, keepdims=0),
        node("Loop", [f"n{count}", "yes", "none", "start"], ["all", "last"], body=inner),
        node("ConcatFromSequence", ["all"], ["y"], axis=0, new_axis=stack),
        node("SequenceLength", ["all"], ["length"]),
        node("Add", ["length", "n-1"], ["position"]),
        node("SequenceAt", ["all", position], ["end"]),
    ]
    outputs = [info("y", (None,) * (1 + stack)), info("length", (), I64), info("end", (3,)), info("last", (3,))]
    return m.model(nodes, [X], outputs, [*NUMBERS.values(), YES])


def test_random_loops(folder):
    """Bit for bit as before, with no more nodes; many lose their loop."""
    unrolled, count = 0, 400 if t.options.long else 25
    for number in range(count):
        model = randomLoop(np.random.default_rng([t.options.seed, number]))
        try:
            out = cleaned(folder, model, feeds=FEEDS)
        except AssertionError as why:
            raise AssertionError(f"loop {number}: {why}")
        counts = t.operatorCounts(out)
        assert sum(counts.values()) <= sum(t.operatorCounts(model).values()), f"loop {number}: {counts}"
        unrolled += "Loop" not in counts
    assert unrolled > count // 5, f"{unrolled} of {count} loops are gone"
