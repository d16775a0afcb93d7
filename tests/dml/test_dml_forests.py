# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: trees as exporters write them. Sums of trees become one ensemble, and what trees compare is float32."""

import numpy as np
import onnx
import pytest

import onnxfold_systemds as systemds
from test_dml_sklearn import X, parsed

LISTS = {"nodes_treeids": [0] * 5, "nodes_nodeids": [0, 1, 2, 3, 4], "nodes_modes": ["BRANCH_LEQ", "LEAF", "BRANCH_LEQ", "LEAF", "LEAF"],
         "nodes_truenodeids": [1, 0, 3, 0, 0], "nodes_falsenodeids": [2, 0, 4, 0, 0], "target_treeids": [0] * 3, "target_ids": [0] * 3,
         "target_nodeids": [1, 3, 4], "target_weights": [1.0, 3.0, 4.0], "n_targets": 1}


def isolationForest(trees, columns):
    """As skl2onnx writes one: of each tree the number of a leaf, whose depth and size are looked up."""
    random, nodes, sizes = np.random.default_rng(4), [], {"from": np.int64(columns), "column": np.int64([-1, 1]), "two": np.float32([2])}
    node = onnx.helper.make_node
    for k in range(trees):
        lists = LISTS | {"nodes_featureids": [int(n) for n in random.integers(0, len(columns), 5)],
                         "nodes_values": [float(v) for v in random.standard_normal(5)]}
        label = lambda values: {"keys_int64s": [1, 3, 4], "values_floats": values, "default_float": 0.0, "domain": "ai.onnx.ml"}
        nodes += [
            node("Gather", ["x", "from"], [f"g{k}"], axis=1), node("TreeEnsembleRegressor", [f"g{k}"], [f"l{k}"], domain="ai.onnx.ml", **lists),
            node("Cast", [f"l{k}"], [f"n{k}"], to=7), node("LabelEncoder", [f"n{k}"], [f"d{k}"], **label([1.0, 2.0, 2.0])),
            node("LabelEncoder", [f"n{k}"], [f"c{k}"], **label([k + 1.0, 5.0, 2.0])), node("Reshape", [f"c{k}", "column"], [f"r{k}"]),
            node("Greater", [f"r{k}", "two"], [f"b{k}"]), node("Cast", [f"b{k}"], [f"f{k}"], to=1), node("Log", [f"r{k}"], [f"e{k}"]),
            node("Mul", [f"e{k}", f"f{k}"], [f"m{k}"]), node("Add", [f"m{k}", f"d{k}"], [f"a{k}"]),
        ]
    nodes.append(node("Sum", [f"a{k}" for k in range(trees)], ["y"]))
    made = parsed("y = Identity (x)", "float[None,3] x", "float[None,1] y")
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    made.graph.initializer.extend(onnx.numpy_helper.from_array(value, name) for name, value in sizes.items())
    return made


@pytest.mark.parametrize("columns", [[0, 1, 2], [2, 0]])
def test_isolation_forest_is_one_ensemble(folder, columns):
    """What is computed from the leaf of a tree is another vote of the leaf, and the sum of trees is one ensemble."""
    text = systemds.expectSame(folder, isolationForest(30, columns), [X])
    assert text.count("%*%") == 3 and "map_values" not in text and len(text.splitlines()) < 60


def test_trees_that_stay_apart(folder):
    """A number of a leaf that is an output, and a sum of more than trees."""
    made = isolationForest(2, [0, 1, 2])
    made.graph.node.append(onnx.helper.make_node("Add", ["y", "x"], ["z"]))
    made.graph.output.extend([onnx.helper.make_tensor_value_info("z", 1, [None, 3]), onnx.helper.make_tensor_value_info("n0", 7, [None, 1])])
    text = systemds.expectSame(folder, made, [X])
    assert text.count("TreeEnsembleRegressor") == 2


@pytest.mark.parametrize("number, isJoined", [(2**31 - 1, True), (2**31, False), (2**63 - 1, False), (-1, False)])
def test_numbers_of_trees(folder, number, isJoined):
    """Those of a joined ensemble are sums, which have room."""
    made = isolationForest(2, [0, 1, 2])
    for node in made.graph.node:
        if node.op_type == "TreeEnsembleRegressor":
            lists = {one.name: one for one in node.attribute}
            for name in ("nodes_treeids", "target_treeids"):
                lists[name].ints[:] = [number] * len(lists[name].ints)
    assert systemds.export(folder, made).read_text().count("TreeEnsembleRegressor") == (1 if isJoined else 2)


