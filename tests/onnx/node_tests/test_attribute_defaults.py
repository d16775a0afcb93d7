# SPDX-License-Identifier: Apache-2.0
"""The defaults that kernels take for absent attributes are those of ONNX's schemas, in every version of every operator.

Kernels spell defaults by hand. Each attribute with a default in the schema is left out of one node and given as that default
to another one, with the same constant inputs (those of ONNX's backend tests): both must fold to the same bytes. A third node
has another value; where that changes the result, a wrong default would have been seen. What no case shows is listed below.
"""

import collections

import numpy as np
import onnx
from onnx import helper, numpy_helper

import backend_cases
import onnxfold_testing as t

CASES = 12  # of each operator; more of them show no more

# Inputs for which the backend tests have none that show a default: (operator, inputs, attributes).
F, S, I = (lambda v, kind=kind: np.array(v, kind) for kind in (np.float32, object, np.int64))
LABELS = {"classes_strings": ["a", "b"]}
CATEGORIES = {"cats_strings": ["a", "b"], "cats_int64s": [1, 2]}
IMAGE = np.arange(36, dtype=np.float32).reshape(1, 1, 6, 6)
TWO_RESULTS = ("TopK", "LinearClassifier")
MORE_CASES = (
    ("Celu", [F([-1, 2])], {}),
    ("Clip", [F([-np.inf, np.inf])], {}),
    ("Shrink", [F([-0.6, 0.6])], {}),
    ("GlobalLpPool", [IMAGE], {}),
    ("MaxRoiPool", [IMAGE, F([[0, 1, 1, 4, 4]])], {"pooled_shape": [2, 2]}),
    ("Pad", [IMAGE], {"paddings": [0, 0, 1, 1, 0, 0, 1, 1]}),
    ("Pad", [IMAGE], {"pads": [0, 0, 1, 1, 0, 0, 1, 1]}),
    ("ReduceLogSumExp", [IMAGE], {}),
    ("ReduceSum", [IMAGE], {}),
    ("TopK", [IMAGE[0, 0]], {"k": 2}),
    ("Upsample", [IMAGE], {"height_scale": 2.0, "width_scale": 2.0}),
    ("Upsample", [IMAGE], {"scales": [1.0, 1.0, 2.0, 2.0]}),
    ("Resize", [IMAGE, F([1, 1, 2, 2])], {}),
    ("Resize", [IMAGE, F([]), F([1, 1, 1.5, 1.5])], {}),
    ("Resize", [IMAGE, F([]), F([1, 1, 1.5, 1.5])], {"mode": "cubic"}),
    (
        "Resize",
        [IMAGE, F([0, 0, -1, -1, 1, 1, 2, 2]), F([1, 1, 1.5, 1.5])],
        {"mode": "linear", "coordinate_transformation_mode": "tf_crop_and_resize"},
    ),
    ("ai.onnx.ml.CategoryMapper", [S(["a", "c"])], CATEGORIES),
    ("ai.onnx.ml.CategoryMapper", [I([1, 3])], CATEGORIES),
    ("ai.onnx.ml.Imputer", [F([[0, 1]])], {"imputed_value_floats": [5.0]}),
    ("ai.onnx.ml.Imputer", [I([[0, 1]])], {"imputed_value_int64s": [5]}),
    ("ai.onnx.ml.LabelEncoder", [S(["a", "c"])], LABELS),
    ("ai.onnx.ml.LabelEncoder", [I([0, 7])], LABELS),
    ("ai.onnx.ml.LabelEncoder", [I([1, 7])], {"keys_int64s": [1], "values_floats": [2.0]}),
    ("ai.onnx.ml.LabelEncoder", [I([1, 7])], {"keys_int64s": [1], "values_strings": ["a"]}),
    ("ai.onnx.ml.LabelEncoder", [I([1, 7])], {"keys_int64s": [1], "values_int64s": [2]}),
    ("ai.onnx.ml.LinearRegressor", [F([[1, 2]])], {"coefficients": [1.0, 2.0, 3.0, 4.0], "targets": 2}),
    ("ai.onnx.ml.LinearRegressor", [F([[1, 2]])], {"coefficients": [1.0, 2.0]}),
    (
        "ai.onnx.ml.LinearClassifier",
        [F([[1, 2]])],
        {"coefficients": [1.0, 2.0, 3.0, 4.0], "intercepts": [0.0, 1.0], "classlabels_ints": [0, 1]},
    ),
    ("ai.onnx.ml.Normalizer", [F([[1, 2]])], {}),
    ("ai.onnx.ml.OneHotEncoder", [I([1, 7])], {"cats_int64s": [1, 2]}),
)

