# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: ai.onnx.ml on SystemDS against ONNX Runtime, on random models. The node tests have next to none."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, numpy_helper

import onnxfold_models as m
import onnxfold_systemds as systemds

ML = "ai.onnx.ml"
RNG = np.random.default_rng(21)
FLOATS, LABELS = TensorProto.FLOAT, TensorProto.INT64


def values(*shape):
    return RNG.normal(size=shape).astype(np.float32)


def typed(array):
    return onnx.helper.np_dtype_to_tensor_dtype(np.asarray(array).dtype)


def build(op, inputs, outputs, version=1, free=True, **attributes):
    names = [f"x{i}" for i in range(len(inputs))]
    node = m.node(op, names, [name for name, *_ in outputs], domain=ML, **attributes)
    shape = lambda x: ["batch", *x.shape[1:]] if free and x.ndim > 1 else x.shape
    infos = [m.info(name, shape(x), typed(x)) for name, x in zip(names, inputs)]
    results = [m.info(name, dims, kind) for name, kind, dims in outputs]
    return m.model([node], infos, results, domains=[(ML, version)])


def expect(folder, op, inputs, outputs, wanted=None, **more):
    return systemds.expectSame(folder, build(op, inputs, outputs, **more), inputs, wanted)


def y(*dims, kind=FLOATS):
    return [("y", kind, ["batch", *dims] if dims else None)]


def classes(count):
    return [("label", LABELS, ["batch"]), ("scores", FLOATS, ["batch", count])]


# ---- linear ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("targets, transform", [(1, "NONE"), (3, "NONE"), (3, "SOFTMAX"), (3, "LOGISTIC")])
def test_linear_regressor(folder, targets, transform):
    weights, offsets = values(targets * 5), values(targets)
    more = {"coefficients": weights, "intercepts": offsets, "targets": targets, "post_transform": transform}
    expect(folder, "LinearRegressor", [values(7, 5)], y(targets), **more)


@pytest.mark.parametrize("transform", ["NONE", "SOFTMAX", "LOGISTIC"])
@pytest.mark.parametrize("labels", [[0, 1, 2], [7, -3, 5]])
def test_linear_classifier(folder, transform, labels):
    more = {"coefficients": values(15), "intercepts": values(3), "classlabels_ints": labels, "post_transform": transform}
    expect(folder, "LinearClassifier", [values(9, 5)], classes(3), multi_class=1, **more)


def test_binary_linear_classifier(folder):
    more = {"coefficients": values(5), "intercepts": values(1), "classlabels_ints": [4, 9], "post_transform": "LOGISTIC"}
    expect(folder, "LinearClassifier", [values(9, 5)], classes(2), **more)


# ---- preparation -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 4])
def test_scaler(folder, count):
    expect(folder, "Scaler", [values(6, 4)], y(4), offset=values(count), scale=values(count))


@pytest.mark.parametrize("norm", ["MAX", "L1", "L2"])
def test_normalizer(folder, norm):
    x = np.abs(values(5, 4))
    x[2] = 0
    expect(folder, "Normalizer", [x], y(4), norm=norm)


@pytest.mark.parametrize("replaced", [np.nan, 2.0])
@pytest.mark.parametrize("count", [1, 3])
def test_imputer(folder, replaced, count):
    x = np.float32([[np.nan, 2, 1], [2, np.inf, np.nan]])
    expect(folder, "Imputer", [x], y(3), imputed_value_floats=values(count), replaced_value_float=replaced)


def test_imputer_of_integers(folder):
    x = np.int64([[-1, 2, 3], [4, -1, -1]])
    more = {"imputed_value_int64s": [10, 20, 30], "replaced_value_int64": -1}
    expect(folder, "Imputer", [x], y(3, kind=LABELS), **more)


def test_binarizer(folder):
    x = np.float32([[0.5, -1, np.nan], [np.inf, -np.inf, 0.25]])
    expect(folder, "Binarizer", [x], y(3), [np.float32([[1, 0, 0], [1, 0, 0]])], threshold=0.25)


