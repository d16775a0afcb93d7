# SPDX-License-Identifier: Apache-2.0
"""Models for test_round_trip.py that the ONNX library can write: between them they carry everything that a model may carry."""

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper

import onnxfold_models
from onnxfold_models import model as modelOf

BUILDERS = {}


def builder(function):
    BUILDERS[function.__name__] = function
    return function


def info(name, elementType=TensorProto.FLOAT, shape=(2, 3)):
    return onnxfold_models.info(name, shape, elementType)


def properties(target, *keys):
    for key in keys:
        entry = target.metadata_props.add()
        entry.key, entry.value = key, f"value of {key}"


@builder
def every_attribute_kind(_):
    """A node of a custom domain with an attribute of each type, with documentation, and one that refers to nothing."""
    tensor = numpy_helper.from_array(np.arange(3, dtype=np.int8), "t")
    sparse = helper.make_sparse_tensor(
        helper.make_tensor("v", TensorProto.FLOAT, [1], [2.5]),
        helper.make_tensor("i", TensorProto.INT64, [1], [3]),
        [7],
    )
    body = helper.make_graph([helper.make_node("Relu", ["x"], ["inner"])], "body", [], [info("inner")])
    kind = helper.make_tensor_type_proto(TensorProto.FLOAT, ["N", 3])
    node = helper.make_node(
        "Everything",
        ["x", "", "x"],
        ["y", ""],
        name="all",
        domain="com.example",
        f=0.0,
        i=0,
        s="",
        t=tensor,
        g=body,
        sparse_tensor=sparse,
        tp=kind,
        floats=[0.0, -0.0, float("nan")],
        ints=[0, -1, 2**62],
        strings=["", "b\u00e4"],
        tensors=[tensor, tensor],
        graphs=[body, body],
        sparse_tensors=[sparse],
        type_protos=[kind, kind],
    )
    for name, value in (
        ("empty_ints", AttributeProto.INTS),
        ("empty_strings", AttributeProto.STRINGS),
        ("empty_graphs", AttributeProto.GRAPHS),
    ):
        attribute = node.attribute.add()
        attribute.name, attribute.type, attribute.doc_string = name, value, "documented"
    node.doc_string, node.overload = "a node\nof two lines", "variant"
    properties(node, "a", "b")
    return modelOf([node], [info("x")], [info("y")], domains=[("com.example", 3)])


@builder
def every_element_type(_):
    """One initializer of each element type in raw form, one in its typed field, one that is empty, all read by a node."""
    initializers, names = [], []
    for value in sorted(TensorProto.DataType.values()):
        if value in (TensorProto.UNDEFINED, TensorProto.STRING):
            continue
        kind = TensorProto.DataType.Name(value).lower()
        plain = helper.make_tensor(f"{kind}_typed", value, [3], [1, 0, 1])
        raw = TensorProto(name=f"{kind}_raw", data_type=value, dims=[3])
        packed = {"uint4": 2, "int4": 2, "float4e2m1": 2, "uint2": 1, "int2": 1}.get(kind)
        if kind.startswith("float6"):  # four elements in three bytes, the rest of the bits must be 0
            raw.raw_data = b"\1\0\0"
        else:
            raw.raw_data = bytes([1] * packed) if packed else numpy_helper.to_array(plain).tobytes()
        empty = helper.make_tensor(f"{kind}_empty", value, [0, 4], [])
        initializers += [plain, raw, empty]
    initializers.append(helper.make_tensor("string_typed", TensorProto.STRING, [2, 2], ["", "a", "\u4e2d", "\0b"]))
    initializers.append(helper.make_tensor("string_empty", TensorProto.STRING, [0], []))
    initializers.append(helper.make_tensor("scalar", TensorProto.INT64, [], [-1]))
    names = [tensor.name for tensor in initializers]
    node = helper.make_node("Use", names + ["x"], ["y"], domain="com.example")
    return modelOf([node], [info("x")], [info("y")], initializers, ir=13, opset=25, domains=[("com.example", 1)])