# What no case shows.
UNSHOWN = frozenset(
    # Operands broadcast whatever it says; or the attribute says nothing about values at inference.
    [f"{one}.broadcast" for one in "Add And Div Equal Gemm Greater Less Mul Or Pow Sub Xor".split()]
    + [f"BatchNormalization.{one}" for one in ("epsilon", "is_test", "momentum", "spatial")]
    + [f"{one}.output_sequence" for one in ("GRU", "LSTM", "RNN")]
    + ["Dropout.is_test", "Dropout.ratio", "LinearAttention.chunk_size", "MaxPool.storage_order"]
    # Cases that the backend tests do not have in every version; their results are compared elsewhere.
    + [f"Resize.{one}" for one in ("cubic_coeff_a", "exclude_outside", "nearest_mode")]
    + [f"SplitToSequence.{one}" for one in ("axis", "keepdims")]
    + ["Attention.qk_matmul_output_mode", "CausalConvWithState.activation", "ConcatFromSequence.new_axis"]
    + ["Gelu.approximate", "LpPool.auto_pad", "LpPool.ceil_mode"]
    + ["ScatterElements.reduction", "ScatterND.reduction", "ai.onnx.preview.training.Adagrad.decay_factor"]
    + ["ai.onnx.ml.LinearClassifier.multi_class"]
    + [f"ai.onnx.ml.SVMClassifier.{one}" for one in ("kernel_type", "post_transform")]
    + [f"ai.onnx.ml.SVMRegressor.{one}" for one in ("kernel_type", "n_supports", "one_class", "post_transform")]
    + ["ai.onnx.ml.TreeEnsemble.aggregate_function", "ai.onnx.ml.TreeEnsembleClassifier.post_transform"]
    + [f"ai.onnx.ml.TreeEnsembleRegressor.{one}" for one in ("aggregate_function", "post_transform")]
)


def casesOfOperators():
    """{(domain, operator): [(node, {input: TensorProto})]} of the backend tests of one node over tensors."""
    found = collections.defaultdict(list)
    for folder in backend_cases.allFolders():
        if folder.suite != "node" or "_expanded" in folder.name:
            continue
        graph = folder.model().graph
        if len(graph.node) != 1 or any(one.type.WhichOneof("value") != "tensor_type" for one in graph.input):
            continue
        node = graph.node[0]
        cases = found[node.domain, node.op_type]
        if len(cases) < CASES and not any(one.type in (5, 10) for one in node.attribute):
            values = backend_cases.readValues(folder, "input", graph.input)
            if None not in values:
                cases.append((node, {info.name: value for info, value in zip(graph.input, values)}))
    for name, inputs, attributes in MORE_CASES:
        domain, _, operator = name.rpartition(".")
        names = [f"x{number}" if value.size else "" for number, value in enumerate(inputs)]
        node = helper.make_node(operator, names, ["y"] + ["z"] * (operator in TWO_RESULTS), domain=domain, **attributes)
        values = {one: numpy_helper.from_array(value) for one, value in zip(names, inputs) if one}
        found[domain, operator].append((node, values))
    return found


def kernelSchemas():
    """The schemas of the versions that are folded and have attributes with defaults."""
    for schema in onnx.defs.get_all_schemas_with_history():
        name = f"{schema.domain}.{schema.name}" if schema.domain else schema.name
        if name in t.KERNELS - t.QUANTIZATION and not schema.deprecated:
            for attribute in schema.attributes.values():
                if attribute.default_value.name:
                    yield schema, attribute


