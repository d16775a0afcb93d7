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
import pytest
import onnx
from onnx import TensorProto, helper, numpy_helper

from onnxfold_testing import TEST_DATA, TOOL, cmakeCache, runOk

TOOLS = TOOL.parent
CLEAN = "leaks=0 double-frees=0 unknown-frees=0 use-after-free=0 overruns=0"
NUMPY = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "i1": np.bool_}

# Between operators an optional is two values; functions and branches have one result for each of the model's.
NOT_LOWERED = {
    "test_identity_opt": "type '!onnx.optional<.*>' of an argument or result has no lowering",
    "test_if_opt": "type '!onnx.optional<.*>' of an argument or result has no lowering",
}

# ---- programs ----------------------------------------------------------------------------------------------------------


def closing(text, start):
    """The index behind the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "(<[{") - (text[i] in ")]}" or (text[i] == ">" and text[i - 1] != "-"))
        if depth == 0:
            return i + 1
    raise ValueError(text[start:])


def splitTypes(text):
    parts, begin, depth = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "(<[{") - (char in ")>]}")
        if char == "," and depth == 0:
            parts.append(text[begin:i].strip())
            begin = i + 1
    return parts + [text[begin:].strip()] if text.strip() else []


def resultTypes(module):
    """Of @main_graph, which has no arguments."""
    tail = module[module.index("func.func @main_graph() -> ") + len("func.func @main_graph() -> ") :]
    if tail.startswith("("):
        return splitTypes(tail[1 : closing(tail, 0) - 1])
    return [tail[: tail.index(" {\n")].strip()]


def dumpTensor(value, type):
    kind = re.search(r"(f32|f64|i32|i64|i1)>$", type).group(1)
    return f"""  %any{value} = tensor.cast %{value} : {type} to tensor<*x{kind}>
  func.call @dump_{kind}(%any{value}) : (tensor<*x{kind}>) -> ()
""" if "*" not in type else f"  func.call @dump_{kind}(%{value}) : (tensor<*x{kind}>) -> ()\n"


def dumpResult(i, type):
    if not type.startswith("!sequence.seq<"):
        return dumpTensor(f"r{i}", type)
    element = re.match(r"!sequence.seq<(tensor<[^>]*>),", type).group(1)
    return f"""  %n{i} = sequence.length %r{i} : {type}
  %wide{i} = arith.index_cast %n{i} : index to i64
  func.call @observe_i64(%wide{i}) : (i64) -> ()
  %shape{i} = tensor.from_elements %wide{i} : tensor<i64>
{dumpTensor(f"shape{i}", "tensor<i64>")}  scf.for %i{i} = %c0 to %n{i} step %c1 {{
  %e{i} = sequence.at %r{i}[%i{i}] : {type} -> {element}
{dumpTensor(f"e{i}", element)}  }}
"""


def withMain(module):
    """The module with a function that runs @main_graph and dumps its results."""
    types = resultTypes(module)
    names = ", ".join(f"%r{i}" for i in range(len(types)))
    text = "".join(
        f"func.func private @dump_{kind}(tensor<*x{kind}> {{bufferization.access = \"read\"}})\n" for kind in NUMPY
    )
    text += "func.func private @observe_i64(i64)\nfunc.func @main() {\n"
    text += "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
    text += f"  {names} = call @main_graph() : () -> ({', '.join(types)})\n"
    text += "".join(dumpResult(i, type) for i, type in enumerate(types)) + "  return\n}\n"
    end = module.rindex("}")
    return module[:end] + text + "}\n", types


def tool(name, *arguments, stdin=None):
    return subprocess.run([TOOLS / name, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=600)


def convert(model, folder):
    """What convert-onnx-to-sequence makes of a model, as a finished process."""
    onnx.save(model, folder / "model.onnx")
    # No node has this name: the model as it is, whose constants would otherwise be folded away.
    text = runOk("--quiet", "-O0", "--only=none-of-them", "--emit=mlir", "-o", "-", folder / "model.onnx").out.decode()
    return tool("fold-opt", "--convert-onnx-to-sequence", "-", stdin=text)


def parseTensor(line):
    kind, shape, *values = line.split(" ")
    dims = [int(dim) for dim in shape.split("x")] if shape else []
    read = float.fromhex if kind[0] == "f" else int
    return np.array([read(value) for value in values], NUMPY[kind]).reshape(dims)


def runProgram(model, folder):
    """The outputs of a model, compiled and run: arrays, and lists of arrays."""
    converted = convert(model, folder)
    assert converted.returncode == 0, f"convert-onnx-to-sequence: {converted.stderr[-600:]}"
    program, types = withMain(converted.stdout)
    (folder / "program.mlir").write_text(program)
    # What the pipeline makes is the same in the tool that everybody has.
    lowered = tool("fold-opt", "--lower-sequence-to-llvm", folder / "program.mlir")
    assert lowered.returncode == 0, f"lower-sequence-to-llvm: {lowered.stderr[-600:]}"
    done = tool("sequence-run", folder / "program.mlir")
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr[-600:]} {done.stdout[-300:]}"
    lines = done.stdout.splitlines()
    assert CLEAN in lines[-1], lines[-1]
    tensors = iter([parseTensor(line) for line in lines if re.match("(f32|f64|i32|i64|i1) ", line)])
    outputs = []
    for type in types:
        first = next(tensors)
        outputs.append([next(tensors) for _ in range(int(first))] if type.startswith("!sequence") else first)
    return outputs


def same(actual, expected, what):
    if isinstance(expected, list):
        assert len(actual) == len(expected), f"length of {what}"
        for i, (left, right) in enumerate(zip(actual, expected)):
            same(left, right, f"{what}[{i}]")
        return
    expected = np.asarray(expected)
    assert actual.dtype == expected.dtype, f"type of {what}"
    assert actual.shape == expected.shape, f"shape of {what}"
    assert np.array_equal(actual, expected), f"{what} is {actual}, expected {expected}"


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
    expectStop(nothing, folder, "OptionalGetElement: there is nothing")
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
    expectStop(shapes, folder, "Add: shapes do not broadcast")


def test_what_is_refused(folder):
    """An error that names the operator, and no program."""
    cases = {
        "no lowering of Cos": modelOf(
            [constant("x", np.zeros(2, np.float32)), helper.make_node("Cos", ["x"], ["y"])], [tensorInfo("y")]
        ),
        "Add of an input without rank": modelOf(
            [
                constant("i", np.int64(0)),
                helper.make_node("SequenceAt", ["s", "i"], ["x"]),
                helper.make_node("Add", ["x", "x"], ["y"]),
            ],
            [tensorInfo("y")],
            [sequenceInfo("s")],
        ),
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