@builder
def strings_and_identity(_):
    words = helper.make_tensor("words", TensorProto.STRING, [3], ["one", "", "three \u00fc"])
    nodes = [
        helper.make_node("Identity", ["words"], ["y"]),
        helper.make_node("Constant", [], ["z"], value_strings=["a", ""]),
    ]
    return modelOf(nodes, [], [info("y", TensorProto.STRING, (3,)), info("z", TensorProto.STRING, (2,))], [words])


@builder
def every_constant_form(_):
    sparse = helper.make_sparse_tensor(
        helper.make_tensor("v", TensorProto.FLOAT, [1], [2.5]),
        helper.make_tensor("i", TensorProto.INT64, [1], [3]),
        [7],
    )
    forms = {
        "value": numpy_helper.from_array(np.ones((2, 2), np.float16)),
        "sparse_value": sparse,
        "value_float": 1.5,
        "value_floats": [1.0, 2.0],
        "value_int": 3,
        "value_ints": [4, 5],
        "value_string": "s",
        "value_strings": ["t"],
    }
    nodes = [helper.make_node("Constant", [], [key], **{key: value}) for key, value in forms.items()]
    nodes.append(helper.make_node("Use", list(forms) + ["x"], ["y"], domain="com.example"))
    return modelOf(nodes, [info("x")], [info("y")], domains=[("com.example", 1)])


@builder
def sparse_initializers(_):
    model = modelOf([helper.make_node("Add", ["x", "s"], ["y"])], [info("x", shape=(2, 3))], [info("y")])
    model.graph.sparse_initializer.append(
        helper.make_sparse_tensor(
            helper.make_tensor("s", TensorProto.FLOAT, [2], [1, 2]),
            helper.make_tensor("", TensorProto.INT64, [2, 2], [0, 1, 1, 2]),
            [2, 3],
        )
    )
    model.graph.sparse_initializer.append(
        helper.make_sparse_tensor(
            helper.make_tensor("unused", TensorProto.FLOAT, [0], []),
            helper.make_tensor("", TensorProto.INT64, [0], []),
            [4],
        )
    )
    return model


@builder
def functions(_):
    """Functions with attributes that refer to parameters, defaults, value_info, overloads, and one that nobody calls."""
    scaled = helper.make_node("Constant", [], ["factor"])
    scaled.attribute.append(helper.make_attribute_ref("value_float", AttributeProto.FLOAT))
    scaled.attribute[0].ref_attr_name = "alpha"
    body = [
        scaled,
        helper.make_node("Constant", [], ["two"], value_float=2.0),
        helper.make_node("Mul", ["two", "two"], ["four"]),
        helper.make_node("Mul", ["a", "factor"], ["m"]),
        helper.make_node("Add", ["m", "four"], ["b"]),
    ]
    imports = [helper.make_opsetid("", 21)]
    called = helper.make_function(
        "com.example", "Scale", ["a"], ["b"], body, imports, [], [helper.make_attribute("alpha", 0.5)]
    )
    unused = helper.make_function(
        "com.example", "Scale", ["a"], ["b"], [helper.make_node("Neg", ["a"], ["b"])], imports
    )
    unused.overload, unused.doc_string = "other", "never called"
    unused.value_info.append(info("b"))
    properties(unused, "f")
    node = helper.make_node("Scale", ["x"], ["y"], domain="com.example", alpha=3.0)
    return modelOf([node], [info("x")], [info("y")], domains=[("com.example", 1)], functions=[called, unused])


@builder
def training_information(_):
    model = modelOf(
        [helper.make_node("Mul", ["x", "w"], ["y"])],
        [info("x")],
        [info("y")],
        [numpy_helper.from_array(np.ones((2, 3), np.float32), "w")],
    )
    training = helper.make_graph([helper.make_node("Sub", ["w", "y"], ["new_w"])], "step", [], [info("new_w")])
    start = helper.make_graph([helper.make_node("RandomNormal", [], ["w0"], shape=[2, 3])], "init", [], [info("w0")])
    model.training_info.append(helper.make_training_info(training, [("w", "new_w")], start, [("w", "w0")]))
    model.training_info.append(helper.make_training_info(training, [], None, None))
    return model