@pytest.mark.parametrize("missing", ["nodes_featureids", "nodes_nodeids", "target_ids"])
def test_trees_without_a_list_stay_apart(folder, missing):
    """Zeros in its place would make a model of what is none."""
    made = parsed("s = Identity (x)", "float[None,3] x", "float[None,1] y")
    del made.graph.node[:]
    for i in range(2):
        lists = LISTS | {"nodes_featureids": [0] * 5, "nodes_values": [0.5] * 5}
        if i == 1:
            del lists[missing]
        made.graph.node.append(onnx.helper.make_node("TreeEnsembleRegressor", ["x"], [f"y{i}"], name=f"trees{i}", domain="ai.onnx.ml", **lists))
    made.graph.node.append(onnx.helper.make_node("Add", ["y0", "y1"], ["y"]))
    systemds.expectRefused(folder, made, "trees1")


SCALER = "ai.onnx.ml.Scaler <offset: floats = [0.1, 0.7, -0.3], scale: floats = [1.7, -0.3, 3.1]>"
CONSTANTS = "float[3] offset = {0.1, 0.7, -0.3}, float[3] scale = {1.7, -0.3, 3.1}, int64[3] order = {2, 0, 1}, int64[2] pair = {0, 1},\
 int64[1] one = {1}, float[1] two = {2}, float[1] zero = {0}, float[2,3] rows = {0, 0, 0, 5, -5, 5}, int64[3] back = {-1, -2, -3},\
 int64[3] beyond = {0, 5, 1}"