def test_feature_vectorizer(folder):
    inputs = [values(4, 2), values(4, 3), values(4, 1)]
    cut = [inputs[0], inputs[1][:, :2], np.pad(inputs[2], [(0, 0), (0, 2)])]
    expect(folder, "FeatureVectorizer", inputs, y(6), [np.hstack(inputs)], inputdimensions=[2, 3, 1])
    expect(folder, "FeatureVectorizer", inputs, y(7), [np.hstack(cut)], inputdimensions=[2, 2, 3])


@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 4)])
@pytest.mark.parametrize("isConstant", [True, False])
def test_array_feature_extractor(folder, shape, isConstant):
    """Of one dimension, x is one row."""
    x, index = values(*shape), np.int64([[3, 0], [0, 2]])
    x.flat[0] = np.inf
    wanted = x[..., index.ravel()].reshape(1 if x.ndim == 1 else shape[0], *shape[1:-1], 4)
    model = build("ArrayFeatureExtractor", [x, index], y(*wanted.shape[1:]), free=len(shape) > 1)
    model.graph.input[1].CopyFrom(m.info("x1", (2, 2), LABELS))
    if isConstant:
        del model.graph.input[1]
        model.graph.initializer.append(numpy_helper.from_array(index, "x1"))
    if x.ndim == 1:
        model.graph.output[0].CopyFrom(m.info("y", (1, 4)))
    systemds.expectSame(folder, model, [x] if isConstant else [x, index], [wanted])


def test_one_hot_encoder(folder):
    x = np.int64([[3, 5], [4, -2], [5, 5]])
    expect(folder, "OneHotEncoder", [x], y(2, 4), cats_int64s=[5, 3, -2, 9])
    expect(folder, "OneHotEncoder", [np.int64([9, 1])], [("y", FLOATS, [2, 4])], cats_int64s=[5, 3, -2, 9])


def test_one_hot_encoder_of_known_elements(folder):
    """What scikit-learn's encoder is by default: an element that it has not seen is an error."""
    model = build("OneHotEncoder", [np.int64([[3], [5]])], y(1, 2), cats_int64s=[5, 3], zeros=0)
    systemds.expectSame(folder, model, [np.int64([[5], [3], [3]])])
    if process := systemds.process():
        with pytest.raises(RuntimeError, match="an element is none of the categories"):
            systemds.runScript(folder, folder / "model.dml", [np.int64([[5], [4]])], process)


def test_label_encoder(folder):
    x = np.int64([[3, 5], [4, -2]])
    more = {"keys_int64s": [3, -2, 8], "values_floats": [0.5, np.inf, 2], "default_float": -1.5}
    expect(folder, "LabelEncoder", [x], y(2), version=2, **more)
    x = np.float32([[3.5, np.nan], [0, -2]])
    more = {"keys_floats": [3.5, np.nan, 0], "values_int64s": [7, 8, 9], "default_int64": 3}
    expect(folder, "LabelEncoder", [x], y(2, kind=LABELS), [np.int64([[7, 8], [9, 3]])], version=2, **more)
    tensor = lambda array: numpy_helper.from_array(array)
    more = {"keys_tensor": tensor(np.float64([1, 2, 1])), "values_tensor": tensor(np.int64([5, 6, 7]))}
    more["default_tensor"] = tensor(np.int64([0]))
    x = np.float64([[1, 2, 3]])
    expect(folder, "LabelEncoder", [x], y(3, kind=LABELS), [np.int64([[7, 6, 0]])], version=4, **more)


# ---- support vectors ---------------------------------------------------------------------------------------------------

KERNELS = [("LINEAR", [0.0, 0.0, 0.0]), ("RBF", [0.4, 0.0, 0.0]), ("POLY", [0.5, 0.25, 3.0]), ("SIGMOID", [0.3, -0.2, 0.0])]


@pytest.mark.parametrize("kernel, parameters", KERNELS)
def test_svm_regressor(folder, kernel, parameters):
    more = {"kernel_type": kernel, "kernel_params": parameters, "support_vectors": values(24), "coefficients": values(6)}
    expect(folder, "SVMRegressor", [values(7, 4)], y(1), n_supports=6, rho=values(1), **more)


