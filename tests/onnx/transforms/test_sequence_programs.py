# SPDX-License-Identifier: Apache-2.0
"""ONNX's own tests of sequences as compiled programs: convert-onnx-to-sequence, lower-sequence-to-llvm, MLIR's execution engine.

Every node test and every `simple` test that has a sequence or an optional in it is tried. Its inputs become constants, so that
the program needs no arguments; what it prints is compared with the expected outputs, and the counting allocator must find no
leak, no double free and no use after free. Those that do not compile are listed below with the reason, which must be what the
pass says. Models of our own follow: what ONNX has no test for.
"""

import re
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from onnxfold_programs import TOOLS, convert, runProgram, same, tool, withMain
from onnxfold_testing import TEST_DATA, cmakeCache

NOT_LOWERED = {}

# ---- ONNX's tests ------------------------------------------------------------------------------------------------------


def readValue(path, type):
    kind = type.WhichOneof("value")
    data = path.read_bytes()
    if kind == "tensor_type":
        return numpy_helper.to_array(TensorProto.FromString(data))
    if kind == "sequence_type":
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
    return numpy_helper.to_optional(onnx.OptionalProto.FromString(data))


def constantNodes(name, type, value):
    """Nodes that make a value of a type."""
    if type.HasField("optional_type"):
        inner = type.optional_type.elem_type
        if value is None:
            return [helper.make_node("Optional", [], [name], type=inner)]
        return constantNodes(f"{name}_inside", inner, value) + [helper.make_node("Optional", [f"{name}_inside"], [name])]
    if not isinstance(value, list):
        return [constant(name, value)]
    names = [f"{name}_{i}" for i in range(len(value))]
    if not names:
        return [helper.make_node("SequenceEmpty", [], [name], dtype=type.sequence_type.elem_type.tensor_type.elem_type)]
    return [constant(n, v) for n, v in zip(names, value)] + [helper.make_node("SequenceConstruct", names, [name])]


def withConstants(model, values):
    """The model with its inputs as nodes that make them."""
    nodes = [node for info, value in zip(model.graph.input, values) for node in constantNodes(info.name, info.type, value)]
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    del copy.graph.input[:]
    old = list(copy.graph.node)
    del copy.graph.node[:]
    copy.graph.node.extend(nodes + old)
    # Optional came with opset 15; the operators of these tests are the same there.
    for opset in copy.opset_import:
        opset.version = max(opset.version, 15) if opset.domain == "" else opset.version
    return copy


def usesSequences(model):
    """Whether a sequence or an optional is in a model, its bodies included."""
    text = str(model)
    return any(word in text for word in ("sequence_type", "optional_type", "Optional")) or bool(
        re.search(r'op_type: "(Sequence\w+|SplitToSequence|ConcatFromSequence)"', text)
    )


def onnxCases():
    paths = [path for group in ("node", "simple") for path in sorted((TEST_DATA / group).glob("test_*"))]
    small = [path for path in paths if (path / "model.onnx").stat().st_size < 100_000]
    return [path for path in small if usesSequences(onnx.load(path / "model.onnx"))]


@pytest.mark.parametrize("path", onnxCases(), ids=lambda path: path.name)
def test_onnx_case(path, folder):
    data, model = path / "test_data_set_0", onnx.load(path / "model.onnx")
    files = [data / f"input_{i}.pb" for i in range(len(list(data.glob("input_*.pb"))))]
    values = [readValue(file, one.type) for file, one in zip(files, model.graph.input)]
    if path.name in NOT_LOWERED:
        converted = convert(withConstants(model, values), folder)
        assert converted.returncode != 0, "is lowered now: take it from NOT_LOWERED"
        assert re.search(NOT_LOWERED[path.name], converted.stderr), converted.stderr[-600:]
        return
    outputs = runProgram(withConstants(model, values), folder)
    for i, (output, info) in enumerate(zip(outputs, model.graph.output)):
        same(output, readValue(data / f"output_{i}.pb", info.type), info.name)