def otherValue(attribute):
    """An attribute of the same type and another value; a kernel that reads a name must refuse one that is none."""
    value = helper.get_attribute_value(attribute)
    if isinstance(value, float):
        return helper.make_attribute(attribute.name, value * 1.5 + 0.125)
    if isinstance(value, int):
        return helper.make_attribute(attribute.name, 1 if value == 0 else 0)
    return helper.make_attribute(attribute.name, [b"none"] if isinstance(value, list) else b"none")


def qualified(domain, operator, attribute, version):
    return f"{domain}.{operator}.{attribute}".lstrip("."), version


class Trial:
    """The nodes of all cases of one version of a domain's operators, in one model."""

    def __init__(self, domain, version):
        self.domain, self.version = domain, version
        self.nodes, self.initializers, self.asked = [], [], []

    def add(self, schema, attribute, case):
        """The case's node thrice: without the attribute, with the default, with another value."""
        node, values = case
        if len(node.input) > schema.max_input or any(one.name not in schema.attributes for one in node.attribute):
            return
        other = otherValue(attribute.default_value)
        number = len(self.asked)
        names = {}
        for name, value in values.items():
            names[name] = f"{name}.{number}"
            self.initializers.append(onnx.TensorProto())
            self.initializers[-1].CopyFrom(value)
            self.initializers[-1].name = names[name]
        results = []
        for form, given in enumerate((None, attribute.default_value, other)):
            copy = onnx.NodeProto()
            copy.CopyFrom(node)
            copy.input[:] = [names.get(name, "") for name in node.input]
            copy.output[:] = [name and f"{name}.{number}.{form}" for name in node.output]
            copy.name = f"{schema.name}.{number}.{form}"
            kept = [one for one in node.attribute if one.name != attribute.name]
            del copy.attribute[:]
            copy.attribute.extend(kept + ([given] if given is not None else []))
            self.nodes.append(copy)
            results.append(list(copy.output))
        self.asked.append((qualified(self.domain, schema.name, attribute.name, self.version), results))

    def fold(self, folder):
        """[(key, whether the first two folded, whether they are equal, whether the third one differs)]"""
        outputs = [name for _, results in self.asked for result in results for name in result if name]
        graph = helper.make_graph(
            self.nodes, "defaults", [], [onnx.ValueInfoProto(name=name) for name in outputs], self.initializers
        )
        opsets = [helper.make_opsetid(self.domain, self.version)]
        if self.domain:
            opsets.append(helper.make_opsetid("", 21))
        model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        onnx.save(model, folder / "model.onnx")
        t.fold(folder / "model.onnx", folder / "out.onnx", "-O0", "--max-growth=unlimited")
        folded = {one.name: one for one in onnx.load(folder / "out.onnx").graph.initializer}

        def bits(result):
            tensors = [folded.get(name) for name in result if name]
            if None in tensors:
                return None
            return [(list(one.dims), list(one.string_data) or numpy_helper.to_array(one).tobytes()) for one in tensors]

        for key, results in self.asked:
            found = [bits(result) for result in results]
            yield key, None not in found[:2], found[0] == found[1], found[0] != found[-1]


def test_defaults_are_those_of_the_schemas(folder):
    cases = casesOfOperators()
    assert len(cases) > 150, f"only {len(cases)} operators have cases"
    trials, expected = {}, set()
    for schema, attribute in kernelSchemas():
        key = schema.domain, schema.since_version
        trial = trials.setdefault(key, Trial(*key))
        expected.add(qualified(schema.domain, schema.name, attribute.name, schema.since_version))
        for case in cases[schema.domain, schema.name]:
            trial.add(schema, attribute, case)
    wrong, shown = set(), set()
    for trial in trials.values():
        for key, isFolded, isEqual, isSensitive in trial.fold(folder) if trial.asked else ():
            if isFolded and not isEqual:
                wrong.add(key)
            if isFolded and isEqual and isSensitive:
                shown.add(key)
    assert not wrong, f"other results without the attribute than with its default: {sorted(wrong)}"
    missing = {name for name, version in expected - shown}
    assert missing == UNSHOWN, f"not shown any more: {missing - UNSHOWN}; shown now: {UNSHOWN - missing}"
    assert len(shown) > 450, f"only {len(shown)} of {len(expected)} defaults are shown"
