# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: what skl2onnx writes around its operators. An open batch without a name, ZipMap, gathers from lists of classes,
labels that are strings."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import onnx
import pytest

import onnxfold_systemds as systemds
import onnxfold_testing as t
from test_dml import export, run
from test_dml_batch_front import expectSame as expectMoved
from test_run_dml import needsSystemds
from test_run_dml import run as runTool

X = np.random.default_rng(7).standard_normal((6, 3)).astype(np.float32)
CLASSIFIER = 'label, scores = ai.onnx.ml.LinearClassifier <coefficients: floats = [1.0, -1.0, 0.5, 0.0, 2.0, -1.0, -1.0, 0.5, 1.0],\
 intercepts: floats = [0.1, 0.0, -0.1], multi_class: int = 1, post_transform: string = "SOFTMAX", {labels}> (x)'


def parsed(body, inputs="float[N,3] x", outputs="float[N,3] y", constants=""):
    """With `None` for dimensions without a name, which the text form does not have."""
    weights = f"<{constants}>" if constants else ""
    made = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": 18, "ai.onnx.ml": 3]> net ({inputs}) => ({outputs}) {weights} {{ {body} }}')
    for value in [*made.graph.input, *made.graph.output]:
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param == "None":
                dim.ClearField("dim_param")
    return made


def stored(folder, made):
    onnx.save(made, folder / "model.onnx")
    return folder / "model.onnx"


# ---- the batch ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [1, 6])
def test_open_batch_without_a_name(folder, rows):
    """One script for any number of rows."""
    text = systemds.expectSame(folder, parsed("y = Softmax (x)", "float[None,3] x", "float[None,3] y"), [X[:rows]])
    assert "# input x: float32 (batch, 3)" in text


def test_inputs_without_names_have_one_batch(folder):
    made = parsed("y = Concat <axis: int = 1> (a, b, c)", "float[None,3] a, float[None,1] b, float[None,3] c", "float[None,7] y")
    systemds.expectSame(folder, made, [X, X[:, :1], -X])


def test_batch_has_the_name_that_another_input_gives(folder):
    made = parsed("y = Add (a, b)", "float[None,3] a, float[rows,3] b", "float[None,3] y")
    text = systemds.expectSame(folder, made, [X, X])
    assert "# input a: float32 (rows, 3)" in text and "# output y: float32 (rows, 3)" in text


def test_dim_and_input_shape_fix_it(folder):
    made = parsed("y = Softmax (x)", "float[None,3] x", "float[None,3] y")
    for option in ("--dim=batch:6", "--input-shape=x:6,3"):
        assert "# input x: float32 (6, 3)" in systemds.expectSame(folder, made, [X], options=[option])


@pytest.mark.parametrize("rows", [1, 6])
def test_declared_sizes_that_the_batch_contradicts(folder, rows):
    """LightGBM's converter declares one label. A model whose input was opened by hand keeps the sizes of a batch of one."""
    body = CLASSIFIER.format(labels="classlabels_ints: ints = [0, 1, 2]")
    text = systemds.expectSame(folder, parsed(body, "float[N,3] x", "int64[1] label, float[N,3] scores"), [X[:rows]])
    assert "# output label: int64 (N)" in text
    # The number of classes, where scikit-learn's exporter meant that of the samples.
    made = parsed("i = ArgMax <axis: int = 1> (x) y = ai.onnx.ml.ArrayFeatureExtractor (classes, i)", "float[N,3] x", "int64[1,3] y",
                  "int64[3] classes = {10, 20, 30}")
    wanted = systemds.onnxRuntime(parsed("y = ArgMax <axis: int = 1, keepdims: int = 0> (x)", outputs="int64[N] y"), {"x": X[:rows]})[0]
    systemds.expectSame(folder, made, [X[:rows]], wanted=[10 * wanted[:, None] + 10])
    made = parsed("z = Exp (x) y = Relu (z)", "float[N,3] x", "float[1,3] y")
    made.graph.value_info.append(onnx.helper.make_tensor_value_info("z", 1, [1, 3]))
    systemds.expectSame(folder, made, [X[:rows]])


def test_name_that_is_taken(folder):
    """'batch' is the name of another dimension, which is still refused; and so is one that is not the first."""
    made = parsed("y = Identity (x)", "float[None,batch] x", "float[None,batch] y")
    systemds.expectRefused(folder, made, "dimension 1 of 'x' is 'batch', only one free batch size as dimension 0 is possible")
    made = parsed("y = Identity (x)", "float[None,None] x", "float[None,None] y")
    systemds.expectRefused(folder, made, "dimension 1 of 'x' is not known (fix the inputs with --input-shape or --bind)")


