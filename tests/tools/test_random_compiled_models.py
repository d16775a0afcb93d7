# SPDX-License-Identifier: Apache-2.0
"""Random models with sequences, strings, optionals, functions, If, Loop, Scan and SequenceMap, compiled and run by onnx-run on real
inputs: the results are ONNX Runtime's, and each run frees all that it allocates.

A result is often a second name of another one, or of an input. All run with --guard-memory: an access outside of a buffer, one
after it was freed, a write to an input or a second free ends them where it happens (tests/tools/test_guarded_memory.py). A
sample runs under valgrind, which sees what is read before it is set.
"""

import random
import re
import shutil
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from onnxfold_testing import TOOL, isSanitized, options

ort = pytest.importorskip("onnxruntime")
RUN = TOOL.parent / "onnx-run"
pytestmark = pytest.mark.skipif(not RUN.exists(), reason="onnx-run is not built")
OPSETS = [helper.make_opsetid("", 20), helper.make_opsetid("local", 1)]


def tensorType(kind, shape):
    return helper.make_tensor_type_proto(kind, shape)


# Kinds of values: vectors of floats, of strings; scalars of i64 and bool; sequences of vectors, and of those that have an
# element; optionals.
TYPES = {
    "f": tensorType(TensorProto.FLOAT, [None]),
    "s": tensorType(TensorProto.STRING, [None]),
    "i": tensorType(TensorProto.INT64, []),
    "b": tensorType(TensorProto.BOOL, []),
    "F": helper.make_sequence_type_proto(tensorType(TensorProto.FLOAT, [None])),
    "S": helper.make_sequence_type_proto(tensorType(TensorProto.STRING, [None])),
    "of": helper.make_optional_type_proto(tensorType(TensorProto.FLOAT, [None])),
    "oF": helper.make_optional_type_proto(helper.make_sequence_type_proto(tensorType(TensorProto.FLOAT, [None]))),
}
TYPES |= {kind + "+": TYPES[kind] for kind in "FS"}
CARRIED = ("f", "s", "i", "F", "S", "F+", "S+")


class Graph:
    """Nodes of one graph, and what they may read, by kind."""

    def __init__(self, source, names, outer=None, depth=0):
        self.random, self.names, self.depth, self.nodes = source, names, depth, []
        self.values = {kind: list(outer.values[kind]) if outer else [] for kind in TYPES}

    def name(self, kind):
        self.names.append(f"{kind[0]}{len(self.names)}")
        return self.names[-1]

    def add(self, kind, name):
        self.values[kind].append(name)
        if kind.endswith("+"):
            self.values[kind[0]].append(name)
        return name

    def emit(self, kind, op, inputs, **attributes):
        name = self.name(kind)
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return self.add(kind, name)

    def constant(self, kind, value):
        return self.emit(kind, "Constant", [], value=numpy_helper.from_array(value))

    def emitAxis(self):
        name = self.name("a")
        self.nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.int64([0]))))
        return name

    def any(self, kind):
        """A value of that kind, seldom an old one; one is made if there is none."""
        known = self.values[kind]
        if not known or self.random.random() < 0.1:
            return MAKERS[kind](self)
        return known[-1 - min(self.random.randrange(len(known)), self.random.randrange(len(known)))]

    def body(self, name, inputs, kinds, steps, before=()):
        """A graph that reads from this one: `inputs` are (name, kind); it gives a value of each kind behind `before`."""
        inner = Graph(self.random, self.names, self, self.depth + 1)
        for value, kind in inputs:
            inner.add(kind, value)
        inner.steps(steps)
        outputs = [(inner.emit("b", "Identity", [value]), "b") for value in before]
        # What a graph gives is computed in it.
        outputs += [(inner.emit(kind, "Identity", [inner.any(kind)]), kind) for kind in kinds]
        return helper.make_graph(
            inner.nodes, name, [helper.make_value_info(value, TYPES[kind]) for value, kind in inputs],
            [helper.make_value_info(value, TYPES[kind]) for value, kind in outputs],
        )  # fmt: skip

    def steps(self, count):
        for _ in range(count):
            self.random.choice(STEPS)(self)