def test_svm_regressor_without_vectors(folder):
    more = {"coefficients": values(4), "rho": values(1), "kernel_type": "LINEAR", "kernel_params": [0.0, 0.0, 0.0]}
    expect(folder, "SVMRegressor", [values(7, 4)], y(1), **more)


@pytest.mark.parametrize("kernel, parameters", KERNELS)
@pytest.mark.parametrize("count", [2, 4])
def test_svm_classifier(folder, kernel, parameters, count):
    each = [3, 2, 4, 1][:count]
    vectors = sum(each)
    more = {
        "kernel_type": kernel, "kernel_params": parameters, "support_vectors": values(vectors * 4), "vectors_per_class": each,
        "coefficients": values((count - 1) * vectors), "rho": values(count * (count - 1) // 2),
        "classlabels_ints": [5, 2, 8, 1][:count],
    }
    width = 2 if count == 2 else count * (count - 1) // 2
    expect(folder, "SVMClassifier", [values(20, 4)], classes(width), **more)


@pytest.mark.parametrize("rows", [1, 20])
@pytest.mark.parametrize("count", [2, 4])
def test_svm_probabilities(folder, rows, count):
    """Of all pairs of classes, coupled by iteration; a decision beyond 16 is certain."""
    each, pairs = [3, 2, 4, 1][:count], count * (count - 1) // 2
    more = {
        "kernel_type": "RBF", "kernel_params": [0.4, 0.0, 0.0], "support_vectors": values(sum(each) * 4), "vectors_per_class": each,
        "coefficients": values((count - 1) * sum(each)), "rho": values(pairs), "classlabels_ints": [5, 2, 8, 1][:count],
        "prob_a": [-40.0, -1.5, -0.5, 2.0, -1.0, -3.0][:pairs], "prob_b": values(pairs) / 4,
    }
    expect(folder, "SVMClassifier", [values(rows, 4)], classes(count), **more)


def test_svm_probabilities_of_wrong_sizes(folder):
    more = {"kernel_type": "LINEAR", "kernel_params": [0.0, 0.0, 0.0], "support_vectors": values(8), "vectors_per_class": [1, 1],
            "coefficients": [1.0, -1.0], "rho": values(1), "classlabels_ints": [0, 1], "prob_a": values(2), "prob_b": values(1)}
    model = build("SVMClassifier", [values(3, 4)], classes(2), **more)
    systemds.expectRefused(folder, model, "the lists of support vectors do not fit together")


# ---- trees -------------------------------------------------------------------------------------------------------------

MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]
GRID = np.float32([-1, -0.5, 0, 0.5, 1])  # features and thresholds, so that ties happen


def forest(prefix, trees, features, targets, modes=("BRANCH_LEQ",), missing=False, votes=1, depth=4, weight=values):
    """Attributes of random trees; each leaf votes for `votes` targets."""
    lists = {name: [] for name in "treeids nodeids featureids values modes truenodeids falsenodeids".split()}
    tracks, leaves = [], {name: [] for name in "treeids nodeids ids weights".split()}

    def grow(tree, level):
        number = sum(1 for one in lists["treeids"] if one == tree)
        isLeaf = level == depth or (level > 1 and RNG.random() < 0.25)
        mode = "LEAF" if isLeaf else str(RNG.choice(modes))
        row = [tree, number, int(RNG.integers(features)), float(RNG.choice(GRID)), mode, 0, 0]
        for one, value in zip(lists.values(), row):
            one.append(value)
        tracks.append(int(missing and RNG.random() < 0.5))
        if isLeaf:
            for target in RNG.permutation(targets)[:votes]:
                for one, value in zip(leaves.values(), [tree, number, int(target), float(weight(1)[0])]):
                    one.append(value)
            return number
        at = len(lists["treeids"]) - 1
        lists["truenodeids"][at] = grow(tree, level + 1)
        lists["falsenodeids"][at] = grow(tree, level + 1)
        return number

    for tree in range(trees):
        grow(tree, 0)
    made = {f"nodes_{name}": one for name, one in lists.items()} | {f"{prefix}_{name}": one for name, one in leaves.items()}
    return made | ({"nodes_missing_value_tracks_true": tracks} if missing else {})


