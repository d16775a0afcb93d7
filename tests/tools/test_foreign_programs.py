# SPDX-License-Identifier: Apache-2.0
"""onnx-run, onnx-to-dml and dml-to-onnx with what strangers made: names that are escape sequences or no UTF-8, sizes whose product
overflows, inputs without elements that have 2^62 slices, scripts that source each other or a device.

What they print has no control characters; the rest ends with exit status 1 and one message.
"""

import os
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import onnxfold_testing as t
from test_terminals import EVIL, expectClean

TOOLS = t.TOOL.parent


def call(tool, *arguments):
    if not (TOOLS / tool).exists():
        pytest.skip(f"{tool} is not built")
    arguments = [argument if isinstance(argument, bytes) else str(argument) for argument in arguments]
    done = subprocess.run([TOOLS / tool, *arguments], capture_output=True, timeout=120)
    done.out, done.err = (os.fsdecode(text) for text in (done.stdout, done.stderr))
    return done


def save(path, nodes, inputs, outputs, others=()):
    graph = helper.make_graph(nodes, "g", inputs, outputs, value_info=others)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    path.write_bytes(model.SerializeToString())


def floats(name, shape=(None,)):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def expectRefused(done, *texts):
    lines = done.err.splitlines()
    assert done.returncode == 1 and lines and all(line.startswith("  ") for line in lines[1:]), done
    for text in texts:
        assert text in done.err, f"{text!r} in {done.err!r}"


# ---- names ---------------------------------------------------------------------------------------------------------------


def test_onnx_run_prints_names_and_texts_escaped(folder):
    """Names of results, and strings, were printed as they are."""
    e = EVIL
    np.save(folder / "x.npy", np.float32([1]))
    text = helper.make_tensor("t", TensorProto.STRING, [1], [e.encode()])
    nodes = [helper.make_node("Neg", ["x"], ["y" + e]), helper.make_node("Constant", [], ["t"], value=text)]
    nodes += [helper.make_node("Identity", ["t"], ["s"])]
    strings = helper.make_tensor_value_info("s", TensorProto.STRING, [1])
    save(folder / "model.onnx", nodes, [floats("x", [1])], [floats("y" + e, [1]), strings])
    done = call("onnx-run", folder / "model.onnx", "--no-cache", f"--input=x={folder}/x.npy")
    assert done.returncode == 0 and "\\x1B[2J" in done.out, done
    expectClean(done.out, "results")
    done = call("onnx-run", folder / "model.onnx", "--no-cache")
    expectRefused(done, "input 'x' has no value")


@pytest.mark.parametrize("kind", ("input", "operator", "node", "file"))
def test_onnx_run_says_errors_escaped(kind, folder):
    e = EVIL
    np.save(folder / "x.npy", np.float32([1]))
    nodes = {
        "input": [helper.make_node("Neg", ["x" + e], ["y"])],
        "operator": [helper.make_node("Op" + e, ["x" + e], ["y"])],
        "node": [helper.make_node("Gather", ["x" + e, "i"], ["y"], name="n" + e), helper.make_node("Shape", ["x" + e], ["i"])][::-1],
        "file": [helper.make_node("Neg", ["x" + e], ["y"])],
    }[kind]
    save(folder / "model.onnx", nodes, [floats("x" + e)], [floats("y", None)])
    name = "none" + e.replace("/", "") if kind == "file" else "model.onnx"
    given = [] if kind == "input" else ["--input", f"x{e}={folder}/x.npy"]
    done = call("onnx-run", folder / name, "--no-cache", *given)
    expectRefused(done)
    expectClean(done.err, kind)


def test_onnx_run_takes_names_of_any_bytes(folder):
    """What compiled code says of its inputs is JSON, whose strings are UTF-8: an input of another name could not be given."""
    np.save(folder / "x.npy", np.float32([1, 2]))
    save(folder / "model.onnx", [helper.make_node("Neg", ["xNAME"], ["yNAME"])], [floats("xNAME", [2])], [floats("yNAME", [2])])
    model = (folder / "model.onnx").read_bytes().replace(b"NAME", b"\xffA\xfe\x80")
    (folder / "model.onnx").write_bytes(model)
    done = call("onnx-run", folder / "model.onnx", "--no-cache", b"--input=x\xffA\xfe\x80=" + os.fsencode(folder / "x.npy"))
    assert (done.returncode, done.out) == (0, "y\\xFFA\\xFE\\x80: f32[2] [-1, -2]\n"), done


def test_converters_say_errors_escaped(folder):
    e = EVIL
    save(folder / "model.onnx", [helper.make_node("Op" + e, ["x" + e], ["y" + e], name="n" + e)], [floats("x" + e)], [floats("y" + e)])
    done = call("onnx-to-dml", folder / "model.onnx", "-o", folder / "out.dml")
    assert done.returncode == 1, done
    expectClean(done.err, "onnx-to-dml")
    (folder / "a.dml").write_text(f"x = read('x')\nwrite(x, \"{e}\", format=\"{e}\")\nsource(\"{e}\") as f\ny = g(x, '{e}')\nwrite(y, 'y')")
    done = call("dml-to-onnx", folder / "a.dml", "-o", folder / "out.onnx")
    assert done.returncode == 1, done
    expectClean(done.err, "dml-to-onnx")


# ---- sizes ---------------------------------------------------------------------------------------------------------------