# ---- statements --------------------------------------------------------------------------------------------------------


def makeFloats(g):
    return g.constant("f", np.float32([g.random.randrange(-9, 9) for _ in range(g.random.randint(1, 3))]))


def makeTexts(g):
    return g.constant("s", np.array([g.random.choice(["", "a", "bc", "ü"]) for _ in range(g.random.randint(1, 3))], object))


def makeNumber(g):
    return g.constant("i", np.int64(g.random.randint(0, 3)))


def makeTruth(g):
    if g.values["of"] and g.random.random() < 0.3:
        return g.emit("b", "OptionalHasElement", [g.any("of")])
    return g.emit("b", g.random.choice(["Less", "Greater", "Equal"]), [g.any("i"), g.any("i")])


def makeList(kind):
    def make(g):
        if g.random.random() < 0.3:
            return g.emit(kind, "SequenceEmpty", [], dtype=TensorProto.FLOAT if kind == "F" else TensorProto.STRING)
        return MAKERS[kind + "+"](g)

    return make


def makeFilled(kind):
    def make(g):
        if g.random.random() < 0.5 and g.values[kind]:
            return insert(g, kind)
        return g.emit(kind + "+", "SequenceConstruct", [g.any(kind.lower()) for _ in range(g.random.randint(1, 3))])

    return make


def makeOptional(kind, inner):
    def make(g):
        if g.random.random() < 0.3:
            return g.emit(kind, "Optional", [], type=TYPES[inner])
        return g.emit(kind, "Optional", [g.any(inner)])

    return make


MAKERS = {
    "f": makeFloats, "s": makeTexts, "i": makeNumber, "b": makeTruth, "F": makeList("F"), "S": makeList("S"),
    "F+": makeFilled("F"), "S+": makeFilled("S"), "of": makeOptional("of", "f"), "oF": makeOptional("oF", "F"),
}  # fmt: skip


def insert(g, kind):
    inputs = [g.any(kind), g.any(kind.lower())]
    if g.random.random() < 0.5:
        inputs.append(g.constant("i", np.int64(0)) if g.random.random() < 0.5 else g.emit("i", "SequenceLength", inputs[:1]))
    return g.emit(kind + "+", "SequenceInsert", inputs)


def insertStep(g):
    insert(g, g.random.choice("FS"))


def atStep(g):
    kind = g.random.choice("FS")
    g.emit(kind.lower(), "SequenceAt", [g.any(kind + "+"), g.constant("i", np.int64(g.random.choice([0, -1])))])


def eraseStep(g):
    kind = g.random.choice("FS")
    position = [g.constant("i", np.int64(0))] if g.random.random() < 0.5 else []
    g.emit(kind, "SequenceErase", [g.any(kind + "+"), *position])


def lengthStep(g):
    g.emit("i", "SequenceLength", [g.any(g.random.choice("FS"))])


def splitStep(g):
    g.emit("F", "SplitToSequence", [g.any("f"), g.constant("i", np.int64(1))], axis=0)


def concatStep(g):
    g.emit("f", "ConcatFromSequence", [g.any("F+")], axis=0)


def floatStep(g):
    op = g.random.choice(["Neg", "Identity", "Abs", "Relu", "Add", "Mul", "Concat", "Floor", "Cumsum"])
    if op == "Concat":
        g.emit("f", op, [g.any("f"), g.any("f")], axis=0)
    elif op == "Cumsum":
        g.emit("f", "CumSum", [g.any("f"), g.constant("i", np.int64(0))])
    elif op in ("Add", "Mul"):
        g.emit("f", op, [g.any("f"), g.constant("f", np.float32([g.random.randint(-3, 3)]))])
    else:
        g.emit("f", op, [g.any("f")])


