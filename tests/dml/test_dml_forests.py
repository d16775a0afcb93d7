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
    assert text.count("%*%") == 4 and "map_values" not in text and len(text.splitlines()) < 60


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


@pytest.mark.parametrize("body", [
    "s = ai.onnx.ml.Scaler <offset: floats = [0.1, 0.7, -0.3], scale: floats = [1.7, 0.3, 3.1]> (x)",
    "d = Sub (x, offset) e = Mul (d, scale) s = Identity (e)",
    "d = Sub (x, offset) e = Mul (d, scale) s = Clip (e)"])
@pytest.mark.parametrize("mode", ["BRANCH_LT", "BRANCH_LEQ"])
def test_trees_that_cut_at_values(folder, body, mode):
    """XGBoost cuts at values of its training data, x < value: behind a scaler the rounding of float32 decided for two of seven rows.
    Other boosters cut between values."""
    scaled = (X - np.float32([0.1, 0.7, -0.3])) * np.float32([1.7, 0.3, 3.1])
    lists = LISTS | {"nodes_featureids": [0, 0, 2, 0, 0], "nodes_modes": [mode, "LEAF", mode, "LEAF", "LEAF"]}
    constants = "float[3] offset = {0.1, 0.7, -0.3}, float[3] scale = {1.7, 0.3, 3.1}"
    for row in range(3):
        values = [float(scaled[row, 0]), 0.0, float(scaled[row + 3, 2]), 0.0, 0.0]
        made = parsed(body, "float[None,3] x", "float[None,1] y", constants)
        made.graph.node.append(onnx.helper.make_node("TreeEnsembleRegressor", ["s"], ["y"], domain="ai.onnx.ml", nodes_values=values, **lists))
        if mode == "BRANCH_LT":
            systemds.expectSame(folder, made, [X])
        assert ("round_float(" in systemds.export(folder, made).read_text()) == (mode == "BRANCH_LT")


@pytest.mark.parametrize("mode, isRounded", [(0, False), (1, True), (2, True), (3, False)])
def test_numbered_modes_cut_at_values(folder, mode, isRounded):
    """TreeEnsemble of version 5 numbers its modes: its values were not rounded."""
    scaled = np.float32((X[:, 0] - np.float32(0.1)) * np.float32(1.7))
    made = parsed("d = Sub (x, offset) s = Mul (d, scale)", "float[None,3] x", "float[None,1] y", "float offset = {0.1}, float scale = {1.7}")
    del made.opset_import[:]
    made.opset_import.extend([onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("ai.onnx.ml", 5)])
    tensors = {"nodes_splits": scaled[:1], "leaf_weights": np.float32([3, 5]), "nodes_modes": np.uint8([mode])}
    made.graph.node.append(onnx.helper.make_node(
        "TreeEnsemble", ["s"], ["y"], domain="ai.onnx.ml", n_targets=1, aggregate_function=1, post_transform=0, tree_roots=[0],
        nodes_featureids=[0], nodes_trueleafs=[1], nodes_falseleafs=[1], nodes_truenodeids=[0], nodes_falsenodeids=[1],
        leaf_targetids=[0, 0], **{name: onnx.numpy_helper.from_array(one) for name, one in tensors.items()}))  # fmt: skip
    assert ("round_float(" in systemds.export(folder, made).read_text()) == isRounded