@needsSystemds
def test_arrays_say_the_sizes(folder):
    """onnx-run-dml fixes what the exporter needs to know: not the batch, if it can be open."""
    stored(folder, parsed("y = Softmax (x)", "float[None,None] x", "float[None,None] y"))
    np.save(folder / "x.npy", X)
    _, said = runTool("model.onnx", "--input=x=x.npy", "--output=y=y.npy", cwd=folder)
    assert "the script is for these sizes only: --input-shape=x:?,3\n" in said
    np.testing.assert_allclose(np.load(folder / "y.npy").sum(1), 1, rtol=1e-6)
    stored(folder, parsed("y = CumSum (x, zero)", "float[None,None] x", "float[None,None] y", "int64 zero = {0}"))
    _, said = runTool("model.onnx", "--input=x=x.npy", "--output=y=y.npy", cwd=folder)
    np.testing.assert_allclose(np.load(folder / "y.npy"), X.cumsum(0), rtol=1e-6)


@needsSystemds
def test_sizes_of_arrays_do_not_help(folder):
    """The reason is the model's own."""
    stored(folder, parsed("y = NonZero (x)", "float[None,3] x", "int64[2,None] y"))
    np.save(folder / "x.npy", X)
    _, said = runTool("model.onnx", "--input=x=x.npy", "--output=y=y.npy", status=1, cwd=folder)
    assert "NonZero 'y': the size of its result depends on values" in said


# ---- classes -----------------------------------------------------------------------------------------------------------


def test_zipmap(folder):
    """The node goes, the tensor stays, the message says so."""
    body = CLASSIFIER.format(labels="classlabels_ints: ints = [0, 1, 2]")
    zipped = body + " p = ai.onnx.ml.ZipMap <classlabels_int64s: ints = [0, 1, 2]> (scores)"
    made = parsed(zipped, "float[None,3] x", "int64[None] label, float[None,3] p")
    plain = parsed(body + " p = Identity (scores)", "float[N,3] x", "int64[N] label, float[N,3] p")
    row = onnx.helper.make_map_type_proto(onnx.TensorProto.INT64, onnx.helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, []))
    made.graph.output[1].type.CopyFrom(onnx.helper.make_sequence_type_proto(row))
    systemds.expectSame(folder, made, [X], wanted=systemds.onnxRuntime(plain, {"x": X}))
    done = subprocess.run([systemds.TOOL, stored(folder, made)], capture_output=True, text=True)
    assert "ZipMap 'p': 'p' is the tensor of scores, not a dictionary for each row; its columns are the classes 0, 1, 2\n" in done.stderr


@pytest.mark.parametrize("shape, wanted", [("s", [6]), ("column", [6, 1])])
def test_gather_from_a_list_of_classes(folder, shape, wanted):
    """The result of ArrayFeatureExtractor is one row of the batch; what reads it takes the values only."""
    body = f"i = ArgMax <axis: int = 1> (x) z = ai.onnx.ml.ArrayFeatureExtractor (classes, i) f = Cast <to: int = 1> (z) y = Reshape (f, {shape})"
    constants = "int64[3] classes = {10, 20, 30}, int64[1] s = {-1}, int64[2] column = {-1, 1}"
    made = parsed(body, "float[None,3] x", "float[None] y" if len(wanted) == 1 else "float[None,1] y", constants)
    systemds.expectSame(folder, made, [X])
    systemds.expectSame(folder, made, [X], options=["--dim=batch:6"])


def test_gather_from_a_list_whose_shape_is_used(folder):
    """A shape that copies a dimension, and an operator that looks at it: the batch is the second dimension."""
    body = "i = ArgMax <axis: int = 1> (x) z = ai.onnx.ml.ArrayFeatureExtractor (classes, i) {rest}"
    constants = "int64[3] classes = {10, 20, 30}, int64[2] s = {0, -1}"
    for rest in ("y = Reshape (z, s)", "y = Concat <axis: int = 0> (z, z)"):
        made = parsed(body.format(rest=rest), "float[None,3] x", "int64[None,None] y", constants)
        expectMoved(folder, made, [X])
        systemds.expectSame(folder, parsed(body.format(rest=rest), "float[6,3] x", "int64[None,None] y", constants), [X])


@pytest.mark.parametrize("index", ["int64 k = {1}", "int64[1] k = {2}", "int64[2,2] k = {0, 2, 1, 0}"])
def test_columns_by_any_index(folder, index):
    made = parsed("y = ai.onnx.ml.ArrayFeatureExtractor (x, k)", "float[None,3] x", "float[None,None] y", index)
    systemds.expectSame(folder, made, [X])