def test_slices_of_nothing(folder):
    """A tensor of no elements and 2^62 columns: a list of as many sizes was made before, and its end was an exception."""
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 4611686018427387904), }".ljust(117) + b"\n"
    (folder / "x.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    nodes = [helper.make_node("SplitToSequence", ["x"], ["s"], axis=1), helper.make_node("SequenceLength", ["s"], ["y"])]
    count = helper.make_tensor_value_info("y", TensorProto.INT64, [])
    save(folder / "model.onnx", nodes, [floats("x", ("a", "b"))], [count])
    done = call("onnx-run", folder / "model.onnx", "--no-cache", f"--input=x={folder}/x.npy")
    expectRefused(done, "no memory for 4611686018427387904 elements")


def test_results_of_no_elements_are_short(folder):
    """A tensor of 2^40 rows without columns was printed as 2^40 pairs of brackets."""
    for rows, text in {1 << 40: "y: f32[1099511627776, 0]\n", 2: "y: f32[2, 0] [[], []]\n"}.items():
        np.save(folder / "s.npy", np.int64([rows, 0]))
        shape = helper.make_tensor_value_info("s", TensorProto.INT64, [2])
        save(folder / "model.onnx", [helper.make_node("ConstantOfShape", ["s"], ["y"])], [shape], [floats("y", ["a", "b"])])
        done = call("onnx-run", folder / "model.onnx", "--no-cache", f"--input=s={folder}/s.npy")
        assert (done.returncode, done.out) == (0, text), done


def test_large_optionals_that_are_left_out(folder):
    """Memory for as many elements as the type says, by a product that overflows."""
    for shape in ([1 << 31, 1 << 31, 4], [1 << 40]):
        kind = helper.make_optional_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, shape))
        is_there = helper.make_tensor_value_info("y", TensorProto.BOOL, [])
        save(folder / "model.onnx", [helper.make_node("OptionalHasElement", ["s"], ["y"])], [helper.make_value_info("s", kind)], [is_there])
        done = call("onnx-run", folder / "model.onnx", "--no-cache")
        expectRefused(done, "input 's' is not given, and is too large to be left out", f"f32[{','.join(map(str, shape))}]")


def test_convolutions_whose_bias_does_not_fit(folder):
    """Loops were made for a bias of rank 3, and the compiler died of a signal."""
    X, W = floats("x", [2, 4, 10]), floats("w", [5, 4, 3])
    np.save(folder / "x.npy", np.ones([2, 4, 10], np.float32))
    np.save(folder / "w.npy", np.ones([5, 4, 3], np.float32))
    for shape in ([2, 4, 10], [4], []):
        np.save(folder / "b.npy", np.ones(shape, np.float32))
        save(folder / "model.onnx", [helper.make_node("Conv", ["x", "w", "b"], ["y"], name="c")], [X, W, floats("b", shape)], [floats("y", None)])
        given = [f"--input={name}={folder}/{name}.npy" for name in "xwb"]
        expectRefused(call("onnx-run", folder / "model.onnx", "--no-cache", *given), "Conv 'c'")


def test_stated_sizes_do_not_reach_loops(folder):
    """The size that the model says of y went into the loops, which read beyond x before anybody compared it with that of x. Stated of
    an output or of a value inside, it is not believed."""
    nodes = [helper.make_node("Less", ["x", "low"], ["below"]), helper.make_node("Where", ["below", "low", "x"], ["y"], name="w")]
    nodes.append(helper.make_node("Neg", ["y"], ["z"]))
    np.save(folder / "x.npy", np.ones(3, np.float32))
    np.save(folder / "low.npy", np.float32(0))
    given = [f"--input={name}={folder}/{name}.npy" for name in ("x", "low")]
    for size in (65536, 2):
        for outputs in ([floats("y", [size])], [floats("z", [size])], [floats("z", ["n"])]):
            save(folder / "model.onnx", nodes, [floats("x", ["n"]), floats("low", [])], outputs, [floats("y", [size])])
            for guard in ([], ["--guard-memory"]):
                done = call("onnx-run", folder / "model.onnx", "--no-cache", *guard, *given)
                wanted = "y: f32[3] [1, 1, 1]\n" if outputs[0].name == "y" else "z: f32[3] [-1, -1, -1]\n"
                assert (done.returncode, done.out, done.err) == (0, wanted, ""), done


# ---- files that scripts name ---------------------------------------------------------------------------------------------


def test_scripts_source_no_devices(folder):
    """/dev/zero was read until there was no memory, standard input was waited for."""
    for file, text in {"/dev/zero": "is not a regular file", "-": "no such file"}.items():
        (folder / "a.dml").write_text(f"source('{file}') as f\nx = read('x')\nwrite(x, 'y')\n")
        expectRefused(call("dml-to-onnx", folder / "a.dml", "-o", folder / "a.onnx"), text)
    (folder / "a.dml").write_text("x = read('/dev/zero')\nwrite(x, 'y')\n")
    expectRefused(call("dml-to-onnx", folder / "a.dml", "-o", folder / "a.onnx"), "is not a regular file")


def test_scripts_that_source_each_other(folder):
    """Each takes stack for the one that sources it; a circle is none too many."""
    last = 300
    for i in range(last + 1):
        (folder / f"s{i}.dml").write_text(f"source('s{i + 1}.dml') as f\n" if i < last else "y = 1\n")
    (folder / "a.dml").write_text("source('s0.dml') as f\nx = read('x')\nwrite(x, 'y')\n")
    done = call("dml-to-onnx", folder / "a.dml", "-o", folder / "a.onnx")
    expectRefused(done, "scripts source each other more than 100 deep")
    (folder / "s0.dml").write_text("source('a.dml') as f\n")
    done = call("dml-to-onnx", folder / "a.dml", "-o", folder / "a.onnx")
    assert done.returncode == 0 and onnx.load(folder / "a.onnx").graph.output, done
