# SPDX-License-Identifier: Apache-2.0
"""Models that say something wrong and run in ONNX Runtime all the same: programs do what they do there. Of 455 files that others made
and ONNX Runtime runs, 20 were refused: declared outputs of PaddleOCR have no axes, those of others the batch of an example, and
ONNX Runtime's own test data lacks imports.
"""

import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto

import onnxfold_runs as runs
from onnxfold_models import const, info, model

pytestmark = pytest.mark.skipif(not runs.RUN.exists(), reason="onnx-run is not built")
node = onnx.helper.make_node
F32 = TensorProto.FLOAT
X = np.arange(6, dtype=np.float32).reshape(2, 3)
FLAGS = ((), ("--no-fold",), ("--upstream-deallocation",))
INFERRED = "the program has what was inferred"


def run(folder, source, feed, *flags):
    """The finished process, which compares what it computes with the results of ONNX Runtime."""
    judge = runs.Judge(folder / "runs")
    case, why = judge.case("case", source, [feed])
    assert case, why
    data = judge.write(case, "as it is")
    command = [runs.RUN, "--test-folders=-", "--no-cache", "--llvm-level=0", "--guard-memory", *flags]
    return subprocess.run(command, input=f"{data}\n", capture_output=True, text=True, timeout=600)


# ---- shapes of outputs ---------------------------------------------------------------------------------------------------

SIGMOID, SOFTMAX = [node("Sigmoid", ["x"], ["y"])], [node("Softmax", ["x"], ["y"], axis=1)]
TWO = [node("Neg", ["x"], ["y"]), node("Neg", ["y"], ["z"])]
# nodes, the shape of x, those of outputs, and how many of these the model says wrongly (of an open size nobody knows that)
WRONG = {
    "scalar": (SIGMOID, (2, 3), {"y": ()}, 1),
    "scalar, open": (SOFTMAX, ("n", 3), {"y": ()}, 1),
    "size": (SIGMOID, (2, 3), {"y": (3, 3)}, 1),
    "size of an example": (SIGMOID, ("n", 3), {"y": (1, 3)}, 0),
    "read again": (TWO, ("n", 3), {"y": (3,), "z": (1, 1, 1)}, 2),
    "right": (SOFTMAX, ("n", 3), {"y": ("n", 3)}, 0),
}


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("name", WRONG)
def test_declared_shapes_of_outputs(folder, name, flags):
    nodes, shape, outputs, count = WRONG[name]
    done = run(folder, model(nodes, [info("x", shape)], [info(key, value) for key, value in outputs.items()]), {"x": X}, *flags)
    assert done.returncode == 0 and done.stderr.count(INFERRED) == count, done.stdout + done.stderr


def test_the_warning_names_both_shapes(folder):
    done = run(folder, model(SOFTMAX, [info("x", ("n", 3))], [info("y", ())]), {"x": X})
    assert f"output 'y' is f32[?,3], but the model says f32[]; {INFERRED}" in done.stderr, done


def test_a_declared_shape_that_nothing_contradicts_before_the_run(folder):
    """No rank is inferred, so that callers are told the declared one."""
    unknown = onnx.helper.make_tensor_value_info("x", F32, None)
    done = run(folder, model(SIGMOID, [unknown], [info("y", ())]), {"x": X})
    assert done.returncode == 3 and "Sigmoid 'y': result #0 is f32[2, 3], but the model says f32[]" in done.stderr, done


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_declared_sizes_where_no_rank_is_inferred(folder, flags):
    """Axes that are an input say the rank only at run time: callers are told the declared one, without its sizes."""
    axes = info("a", ("k",), TensorProto.INT64)
    x = np.arange(12, dtype=np.float32).reshape(3, 2, 2)
    nodes = [node("ReduceMax", ["x", "a"], ["y"], keepdims=0), node("Neg", ["y"], ["z"])]
    source = model(nodes, [info("x", (3, 2, 2)), axes], [info("y", (3, 2)), info("z", (3, 2))], opset=20)
    for axis in (0, 1):
        done = run(folder / str(axis), source, {"x": x, "a": np.int64([axis])}, *flags)
        assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr


# ---- outputs of branches -------------------------------------------------------------------------------------------------