def textStep(g):
    op = g.random.choice(["Identity", "Concat", "StringConcat", "Gather"])
    if op == "Concat":
        g.emit("s", op, [g.any("s"), g.any("s")], axis=0)
    elif op == "StringConcat":
        g.emit("s", op, [g.any("s"), g.constant("s", np.array(["x"], object))])
    elif op == "Gather":
        g.emit("s", op, [g.any("s"), g.emitAxis()])
    else:
        g.emit("s", op, [g.any("s")])


def sumStep(g):
    g.emit("i", g.random.choice(["Add", "Max", "Min"]), [g.any("i"), g.any("i")])


def optionalStep(g):
    g.any(g.random.choice(["of", "oF"]))


def contentStep(g):
    """if o: its content, else another value."""
    kind = g.random.choice(["of", "oF"])
    inner, value = kind[1], g.any(kind)
    condition = g.emit("b", "OptionalHasElement", [value])
    outputs = [helper.make_value_info(name, TYPES[inner]) for name in (g.name(inner), g.name(inner))]
    other = g.any(inner)
    branches = {
        "then_branch": helper.make_node("OptionalGetElement", [value], [outputs[0].name]),
        "else_branch": helper.make_node("Identity", [other], [outputs[1].name]),
    }
    graphs = {key: helper.make_graph([node], key, [], [out]) for (key, node), out in zip(branches.items(), outputs)}
    g.emit(inner, "If", [condition], **graphs)


def ifStep(g):
    if g.depth > 1:
        return
    kinds = [g.random.choice(CARRIED + ("of",)) for _ in range(g.random.randint(1, 2))]
    graphs = {key: g.body(key, [], kinds, g.random.randint(0, 3)) for key in ("then_branch", "else_branch")}
    outputs = [g.name(kind) for kind in kinds]
    g.nodes.append(helper.make_node("If", [g.any("b")], outputs, **graphs))
    for kind, name in zip(kinds, outputs):
        g.add(kind, name)


def loopStep(g):
    if g.depth > 1:
        return
    kinds = [g.random.choice(CARRIED) for _ in range(g.random.randint(1, 3))]
    initial = [g.any(kind) for kind in kinds]
    trips, number, going = g.any("i"), g.name("i"), g.name("b")
    inputs = [(number, "i"), (going, "b"), *((g.name(kind), kind) for kind in kinds)]
    scans = ["i"] * g.random.randint(0, 1)
    body = g.body("body", inputs, kinds + scans, g.random.randint(1, 4), [going])
    outputs = [g.name(kind) for kind in kinds + scans]
    # At most three iterations: what is carried may double in each.
    trips = g.emit("i", "Min", [trips, g.constant("i", np.int64(3))])
    g.nodes.append(helper.make_node("Loop", [trips, "", *initial], outputs, body=body))
    for kind, name in zip(kinds, outputs):
        g.add(kind, name)


def scanStep(g):
    """Sums and doubles of the elements of a vector, from either end."""
    total, element, following, double = (g.name("x") for _ in range(4))
    scalar = tensorType(TensorProto.FLOAT, [])
    body = helper.make_graph(
        [helper.make_node("Add", [total, element], [following]), helper.make_node("Add", [element, element], [double])], "body",
        [helper.make_value_info(name, scalar) for name in (total, element)],
        [helper.make_value_info(name, scalar) for name in (following, double)],
    )  # fmt: skip
    zero, outputs = g.name("x"), [g.name("x"), g.name("f")]
    g.nodes.append(helper.make_node("Constant", [], [zero], value=numpy_helper.from_array(np.float32(0))))
    g.nodes.append(
        helper.make_node("Scan", [zero, g.any("f")], outputs, body=body, num_scan_inputs=1,
                         scan_input_directions=[g.random.randint(0, 1)], scan_output_directions=[g.random.randint(0, 1)])
    )  # fmt: skip
    g.add("f", outputs[1])
    g.emit("f", "Unsqueeze", [outputs[0], g.emitAxis()])