def treesBehind(body, splits, mode, inputs="float[None,3] x"):
    """A tree of four leaves for each split, the first three of which ask for a feature each."""
    made = parsed(body, inputs, "float[None,1] y", CONSTANTS)
    lists = {name: LISTS[name] * len(splits) for name in LISTS if name != "n_targets"}
    for name in ("nodes_treeids", "target_treeids"):
        size = len(LISTS[name])
        lists[name] = [i // size for i in range(size * len(splits))]
    lists["nodes_modes"] = [one.replace("BRANCH_LEQ", mode) for one in lists["nodes_modes"]]
    lists["nodes_featureids"] = [k % 3 for k in range(len(splits)) for _ in range(5)]
    lists["nodes_values"] = [float(split) for split in splits for _ in range(5)]
    lists["nodes_missing_value_tracks_true"] = [k % 2 for k in range(len(splits)) for _ in range(5)]
    lists["target_weights"] = [2.0**k * vote for k in range(len(splits)) for vote in (1, 3, 3)]
    made.graph.node.append(onnx.helper.make_node("TreeEnsembleRegressor", ["s"], ["y"], domain="ai.onnx.ml", n_targets=1, **lists))
    return made


@pytest.mark.parametrize("body, isMoved", [
    (f"s = {SCALER} (x)", True),
    ("d = Sub (x, offset) e = Mul (scale, d) s = Clip (e)", True),
    (f"e = {SCALER} (x) s = Gather <axis = 1> (e, order)", True),
    (f"e = {SCALER} (x) s = Gather <axis = 1> (e, back)", True),
    (f"i = ai.onnx.ml.Imputer <imputed_value_floats: floats = [0.5, -0.1, 2.5], replaced_value_float: float = nan> (x) s = {SCALER} (i)", True),
    ("a, b = Split <axis = 1> (x, sizes) e = Div (a, two) f = Neg (b) s = Concat <axis = -1> (e, f)", True),
    (f"e = {SCALER} (x) a = Gather <axis = 1> (e, pair) q = ReduceProd (a, one) s = Concat <axis = 1> (q, q, q)", False),
    ("d = Sub (x, offset) s = Mul (d, x)", False)])
@pytest.mark.parametrize("mode", ["BRANCH_LT", "BRANCH_LEQ", "BRANCH_GT", "BRANCH_GTE"])
def test_trees_that_cut_at_values(folder, body, isMoved, mode):
    """XGBoost cuts at values of its training data, x < value, others in the middle of two: behind a scaler the rounding of float32
    decided for two of seven rows. So the trees ask for what is not scaled yet."""
    if "sizes" in body:
        body = "sizes = Constant <value_ints: ints = [1, 2]> () " + body
    made = parsed(body, "float[None,3] x", "float[None,3] s", CONSTANTS)
    (scaled,) = systemds.onnxRuntime(made, {"x": X})
    x = np.concatenate([X, np.nextafter(X, np.float32(9)), np.nextafter(X, np.float32(-9)), np.float32([[np.nan] * 3, [np.inf] * 3, [-np.inf] * 3])])
    made = treesBehind(body, scaled.ravel(), mode)
    if body.endswith("(d, x)"):
        x = x[:-2]  # inf - inf
    text = systemds.expectSame(folder, made, [x], rtol=0, atol=0)
    assert ("round_float(" in text) != isMoved
    assert not isMoved or not any(word in text for word in ("offset", "scale", " / ", "replace(target=i"))


@pytest.mark.parametrize("body", [f"s = {SCALER} (x)", "s = Clip (x, low, low)"])
@pytest.mark.parametrize("mode", ["BRANCH_EQ", "BRANCH_LEQ"])
def test_nodes_that_stay_before_trees(folder, body, mode):
    """A tree that asks whether two numbers are equal, and one that gets the same answer for all."""
    made = treesBehind(body, np.float32([0.25, 2.0]), mode)
    made.graph.initializer.append(onnx.numpy_helper.from_array(np.float32(0.25), "low"))
    text = systemds.expectSame(folder, made, [X], rtol=0, atol=0)
    assert ("offset" in text or "0.25" in text) == (mode == "BRANCH_EQ" or "low" in body)


@pytest.mark.parametrize("body, inputs", [
    ("s = ai.onnx.ml.Imputer <imputed_value_floats: floats = [9.0, -9.0, 9.0], replaced_value_float: float = 0.0> (x)", "float[None,3] x"),
    ("s = ai.onnx.ml.Imputer <imputed_value_floats: floats = [9.0, -9.0, 9.0], replaced_value_float: float = -1.0> (x)", "float[None,3] x"),
    ("s = Div (x, zero)", "float[None,3] x"),
    ("i = Div (two, zero) s = Mul (x, i)", "float[None,3] x"),
    ("s = Sub (x, rows)", "float[2,3] x"),
    ("s = Sub (x, rows)", "float[1,3] x")])
def test_what_does_not_keep_the_order_stays_before_trees(folder, body, inputs):
    """A number that is imputed for another one, NaN of 0 between two infinities, and rows that are not computed alike: all were taken for
    steps that keep the order of a column, and rows went another way."""
    x = np.float32([[0, -1, 2], [5, 0, -1], [-1, 3, 0], [0.5, 0.5, 0.5], [-0.0, -2, 7]])
    x = x[: {"float[2": 2, "float[1": 1}.get(inputs[:7], 5)]
    made = treesBehind(body, np.float32([0.7, -0.6, 0.2, -0.5, 1, 2]), "BRANCH_LEQ", inputs)
    systemds.expectSame(folder, made, [x], rtol=0, atol=0)


@pytest.mark.parametrize("taken", ["Gather <axis = 1>", "ai.onnx.ml.ArrayFeatureExtractor"])
def test_columns_that_are_not_there_are_refused(folder, taken):
    """They were written beyond the end of a list before they were refused."""
    made = treesBehind(f"e = Sub (x, offset) g = {taken} (e, beyond) s = Neg (g)", np.float32([0.7, -0.6, 0.2]), "BRANCH_LEQ")
    with pytest.raises(systemds.Refused, match="index is out of range"):
        systemds.export(folder, made)


def test_scaled_values_that_others_read(folder):
    """The scaler stays for them."""
    made = treesBehind(f"s = {SCALER} (x)", X[:2].ravel(), "BRANCH_LEQ")
    made.graph.output.append(onnx.helper.make_tensor_value_info("s", 1, [None, 3]))
    text = systemds.expectSame(folder, made, [X])
    assert "tree_decisions(x, " in text and " * scale" in text


def test_decimals_of_files_are_rounded(folder):
    """0.1 of a CSV file is no float32, and a runtime gets the next one: 0.1 <= 0.1 was no."""
    made = treesBehind("s = Identity (x)", np.float32([0.1, 0.3, 0.7]), "BRANCH_LEQ")
    x = np.array([[0.1, 0.3, 0.7], [0.1 + 1e-12, 0.3 - 1e-12, 0.7 + 1e-12]])
    (wanted,) = systemds.onnxRuntime(made, {"x": x.astype(np.float32)})
    systemds.expectSame(folder, made, [x], wanted=[wanted], rtol=0, atol=0)


@pytest.mark.parametrize("mode", range(4))
def test_numbered_modes_cut_at_values(folder, mode):
    """TreeEnsemble of version 5 numbers its modes: its values were not rounded. It reads what is scaled."""
    scaled = np.float32((X[:, 0] - np.float32(0.1)) * np.float32(1.7))
    made = parsed("d = Sub (x, offset) s = Mul (d, scale)", "float[None,3] x", "float[None,1] y", "float offset = {0.1}, float scale = {1.7}")
    del made.opset_import[:]
    made.opset_import.extend([onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("ai.onnx.ml", 5)])
    tensors = {"nodes_splits": scaled[:1], "leaf_weights": np.float32([3, 5]), "nodes_modes": np.uint8([mode])}
    made.graph.node.append(onnx.helper.make_node(
        "TreeEnsemble", ["s"], ["y"], domain="ai.onnx.ml", n_targets=1, aggregate_function=1, post_transform=0, tree_roots=[0],
        nodes_featureids=[0], nodes_trueleafs=[1], nodes_falseleafs=[1], nodes_truenodeids=[0], nodes_falsenodeids=[1],
        leaf_targetids=[0, 0], **{name: onnx.numpy_helper.from_array(one) for name, one in tensors.items()}))  # fmt: skip
    assert "round_float(" in systemds.export(folder, made).read_text()
