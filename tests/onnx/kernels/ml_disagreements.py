# SPDX-License-Identifier: Apache-2.0
"""Cases of test_ml.py on which ONNX Runtime, the reference evaluator and the text disagree (onnx/kernels/RATIONALE.md).

A case is (version, operator, inputs, attributes).
"""

from collections import Counter

from onnx import numpy_helper


def isTrusted(oracle, case):
    """Where the other one is wrong: see onnx/kernels/RATIONALE.md."""
    operator, attributes = case[1], case[3]
    labels = len(attributes.get("classlabels_strings", attributes.get("classlabels_int64s", [])))
    if operator == "SVMClassifier" and oracle == "reference":
        isMatrixProduct = "prob_a" in attributes and len(attributes["prob_a"]) > 1
        return not isMatrixProduct and "classlabels_ints" in attributes
    if operator == "TreeEnsembleClassifier" and oracle == "ORT" and labels == 2:
        return set(attributes["class_ids"]) == {0}  # else its labels are 0 and 1, whatever the classes are called
    if len(attributes.get("nodes_treeids", [])) > 100_000 and oracle == "ORT":
        return False  # it recurses, and dies of deep trees
    if operator == "LabelEncoder" and oracle == "ORT":
        keys = next((value for name, value in attributes.items() if name.startswith("keys_")), [])
        return "keys_tensor" in attributes or len(set(keys)) == len(keys)  # else it takes the first of equal keys
    if operator == "LabelEncoder":
        return "keys_tensor" not in attributes
    if operator == "OneHotEncoder" and oracle == "reference":
        return case[2][0].dtype.kind != "f"  # it does not cut off fractions
    return True


def isDisputed(case):
    """What stays, because ONNX Runtime has another result: see onnx/kernels/RATIONALE.md."""
    operator, attributes = case[1], case[3]
    if operator == "LabelEncoder":
        keys = next((value for name, value in attributes.items() if name.startswith("keys_") and name != "keys_tensor"), [])
        if "keys_tensor" in attributes:
            keys = numpy_helper.to_array(attributes["keys_tensor"]).ravel().tolist()
        return len(set(keys)) < len(keys)
    if operator == "TreeEnsemble":
        return attributes.get("post_transform", 0) in (1, 2)
    if operator == "TreeEnsembleClassifier":
        labels = len(attributes.get("classlabels_strings", attributes.get("classlabels_int64s", [])))
        return labels == 2 and set(attributes["class_ids"]) == {0, 1}
    if operator == "TreeEnsembleRegressor" and attributes["n_targets"] == 1:
        return max(votesOf(attributes, "target").values()) > 1
    return False


def votesOf(attributes, prefix):
    return Counter(zip(*(attributes[f"{prefix}_{name}"] for name in ("treeids", "nodeids", "ids"))))


def mayStay(case):
    """Whether a row may give a target no vote, where ONNX Runtime drops its base value, or does not choose it."""
    operator, attributes = case[1], case[3]
    if operator not in ("TreeEnsembleClassifier", "TreeEnsembleRegressor"):
        return False
    prefix = "class" if operator == "TreeEnsembleClassifier" else "target"
    targets = max(attributes[f"{prefix}_ids"]) + 1 if prefix == "class" else attributes["n_targets"]
    targets = max(targets, len(attributes.get("classlabels_strings", attributes.get("classlabels_int64s", []))))
    leaves = sum(mode == "LEAF" for mode in attributes["nodes_modes"])
    return targets > 1 and len(votesOf(attributes, prefix)) < leaves * targets
