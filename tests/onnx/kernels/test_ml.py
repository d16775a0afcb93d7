# SPDX-License-Identifier: Apache-2.0
"""Random models of ai.onnx.ml, in every version and element type, against ONNX Runtime and the reference evaluator.

Numbers are small multiples of 1/8, so that sums are exact and comparisons decide equally everywhere; what is left to differ is
functions in f32 (BOUNDS). The reference evaluator gets the features of operators with scores in f64, ONNX Runtime in f32 where
it does not have the type. Cases in which the two are known to disagree (onnx/kernels/RATIONALE.md) are not made, or are asked
of the one that is right. What both refuse is counted, and must be few. --long: twenty times as many.
"""

import functools
from collections import Counter

import numpy as np
import pytest
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import onnxfold_compare as compare
import onnxfold_testing as t
from ml_disagreements import isDisputed, isTrusted, mayStay
from onnxfold_opsets import RandomCases

DOMAIN = "ai.onnx.ml"
TYPES = [np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int32), np.dtype(np.int64)]
TRANSFORMS = ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"]
# Of the domain: those that the operator changed in, and some between.
VERSIONS = {
    "ArrayFeatureExtractor": (1,),
    "Binarizer": (1,),
    "CategoryMapper": (1,),
    "FeatureVectorizer": (1,),
    "Imputer": (1,),
    "LabelEncoder": (1, 2, 3, 4, 5),
    "LinearClassifier": (1,),
    "LinearRegressor": (1,),
    "Normalizer": (1,),
    "OneHotEncoder": (1,),
    "Scaler": (1, 5),
    "SVMClassifier": (1,),
    "SVMRegressor": (1,),
    "TreeEnsemble": (5,),
    "TreeEnsembleClassifier": (1, 3, 5),
    "TreeEnsembleRegressor": (1, 3, 5),
}
# (ulps, part of the largest): the runtime's exp, erfinv and sums are in f32; probabilities stop at errors of 0.005 / classes.
BOUNDS = {"ORT": (16, 4e-6), "reference": (4, 1e-6), "ORT probabilities": (16, 2e-3)}
# Operators whose scores the reference evaluator computes in the type of x.
SCORES = {"LinearClassifier", "LinearRegressor", "Normalizer", "SVMClassifier", "SVMRegressor", "Scaler"} | {
    "TreeEnsembleClassifier",
    "TreeEnsembleRegressor",
}
MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_MEMBER"]


def tensor(values, dtype):
    return numpy_helper.from_array(np.array(values, dtype))


class Tree:
    """Nodes as (feature, threshold, mode, true, false, missing), leaves as their number; both as children."""

    def __init__(self, maker, features, depth, modes):
        self.nodes, self.leaves = [], 0
        self.root = self.grow(maker, features, depth, modes)

    def grow(self, maker, features, depth, modes):
        if depth == 0 or (self.nodes and maker.random.random() < 0.2):
            self.leaves += 1
            return ("leaf", self.leaves - 1)
        at = len(self.nodes)
        self.nodes.append(None)
        mode = str(maker.random.choice(modes))
        children = [self.grow(maker, features, depth - 1, modes) for _ in range(2)]
        # Without a word on missing values runtimes and text disagree on BRANCH_NEQ.
        missing = 1 if mode == "BRANCH_NEQ" else maker.integer(0, 1)
        self.nodes[at] = (maker.integer(0, features - 1), maker.eighth(), mode, *children, missing)
        return ("node", at)