@builder
def subgraphs(_):
    """If in Loop, both reading constants of the main graph, and a Scan."""
    then = helper.make_graph([helper.make_node("Mul", ["state", "w"], ["t"])], "then", [], [info("t")])
    other = helper.make_graph([helper.make_node("Add", ["w", "w"], ["e"])], "else", [], [info("e")])
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go"], ["again"]),
            helper.make_node("If", ["go"], ["next"], then_branch=then, else_branch=other),
        ],
        "body",
        [info("i", TensorProto.INT64, ()), info("go", TensorProto.BOOL, ()), info("state")],
        [info("again", TensorProto.BOOL, ()), info("next")],
    )
    scan = helper.make_graph(
        [helper.make_node("Add", ["row", "sum"], ["total"]), helper.make_node("Identity", ["total"], ["each"])],
        "scan",
        [info("sum", shape=(3,)), info("row", shape=(3,))],
        [info("total", shape=(3,)), info("each", shape=(3,))],
    )
    nodes = [
        helper.make_node("Loop", ["n", "yes", "x"], ["l"], body=body),
        helper.make_node("Scan", ["zero", "l"], ["last", "all"], body=scan, num_scan_inputs=1),
    ]
    return modelOf(
        nodes,
        [info("x"), info("n", TensorProto.INT64, ())],
        [info("last", shape=(3,)), info("all")],
        [
            numpy_helper.from_array(np.full((2, 3), 2, np.float32), "w"),
            numpy_helper.from_array(np.array(True), "yes"),
            numpy_helper.from_array(np.zeros(3, np.float32), "zero"),
        ],
    )


@builder
def annotations_and_metadata(_):
    """Quantisation annotations, metadata at every level, denotations, documentation, and multi-device configuration."""
    weight = numpy_helper.from_array(np.ones((2, 3), np.float32), "w")
    scale = numpy_helper.from_array(np.float32(0.1), "w_scale")
    properties(weight, "tensor")
    node = helper.make_node("Add", ["x", "w"], ["h"], name="add")
    properties(node, "node", "another")
    value = info("x", shape=("batch", None))
    properties(value, "value")
    value.doc_string, value.type.denotation = "the input", "IMAGE"
    value.type.tensor_type.shape.dim[0].denotation = "DATA_BATCH"
    model = modelOf(
        [node, helper.make_node("Relu", ["h"], ["y"])],
        [value],
        [info("y", shape=("batch", 3))],
        [weight, scale],
        ir=11,
        producer_name="tests",
        producer_version="1",
        doc_string="a model",
    )
    model.domain, model.model_version = "com.example", 7
    model.graph.value_info.append(info("h", shape=("batch", 3)))
    model.graph.value_info.append(info("names_no_value"))
    model.graph.doc_string = "a graph"
    properties(model, "model", "onnx-fold-like")
    properties(model.graph, "graph")
    for name, entry in (("w", "w_scale"), ("h", "w_scale")):
        annotation = model.graph.quantization_annotation.add()
        annotation.tensor_name = name
        pair = annotation.quant_parameter_tensor_names.add()
        pair.key, pair.value = "SCALE_TENSOR", entry
    device = model.configuration.add()
    device.name, device.num_devices = "two", 2
    device.device.extend(["left", "right"])
    use = model.graph.node[0].device_configurations.add()
    use.configuration_id = "two"
    sharding = use.sharding_spec.add()
    sharding.tensor_name = "w"
    sharding.device.extend([0, 1])
    return model