def test_indices_that_count_from_the_start(folder):
    """Those of ArgMax need no look for negative ones, and a Reshape that leaves the matrix as it is no variable."""
    body = "i = ArgMax <axis: int = 1> (x) j = Reshape (i, s) y = Gather (classes, j)"
    text = systemds.expectSame(folder, parsed(body, "float[None,3] x", "int64[None] y", "int64[3] classes = {10, 20, 30}, int64[1] s = {-1}"), [X])
    assert "< 0) * 3" not in text and "j = " not in text
    body = "v, i = TopK <axis: int = 1> (x, one) y = Gather (classes, {read})"
    for read, wanted in (("i", False), ("v", True)):
        made = parsed(body.replace("{read}", read), "int64[None,3] x", "int64[None,1] y", "int64[3] classes = {10, 20, 30}, int64[1] one = {1}")
        text = systemds.expectSame(folder, made, [np.int64([[-1, -2, -3], [0, 2, -1], [1, -1, 0]])])
        assert ("< 0) * 3" in text) == wanted


def test_zeros_of_the_shape_of_an_input(folder):
    """As QuantileTransformer has them: the numbers of NaN and infinity times 0."""
    made = parsed("i = Cast <to: int = 7> (x) z = Mul (i, zero) y = Add (z, z2)", "float[None,3] x", "int64[None,3] y",
                  "int64[1] zero = {0}, int64[3] z2 = {1, 2, 3}")
    x = X.copy()
    x[0], x[1, 1] = np.nan, np.inf
    systemds.expectSame(folder, made, [x], wanted=[np.tile(np.int64([1, 2, 3]), (6, 1))])


def test_gather_from_a_table_by_the_batch(folder):
    made = parsed("e = Gather (table, i) y = ReduceSum <keepdims: int = 0> (e, one)", "int64[batch] i", "float[batch] y",
                  "float[4,2] table = {1, 2, 3, 4, 5, 6, 7, 8}, int64[1] one = {1}")
    systemds.expectSame(folder, made, [np.int64([3, 0, -1, 2, 2])])
    made = parsed("y = Gather (table, i)", "int64[batch,2] i", "float[batch,2,2] y", "float[4,2] table = {1, 2, 3, 4, 5, 6, 7, 8}")
    systemds.expectSame(folder, made, [np.int64([[3, 0], [1, 2], [2, 2]])])


@pytest.mark.parametrize("shape, places", [((3, 4), 1), ((3, 4), 2), ((1, 4), 2), ((4,), 2)])
def test_columns_of_a_table_by_the_batch(folder, shape, places):
    """The table of a naive Bayes of categories; targets of nearest neighbours. The batch is the second dimension."""
    table = onnx.numpy_helper.from_array(np.arange(np.prod(shape), dtype=np.float32).reshape(shape), "table")
    count = shape[0] if len(shape) == 2 else 1
    body = "z = ai.onnx.ml.ArrayFeatureExtractor (table, i) r = Reshape (z, s) y = Transpose <perm = [1, 0, 2]> (r)"
    made = parsed(body, f"int64[None,{places}] i", f"float[None,{count},{places}] y", f"int64[3] s = {{{count}, -1, {places}}}")
    made.graph.initializer.append(table)
    i = np.random.default_rng(3).integers(0, 4, (5, places))
    systemds.expectSame(folder, made, [i])
    systemds.expectSame(folder, made, [i[:1]])


@pytest.mark.parametrize("rest, shape", [
    ("y = Transpose <perm = [0, 2, 1]> (z)", [3, None, 2]),
    ("t = Transpose <perm = [0, 2, 1]> (z) y = ai.onnx.ml.ArrayFeatureExtractor (t, one)", [3, None, 1]),
    ("t = Transpose <perm = [2, 1, 0]> (z) y = ai.onnx.ml.ArrayFeatureExtractor (t, two)", [None, 2, 2])])
def test_probabilities_of_several_targets(folder, rest, shape):
    """Trees of several targets look up a table of targets, classes and leaves by the leaf of the sample."""
    body = "l = Reshape (i, row) z = ai.onnx.ml.ArrayFeatureExtractor (table, l) " + rest
    dims = ",".join(str(size) for size in shape)
    made = parsed(body, "int64[None] i", f"float[{dims}] y", "int64[2] row = {1, -1}, int64 one = {1}, int64[2] two = {2, 0}")
    made.graph.initializer.append(onnx.numpy_helper.from_array(np.arange(24, dtype=np.float32).reshape(3, 2, 4), "table"))
    expectMoved(folder, made, [np.int64([3, 0, 2, 2])])