# ---- our own -----------------------------------------------------------------------------------------------------------


def constant(name, value):
    return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.asarray(value), name))


def modelOf(nodes, outputs, inputs=()):
    graph = helper.make_graph(nodes, "g", list(inputs), outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def tensorInfo(name, kind=TensorProto.FLOAT, shape=None):
    return helper.make_tensor_value_info(name, kind, shape)


def sequenceInfo(name, kind=TensorProto.FLOAT):
    return helper.make_tensor_sequence_value_info(name, kind, None)


def loopBody(nodes, states, scans=()):
    """A body with inputs number, going and `states` (name in, name out, info maker), and scan outputs."""
    inputs = [tensorInfo("number", TensorProto.INT64, []), tensorInfo("going", TensorProto.BOOL, [])]
    inputs += [info(name) for name, _, info in states]
    outputs = [tensorInfo("go", TensorProto.BOOL, [])] + [info(out) for _, out, info in states]
    return helper.make_graph(nodes, "body", inputs, outputs + [tensorInfo(*scan) for scan in scans])


def scanModel(trips, limit):
    """A Loop with one scan output, the number of the iteration; it ends before `trips` if the number reaches `limit`."""
    body = loopBody(
        [
            constant("limit", np.int64(limit)),
            helper.make_node("Sub", ["number", "limit"], ["difference"]),
            helper.make_node("SequenceEmpty", [], ["nothing"], dtype=TensorProto.INT64),
            constant("ends", np.array([True])),
            helper.make_node("Identity", ["going"], ["go"]),
            helper.make_node("Unsqueeze", ["number", "axis"], ["element"]),
        ],
        [],
        [("element", TensorProto.INT64, [1])],
    )
    return modelOf(
        [
            constant("axis", np.array([0], np.int64)),
            constant("trips", np.int64(trips)),
            helper.make_node("Loop", ["trips", ""], ["all"], body=body),
        ],
        [tensorInfo("all", TensorProto.INT64, [None, 1])],
    )


def seedModel():
    """The program of the design that sequences come from: two inserts at 0, the shape of the element at 0."""
    return modelOf(
        [
            constant("six", np.ones((6, 4, 5), np.float32)),
            constant("three", np.ones((3, 4, 5), np.float32)),
            constant("zero", np.int64(0)),
            helper.make_node("SequenceEmpty", [], ["s0"]),
            helper.make_node("SequenceInsert", ["s0", "three", "zero"], ["s1"]),
            helper.make_node("SequenceInsert", ["s1", "six", "zero"], ["s2"]),
            helper.make_node("SequenceAt", ["s2", "zero"], ["e"]),
            helper.make_node("Shape", ["e"], ["shape"]),
        ],
        [tensorInfo("shape", TensorProto.INT64, [3])],
    )


def test_the_seed(folder):
    same(runProgram(seedModel(), folder)[0], np.array([6, 4, 5]), "shape")


def test_mlir_runner(folder):
    """The same through MLIR's own runner, with the library that is installed for it."""
    if cmakeCache(TOOLS.parent, "ONNXFOLD_SANITIZE") not in ("", "OFF"):
        pytest.skip("mlir-runner does not load what is built with a sanitizer")
    program, _ = withMain(convert(seedModel(), folder).stdout)
    program = program.replace("@dump_i64(", "@printMemrefI64(")
    for unused in ("dump_f32", "dump_f64", "dump_i32", "dump_i1", "observe_i64"):
        program = re.sub(rf"func.func private @{unused}.*\n", "", program)
    program = program.replace('{bufferization.access = "read"})', '{bufferization.access = "read"}) attributes {llvm.emit_c_interface}')
    (folder / "program.mlir").write_text(program)
    lowered = tool("fold-opt", "--lower-sequence-to-llvm", folder / "program.mlir")
    assert lowered.returncode == 0, lowered.stderr[-600:]
    llvm = Path(cmakeCache(TOOLS.parent, "LLVM_DIR")).parents[2]
    libraries = [TOOLS.parent / "lib/libonnxfold_sequence_programs.so", llvm / "lib/libmlir_runner_utils.so"]
    done = subprocess.run(
        [llvm / "bin/mlir-runner", "-e", "main", "-entry-point-result=void", f"-shared-libs={','.join(map(str, libraries))}"],
        input=lowered.stdout, capture_output=True, text=True, timeout=600,
    )
    assert done.returncode == 0 and "[6,  4,  5]" in done.stdout, f"{done.stdout} {done.stderr[-600:]}"


def test_scan_outputs(folder):
    """Of a loop without an iteration too: the published lowering assumes at least one (S6)."""
    for trips in (0, 1, 5):
        (result,) = runProgram(scanModel(trips, 3), folder)
        same(result, np.arange(trips, dtype=np.int64).reshape(trips, 1), f"{trips} iterations")


def test_carried_types_are_joined(folder):
    """A sequence that starts as one of [2] and gets [3] by [1]: unranked, of unknown length; the published inference keeps the
    type of the start."""
    body = loopBody(
        [
            helper.make_node("Identity", ["going"], ["go"]),
            constant("more", np.ones((3, 1), np.float32)),
            helper.make_node("SequenceInsert", ["s", "more", "front"], ["t"]),
        ],
        [("s", "t", sequenceInfo)],
    )
    model = modelOf(
        [
            constant("front", np.int64(0)),
            constant("first", np.zeros(2, np.float32)),
            helper.make_node("SequenceConstruct", ["first"], ["start"]),
            constant("trips", np.int64(3)),
            constant("cond", np.array(True)),
            helper.make_node("Loop", ["trips", "cond", "start"], ["r"], body=body),
            helper.make_node("SequenceLength", ["r"], ["n"]),
        ],
        [sequenceInfo("r"), tensorInfo("n", TensorProto.INT64, [])],
    )
    text = convert(model, folder).stdout
    assert "!sequence.seq<tensor<*xf32>, ?>" in text.partition("scf.while")[2], text
    result, length = runProgram(model, folder)
    same(length, np.int64(4), "length")
    same(result, [np.ones((3, 1), np.float32)] * 3 + [np.zeros(2, np.float32)], "result")


def test_shapes_stay_known(folder):
    """Nothing but the length changes in this loop: the element type of the start is that of the end."""
    body = loopBody(
        [
            helper.make_node("Identity", ["going"], ["go"]),
            helper.make_node("SequenceInsert", ["s", "first"], ["t"]),
        ],
        [("s", "t", sequenceInfo)],
    )
    model = modelOf(
        [
            constant("first", np.zeros((2, 3), np.float32)),
            helper.make_node("SequenceConstruct", ["first"], ["start"]),
            constant("trips", np.int64(2)),
            helper.make_node("Loop", ["trips", "", "start"], ["r"], body=body),
            helper.make_node("ConcatFromSequence", ["r"], ["c"], axis=-1),
        ],
        [tensorInfo("c", TensorProto.FLOAT, None)],
    )
    text = convert(model, folder).stdout
    assert "scf.while" in text and "!sequence.seq<tensor<2x3xf32>, ?>)" in text, text
    same(runProgram(model, folder)[0], np.zeros((2, 9), np.float32), "c")


def test_early_exit(folder):
    """The condition that the body yields ends the loop."""
    body = loopBody(
        [
            helper.make_node("Not", ["going"], ["go"]),
            helper.make_node("SequenceInsert", ["s", "number"], ["t"]),
        ],
        [("s", "t", lambda name: sequenceInfo(name, TensorProto.INT64))],
        [("number_out", TensorProto.INT64, [])],
    )
    body.node.append(helper.make_node("Identity", ["number"], ["number_out"]))
    model = modelOf(
        [
            helper.make_node("SequenceEmpty", [], ["start"], dtype=TensorProto.INT64),
            constant("cond", np.array(True)),
            helper.make_node("Loop", ["", "cond", "start"], ["r", "numbers"], body=body),
        ],
        [sequenceInfo("r", TensorProto.INT64), tensorInfo("numbers", TensorProto.INT64, [None])],
    )
    result, numbers = runProgram(model, folder)
    same(result, [np.array(0)], "r")
    same(numbers, np.array([0]), "numbers")


def test_loops_in_loops(folder):
    """Round i appends i tensors [i] in an inner loop, which an If then keeps or not; both carry the sequence."""
    ints = lambda name: sequenceInfo(name, TensorProto.INT64)
    inner = helper.make_graph(
        [helper.make_node("Identity", ["going2"], ["go2"]), helper.make_node("SequenceInsert", ["u", "one"], ["w"])],
        "inner",
        [tensorInfo("number2", TensorProto.INT64, []), tensorInfo("going2", TensorProto.BOOL, []), ints("u")],
        [tensorInfo("go2", TensorProto.BOOL, []), ints("w")],
    )
    branches = {
        name: helper.make_graph([helper.make_node("Identity", [value], [name])], name, [], [ints(name)])
        for name, value in (("then_branch", "x"), ("else_branch", "s"))
    }
    body = loopBody(
        [
            helper.make_node("Identity", ["going"], ["go"]),
            helper.make_node("Unsqueeze", ["number", "axis"], ["one"]),
            helper.make_node("Loop", ["number", "", "s"], ["x"], body=inner),
            helper.make_node("Identity", ["keep"], ["condition"]),
            helper.make_node("If", ["condition"], ["t"], **branches),
        ],
        [("s", "t", ints)],
    )
    for keep in (True, False):
        model = modelOf(
            [
                constant("axis", np.array([0], np.int64)),
                constant("keep", np.array(keep)),
                constant("trips", np.int64(4)),
                helper.make_node("SequenceEmpty", [], ["start"], dtype=TensorProto.INT64),
                helper.make_node("Loop", ["trips", "", "start"], ["r"], body=body),
            ],
            [ints("r")],
        )
        expected = [np.array([i]) for i in range(4) for _ in range(i)] if keep else []
        same(runProgram(model, folder)[0], expected, "r")


def test_broadcasting_that_only_the_program_knows(folder):
    """Add of the elements of sequences: [3] + [1], [2,1] + [4]."""
    left = [np.arange(3, dtype=np.float32), np.float32([1])]
    right = [np.float32([10]), np.arange(4, dtype=np.float32)]
    body = helper.make_graph(
        [helper.make_node("Add", ["a", "b"], ["c"])], "body", [tensorInfo("a"), tensorInfo("b")], [tensorInfo("c")]
    )
    nodes = [constant(f"{n}{i}", v) for n, values in (("l", left), ("r", right)) for i, v in enumerate(values)]
    model = modelOf(
        nodes
        + [
            helper.make_node("SequenceConstruct", ["l0", "l1"], ["l"]),
            helper.make_node("SequenceConstruct", ["r0", "r1"], ["r"]),
            helper.make_node("SequenceMap", ["l", "r"], ["s"], body=body),
        ],
        [sequenceInfo("s")],
    )
    same(runProgram(model, folder)[0], [a + b for a, b in zip(left, right)], "s")


def expectStop(model, folder, message):
    """The program is compiled, and stops with this message."""
    program, _ = withMain(convert(model, folder).stdout)
    (folder / "program.mlir").write_text(program)
    done = tool("sequence-run", folder / "program.mlir")
    assert done.returncode < 0 and message in done.stderr, f"exit {done.returncode}: {done.stderr[-600:]}"


def test_programs_that_stop(folder):
    """With a message, also where their standard output is no terminal."""
    inner = sequenceInfo("x").type
    nothing = modelOf(
        [
            helper.make_node("Optional", [], ["o"], type=inner),
            helper.make_node("OptionalGetElement", ["o"], ["s"]),
            helper.make_node("SequenceLength", ["s"], ["n"]),
        ],
        [tensorInfo("n", TensorProto.INT64, [])],
    )
    expectStop(nothing, folder, "OptionalGetElement 's': there is nothing")
    body = helper.make_graph(
        [helper.make_node("Add", ["a", "two"], ["c"])], "body", [tensorInfo("a")], [tensorInfo("c")]
    )
    shapes = modelOf(
        [
            constant("one", np.zeros(1, np.float32)),
            constant("two", np.zeros(2, np.float32)),
            constant("three", np.zeros(3, np.float32)),
            helper.make_node("SequenceConstruct", ["one", "three"], ["l"]),
            helper.make_node("SequenceMap", ["l"], ["s"], body=body),
        ],
        [sequenceInfo("s")],
    )
    expectStop(shapes, folder, ": shapes do not broadcast")


def test_what_is_refused(folder):
    """An error that names the operator, and no program."""
    cases = {
        "of different kinds": modelOf(
            [
                constant("a", np.zeros(2, np.float32)),
                constant("b", np.zeros(2, np.int64)),
                helper.make_node("SequenceConstruct", ["a", "b"], ["y"]),
            ],
            [sequenceInfo("y")],
        ),
    }
    for text, model in cases.items():
        converted = convert(model, folder)
        assert converted.returncode != 0 and text in converted.stderr, f"{text}: {converted.stderr[-600:]}"


# ---- what was refused without need -------------------------------------------------------------------------------------


def test_functions_of_the_model(folder):
    """A function is converted where it is called, with the call's attributes; one function calls another."""
    opset = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    split = helper.make_node("SplitToSequence", ["x"], ["s"])
    axis = split.attribute.add()
    axis.name, axis.type, axis.ref_attr_name = "axis", onnx.AttributeProto.INT, "along"
    parts = helper.make_function("local", "parts", ["x"], ["s"], [split], opset, ["along"])
    twice = helper.make_function(
        "local", "twice", ["x"], ["s"],
        [helper.make_node("Add", ["x", "x"], ["y"]), helper.make_node("parts", ["y"], ["s"], domain="local", along=1)], opset,
    )
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    graph = helper.make_graph(
        [
            constant("x", x),
            helper.make_node("parts", ["x"], ["a"], domain="local", along=0),
            helper.make_node("twice", ["x"], ["b"], domain="local"),
        ],
        "g", [], [sequenceInfo("a"), sequenceInfo("b")],
    )
    model = helper.make_model(graph, functions=[parts, twice], opset_imports=opset, ir_version=8)
    a, b = runProgram(model, folder)
    same(a, [x[:1], x[1:]], "a")
    same(b, [2 * x[:, i : i + 1] for i in range(3)], "b")


def test_functions_that_double(folder):
    """Forty functions that call the next twice are no 2^40 nodes: at a limit the calls that are left are refused."""
    opset = [helper.make_opsetid("", 17), helper.make_opsetid("local", 1)]
    functions = [helper.make_function("local", "f40", ["x"], ["y"], [helper.make_node("Neg", ["x"], ["y"])], opset)]
    for i in range(40):
        calls = [helper.make_node(f"f{i + 1}", [name], [result], domain="local") for name, result in (("x", "p"), ("p", "y"))]
        functions.append(helper.make_function("local", f"f{i}", ["x"], ["y"], calls, opset))
    graph = helper.make_graph(
        [
            constant("x", np.zeros(2, np.float32)),
            helper.make_node("f0", ["x"], ["y"], domain="local"),
            helper.make_node("SequenceConstruct", ["y"], ["s"]),
        ],
        "g", [], [sequenceInfo("s")],
    )
    model = helper.make_model(graph, functions=functions, opset_imports=opset, ir_version=8)
    converted = convert(model, folder)
    assert converted.returncode == 1 and "has no lowering: the model has no opset_import of domain 'local'" in converted.stderr, converted.stderr[-600:]


def scanOf(trips, direction, axis):
    """Running sums of the rows of x, and the rows doubled."""
    body = helper.make_graph(
        [helper.make_node("Add", ["sum", "row"], ["next"]), helper.make_node("Add", ["row", "row"], ["double"])],
        "body", [tensorInfo("sum", shape=[3]), tensorInfo("row", shape=[3])],
        [tensorInfo("next", shape=[3]), tensorInfo("double", shape=[3])],
    )
    nodes = [
        constant("x", np.arange(3 * trips, dtype=np.float32).reshape(trips, 3)),
        constant("zero", np.zeros(3, np.float32)),
        helper.make_node("Scan", ["zero", "x"], ["all", "rows"], body=body, num_scan_inputs=1, scan_input_directions=[direction],
                         scan_output_axes=[axis], scan_output_directions=[direction]),
    ]
    return modelOf(nodes, [tensorInfo("all", shape=[3]), tensorInfo("rows", shape=[None, None])])


def test_scan(folder):
    for trips, direction, axis in ((4, 0, 0), (4, 1, 1), (0, 0, 0)):
        total, rows = runProgram(scanOf(trips, direction, axis), folder)
        x = np.arange(3 * trips, dtype=np.float32).reshape(trips, 3)
        same(total, x.sum(axis=0), "sum")
        same(rows, (2 * x).T if axis else 2 * x, "rows")


def test_unranked_values_of_loops(folder):
    """A trip count without rank, and a carried tensor that has another rank in each iteration."""
    unranked = lambda name: tensorInfo(name)
    body = loopBody(
        [helper.make_node("Identity", ["going"], ["go"]), helper.make_node("SequenceAt", ["both", "number"], ["next"])],
        [("value", "next", unranked)],
    )
    model = modelOf(
        [
            constant("a", np.ones(2, np.float32)),
            constant("b", np.full((2, 3), 5, np.float32)),
            constant("two", np.int64(2)),
            constant("one", np.array([1], np.int64)),
            constant("zero", np.int64(0)),
            helper.make_node("SequenceConstruct", ["a", "b"], ["both"]),
            helper.make_node("SequenceConstruct", ["two", "one"], ["counts"]),
            helper.make_node("SequenceAt", ["counts", "zero"], ["trips"]),
            helper.make_node("Loop", ["trips", "", "a"], ["r"], body=body),
        ],
        [tensorInfo("r")],
    )
    onnx.save(model, folder / "model.onnx")
    done = tool("onnx-run", folder / "model.onnx")  # a kernel checks that the trip count is one number
    assert done.stdout == "r: f32[2, 3] [[5, 5, 5], [5, 5, 5]]\n", done.stdout + done.stderr


def test_ranks_that_a_map_declares(folder):
    """The element is unranked; the body says that it is a vector, which Add needs."""
    body = helper.make_graph([helper.make_node("Add", ["e", "e"], ["d"])], "body", [tensorInfo("e", shape=[None])],
                             [tensorInfo("d", shape=[None])])
    model = modelOf(
        [
            constant("a", np.ones(2, np.float32)),
            constant("b", np.ones(3, np.float32)),
            constant("c", np.ones((1, 1), np.float32)),
            helper.make_node("SequenceConstruct", ["a", "b", "c"], ["three"]),
            helper.make_node("SequenceErase", ["three"], ["two"]),
            helper.make_node("SequenceMap", ["two"], ["r"], body=body),
        ],
        [sequenceInfo("r")],
    )
    same(runProgram(model, folder)[0], [np.full(2, 2, np.float32), np.full(3, 2, np.float32)], "r")
