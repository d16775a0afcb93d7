# SPDX-License-Identifier: Apache-2.0
"""--input-shape, --dim and --bind: what is fixed folds, and the result is the model's own with these inputs."""

import struct

import numpy as np
import onnx
from onnx import TensorProto

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
from onnxfold_models import const, info, node

I64, F32, BOOL = TensorProto.INT64, TensorProto.FLOAT, TensorProto.BOOL


def shapeOf(value):
    dims = value.type.tensor_type.shape.dim
    return [dim.dim_param or (dim.dim_value if dim.HasField("dim_value") else None) for dim in dims]


def halves(**more):
    """y = x.view(b, s, 2, -1) with b and s from a shape, and the sizes as an output."""
    nodes = [
        node("Shape", ["x"], ["s"]),
        node("Slice", ["s", "zero", "two"], ["bs"]),
        node("Concat", ["bs", "rest"], ["to"], axis=0),
        node("Reshape", ["x", "to"], ["y"]),
        node("Identity", ["bs"], ["sizes"]),
    ]
    constants = [const("zero", [0], np.int64), const("two", [2], np.int64), const("rest", [2, 4], np.int64)]
    outputs = [info("y", ("batch", "length", 2, 4)), info("sizes", (2,), I64)]
    return m.model(nodes, [info("x", ("batch", "length", 8))], outputs, constants, **more)


def specialised(folder, source, *flags):
    """The folded model, which must be valid and fold again into itself."""
    path = folder / "model.onnx"
    onnx.save(source, path)
    out = t.fold(path, folder / "out.onnx", *flags)
    onnx.checker.check_model(str(out), full_check=True)
    again = t.fold(out, folder / "again.onnx")
    t.expectSameBytes(again, out, "folded again")
    return onnx.load(out)


def expectSameResults(folder, given, left):
    """The model with all inputs and the result with those that are left."""
    [want] = compare.outputs(folder / "model.onnx", [given])
    [got] = compare.outputs(folder / "out.onnx", [{name: given[name] for name in left}])
    compare.expectAgreement(got, want, "specialised model")


def refused(folder, source, *flags):
    path = folder / "model.onnx"
    onnx.save(source, path)
    result = t.run(path, "-o", folder / "out.onnx", *flags)
    assert result.code == 1, f"exit status with {flags}"
    assert not (folder / "out.onnx").exists(), "an output was written"
    return result.err


def expectText(text, *parts):
    for part in parts:
        assert part in text, f"the message is {text!r}, expected {part!r} in it"


def test_input_shape(folder):
    out = specialised(folder, halves(), "--input-shape=x:3,5,8")
    assert m.operators(out) == ["Reshape"], "operators"
    assert shapeOf(out.graph.input[0]) == [3, 5, 8], "shape of the input"
    assert shapeOf(out.graph.output[0]) == [3, 5, 2, 4], "shape of the output"
    m.expectValue(out.graph, "sizes", [3, 5])
    x = np.arange(120, dtype=np.float32).reshape(3, 5, 8)
    expectSameResults(folder, {"x": x}, ["x"])


def test_question_marks_leave_dimensions(folder):
    out = specialised(folder, halves(), "--input-shape=x:?,5,?")
    assert shapeOf(out.graph.input[0]) == ["batch", 5, 8], "shape of the input"
    assert m.constantValue(out.graph, "sizes") is None, "the batch is not known"


def test_names_with_colons(folder):
    """TensorFlow's names; the last colon counts."""
    model = m.model([node("Shape", ["x:0"], ["y"])], [info("x:0", ("n", 2))], [info("y", (2,), I64)])
    out = specialised(folder, model, "--input-shape=x:0:4,2")
    m.expectValue(out.graph, "y", [4, 2])


def test_one_dimension_of_many_inputs(folder):
    """--dim fixes a name wherever it stands, also twice in one input."""
    nodes = [node("Shape", ["a"], ["s"]), node("Shape", ["b"], ["t"]), node("Add", ["s", "t"], ["y"])]
    model = m.model(nodes, [info("a", ("n", "k")), info("b", ("n", "n"))], [info("y", (2,), I64)])
    out = specialised(folder, model, "--dim=n:3")
    assert [shapeOf(value) for value in out.graph.input] == [[3, "k"], [3, 3]], "shapes of inputs"
    out = specialised(folder, model, "--dim=n:3", "--dim=k:0")
    m.expectValue(out.graph, "y", [6, 3])


def test_a_shape_fixes_equal_names(folder):
    """batch is one number: given for one input it holds for the other."""
    nodes = [node("Shape", ["b"], ["y"]), node("Relu", ["a"], ["z"])]
    model = m.model(nodes, [info("a", ("n", 2)), info("b", ("n", 7))], [info("y", (2,), I64), info("z", ("n", 2))])
    out = specialised(folder, model, "--input-shape=a:4,2")
    m.expectValue(out.graph, "y", [4, 7])