def test_places_of_samples_that_are_merged(folder):
    """Several places of each sample stand in one row, beside the batch."""
    body = "l = Reshape (i, row) z = ai.onnx.ml.ArrayFeatureExtractor (table, l) r = Reshape (z, s) y = Transpose <perm = [1, 0, 2]> (r)"
    made = parsed(body, "int64[None,3] i", "float[None,2,3] y", "int64[2] row = {1, -1}, int64[3] s = {2, -1, 3}")
    made.graph.initializer.append(onnx.numpy_helper.from_array(np.arange(8, dtype=np.float32).reshape(2, 4), "table"))
    expectMoved(folder, made, [np.random.default_rng(3).integers(0, 4, (4, 3))])


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "cityblock"])
@pytest.mark.parametrize("opset", [13, 18])
def test_distances(folder, metric, opset):
    """com.microsoft.CDist, which scikit-learn's exporter writes for nearest neighbours with optim='cdist'."""
    made = parsed(f'd = com.microsoft.CDist <metric: string = "{metric}"> (x, b) v, y = TopK <largest: int = 0> (d, k)', "float[None,3] x",
                  "int64[None,2] y", "float[4,3] b = {1, 0, 0, 0, 1, 0, -1, 0, 1, 0.5, -1, 0}, int64[1] k = {2}")
    made.opset_import[0].version = opset
    made.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    if metric == "cityblock":
        systemds.expectRefused(folder, made, "com.microsoft.CDist 'd': the exporter does not know the operator")
    else:
        made.graph.output.append(onnx.helper.make_tensor_value_info("v", 1, [None, 2]))
        systemds.expectSame(folder, made, [X])


def test_distances_far_from_zero(folder):
    """Squares of the constant were folded in float32, and what they cancel in doubles: 0.49 for 0.43."""
    far = np.float32([[1000.5, 999.25, 1001], [1000, 1000.5, 998], [1001.5, 1000, 1000]])
    made = parsed('y = com.microsoft.CDist <metric: string = "euclidean"> (x, b)', "float[None,3] x", "float[None,3] y")
    made.graph.initializer.append(onnx.numpy_helper.from_array(far, "b"))
    made.opset_import.append(onnx.helper.make_opsetid("com.microsoft", 1))
    x = far + np.float32([[0.25, 0, 0.25], [0, 0, 0.5], [0, 0, 0]])
    wanted = np.sqrt(((x[:, None].astype(float) - far.astype(float)[None]) ** 2).sum(-1))
    systemds.expectSame(folder, made, [x], [wanted])


def test_list_of_scores(folder):
    """As MultiOutputClassifier is exported: the elements of the list are outputs."""
    made = parsed("a = Softmax (x) b = Neg (x) p = SequenceConstruct (a, b) z = Relu (x)", "float[None,3] x",
                  "seq(float[None,3]) p, float[None,3] z")
    script = systemds.export(folder, made)
    if process := systemds.process():
        (a, b), z = systemds.onnxRuntime(made, {"x": X})
        for matrix, one in zip(systemds.runScript(folder, script, [X], process), [a, b, z], strict=True):
            systemds.expectClose(matrix, one, "p")
    done = subprocess.run([systemds.TOOL, folder / "model.onnx", f"--interface={folder / 'i.json'}"], capture_output=True, text=True)
    assert "the list 'p' is the outputs p_1, p_2\n" in done.stderr
    assert [one["name"] for one in json.loads((folder / "i.json").read_text())["outputs"]] == ["p_1", "p_2", "z"]


@pytest.mark.parametrize("body, outputs, wanted, said", [
    ("p_1 = Relu (x) p = SequenceConstruct (a, b)", "seq(float[None,3]) p, float[None,3] p_1", ["p_1_2", "p_2", "p_1"], "p_1_2, p_2"),
    ("p_1 = Relu (x) p = SequenceConstruct (a, b)", "float[None,3] p_1, seq(float[None,3]) p", ["p_1", "p_1_2", "p_2"], "p_1_2, p_2"),
    ("p_12 = Relu (x) p = SequenceConstruct (a, b)", "float[None,3] p_12, seq(float[None,3]) p", ["p_12", "p_1", "p_2"], "p_1, p_2"),
    ("p = SequenceConstruct (a, b)", "seq(float[None,3]) p, seq(float[None,3]) p", ["p_1", "p_2", "p_1_2", "p_2_2"], "p_1_2, p_2_2")])
def test_names_of_lists(folder, body, outputs, wanted, said):
    """Names of outputs differ, and one list may be two outputs."""
    stored(folder, parsed("a = Softmax (x) b = Neg (x) " + body, "float[None,3] x", outputs))
    done = subprocess.run([systemds.TOOL, folder / "model.onnx", f"--interface={folder / 'i.json'}"], capture_output=True, text=True)
    assert done.returncode == 0 and f"is the outputs {said}\n" in done.stderr, done.stderr
    assert [one["name"] for one in json.loads((folder / "i.json").read_text())["outputs"]] == wanted