def features(rows, columns, missing=False):
    x = RNG.choice(GRID, (rows, columns)).astype(np.float32)
    x[0, 0], x[1, 1] = np.inf, -np.inf
    if missing:
        x[RNG.random(x.shape) < 0.3] = np.nan
    return x


@pytest.mark.parametrize("mode", MODES)
def test_trees_of_one_mode(folder, mode):
    made = forest("target", 5, 4, 2, [mode])
    expect(folder, "TreeEnsembleRegressor", [features(30, 4)], y(2), n_targets=2, **made)


@pytest.mark.parametrize("mode", MODES[:5])
def test_trees_with_missing_values(folder, mode):
    made = forest("target", 4, 3, 1, [mode], missing=True)
    expect(folder, "TreeEnsembleRegressor", [features(40, 3, missing=True)], y(1), n_targets=1, **made)


def test_missing_values_of_other_features(folder):
    """A NaN or an infinity that no node of the path asks for does not matter: 0 * NaN is NaN in a product."""
    made = forest("target", 4, 3, 1)
    expect(folder, "TreeEnsembleRegressor", [features(40, 3, missing=True)], y(1), n_targets=1, **made)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("mode", MODES[:5])
def test_infinite_thresholds(folder, mode, missing):
    """LightGBM writes x <= Infinity where only a missing value is on the other side."""
    made = forest("target", 4, 3, 1, [mode], missing=missing)
    made["nodes_values"] = [value if abs(value) < 1 else value * np.inf for value in made["nodes_values"]]
    expect(folder, "TreeEnsembleRegressor", [features(40, 3, missing=missing)], y(1), n_targets=1, **made)


@pytest.mark.parametrize("thresholds, modes, doubles, wrong", [
    ([np.nan], [0], False, "a node compares with NaN"),
    ([np.inf], [4], True, "a node compares with Inf, and features of float64 may be as large"),
    ([-np.inf], [0], True, "a node compares with -Inf, and"),
    ([np.finfo(np.float64).max], [0], True, "a node compares with 1.7976931348623157e308, and"),
    ([np.inf], [0], True, ""), ([np.inf], [3], True, ""), ([-np.inf], [1], True, ""), ([-np.inf], [2], True, "")])
def test_thresholds_of_float64(folder, thresholds, modes, doubles, wrong):
    """A feature may be the largest double, which stands for infinity in the product."""
    kind = np.float64 if doubles else np.float32
    made = {"n_targets": 1, "aggregate_function": 1, "tree_roots": [0], "nodes_featureids": [0], "nodes_trueleafs": [1],
            "nodes_falseleafs": [1], "nodes_truenodeids": [0], "nodes_falsenodeids": [1], "leaf_targetids": [0, 0], "post_transform": 0,
            "nodes_splits": onnx.numpy_helper.from_array(np.array(thresholds, kind)),
            "leaf_weights": onnx.numpy_helper.from_array(np.array([3, 5], kind)),
            "nodes_modes": onnx.numpy_helper.from_array(np.array(modes, np.uint8))}
    most = np.finfo(kind).max
    x = np.array([[np.inf], [most], [0], [-most], [-np.inf]], kind)
    sample = build("TreeEnsemble", [x], [("y", typed(x), ["batch", 1])], version=5, **made)
    if wrong:
        systemds.expectRefused(folder, sample, wrong)
    else:
        isTrue = {0: x <= thresholds[0], 1: x < thresholds[0], 2: x >= thresholds[0], 3: x > thresholds[0]}[modes[0]]
        systemds.expectSame(folder, sample, [x], [np.where(isTrue, kind(3), kind(5))])


@pytest.mark.parametrize("aggregate", ["SUM", "AVERAGE", "MIN", "MAX"])
@pytest.mark.parametrize("targets", [1, 3])
def test_aggregates(folder, aggregate, targets):
    made = forest("target", 6, 4, targets, votes=targets)
    base = [0.5, -1, 2][:targets]
    more = {"n_targets": targets, "aggregate_function": aggregate, "base_values": base}
    expect(folder, "TreeEnsembleRegressor", [features(20, 4)], y(targets), **made, **more)