def mapStep(g):
    element, result = g.name("f"), g.name("f")
    body = helper.make_graph(
        [helper.make_node(g.random.choice(["Neg", "Abs", "Identity"]), [element], [result])], "body",
        [helper.make_value_info(element, TYPES["f"])], [helper.make_value_info(result, TYPES["f"])],
    )  # fmt: skip
    kind = g.random.choice(["F", "F+"])
    g.emit(kind, "SequenceMap", [g.any(kind)], body=body)


def callStep(g):
    name, inputs, output = g.random.choice(FUNCTIONS)
    g.emit(output, name, [g.any(kind) for kind in inputs], domain="local")


STEPS = [insertStep, atStep, eraseStep, lengthStep, splitStep, concatStep, floatStep, floatStep, textStep, textStep, sumStep]
STEPS += [optionalStep, contentStep, ifStep, loopStep, scanStep, mapStep, callStep]

# Functions of the model: (name, kinds of inputs, kind of the output).
FUNCTIONS = [("twice", "f", "f"), ("append", "Ff", "F+"), ("swap", ["F", "f"], "F"), ("nested", ["F", "f"], "F+")]


def functions():
    node = helper.make_node
    bodies = {
        "twice": (["x"], [node("Add", ["x", "x"], ["y"])]),
        "append": (["s", "x"], [node("SequenceInsert", ["s", "x"], ["y"])]),
        "swap": (["s", "x"], [node("SequenceConstruct", ["x"], ["t"]), node("Identity", ["s"], ["y"])]),
        "nested": (["s", "x"], [node("twice", ["x"], ["d"], domain="local"), node("append", ["s", "d"], ["y"], domain="local")]),
    }
    return [helper.make_function("local", name, inputs, ["y"], nodes, OPSETS) for name, (inputs, nodes) in bodies.items()]


# ---- models ------------------------------------------------------------------------------------------------------------


def inputValue(source, kind):
    floats = lambda: np.float32([source.randrange(-9, 9) for _ in range(source.randint(1, 3))])
    texts = lambda: np.array([source.choice(["p", "", "long text"]) for _ in range(source.randint(1, 3))], object)
    make = {
        "f": floats, "s": texts, "i": lambda: np.array(source.randint(0, 3)), "b": lambda: np.array(source.random() < 0.5),
        "F": lambda: [floats() for _ in range(source.randint(1, 3))], "S": lambda: [texts() for _ in range(source.randint(1, 2))],
        "of": lambda: floats() if source.random() < 0.7 else None,
    }  # fmt: skip
    return make[kind]()


def randomModel(seed):
    """The model, its inputs as (name, kind, value), and the kinds of its outputs."""
    source = random.Random(seed)
    graph = Graph(source, [])
    inputs = [(f"in_{kind}", kind, inputValue(source, kind)) for kind in ("f", "s", "i", "b", "F", "S", "of") if source.random() < 0.5]
    for name, kind, _ in inputs:
        graph.add(kind, name)
    graph.steps(source.randint(3, 14))
    kinds = [source.choice(CARRIED + ("b", "of")) for _ in range(source.randint(1, 4))]
    chosen = [graph.any(kind) for kind in kinds]
    chosen += [name for name in source.sample(chosen, source.randint(0, len(chosen)))]  # aliases
    kinds += [next(kind for kind, name in zip(kinds, chosen) if name == again) for again in chosen[len(kinds) :]]
    outputs = [graph.emit(kind, "Identity", [name]) for name, kind in zip(chosen, kinds)]
    proto = helper.make_graph(
        graph.nodes, "g", [helper.make_value_info(name, TYPES[kind]) for name, kind, _ in inputs],
        [helper.make_value_info(name, TYPES[kind]) for name, kind in zip(outputs, kinds)],
    )  # fmt: skip
    return helper.make_model(proto, opset_imports=OPSETS, functions=functions(), ir_version=9), inputs, kinds