NORMALIZED = " y = ai.onnx.ml.Normalizer <norm: string = \"{norm}\"> (scores)"
OPPOSITE = "coefficients: floats = [1.0, -1.0, 0.5, -1.0, 1.0, {last}], intercepts: floats = [0.25, -0.25]"


@pytest.mark.parametrize("attributes, transform, norm, isDropped", [
    ("", "SOFTMAX", "L1", True), ("", "LOGISTIC", "L1", False), ("", "SOFTMAX", "L2", False), ("", "NONE", "L1", False),
    (OPPOSITE.format(last=-0.5), "LOGISTIC", "L1", True), (OPPOSITE.format(last=0.5), "LOGISTIC", "L1", False),
    ("coefficients: floats = [1.0, -1.0, 0.5], intercepts: floats = [0.25]", "LOGISTIC", "L1", True)])
def test_normalizer_of_probabilities(folder, attributes, transform, norm, isDropped):
    """scikit-learn's exporter normalises what has the sum 1; logistic functions of other scores do not have it."""
    body = CLASSIFIER.format(labels="classlabels_ints: ints = [0, 1, 2]").replace('"SOFTMAX"', f'"{transform}"')
    if attributes:
        body = re.sub(r"coefficients.*?intercepts: floats = \[.*?\]", attributes, body, flags=re.DOTALL).replace("[0, 1, 2]", "[0, 1]")
    made = parsed(body + NORMALIZED.format(norm=norm), "float[None,3] x", f"float[None,{2 if attributes else 3}] y")
    text = systemds.expectSame(folder, made, [np.concatenate([X, 50 * X])])
    assert ("norm" not in text.replace("Normalizer", "")) == isDropped


@pytest.mark.parametrize("labels, isDropped", [
    ("classlabels_ints: ints = [4]", False), ('classlabels_strings: strings = ["no"]', False),
    ("classlabels_ints: ints = [4, 7]", True), ('classlabels_strings: strings = ["no", "yes"]', True)])
def test_normalizer_of_one_score(folder, labels, isDropped):
    """The logistic function of one score is one of two probabilities only if there are two classes."""
    body = re.sub(r"coefficients.*?intercepts: floats = \[.*?\]", "coefficients: floats = [1.0, -1.0, 0.5], intercepts: floats = [0.25]",
                  CLASSIFIER.format(labels=labels).replace("SOFTMAX", "LOGISTIC"), flags=re.DOTALL)
    made = parsed(body + NORMALIZED.format(norm="L1"), "float[None,3] x", f"float[None,{2 if isDropped else 1}] y")
    text = systemds.expectSame(folder, made, [X], wanted=None if isDropped else [np.ones((6, 1), np.float32)])
    assert ("norm" not in text.replace("Normalizer", "")) == isDropped


# ---- names -------------------------------------------------------------------------------------------------------------


def test_graph_named_by_a_random_number(folder):
    made = parsed("y = Softmax (x)", "float[None,3] x", "float[None,3] y")
    made.graph.name = "99b50020a43a48e4b6bde88fac43e78b"
    text = systemds.export(folder, made).read_text()
    assert "model = function(" in text and "99b5" not in text


# ---- strings -----------------------------------------------------------------------------------------------------------

STRINGS = "string[None] label, float[None,3] scores"


def labelled(folder, made, x=X):
    """The words that the script means."""
    script = export(folder, made)
    numbers = systemds.runScript(folder, folder / "model.dml", [x], systemds.process())[0]
    run(folder / "model.onnx", f"--interface={folder / 'i.json'}")
    words = next(port["words"] for port in json.loads((folder / "i.json").read_text())["outputs"] if "words" in port)
    return [words[int(i)] for i in numbers.ravel()], script


@needsSystemds
@pytest.mark.parametrize("end", ["", " label = Identity (l)", " l2 = Reshape (l, s) label = Identity (l2)"])
def test_labels_are_strings(folder, end):
    body = CLASSIFIER.format(labels='classlabels_strings: strings = ["low", "mid", "high"]')
    if end:
        body = body.replace("label,", "l,") + end
    made = parsed(body, "float[None,3] x", STRINGS, "int64[1] s = {-1}")
    words, script = labelled(folder, made)
    assert words == list(systemds.onnxRuntime(made, {"x": X})[0])
    assert "label: string (batch), the numbers of low, mid, high" in script