@pytest.mark.parametrize("transform", ["NONE", "SOFTMAX", "LOGISTIC"])
def test_tree_classifier(folder, transform):
    made = forest("class", 7, 5, 3, votes=3)
    more = {"classlabels_int64s": [4, 0, 9], "post_transform": transform, "base_values": [0.1, -0.2, 0.3]}
    expect(folder, "TreeEnsembleClassifier", [features(30, 5)], classes(3), **made, **more)


@pytest.mark.parametrize("transform, weight", [("LOGISTIC", values), ("NONE", lambda n: np.abs(values(n)) / 4), ("NONE", values)])
def test_binary_tree_classifier(folder, transform, weight):
    """All votes are for the first class: a score of the second. Boosting with an exponential loss has negative ones and no transform."""
    made = forest("class", 5, 4, 1, weight=weight)
    more = {"classlabels_int64s": [3, 8], "post_transform": transform}
    expect(folder, "TreeEnsembleClassifier", [features(30, 4)], classes(2), **made, **more)


def test_binary_tree_classifier_that_is_refused(folder):
    """Of votes that are not negative runtimes make a logistic function of different scores."""
    made = forest("class", 5, 4, 1, weight=lambda n: np.abs(values(n)))
    model = build("TreeEnsembleClassifier", [features(3, 4)], classes(2), classlabels_int64s=[3, 8], post_transform="LOGISTIC", **made)
    systemds.expectRefused(folder, model, "runtimes do not agree on the votes for one of two classes")


def test_votes_that_runtimes_count_differently(folder):
    """ONNX Runtime counts the first of several votes for the only target, drops the base value of a target without a vote, and
    chooses among the classes that have votes. Where each row has a vote for each target, that is no matter."""
    made = forest("target", 2, 3, 1)
    twice = {name: one + one for name, one in made.items() if name.startswith("target_")}
    model = build("TreeEnsembleRegressor", [features(3, 3)], y(1), n_targets=1, **made | twice)
    systemds.expectRefused(folder, model, "a leaf has several votes for the target, of which ONNX Runtime counts the first")
    made = forest("target", 3, 3, 2)
    model = build("TreeEnsembleRegressor", [features(3, 3)], y(2), n_targets=2, base_values=[0.0, 0.5], **made)
    systemds.expectRefused(folder, model, "a row may give a target no vote, whose base value ONNX Runtime drops then")
    expect(folder, "TreeEnsembleRegressor", [features(9, 3)], y(2), n_targets=2, base_values=[0.0, 0.0], **made)
    made = forest("class", 3, 3, 3, votes=2)
    model = build("TreeEnsembleClassifier", [features(3, 3)], classes(3), classlabels_int64s=[0, 1, 2], **made)
    systemds.expectRefused(folder, model, "a row may give a class no vote, and ONNX Runtime chooses among the others then")
    made["class_ids"] = [number % 3 for number in made["class_treeids"]]  # a tree for each class
    made["class_nodeids"], made["class_weights"] = made["class_nodeids"][::2], made["class_weights"][::2]
    made["class_treeids"], made["class_ids"] = made["class_treeids"][::2], made["class_ids"][::2]
    expect(folder, "TreeEnsembleClassifier", [features(20, 3)], classes(3), classlabels_int64s=[0, 1, 2], **made)


def test_doubles(folder):
    """Thresholds as doubles, which are next to each other."""
    t = 0.1
    near = [np.nextafter(t, 0), t, np.nextafter(t, 1)]
    tensor = lambda list: numpy_helper.from_array(np.float64(list))
    made = {
        "nodes_treeids": [0, 0, 0], "nodes_nodeids": [0, 1, 2], "nodes_featureids": [0, 0, 0], "nodes_truenodeids": [1, 0, 0],
        "nodes_falsenodeids": [2, 0, 0], "nodes_values_as_tensor": tensor([t, 0, 0]), "target_treeids": [0, 0],
        "target_nodeids": [1, 2], "target_ids": [0, 0], "target_weights_as_tensor": tensor([1, 2]), "n_targets": 1,
    }
    x = np.float64(near).reshape(3, 1)
    for mode, wanted in (("LT", [1, 2, 2]), ("LEQ", [1, 1, 2]), ("GT", [2, 2, 1]), ("GTE", [2, 1, 1]), ("EQ", [2, 1, 2])):
        modes = [f"BRANCH_{mode}", "LEAF", "LEAF"]
        column = np.float32(wanted).reshape(3, 1)
        expect(folder, "TreeEnsembleRegressor", [x], y(1), [column], version=3, nodes_modes=modes, **made)