def message(kind, value):
    if kind.startswith("o"):
        return numpy_helper.from_optional(value) if value is not None else onnx.OptionalProto()
    if kind[0] in "FS":
        return numpy_helper.from_list([np.asarray(one) for one in value], dtype=onnx.SequenceProto.TENSOR)
    return numpy_helper.from_array(np.asarray(value))


def writeCase(seed, folder):
    """A folder as ONNX's tests are; None where ONNX Runtime does not take the model."""
    model, inputs, kinds = randomModel(seed)
    settings = ort.SessionOptions()
    settings.log_severity_level = settings.log_verbosity_level = 4
    settings.intra_op_num_threads = 1
    settings.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = ort.InferenceSession(model.SerializeToString(), settings, providers=["CPUExecutionProvider"])
        used = {one.name for one in session.get_inputs()}
        expected = session.run(None, {name: value for name, _, value in inputs if name in used})
    except Exception as error:  # every kind of its own
        return None, str(error)
    data = folder / f"{seed}/test_data_set_0"
    data.mkdir(parents=True)
    onnx.save(model, data.parent / "model.onnx")
    for i, (_, kind, value) in enumerate(inputs):
        (data / f"input_{i}.pb").write_bytes(message(kind, value).SerializeToString())
    for i, (kind, value) in enumerate(zip(kinds, expected, strict=True)):
        (data / f"output_{i}.pb").write_bytes(message(kind, value).SerializeToString())
    return data.parent, None


def runAll(folders):
    """{folder: what onnx-run says of it}, and its standard error."""
    command = [RUN, "--test-folders=-", "--llvm-level=0", "--no-cache", "--stats", "--guard-memory"]
    done = subprocess.run(command, input="".join(f"{path}\n" for path in folders), capture_output=True, text=True, timeout=7200)
    lines, said = [], {}
    for line in done.stdout.splitlines():
        lines.append(line)
        if found := re.match(r"(equal|differs|error|died) (.*)$", line):
            said[found[2]] = lines
            lines = []
    return said, done.stderr


BATCH = 250


def test_random_models(folder):
    count = 10_000 if options.long else 100
    taken = refused = 0
    for first in range(options.seed, options.seed + count, BATCH):
        folders, batch = [], folder / str(first)
        for seed in range(first, min(first + BATCH, options.seed + count)):
            path, reason = writeCase(seed, batch)
            refused += path is None
            if path:
                folders.append(path)
            else:
                print(f"  seed {seed}: ONNX Runtime: {reason[:200]}")
        said, errors = runAll(folders)
        for path in folders:
            lines = said.get(str(path), ["nothing"])
            assert lines[-1].startswith("equal"), f"seed {path.name}: {lines}\n{errors[-2000:]}"
            counts = re.search(r"(\d+) allocations, (\d+) frees", "\n".join(lines))
            assert counts and counts[1] == counts[2], f"seed {path.name}: {lines}"
        taken += len(folders)
        shutil.rmtree(batch, ignore_errors=True)
    print(f"  {taken} models, {refused} not taken by ONNX Runtime")
    assert taken >= 0.8 * count


@pytest.mark.skipif(not shutil.which("valgrind") or isSanitized(), reason="there is no valgrind, or a sanitizer already")
def test_under_valgrind(folder):
    """The compiled objects of a sample: no read of what is not there or not set, and no block is lost."""
    for seed in range(options.seed, options.seed + (40 if options.long else 1)):
        path, _ = writeCase(seed, folder)
        if not path:
            continue
        data = path / "test_data_set_0"
        command = [RUN, path / "model.onnx", f"--input-dir={data}", f"--expected-dir={data}", f"--cache={folder}/cache"]
        subprocess.run(command, check=True, capture_output=True)  # compiles
        done = subprocess.run(["valgrind", "-q", "--error-exitcode=9", *command], capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, f"seed {seed}: {done.stdout}{done.stderr[-3000:]}"