def test_bound_numbers(folder):
    """An input with a value is none any more: its constant folds with what reads it."""
    nodes = [node("Mul", ["x", "scale"], ["h"]), node("Where", ["flag", "h", "x"], ["y"])]
    inputs = [info("x", (2, 3)), info("scale", (), F32), info("flag", (1,), BOOL)]
    model = m.model(nodes, inputs, [info("y", (2, 3))])
    out = specialised(folder, model, "--bind=flag=true", "--bind=scale=0.5")
    assert [value.name for value in out.graph.input] == ["x"], "inputs"
    assert m.operators(out) == ["Mul"], "operators"
    m.expectValue(out.graph, "scale", np.float32(0.5))
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    expectSameResults(folder, {"x": x, "scale": np.array(0.5, np.float32), "flag": np.array([True])}, ["x"])


def test_texts_of_no_characters(folder):
    """Their number is all that the file says of them: 129 bytes took a gigabyte (libFuzzer)."""
    string = TensorProto.STRING
    model = m.model([node("Identity", ["w"], ["y"])], [info("w", ("n",), string)], [info("y", ("n",), string)])
    for descr in ("<U0", "|S0"):
        for count, expected in ((0, []), (3, [""] * 3), (1 << 20, None), ((1 << 20) + 1, None), (1 << 62, None)):
            header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({count},), }}\n".encode()
            (folder / "w.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
            if count > 1 << 20:
                message = f"has {count} texts of no characters, expected at most 1048576"
                expectText(refused(folder, model, f"--bind=w={folder}/w.npy"), message)
                continue
            out = specialised(folder, model, f"--bind=w={folder}/w.npy", "--max-growth=unlimited")
            if expected is not None:
                m.expectValue(out.graph, "y", np.array(expected, object))
            (folder / "out.onnx").unlink()


def test_bound_lists(folder):
    nodes = [node("Reshape", ["x", "to"], ["y"])]
    model = m.model(nodes, [info("x", (2, 6)), info("to", (3,), I64)], [info("y", (None, None, None))])
    out = specialised(folder, model, "--bind=to=3,-1,2")
    m.expectValue(out.graph, "to", [3, -1, 2])
    expectSameResults(folder, {"x": np.ones((2, 6), np.float32), "to": np.array([3, -1, 2])}, ["x"])


def test_bound_file(folder):
    """Every type that numpy has, in either order of memory, and a shape that fixes dimensions of others."""
    for dtype in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"):
        kind = onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        value = (np.arange(12) % 2).reshape(3, 4).astype(dtype)
        for array in (value, np.asfortranarray(value)):
            np.save(folder / "w.npy", array)
            nodes = [node("Identity", ["w"], ["y"]), node("Shape", ["x"], ["s"])]
            inputs = [info("w", ("rows", 4), kind), info("x", ("rows",))]
            model = m.model(nodes, inputs, [info("y", ("rows", 4), kind), info("s", (1,), I64)])
            out = specialised(folder, model, f"--bind=w={folder}/w.npy")
            m.expectValue(out.graph, "y", value)
            m.expectValue(out.graph, "s", [3])


def test_bound_bfloat16(folder):
    """numpy saves it as bytes without a type."""
    data = np.array([0x3F80, 0x4000], np.uint16)
    np.save(folder / "w.npy", data.view("V2"))
    model = m.model(
        [node("Cast", ["w"], ["y"], to=F32)], [info("w", (2,), TensorProto.BFLOAT16)], [info("y", (2,))]
    )
    out = specialised(folder, model, f"--bind=w={folder}/w.npy")
    m.expectValue(out.graph, "y", np.array([1, 2], np.float32))


def test_bound_default(folder):
    """An initializer that is an input too: the bound value takes the place of the default."""
    model = m.model(
        [node("Add", ["x", "w"], ["y"])],
        [info("x", (2,)), info("w", (2,))],
        [info("y", (2,))],
        [const("w", np.array([5, 6], np.float32))],
    )
    out = specialised(folder, model, "--bind=w=1,2")
    assert [value.name for value in out.graph.input] == ["x"], "inputs"
    assert [tensor.name for tensor in out.graph.initializer] == ["w"], "initializers"
    m.expectValue(out.graph, "w", np.array([1, 2], np.float32))


def test_bound_before_ir_4(folder):
    """Where initializers have to be inputs the value is a Constant node."""
    model = m.model(
        [node("Add", ["x", "w"], ["y"])], [info("x", (2,)), info("w", (2,))], [info("y", (2,))], opset=8, ir=3
    )
    out = specialised(folder, model, "--bind=w=1,2")
    assert [value.name for value in out.graph.input] == ["x"], "inputs"
    expectSameResults(
        folder, {"x": np.ones(2, np.float32), "w": np.array([1, 2], np.float32)}, ["x"]
    )


def test_verified(folder):
    """--verify compares with the model as it is specialised."""
    path = folder / "model.onnx"
    onnx.save(halves(), path)
    t.runOk(path, "-o", folder / "out.onnx", "--input-shape=x:2,3,8", "--verify")


def test_wrong_names_and_shapes(folder):
    expectText(refused(folder, halves(), "--input-shape=z:1"), "no input 'z'", "'x'")
    expectText(refused(folder, halves(), "--dim=n:1"), "no input has a dimension 'n'", "'batch', 'length'")
    expectText(refused(folder, halves(), "--bind=z=1"), "no input 'z'", "'x'")
    expectText(refused(folder, halves(), "--input-shape=x:1,2"), "input 'x' has rank 3, expected 3 sizes instead of 2")
    expectText(refused(folder, halves(), "--input-shape=x:1,2,9"), "dimension #2", "is 8", "instead of 9")
    expectText(refused(folder, halves(), "--input-shape=x:2,2,8", "--dim=batch:1"), "dimension #0", "is 1", "instead of 2")
    expectText(refused(folder, halves(), "--dim=batch:1", "--dim=batch:2"), "--dim is 'batch:1' and 'batch:2'")


def test_said_twice(folder):
    """The second --dim said that there is no such dimension, and the last --bind won in silence."""
    shape = refused(folder, halves(), "--input-shape=x:?,5,8", "--input-shape=x:?,6,8")
    expectText(shape, "--input-shape is 'x:?,5,8' and 'x:?,6,8', expected one shape")
    expectText(refused(folder, halves(), "--input-shape=x:1", "--input-shape=x:1,5,8"), "'x:1' and 'x:1,5,8'")
    model = m.model([node("Mul", ["x", "s"], ["y"])], [info("x"), info("s", ())], [info("y")])
    expectText(refused(folder, model, "--bind=s=2", "--bind=s=3"), "--bind is 's=2' and 's=3', expected one value")
    specialised(folder, model, "--bind=s=2", "--bind=s=2")
    once = ["--input-shape=x:?,5,8", "--dim=batch:2"]
    out = specialised(folder, halves(), *once)
    more = specialised(folder, halves(), *once, *once, "--input-shape=x:2,5,?")
    assert more.SerializeToString() == out.SerializeToString(), "the model with all said twice"


def test_wrong_numbers(folder):
    for flag, part in (
        ("--input-shape=x:1,a,8", "'a' is not a size"),
        ("--input-shape=x:1,-2,8", "'-2' is not a size"),
        ("--input-shape=x", "expected NAME:SIZE"),
        ("--input-shape=:3", "expected NAME:SIZE"),
        ("--dim=batch:x", "expected NAME:SIZE"),
        ("--dim=batch:99999999999", "expected NAME:SIZE"),
        ("--dim=batch", "expected NAME:SIZE"),
        ("--bind=x", "expected NAME=VALUE"),
        ("--bind==3", "expected NAME=VALUE"),
    ):
        expectText(refused(folder, halves(), flag), part)


def test_wrong_values(folder):
    inputs = [info("x", (2,)), info("i", (2,), TensorProto.INT8), info("flag", (), BOOL)]
    nodes = [node("Identity", ["x"], ["y"]), node("Identity", ["i"], ["j"]), node("Identity", ["flag"], ["g"])]
    outputs = [info("y", (2,)), info("j", (2,), TensorProto.INT8), info("g", (), BOOL)]
    model = m.model(nodes, inputs, outputs)
    np.save(folder / "three.npy", np.ones(3, np.float32))
    np.save(folder / "double.npy", np.ones(2))
    (folder / "cut.npy").write_bytes((folder / "three.npy").read_bytes()[:-1])
    (folder / "text.npy").write_text("no array, but long enough")
    np.save(folder / "objects.npy", np.array([{}, 1], object), allow_pickle=True)
    np.save(folder / "big.npy", np.ones(2, ">f4"))
    for flag, parts in (
        ("--bind=i=1,300", ["'300' is not a number of type i8"]),
        ("--bind=i=1,1.5", ["'1.5' is not a number of type i8"]),
        ("--bind=x=1,2,3", ["dimension #0", "is 2", "instead of 3"]),
        ("--bind=x=1,a", ["'a' is not a number of type f32"]),
        ("--bind=flag=2", ["'2' is not a number of type bool"]),
        ("--bind=x=", ["the value is empty"]),
        (f"--bind=x={folder}/three.npy", ["dimension #0", "is 2", "instead of 3"]),
        (f"--bind=x={folder}/double.npy", ["has element type f64, the input f32"]),
        (f"--bind=x={folder}/cut.npy", ["has 11 bytes of elements for shape [3] of f32"]),
        (f"--bind=x={folder}/text.npy", ["does not begin as a .npy file"]),
        (f"--bind=x={folder}/objects.npy", ["has elements of type '|O'"]),
        (f"--bind=x={folder}/big.npy", ["has elements of type '>f4'"]),
        (f"--bind=x={folder}/none.npy", ["none.npy"]),
    ):
        expectText(refused(folder, model, flag), *parts)


def test_damaged_headers(folder):
    """A header of any bytes is an error, not a crash."""
    random = np.random.default_rng(t.options.seed)
    np.save(folder / "w.npy", np.ones((2, 3), np.float32))
    whole = (folder / "w.npy").read_bytes()
    model = m.model([node("Identity", ["w"], ["y"])], [info("w", (2, 3))], [info("y", (2, 3))])
    onnx.save(model, folder / "model.onnx")
    for _ in range(60):
        data = bytearray(whole)
        for place in random.integers(0, 70, random.integers(1, 4)):
            data[place] = random.integers(0, 256)
        (folder / "w.npy").write_bytes(data)
        result = t.run(folder / "model.onnx", "-o", folder / "out.onnx", f"--bind=w={folder}/w.npy")
        assert result.code in (0, 1), f"exit status is {result.code} for {bytes(data[:80])!r}"
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2147483647, 2147483647, 2147483647), }\n"
    (folder / "w.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
    expectText(refused(folder, model, f"--bind=w={folder}/w.npy"), "bytes of elements for shape")
    for descr in ("", "<", "=|"):  # libFuzzer: a byte before the type was read
        header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': (2, 3), }}\n".encode()
        (folder / "w.npy").write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(24))
        expectText(refused(folder, model, f"--bind=w={folder}/w.npy"), f"elements of type '{descr}', expected little-endian numbers")