class Maker(RandomCases):
    """Random cases; the same for the same seed."""

    def eighth(self):
        return self.integer(-16, 16) / 8

    def eighths(self, count):
        return [self.eighth() for _ in range(count)]

    def matrix(self, dtype, shape=None):
        shape = shape or [self.integer(1, 5), self.integer(1, 4)]
        values = self.random.integers(-16, 17, shape)
        return (values / 8 if dtype.kind == "f" else values // 4).astype(dtype)

    def choice(self, values):
        return values[self.integer(0, len(values) - 1)]

    def texts(self, shape):
        return np.array([self.choice("abcdef") for _ in range(int(np.prod(shape)))], object).reshape(shape)

    def ArrayFeatureExtractor(self, version, dtype):
        shape = [self.integer(1, 4) for _ in range(self.integer(1, 3))]
        x = self.texts(shape) if self.random.random() < 0.2 else self.matrix(dtype, shape)
        return [x, self.random.integers(0, shape[-1], [1, self.integer(1, 5)])], {}

    def Binarizer(self, version, dtype):
        return [self.matrix(dtype)], {"threshold": self.eighth()}

    def CategoryMapper(self, version, dtype):
        x = self.texts([4, 2]) if dtype.kind == "f" else self.random.integers(0, 5, [4, 2])
        defaults = {"default_int64": 9, "default_string": "none"} if self.random.random() < 0.5 else {}
        return [x], {"cats_strings": ["a", "c", "b"], "cats_int64s": [3, 1, 4]} | defaults

    def FeatureVectorizer(self, version, dtype):
        rows = self.integer(1, 3)
        inputs = [self.matrix(dtype, [rows, self.integer(1, 4)]) for _ in range(self.integer(1, 3))]
        return inputs, {"inputdimensions": [max(1, x.shape[1] + self.integer(-1, 1)) for x in inputs]}

    def Imputer(self, version, dtype):
        x = self.matrix(dtype)
        count = self.choice([1, x.shape[1]])
        if dtype.kind == "i":
            return [x], {"imputed_value_int64s": [self.integer(-9, 9) for _ in range(count)], "replaced_value_int64": 1}
        replaced = self.choice([0.0, 0.5, float("nan")])
        x[self.random.random(x.shape) < 0.3] = replaced
        return [x], {"imputed_value_floats": self.eighths(count), "replaced_value_float": replaced}

    def LabelEncoder(self, version, dtype):
        if version == 1:
            x = self.texts([2, 3]) if dtype.kind == "f" else self.random.integers(-1, 5, [2, 3])
            return [x], {"classes_strings": ["b", "a", "d", "f"]}
        key, value = (self.choice(["strings", "int64s", "floats"]) for _ in range(2))
        keys = {"strings": ["a", "c", "b"], "int64s": [1, 0, -2], "floats": [0.5, 0.0, -0.25]}[key]
        values = {"strings": ["x", "y", ""], "int64s": [3, -4, 5], "floats": [0.5, 0.0, -0.25]}[value]
        if version >= 4 and self.random.random() < 0.5:
            keys[2] = keys[0]  # the last one holds
        x = {"strings": self.texts([2, 3]), "int64s": self.matrix(TYPES[3]), "floats": self.matrix(TYPES[0])}[key]
        if version >= 4 and self.random.random() < 0.5 and key != "strings" and value != "strings":
            kinds = {"int64s": [np.int16, np.int32, np.int64], "floats": [np.float32, np.float64]}
            keys[2] = keys[2] if keys[2] != keys[0] else 8
            keyType, valueType = self.choice(kinds[key]), self.choice(kinds[value])
            attributes = {"keys_tensor": tensor(keys, keyType), "values_tensor": tensor(values, valueType)}
            return [x.astype(keyType)], attributes | {"default_tensor": tensor([7], valueType)}
        attributes = {f"keys_{key}": keys, f"values_{value}": values}
        if self.random.random() < 0.5:
            name = {"strings": "default_string", "int64s": "default_int64", "floats": "default_float"}[value]
            attributes[name] = {"strings": "none", "int64s": 9, "floats": 0.125}[value]
        return [x], attributes

    def labels(self, count, integers):
        if self.random.random() < 0.5:
            return {"classlabels_strings": [f"c{k}" for k in range(count)]}
        return {integers: [int(v) for v in self.random.permutation(20)[:count] - 5]}

    def LinearClassifier(self, version, dtype):
        x, classes = self.matrix(dtype), self.integer(1, 4)
        attributes = {"coefficients": self.eighths(classes * x.shape[1]), "intercepts": self.eighths(classes)}
        transform = "LOGISTIC" if classes == 1 else self.choice(TRANSFORMS[:3])
        return [x], attributes | self.labels(max(classes, 2), "classlabels_ints") | {"post_transform": transform}

    def LinearRegressor(self, version, dtype):
        x, targets = self.matrix(dtype), self.integer(1, 3)
        attributes = {"coefficients": self.eighths(targets * x.shape[1]), "targets": targets}
        attributes["intercepts"] = self.eighths(targets)
        return [x], attributes | {"post_transform": "NONE" if targets == 1 else self.choice(TRANSFORMS[:3])}

    def Normalizer(self, version, dtype):
        norm, x = self.choice(["MAX", "L1", "L2"]), self.matrix(dtype)
        return [abs(x) if norm == "MAX" else x], {"norm": norm}  # MAX of negative numbers: the reference takes magnitudes

    def OneHotEncoder(self, version, dtype):
        if self.random.random() < 0.3:
            return [self.texts([2, 3])], {"cats_strings": ["b", "a", "e"]}
        x = self.random.integers(-2, 4, [3, 2]).astype(dtype)
        return [x], {"cats_int64s": [1, -2, 0, 3]}

    def Scaler(self, version, dtype):
        x = self.matrix(dtype)
        count = self.choice([1, x.shape[1]])
        return [x], {"offset": self.eighths(count), "scale": self.eighths(count)}

    def kernel(self):
        name = self.choice(["LINEAR", "POLY", "RBF", "SIGMOID"])
        return {"kernel_type": name, "kernel_params": [0.25, 0.5, float(self.integer(1, 3))]}

    def SVMRegressor(self, version, dtype):
        x, count = self.matrix(dtype), self.integer(0, 4)
        attributes = {"rho": [self.eighth()], "n_supports": count, "one_class": self.integer(0, 1)} | self.kernel()
        if count == 0:
            return [x], attributes | {"coefficients": self.eighths(x.shape[1])}
        return [x], attributes | {"coefficients": self.eighths(count), "support_vectors": self.eighths(count * x.shape[1])}

    def SVMClassifier(self, version, dtype):
        x, classes = self.matrix(dtype), self.integer(2, 4)
        pairs, attributes = classes * (classes - 1) // 2, self.labels(classes, "classlabels_ints") | self.kernel()
        transform = {"post_transform": self.choice(TRANSFORMS[:3])}
        if classes > 2 and self.random.random() < 0.3:  # LIBLINEAR; one rho is an exception in the reference evaluator
            return [x], attributes | transform | {"coefficients": self.eighths(classes * x.shape[1]), "rho": self.eighths(2)}
        perClass = [self.integer(1, 3) for _ in range(classes)]
        coefficients = self.eighths((classes - 1) * sum(perClass))
        coefficients[0] = -1.0
        attributes |= {"vectors_per_class": perClass, "support_vectors": self.eighths(sum(perClass) * x.shape[1])}
        attributes |= {"coefficients": coefficients, "rho": self.eighths(pairs)}
        if self.random.random() < 0.4:
            attributes |= {"prob_a": [-abs(v) - 1 for v in self.eighths(pairs)], "prob_b": self.eighths(pairs)} | transform
        elif classes > 2:
            attributes |= transform
        elif self.random.random() < 0.5:
            attributes["post_transform"] = "LOGISTIC"
        return [x], attributes

    def trees(self, features, modes):
        return [Tree(self, features, self.integer(1, 4), modes) for _ in range(self.integer(1, 4))]

    def nodeLists(self, trees, dtype, version):
        """Attributes nodes_*, and the (tree, node) of each leaf."""
        rows, leaves = [], []
        for number, tree in enumerate(trees):
            ids = {"node": list(range(len(tree.nodes))), "leaf": [len(tree.nodes) + k for k in range(tree.leaves)]}
            for k, (feature, threshold, mode, yes, no, missing) in enumerate(tree.nodes):
                rows.append((number, k, feature, threshold, mode, ids[yes[0]][yes[1]], ids[no[0]][no[1]], missing))
            for k in ids["leaf"]:
                rows.append((number, k, 0, 0.0, "LEAF", 0, 0, 0))
                leaves.append((number, k))
        names = ["treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids"]
        lists = {f"nodes_{name}": list(column) for name, column in zip(names, zip(*rows))}
        lists["nodes_missing_value_tracks_true"] = [row[7] for row in rows]
        if version >= 3 and dtype == np.float64:
            lists["nodes_values_as_tensor"] = tensor(lists.pop("nodes_values"), np.float64)
        return lists, leaves

    def features(self, dtype):
        x = self.matrix(dtype, [self.integer(1, 6), self.integer(1, 3)])
        if dtype.kind == "f" and self.random.random() < 0.5:
            x[self.random.random(x.shape) < 0.2] = np.nan
        return x

    def votes(self, leaves, prefix, votesOf, dtype, version):
        rows = [(tree, node, target, weight) for tree, node in leaves for target, weight in votesOf()]
        names = ["treeids", "nodeids", "ids", "weights"]
        lists = {f"{prefix}_{name}": list(column) for name, column in zip(names, zip(*rows))}
        if version >= 3 and dtype == np.float64:
            lists[f"{prefix}_weights_as_tensor"] = tensor(lists.pop(f"{prefix}_weights"), np.float64)
        return lists

    def base(self, values, dtype, version):
        if version >= 3 and dtype == np.float64:
            return {"base_values_as_tensor": tensor(values, np.float64)}
        return {"base_values": values}

    def TreeEnsembleRegressor(self, version, dtype):
        x, targets = self.features(dtype), self.integer(1, 3)
        aggregate = self.choice(["SUM", "AVERAGE", "MIN", "MAX"])
        lists, leaves = self.nodeLists(self.trees(x.shape[1], MODES[:6]), dtype, version)
        all = targets == 1 or aggregate in ("MIN", "MAX")
        chosen = lambda: range(targets) if all else self.random.permutation(targets)[: self.integer(1, targets)]  # noqa: E731
        lists |= self.votes(leaves, "target", lambda: [(int(k), self.eighth()) for k in chosen()], dtype, version)
        lists |= {"n_targets": targets, "aggregate_function": aggregate}
        # The reference evaluator does not add a tensor of base values.
        if self.random.random() < 0.5 and (version < 3 or dtype != np.float64):
            lists |= self.base(self.eighths(targets), dtype, version)
        return [x], lists | {"post_transform": "NONE" if targets == 1 else self.choice(TRANSFORMS[:3])}

    def TreeEnsembleClassifier(self, version, dtype):
        x, classes = self.features(dtype), self.integer(2, 4)
        lists, leaves = self.nodeLists(self.trees(x.shape[1], MODES[:6]), dtype, version)
        if classes == 2 and self.random.random() < 0.7:
            negative = self.random.random() < 0.5
            weights = iter([-0.125] + self.eighths(10000) if negative else [abs(v) for v in self.eighths(10000)])
            votesOf, base = lambda: [(0, next(weights))], [self.eighth()]  # noqa: E731
            transform = "LOGISTIC" if negative else "NONE"
        else:
            votesOf = lambda: [(k, self.eighth()) for k in range(classes)]  # noqa: E731
            base, transform = self.eighths(classes), self.choice(TRANSFORMS[:3])
        lists |= self.votes(leaves, "class", votesOf, dtype, version)
        if self.random.random() < 0.5 and (version < 3 or dtype != np.float64):
            lists |= self.base(base, dtype, version)
        return [x], lists | self.labels(classes, "classlabels_int64s") | {"post_transform": transform}

    def TreeEnsemble(self, version, dtype):
        x, targets = self.features(dtype), self.integer(1, 3)
        nodes, leafTargets, roots, members = [], [], [], []
        for tree in self.trees(x.shape[1], MODES):
            firstNode, firstLeaf = len(nodes), len(leafTargets)
            roots.append(firstNode + tree.root[1])
            first = {"node": firstNode, "leaf": firstLeaf}
            for feature, threshold, mode, yes, no, missing in tree.nodes:
                if mode == "BRANCH_MEMBER":
                    members += [v or 0.5 for v in self.eighths(3)] + [np.nan]  # the reference evaluator ends a set at 0
                nodes.append((feature, threshold, MODES.index(mode), first[yes[0]] + yes[1], yes[0] == "leaf"))
                nodes[-1] += (first[no[0]] + no[1], no[0] == "leaf", missing)
            leafTargets += [self.integer(0, targets - 1) for _ in range(tree.leaves)]
        columns = [list(map(int, column)) for column in zip(*[(n[0], *n[2:]) for n in nodes])]
        names = ["featureids", "modes", "truenodeids", "trueleafs", "falsenodeids", "falseleafs", "missing_value_tracks_true"]
        lists = {f"nodes_{name}": column for name, column in zip(names, columns)}
        lists["nodes_modes"] = tensor(lists["nodes_modes"], np.uint8)
        lists["nodes_splits"] = tensor([n[1] for n in nodes], dtype)
        lists |= {"tree_roots": roots, "leaf_targetids": leafTargets, "n_targets": targets}
        lists["leaf_weights"] = tensor(self.eighths(len(leafTargets)), dtype)
        if members:
            lists["membership_values"] = tensor(members, dtype)
        aggregate = self.choice([0, 1] if targets > 1 else [0, 1, 2, 3])
        return [x], lists | {"aggregate_function": aggregate}


def typesOf(operator):
    if operator == "TreeEnsemble":
        return [np.dtype(np.float16), *TYPES[:2]]
    return TYPES


def cases(seed, count):
    """(version of the domain, operator, inputs, attributes)"""
    maker = Maker(seed)
    for operator, versions in VERSIONS.items():
        for version in versions:
            for dtype in typesOf(operator):
                for _ in range(count):
                    yield (version, operator, *getattr(maker, operator)(version, dtype))


def outputsOf(operator):
    return 2 if operator.endswith("Classifier") else 1


def nodeOf(k, case):
    _, operator, inputs, attributes = case
    names = [f"c{k}_{i}" for i in range(len(inputs))]
    outputs = [f"y{k}_{i}" for i in range(outputsOf(operator))]
    return helper.make_node(operator, names, outputs, name=f"n{k}", domain=DOMAIN, **attributes), names


def modelOf(version, numbered):
    """A model of nodes (numbered cases) whose inputs are initializers."""
    nodes, initializers, outputs = [], [], []
    for k, case in numbered:
        node, names = nodeOf(k, case)
        nodes.append(node)
        initializers += [numpy_helper.from_array(x, name) for x, name in zip(case[2], names)]
        outputs += [helper.make_empty_tensor_value_info(name) for name in node.output]
    graph = helper.make_graph(nodes, "ml", [], outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, version)])
    model.ir_version = 9
    return model