@needsSystemds
def test_strings_of_a_list_and_of_an_encoder(folder):
    body = "i = ArgMax <axis: int = 1> (x) z = ai.onnx.ml.ArrayFeatureExtractor (classes, i) label = Reshape (z, s)"
    made = parsed(body, "float[None,3] x", "string[None] label", 'string[3] classes = {"a", "b", "c"}, int64[1] s = {-1}')
    assert labelled(folder, made)[0] == list(systemds.onnxRuntime(made, {"x": X})[0])
    body = ('i = ArgMax <axis: int = 1, keepdims: int = 0> (x) label = ai.onnx.ml.LabelEncoder <keys_int64s: ints = [0, 2],'
            ' values_strings: strings = ["a", "b"], default_string: string = "none"> (i)')
    made = parsed(body, "float[None,3] x", "string[None] label")
    assert labelled(folder, made)[0] == list(systemds.onnxRuntime(made, {"x": X})[0])


@needsSystemds
def test_numbers_of_strings(folder):
    body = CLASSIFIER.replace("label,", "l,").format(labels='classlabels_strings: strings = ["low", "mid", "high"]')
    body += ' y = ai.onnx.ml.LabelEncoder <keys_strings: strings = ["high", "low", "never"], values_int64s: ints = [7, 8, 9]> (l)'
    systemds.expectSame(folder, parsed(body, "float[None,3] x", "int64[None] y"), [X])


def instructions(folder, count):
    """Of the export of two encoders with so many words."""
    words, mapped = ([f"{name}{i}" for i in range(count)] for name in "ab")
    nodes = [onnx.helper.make_node("LabelEncoder", ["x"], ["m"], domain="ai.onnx.ml", keys_strings=words, values_strings=mapped),
             onnx.helper.make_node("LabelEncoder", ["m"], ["y"], domain="ai.onnx.ml", keys_strings=mapped, values_int64s=list(range(count)))]
    made = parsed("y = Shape (x)", "string[None,1] x", "int64[None,1] y")
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    onnx.save(made, folder / "words.onnx")
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts", systemds.TOOL, folder / "words.onnx", "-o",
                           folder / "words.dml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-1000:]
    return int(re.search(r"^totals: (\d+)$", (folder / "counts").read_text(), re.M)[1])


@pytest.mark.skipif(t.isSanitized() or not shutil.which("valgrind"), reason="valgrind counts the instructions")
def test_many_words(folder):
    """The time grows with the words, not with their square: four times as many words take 3.1 times the instructions."""
    few, many = instructions(folder, 2000), instructions(folder, 8000)
    assert many < 6 * few, (few, many)


@needsSystemds
def test_tool_writes_the_words(folder):
    made = parsed(CLASSIFIER.format(labels='classlabels_strings: strings = ["low", "mid", "high"]'), "float[None,3] x", STRINGS)
    stored(folder, made)
    np.save(folder / "x.npy", X)
    _, said = runTool("model.onnx", "--input=x=x.npy", "--output=label=l.npy", cwd=folder)
    assert "output 'label' has strings: the matrix has their numbers, from 0, in this list: low, mid, high" in said
    np.testing.assert_array_equal(np.load(folder / "l.npy"), systemds.onnxRuntime(made, {"x": X})[0].astype(str))


ENCODERS = """c = Gather <axis: int = 1> (x, k) h = ai.onnx.ml.OneHotEncoder <cats_strings: strings = ["blue", "red"], zeros: int = 1> (c)
 hot = Reshape (h, s) o = ai.onnx.ml.LabelEncoder <keys_strings: strings = ["big", "small"], values_floats: floats = [1.5, 2.5],
 default_float: float = -1.0> (x) y = Concat <axis: int = 1> (hot, o)"""


@needsSystemds
def test_inputs_are_strings(folder):
    """Columns of strings are the numbers of the words that encoders know, -1 for others; onnx-run-dml looks them up."""
    x = np.array([["red", "big"], ["green", "small"], ["blue", "huge"], ["", "big"]])
    made = parsed(ENCODERS, "string[None,2] x", "float[None,4] y", "int64[1] k = {0}, int64[2] s = {-1, 2}")
    stored(folder, made)
    np.save(folder / "x.npy", x)
    runTool("model.onnx", "--input=x=x.npy", "--output=y=y.npy", cwd=folder)
    np.testing.assert_array_equal(np.load(folder / "y.npy"), systemds.onnxRuntime(made, {"x": x.astype(object)})[0])
    assert "# input x: string (batch, 2), the numbers of blue, red, big, small" in export(folder, made)


IMPUTER = """c = Gather <axis: int = 1> (x, k) l = ai.onnx.ml.LabelEncoder <keys_strings: strings = [""], values_int64s: ints = [1],
 default_int64: int = 0> (c) missing = Cast <to: int = 9> (l) full = Where (missing, most, c) d = Gather <axis: int = 1> (x, k2)
 both = Concat <axis: int = 1> (full, d) h = ai.onnx.ml.OneHotEncoder <cats_strings: strings = ["blue", "red", "S"], zeros: int = 1> (both)
 y = Reshape (h, s)"""