def past(name="past + seq", **more):
    """Sizes of inputs that follow from others, by their names."""
    nodes = [node("Shape", ["mask"], ["y"]), node("Relu", ["past"], ["z"])]
    inputs = [info("mask", ("batch", name)), info("past", ("batch", "past"))]
    return m.model(nodes, inputs, [info("y", (2,), I64), info("z", ("batch", "past"))], **more)


def test_names_that_are_formulas(folder):
    """dim_sum.onnx: --dim evaluates sums, products and quotients of the sizes that it fixes."""
    for name, size in (("past + seq", 7), ("past+seq", 7), ("2*past - seq", 2), ("past*seq", 12), ("(past + seq + 1)//4", 2), ("8/seq", 2),
                       ("floor(seq/past)", 1), ("Max(1, past) + Min(seq, 2)", 5), ("Mod(seq, past)", 1), ("ceiling(seq/3)", 2)):
        out = specialised(folder, past(name), "--dim=past:3", "--dim=seq:4")
        assert shapeOf(out.graph.input[0]) == ["batch", size], f"'{name}'"


def test_formulas_of_open_sizes_stay(folder):
    out = specialised(folder, past(), "--dim=past:3")
    assert [shapeOf(value) for value in out.graph.input] == [["batch", "past + seq"], ["batch", 3]], "seq is open"
    out = specialised(folder, past("seq + 1"), "--dim=seq:4")
    assert shapeOf(out.graph.input[0]) == ["batch", 5], "a name that only a formula has"


def test_names_that_look_like_formulas(folder):
    for name in ("past-seq", "past.seq", "past:0", "past + ", "+", "past seq", "f(past)", "past + seq)"):
        out = specialised(folder, past(name), "--dim=past:3", "--dim=batch:1")
        assert shapeOf(out.graph.input[0]) == [1, name], f"'{name}'"


def test_contradictions_of_formulas(folder):
    expectText(refused(folder, past(), "--dim=past:3", "--dim=seq:4", "--dim=past + seq:8"),
               "--dim: dimension 'past + seq' is 7 with the sizes of the others, expected 8, which is given")
    for name in ("past - seq", "past/seq", "seq//(past - 3)"):
        expectText(refused(folder, past(name), "--dim=past:3", "--dim=seq:4"),
                   f"dimension '{name}' is no size with the sizes of the others, expected a whole number that is not negative")
    expectText(refused(folder, past(), "--input-shape=mask:1,8", "--dim=past:3", "--dim=seq:4"), "'past + seq'", "7", "8")
    expectText(refused(folder, past("past + f(seq"), "--dim=seq:4"), "no input has a dimension 'seq'")