def converted(case, dtype):
    return (min(case[0], 3 if "TreeEnsemble" in case[1] and case[1] != "TreeEnsemble" else 5), case[1]) + (
        [x.astype(dtype) if dtype and x.dtype.kind in "fi" else x for x in case[2]],
        case[3],
    )


def runtimeResult(case):
    """What ONNX Runtime makes of it, in f32 if it does not have the type; None if it refuses."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    for dtype in (None, np.float32) if case[1] in SCORES else (None,):
        try:
            model = modelOf(converted(case, dtype)[0], [(0, converted(case, dtype))]).SerializeToString()
            return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"]).run(None, {})
        except Exception:  # not implemented
            continue
    return None


def referenceResult(case):
    case = converted(case, np.float64 if case[1] in SCORES else None)
    try:
        with np.errstate(all="ignore"):
            return ReferenceEvaluator(modelOf(case[0], [(0, case)])).run(None, {})
    except Exception:  # not implemented
        return None


def boundsOf(oracle, case):
    probabilities = oracle == "ORT" and case[1] == "SVMClassifier" and "prob_a" in case[3]
    return BOUNDS["ORT probabilities" if probabilities else oracle]


def difference(got, want, bounds):
    if got.dtype.kind in "OUS":
        same = got.shape == want.shape and [str(v) for v in got.ravel()] == [str(v) for v in want.ravel()]
        return "" if same else f"is {got.tolist()}, expected {want.tolist()}"
    if want.dtype.kind in "OUS":
        return f"is {got.dtype}, expected strings"
    return compare.differenceText(got, want.astype(got.dtype), *(bounds if got.dtype.kind == "f" else (0, 0)))


def isNear(oracle, case, got, want):
    """Within what is lost where numbers cancel."""
    if got.dtype.kind != "f" or got.shape != want.shape:
        return False
    allowed = 0
    if case[3].get("post_transform") == "LOGISTIC":
        allowed = 2e-7  # the runtime's logistic function of negative numbers is 1 minus another one
    elif oracle == "reference" and case[1] == "TreeEnsemble":
        allowed = 8 * np.finfo(got.dtype).eps  # each weight is divided and rounded before it is added
    return bool(np.all(np.abs(got.astype(np.float64) - want) <= allowed))


def checkCase(k, case, folded, refused):
    names = [f"y{k}_{i}" for i in range(outputsOf(case[1]))]
    what = f"{case[1]}-{case[0]} of {case[2][0].dtype} {case[2][0].shape}"
    if isDisputed(case):
        return [f"{what} folds: {case[3]}"] if any(name in folded for name in names) else []
    if any(name not in folded for name in names):
        return [] if mayStay(case) else [f"{what} does not fold: {case[3]}"]
    problems, compared = [], 0
    for oracle, result in (("ORT", runtimeResult), ("reference", referenceResult)):
        wanted = result(case) if isTrusted(oracle, case) else None
        for i, want in enumerate(wanted or []):
            got = numpy_helper.to_array(folded[names[i]])
            text = difference(got, np.asarray(want), boundsOf(oracle, case))
            if text and not isNear(oracle, case, got, want):
                problems.append(f"{what} output {i}, {oracle}: {text}\n      {case[2]} {case[3]}")
        compared += wanted is not None
    refused[case[1]] += compared == 0
    return problems


def checkCases(version, mine, folder, refused):
    source, result = folder / "model.onnx", folder / "folded.onnx"
    source.write_bytes(modelOf(version, enumerate(mine)).SerializeToString())
    t.runOk(source, "-o", result, "-O0", "--max-growth=unlimited", "--quiet")
    folded = {value.name: value for value in onnx.load(result).graph.initializer}
    return [text for k, case in enumerate(mine) for text in checkCase(k, case, folded, refused)]


def checkVersion(version, mine, folder, refused):
    problems = checkCases(version, mine, folder, refused)
    assert not problems, f"{len(problems)} of {len(mine)}:\n    " + "\n    ".join(problems[:8])


def largeTree(maker, trees):
    x = maker.matrix(TYPES[0], [50, 4])
    lists, leaves = maker.nodeLists([Tree(maker, 4, 11, MODES[:4]) for _ in range(trees)], TYPES[0], 3)
    assert sum(map(len, lists["nodes_modes"])) > 64 * 1024, "the tree is too small"
    lists |= maker.votes(leaves, "target", lambda: [(0, maker.eighth())], TYPES[0], 3)
    return 3, "TreeEnsembleRegressor", [x], lists | {"n_targets": 1}


def largeEncoder():
    keys = [f"a key of some length, number {k}" for k in range(4000)]
    x = np.array([keys[3999], "none", keys[0]], object)
    return 2, "LabelEncoder", [x], {"keys_strings": keys, "values_int64s": list(range(4000))}


def chain(count):
    """Nodes x <= -k, each the true child of the one before, and a leaf for each false child."""
    ids, zeros = list(range(2 * count + 1)), [0] * (count + 1)
    lists = {"nodes_treeids": [0] * len(ids), "nodes_nodeids": ids, "nodes_featureids": [0] * len(ids)}
    lists |= {"nodes_values": [-float(k) for k in range(count)] + [0.0] * (count + 1)}
    lists |= {"nodes_modes": ["BRANCH_LEQ"] * count + ["LEAF"] * (count + 1)}
    lists["nodes_truenodeids"] = [*range(1, count), 2 * count, *zeros]
    lists["nodes_falsenodeids"] = [*range(count, 2 * count), *zeros]
    leaves = ids[count:]
    lists |= {"target_treeids": zeros, "target_nodeids": leaves, "target_ids": zeros, "n_targets": 1}
    lists["target_weights"] = [float(k) for k in range(count + 1)]
    x = np.array([[1], [-0.5], [-500.5], [-1e6]], np.float32)
    return 3, "TreeEnsembleRegressor", [x], lists


def damaged(maker, case):
    """The case with one attribute or input that a hostile model may have."""
    version, operator, inputs, attributes = case
    odd = [-1, 2**63 - 1, -(2**63), 2**31, 7]
    attributes, name = dict(attributes), maker.choice(sorted(attributes) or [""])
    value = attributes.get(name)
    kind = maker.integer(0, 4)
    if kind == 0:
        shapes = [[], [0], [0, 3], [3, 0], [2, 1, 2], [5]]
        inputs = [maker.matrix(x.dtype, maker.choice(shapes)) for x in inputs if x.dtype != object]
    elif isinstance(value, list) and value and kind == 1:
        attributes[name] = value[: maker.integer(0, len(value) - 1)]
        attributes[name] or attributes.pop(name)
    elif isinstance(value, list) and value and isinstance(value[0], int):
        attributes[name] = list(value)
        attributes[name][maker.integer(0, len(value) - 1)] = maker.choice([*odd, *value])
    elif isinstance(value, int):
        attributes[name] = maker.choice(odd)
    elif isinstance(value, list) and value and isinstance(value[0], float):
        attributes[name] = [maker.choice([v, float("nan"), float("inf"), -1e30]) for v in value]
    else:
        attributes.pop(name, None)
    return version, operator, inputs or case[2], attributes


@functools.cache
def everything():
    return list(cases(t.options.seed, 400 if t.options.long else 20))


onnxruntime.set_default_logger_severity(4)
# What the tests of this module count together: the operators that ran, and how often nobody else could run one.
checked, refused = set(), Counter()
CASES = [(operator, version) for operator, versions in VERSIONS.items() for version in versions]


@pytest.mark.parametrize("operator, version", CASES)
def test_operator(operator, version, folder):
    checkVersion(version, [case for case in everything() if case[:2] == (version, operator)], folder, refused)
    checked.add((operator, version))


def test_listsOfMoreThan64Kilobytes(folder):
    """nodes_modes of so many nodes were left in the file, and the kernel did not know them."""
    maker = Maker(t.options.seed)
    for case in (largeTree(maker, 40), largeEncoder()):
        problems = checkCases(case[0], [case], folder, Counter())
        assert not problems, "\n".join(problems)[:2000]


def test_hostileModels(folder):
    """Whatever attributes say, the tool ends, and well."""
    maker = Maker(t.options.seed + 1)
    hostile = [damaged(maker, damaged(maker, case)) for case in everything() for _ in range(2)]
    for version in sorted({case[0] for case in hostile}):
        mine = [case for case in hostile if case[0] == version]
        for first in range(0, len(mine), 1000):
            source = folder / "model.onnx"
            source.write_bytes(modelOf(version, enumerate(mine[first : first + 1000])).SerializeToString())
            t.runOk(source, "-o", folder / "folded.onnx", "-O0", "--max-growth=unlimited", "--quiet")


def test_columns_beyond_64_bits(folder):
    """Their sum wrapped to 3, so that the result of a node that no runtime computes had a shape, which folded."""
    most = 2**63 - 1
    vectorizer = onnx.helper.make_node(
        "FeatureVectorizer", ["x"], ["y"], domain="ai.onnx.ml", inputdimensions=[most, most, 5]
    )
    shape = onnx.helper.make_node("Shape", ["y"], ["shape"])
    x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [2, 3])
    out = onnx.helper.make_tensor_value_info("shape", onnx.TensorProto.INT64, [2])
    graph = onnx.helper.make_graph([vectorizer, shape], "g", [x], [out])
    opsets = [onnx.helper.make_opsetid("", 17), onnx.helper.make_opsetid("ai.onnx.ml", 3)]
    source = folder / "model.onnx"
    onnx.save(onnx.helper.make_model(graph, opset_imports=opsets), source)
    t.runOk(source, "-o", folder / "folded.onnx")
    assert [node.op_type for node in onnx.load(folder / "folded.onnx").graph.node] == ["FeatureVectorizer", "Shape"]


def test_deepTree(folder):
    case = chain(100_000)
    assert not checkCases(3, [case], folder, Counter()), "a chain of 100,000 nodes differs"


def test_deepCycle(folder):
    """Every second node leads back to the root's child."""
    case = chain(100_000)
    case[3]["nodes_truenodeids"][50_000] = 1
    problems = checkCases(3, [case], folder, Counter())
    assert len(problems) == 1 and "does not fold" in problems[0], "a tree with a cycle folds"


def test_most_were_compared():
    if checked != set(CASES):
        pytest.skip("not all operators were run")
    total = Counter(case[1] for case in everything())
    few = {name: f"{refused[name]} of {total[name]}" for name in total if refused[name] > total[name] // 4}
    assert not few, f"nobody else could run {few}"