@builder
def value_types_beyond_tensors(_):
    """Sequences, optionals, maps, sparse tensors and unknown ranks as graph inputs and value_info."""
    tensor = helper.make_tensor_type_proto(TensorProto.FLOAT, None)
    mapType = onnx.TypeProto()
    mapType.map_type.key_type = TensorProto.STRING
    mapType.map_type.value_type.CopyFrom(tensor)
    opaque = onnx.TypeProto()
    opaque.opaque_type.domain, opaque.opaque_type.name = "com.example", "Thing"
    kinds = {
        "seq": helper.make_sequence_type_proto(tensor),
        "opt": helper.make_optional_type_proto(tensor),
        "map": mapType,
        "sparse": helper.make_sparse_tensor_type_proto(TensorProto.FLOAT, [None, "n"]),
        "opaque": opaque,
    }
    inputs = [helper.make_value_info(name, kind) for name, kind in kinds.items()]
    node = helper.make_node("Use", list(kinds), ["y"], domain="com.example")
    model = modelOf([node], inputs, [info("y")], domains=[("com.example", 1)])
    model.graph.value_info.append(onnx.ValueInfoProto(name="nothing"))
    model.graph.value_info.append(helper.make_value_info("any", onnx.TypeProto()))
    return model


@builder
def external_data(folder):
    """Two tensors in one file with an odd offset and a gap, one in a folder below, one empty, one with extra keys."""
    (folder / "below").mkdir()
    (folder / "weights.bin").write_bytes(
        b"#" + np.arange(6, dtype=np.float32).tobytes() + b"gap" + np.ones(6, np.float32).tobytes()
    )
    (folder / "below/more.bin").write_bytes(np.full(6, 2, np.float32).tobytes())
    places = {
        "a": ("weights.bin", 1, 24),
        "b": ("weights.bin", 28, 24),
        "c": ("below/more.bin", None, None),
        "d": ("weights.bin", 0, 0),
    }
    initializers = []
    for name, (location, offset, length) in places.items():
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL)
        tensor.dims.extend([0] if name == "d" else [2, 3])
        keys = {"location": location, "offset": offset, "length": length, "checksum": "0" * 40 if name == "b" else None}
        for key, value in keys.items():
            if value is not None:
                entry = tensor.external_data.add()
                entry.key, entry.value = key, str(value)
        initializers.append(tensor)
    nodes = [helper.make_node("Sum", ["x", "a", "b", "c"], ["y"]), helper.make_node("Size", ["d"], ["n"])]
    return modelOf(nodes, [info("x")], [info("y"), info("n", TensorProto.INT64, ())], initializers)


@builder
def overridable_and_unused(_):
    """An initializer that is also an input, one that nobody reads, one that is an output, and an empty list of nodes' names."""
    initializers = [numpy_helper.from_array(np.ones((2, 3), np.float32), name) for name in ("given", "unused", "out")]
    return modelOf(
        [helper.make_node("Add", ["given", "given"], ["y"])], [info("given")], [info("y"), info("out")], initializers
    )


@builder
def graph_without_nodes(_):
    return modelOf([], [info("x")], [info("x")])


def irVersion(ir):
    opset = {3: 8, 4: 9, 5: 10, 6: 11, 7: 14, 8: 18, 9: 20, 10: 22, 11: 23, 12: 24, 13: 25}[ir]
    weight = numpy_helper.from_array(np.ones((2, 3), np.float32), "w")
    inputs = [info("x")] + ([info("w")] if ir == 3 else [])
    return modelOf(
        [helper.make_node("Add", ["w", "w"], ["v"]), helper.make_node("Add", ["x", "v"], ["y"])],
        inputs,
        [info("y")],
        [weight],
        opset=opset,
        ir=ir,
    )


def models():
    return {**BUILDERS, **{f"ir_{ir}": lambda _, ir=ir: irVersion(ir) for ir in range(3, 14)}}


def modelsWithAdd():
    """The same models with an Add of two constants; test_round_trip.py says what for."""

    def extended(build):
        def extend(folder):
            model = build(folder)
            one = numpy_helper.from_array(np.ones((2, 3), np.float32), "onnxfold_round_trip_one")
            # A graph output, so that it is kept whatever is cleaned up.
            model.graph.initializer.append(one)
            model.graph.node.append(
                helper.make_node(
                    "Add", [one.name, one.name], ["onnxfold_round_trip_sum"], name="onnxfold_round_trip_add"
                )
            )
            model.graph.output.append(info("onnxfold_round_trip_sum"))
            return model

        return extend

    skipped = {"graph_without_nodes"}  # the graph output there is the input itself
    return {name: extended(build) for name, build in BUILDERS.items() if name not in skipped}