def graphOf(name, nodes, outputs, inputs=()):
    return onnx.helper.make_graph(nodes, name, list(inputs), outputs)


def truth(name):
    return info(name, (), TensorProto.BOOL)


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_branches_whose_outputs_are_declared_as_scalars(folder, flags):
    """A Loop of PaddleOCR's slanet carries bool[1] that all graphs declare as a scalar."""
    one, yes = onnx.numpy_helper.from_array(np.int64([1])), onnx.numpy_helper.from_array(np.array(True))
    nodes = [node("Cast", ["k"], ["w"], to=TensorProto.INT64), node("Constant", [], ["one"], value=one)]
    nodes += [node("Add", ["w", "one"], ["m"]), node("Cast", ["m"], ["t"], to=TensorProto.BOOL)]
    then, other = graphOf("then", nodes, [truth("t")]), graphOf("other", [node("Constant", [], ["e"], value=yes)], [truth("e")])
    step = [node("If", ["k"], ["r"], then_branch=then, else_branch=other), node("Identity", ["go"], ["again"])]
    body = graphOf("body", step, [truth("again"), truth("r")], [info("i", (), TensorProto.INT64), truth("go"), truth("k")])
    count = info("n", (), TensorProto.INT64)
    nodes = [node("Loop", ["n", "c", "c"], ["z"], body=body), node("Not", ["z"], ["u"]), node("Reshape", ["u", "all"], ["y"])]
    source = model(nodes, [count, truth("c")], [info("y", (1,), TensorProto.BOOL)], [const("all", np.int64([-1]))], opset=14)
    for number, start in enumerate((True, False)):
        done = run(folder / str(number), source, {"n": np.array(3), "c": np.array(start)}, *flags)
        assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr


# What the two branches give, the condition, and what the model declares: of each branch, and of the result.
BRANCHES = [((1,), (1,), (1,)), ((3, 3), (3, 3), (3, 3)), ((6,), (6,), (6,)), ((2, 3), (1, 1, 1), (2, 3)), ((), (), ())]


@pytest.mark.parametrize("shapes", BRANCHES, ids=str)
def test_branches_that_declare_another_shape_than_they_give(folder, shapes):
    then = graphOf("then", [node("Neg", ["x"], ["t"])], [info("t", shapes[0])])
    other = graphOf("other", [node("Abs", ["x"], ["e"])], [info("e", shapes[1])])
    nodes = [node("If", ["c"], ["y"], then_branch=then, else_branch=other)]
    source = model(nodes, [truth("c"), info("x", (2, 3))], [info("y", shapes[2])], opset=14)
    for chosen in (True, False):
        done = run(folder / str(chosen), source, {"c": np.array(chosen), "x": X})
        assert done.returncode == 0 and done.stderr.count(INFERRED) == (shapes[2] != (2, 3)), done.stdout + done.stderr


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("size", [1, "q"])
def test_a_loop_that_carries_one_element_declared_as_a_scalar(folder, size, flags):
    """Body and result say a scalar, and what the Loop begins with has a dimension."""
    step = [node("Identity", ["go"], ["again"]), node("Neg", ["k"], ["r"])]
    body = graphOf("body", step, [truth("again"), info("r", ())], [info("i", (), TensorProto.INT64), truth("go"), info("k", ())])
    inputs = [info("n", (), TensorProto.INT64), truth("c"), info("x", (size,))]
    source = model([node("Loop", ["n", "c", "x"], ["y"], body=body)], inputs, [info("y", ())], opset=14)
    for count in (0, 3):
        feed = {"n": np.array(count), "c": np.array(True), "x": np.float32([3])}
        done = run(folder / str(count), source, feed, *flags)
        assert done.returncode == 0 and done.stderr.count(INFERRED) == 1, done.stdout + done.stderr


# ---- shapes of inner values ----------------------------------------------------------------------------------------------

UNKNOWN = onnx.helper.make_tensor_value_info("x", F32, None)
ANY = onnx.helper.make_tensor_value_info("y", F32, None)