@needsSystemds
def test_imputer_of_strings(folder):
    """scikit-learn's imputer puts a constant in the place of empty strings, beside columns that have none."""
    constants = 'int64[1] k = {0}, int64[1] k2 = {1}, int64[2] s = {-1, 6}, string[1] most = {"red"}'
    made = parsed(IMPUTER, "string[None,2] x", "float[None,6] y", constants)
    stored(folder, made)
    x = np.array([["red", "S"], ["", "S"], ["blue", "blue"], ["green", ""]])
    np.save(folder / "x.npy", x)
    runTool("model.onnx", "--input=x=x.npy", "--output=y=y.npy", cwd=folder)
    np.testing.assert_array_equal(np.load(folder / "y.npy"), systemds.onnxRuntime(made, {"x": x.astype(object)})[0])


@needsSystemds
def test_strings_are_compared_with_a_list(folder):
    """As scikit-learn's LabelBinarizer is exported."""
    made = parsed("e = Equal (classes, x) y = Cast <to: int = 7> (e)", "string[None,1] x", "int64[None,3] y",
                  'string[3] classes = {"low", "mid", "high"}')
    made.opset_import[0].version = 19
    stored(folder, made)
    x = np.array([["mid"], ["never"], ["high"], ["low"]])
    np.save(folder / "x.npy", x)
    runTool("model.onnx", "--input=x=x.npy", "--output=y=y.npy", cwd=folder)
    np.testing.assert_array_equal(np.load(folder / "y.npy"), systemds.onnxRuntime(made, {"x": x.astype(object)})[0])


@needsSystemds
def test_input_that_no_node_reads(folder):
    """A column of strings that a column transformer drops is not read, whatever it has; it may be the first one."""
    made = parsed("y = Softmax (x)", "string[None,1] dropped, float[None,3] x", "float[None,3] y")
    stored(folder, made)
    np.save(folder / "x.npy", X)
    runTool("model.onnx", "--input=x=x.npy", "--output=y=y.npy", cwd=folder)
    (wanted,) = systemds.onnxRuntime(parsed("y = Softmax (x)", "float[None,3] x", "float[None,3] y"), {"x": X})
    np.testing.assert_allclose(np.load(folder / "y.npy"), wanted, 1e-5)
    assert "# input dropped: string (batch, 1), which is not read" in systemds.export(folder, made).read_text()


def test_strings_that_no_list_has(folder):
    """Two of them may be equal or not, and as an output they would have to be known."""
    words = 'y = ai.onnx.ml.LabelEncoder <keys_strings: strings = ["a"], values_int64s: ints = [1]> (x)'
    made = parsed(words + " z = Identity (x)", "string[None] x", "int64[None] y, string[None] z")
    systemds.expectRefused(folder, made, "its strings may be those of an input, which the model does not list")
    made = parsed(words + " e = Equal (x, w) z = Cast <to: int = 7> (e)", "string[None] x, string[None] w", "int64[None] y, int64[None] z")
    systemds.expectRefused(folder, made, "it compares strings that the model does not list")


def test_other_strings_are_refused(folder):
    made = parsed("y = StringNormalizer (x)", "string[3] x", "string[3] y")
    systemds.expectRefused(folder, made, "'x' has elements of string, which doubles cannot stand for")
    systemds.expectRefused(folder, made, "StringNormalizer 'y': it reads texts, and DML computes with numbers; export what follows it")


def test_dictionaries_are_refused(folder):
    """No --input-shape makes a tensor of one."""
    made = parsed('y = ai.onnx.ml.DictVectorizer <string_vocabulary: strings = ["a", "b"]> (x)', "float[N,2] x", "float[N,2] y")
    entry = onnx.helper.make_map_type_proto(onnx.TensorProto.STRING, onnx.helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, []))
    made.graph.input[0].type.CopyFrom(entry)
    systemds.expectRefused(folder, made, "input 'x': 'x' is not a tensor\n")
    systemds.expectRefused(folder, made, "DictVectorizer 'y': it reads dictionaries, and DML has matrices")


# ---- data where it is ---------------------------------------------------------------------------------------------------


def csvFile(path, rows, isFrame=False, sizes=True, separator=",", names=""):
    lines = ([names] if names else []) + [separator.join(map(str, row)) for row in rows]
    path.write_text("\n".join(lines) + "\n")
    about = {"data_type": "frame" if isFrame else "matrix", "format": "csv", "header": bool(names), "sep": separator}
    if sizes:
        Path(f"{path}.mtd").write_text(json.dumps(about | {"rows": len(rows), "cols": len(rows[0])}))
    return path