def test_tree_ensemble(folder):
    """Two trees, the second one a single leaf; a set of members; a NaN."""
    tensor = lambda list, type=np.float32: numpy_helper.from_array(np.asarray(list, type))
    made = {
        "n_targets": 2, "aggregate_function": 1, "post_transform": 0, "tree_roots": [0, 2],
        "nodes_modes": tensor([0, 6, 0], np.uint8), "nodes_featureids": [1, 0, 0],
        "nodes_splits": tensor([0.5, 0, 0]), "membership_values": tensor([1, 3, np.nan]),
        "nodes_truenodeids": [1, 0, 3], "nodes_trueleafs": [0, 1, 1], "nodes_falsenodeids": [2, 1, 3],
        "nodes_falseleafs": [1, 1, 1], "leaf_targetids": [0, 1, 0, 1], "leaf_weights": tensor([1, 2, 4, 8]),
    }
    x = np.float32([[1, 0], [3, 0], [2, 0], [1, 1], [np.nan, 0], [1, np.nan]])
    wanted = np.float32([[1, 8], [1, 8], [0, 10], [4, 8], [0, 10], [4, 8]])
    expect(folder, "TreeEnsemble", [x], y(2), [wanted], version=5, **made)


@pytest.mark.parametrize("aggregate", ["SUM", "AVERAGE", "MAX"])
@pytest.mark.parametrize("rows", [1, 5])
def test_trees_that_ask_for_nothing(folder, aggregate, rows):
    """LightGBM writes leaves alone if no split is worth its while."""
    made = forest("target", 3, 2, 2, votes=2, depth=0) | {"aggregate_function": aggregate}
    expect(folder, "TreeEnsembleRegressor", [values(rows, 2)], y(2), n_targets=2, **made)


def test_wrong_trees_are_refused(folder):
    made = forest("target", 1, 3, 1) | {"n_targets": 1}
    wrong = {
        "asks for feature 7 of 3": {"nodes_featureids": [7] * len(made["nodes_treeids"])},
        "stands below": {"nodes_truenodeids": [0] * len(made["nodes_treeids"])},
        "expected one length": {"nodes_modes": made["nodes_modes"][1:]},
        "votes for target 1 of 1": {"target_ids": [1] * len(made["target_ids"])},
        "a vote is not finite": {"target_weights": [float("nan")] * len(made["target_ids"])},
        "aggregate_function is MEDIAN": {"aggregate_function": "MEDIAN"},
        "base_values is not one for each target": {"base_values": [1.0, 2.0]},
    }
    for text, more in wrong.items():
        systemds.expectRefused(folder, build("TreeEnsembleRegressor", [features(3, 3)], y(1), **made | more), text)


def test_refusals(folder):
    for op, more in (("Normalizer", {}), ("Scaler", {"offset": [1.0], "scale": [2.0]})):
        made = m.node(op, ["x"], ["y"], domain=ML, **more)
        sample = m.model([made], [m.info("x", ["batch"], FLOATS)], [m.info("y", None, FLOATS)], domains=[(ML, 1)])
        systemds.expectRefused(folder, sample, "the features of one sample are the free batch")
    single = {"coefficients": values(2), "intercepts": values(1), "post_transform": "SOFTMAX"}
    systemds.expectRefused(folder, build("LinearRegressor", [values(3, 2)], y(1), **single), "do not transform a single score")
    probit = {"coefficients": values(4), "intercepts": values(2), "post_transform": "PROBIT", "targets": 2}
    systemds.expectRefused(folder, build("LinearRegressor", [values(3, 2)], y(2), **probit), "post_transform is PROBIT")