@pytest.mark.parametrize("flags", FLAGS, ids=str)
@pytest.mark.parametrize("wrong", [(), (3, 3), (1, 1, 1)], ids=str)
@pytest.mark.parametrize("shape", [(2, 3), ("n", 3), None], ids=str)
def test_a_wrong_shape_of_an_inner_value(folder, shape, wrong, flags):
    """What inference cannot confirm is not believed: the run gives the shape."""
    nodes = [node("Sigmoid", ["x"], ["h"]), node("Neg", ["h"], ["y"])]
    source = model(nodes, [UNKNOWN if shape is None else info("x", shape)], [ANY if shape is None else info("y", shape)])
    source.graph.value_info.append(info("h", wrong))
    done = run(folder, source, {"x": X}, *flags)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("wrong", [(7,), (2, 3)], ids=str)
def test_a_wrong_shape_where_values_say_it(folder, wrong):
    """Of Reshape and ReduceMax inference knows the rank at most."""
    whole = info("a", ("k",), TensorProto.INT64)
    for operator, value, extra in (("Reshape", [6], {}), ("ReduceMax", [0], {"keepdims": 0})):
        nodes = [node(operator, ["x", "a"], ["h"], **extra), node("Neg", ["h"], ["y"])]
        source = model(nodes, [info("x", (2, 3)), whole], [ANY], opset=20)
        source.graph.value_info.append(info("h", wrong))
        done = run(folder / operator, source, {"x": X, "a": np.int64(value)})
        assert done.returncode == 0, done.stdout + done.stderr


# ---- domains without an import -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_operators_of_domains_that_are_not_imported(folder, flags):
    nodes = [node("Gelu", ["x"], ["g"], domain="com.microsoft"), node("Binarizer", ["g"], ["y"], domain="ai.onnx.ml", threshold=1.0)]
    done = run(folder, model(nodes, [info("x", ("n", 3))], [info("y", ("n", 3))]), {"x": X}, *flags)
    assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr


def test_an_unknown_operator_without_an_import(folder):
    source = model([node("Nothing", ["x"], ["y"], domain="com.microsoft")], [info("x", (2, 3))], [info("y", (2, 3))])
    onnx.save(source, folder / "model.onnx")
    done = subprocess.run([runs.RUN, folder / "model.onnx", "--emit=mlir"], capture_output=True, text=True)
    assert done.returncode == 1 and "domain 'com.microsoft' has no operator 'Nothing' that is known here" in done.stderr, done


# ---- names of functions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flags", FLAGS, ids=str)
def test_activations_in_lower_case(folder, flags):
    """Models of OpenVINO's tests write them so, and onnx-run refused them: "names 'sigmoid', which is not a function"."""
    random = np.random.default_rng(8)
    weights = [const("w", random.standard_normal((1, 8, 3), np.float32)), const("r", random.standard_normal((1, 8, 2), np.float32))]
    nodes = [node("LSTM", ["x", "w", "r"], ["y"], hidden_size=2, activations=["sigmoid", "TANH", "leakyrelu"], activation_alpha=[0.25])]
    source = model(nodes, [info("x", (4, 1, 3))], [info("y", (4, 1, 1, 2))], weights)
    done = run(folder, source, {"x": random.standard_normal((4, 1, 3), np.float32)}, *flags)
    assert done.returncode == 0, done.stdout + done.stderr


# ---- inputs --------------------------------------------------------------------------------------------------------------


def test_features_of_several_dimensions(folder):
    """All elements of a row are features."""
    x = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    nodes = [node("FeatureVectorizer", ["x", "v"], ["y"], domain="ai.onnx.ml", inputdimensions=[6, 2])]
    source = model(nodes, [info("x", (2, 2, 3)), info("v", (2, 2))], [info("y", (2, 8))], domains=[("ai.onnx.ml", 1)])
    done = run(folder, source, {"x": x, "v": x[:, 0, :2].copy()})
    assert done.returncode == 0, done.stdout + done.stderr


def test_constants_that_are_outputs_of_another_shape(folder):
    source = model([node("Add", ["a", "a"], ["y"])], [info("x", (2, 3))], [info("y", ())], [const("a", X)])
    done = run(folder, source, {"x": X})
    assert done.returncode == 0 and INFERRED in done.stderr, done.stdout + done.stderr