WORDS = [["red", "big"], ["green", "small"], ["blue", "huge"], ["pink", "big"]]


@needsSystemds
@pytest.mark.parametrize("sizes", [True, False])
def test_frames_of_words(folder, sizes):
    """A CSV file of words goes to SystemDS as it is: a frame, which transformapply() makes numbers of."""
    made = parsed(ENCODERS, "string[None,2] x", "float[None,4] y", "int64[1] k = {0}, int64[2] s = {-1, 2}")
    stored(folder, made)
    csvFile(folder / "x.csv", WORDS, isFrame=True, sizes=sizes)
    runTool("model.onnx", "--input=x=x.csv", "--output=y=y.csv", cwd=folder)
    wanted = systemds.onnxRuntime(made, {"x": np.array(WORDS, object)})[0]
    np.testing.assert_array_equal(systemds.readMatrix(folder / "y.csv"), wanted)
    assert sorted(path.name for path in folder.iterdir() if path.name[0] == ".") == [], "nothing is left"


def test_table_of_words(folder):
    """What transformapply() reads stands in the folder of weights."""
    made = parsed(ENCODERS, "string[None,2] x", "float[None,4] y", "int64[1] k = {0}, int64[2] s = {-1, 2}")
    text = systemds.export(folder, made).read_text()
    assert 'x = transformapply(target=x_frame, spec="{ids:true, recode:[1,2]}", meta=x_words)' in text
    assert (folder / "model.weights/x.words.csv").read_text() == "blue·1\tblue·1\nred·2\tred·2\nbig·3\tbig·3\nsmall·4\tsmall·4\n"
    about = json.loads((folder / "model.weights/x.words.csv.mtd").read_text())
    assert about == {"data_type": "frame", "rows": 4, "cols": 2, "format": "csv", "header": False, "sep": "\t"}


@pytest.mark.parametrize("word", ["", " big", 'a"b', "a\tb", "a·b"])
def test_words_that_a_csv_file_cannot_have(folder, word):
    """The script reads their numbers only."""
    made = parsed("y = ai.onnx.ml.LabelEncoder <keys_strings: strings = [\"big\", \"W\"], values_floats: floats = [1.5, 2.5]> (x)",
                  "string[None] x", "float[None] y")
    made.graph.node[0].attribute[0].strings[1] = word.encode()
    assert "frames" not in systemds.export(folder, made).read_text()


@needsSystemds
def test_labels_are_words_of_a_frame(folder):
    made = parsed(CLASSIFIER.format(labels='classlabels_strings: strings = ["low", "mid", "high"]'), "float[None,3] x", STRINGS)
    stored(folder, made)
    csvFile(folder / "x.csv", X.tolist(), sizes=False, separator=";", names="a;b;c")
    runTool("model.onnx", "--input=x=x.csv", "--header", "--sep=;", "--output=label=l.csv", cwd=folder)
    wanted = systemds.onnxRuntime(made, {"x": X})[0]
    assert (folder / "l.csv").read_text().split() == list(wanted)
    assert json.loads((folder / "l.csv.mtd").read_text())["data_type"] == "frame"


@needsSystemds
def test_binary_blocks(folder):
    """What one run writes, the next one reads."""
    stored(folder, parsed("y = Softmax (x)", "float[None,3] x", "float[None,3] y"))
    csvFile(folder / "x.csv", X.tolist())
    runTool("model.onnx", "--input=x=x.csv", "--output=y=y.bin", cwd=folder)
    runTool("model.onnx", "--input=x=y.bin", "--output=y=y.npy", cwd=folder)
    softmax = parsed("z = Softmax (x) y = Softmax (z)", "float[None,3] x", "float[None,3] y")
    np.testing.assert_allclose(np.load(folder / "y.npy"), systemds.onnxRuntime(softmax, {"x": X})[0], 1e-5)


@needsSystemds
def test_wrong_data_files(folder):
    stored(folder, parsed("y = Softmax (x)", "float[None,3] x", "float[None,3] y"))
    csvFile(folder / "x.csv", X.tolist())
    (folder / "x.bin").write_bytes(b"")
    for arguments, message in [
            (["--input=x=no.csv", "--output=y=y.csv"], "no.csv: No such file or directory"),
            (["--input=x=x.bin", "--output=y=y.csv"], "x.bin.mtd is missing, which says what x.bin is (a CSV file needs none)"),
            (["--input=x=x.csv", "--header", "--output=y=y.csv"], "--header and --sep are given, but x.csv.mtd says what x.csv is")]:
        _, said = runTool("model.onnx", *arguments, cwd=folder, status=1)
        assert message in said and not (folder / "y.csv").exists()
