# SPDX-License-Identifier: Apache-2.0
"""The folders of ONNX's backend tests: a model, its inputs and what comes out. Where they lie: tools/make_test_data.py.

No initializer can hold a sequence or an optional. As an input they become nodes on constants (SequenceConstruct,
SequenceEmpty, Optional); as an output they are opened, so that every graph output is a tensor (SequenceLength and SequenceAt,
OptionalHasElement and OptionalGetElement).
"""

import re
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

import onnxfold_testing as t

SUITES = ("node", "simple", "pytorch-operator", "pytorch-converted")
NEWEST = "1.22.0"  # the newest wheel with stored data; what onnx 1.23.2 adds or changes is one of t.TEST_RELEASES

# Answers of older releases that later ones corrected, for an operator of another version: (names, what was corrected).
# Corrected answers for the same version are left out when the data are made.
CORRECTED = (
    (r"1\.18\.0/test_cast_FLOAT(16)?_to_(FLOAT4E2M1|INT4|UINT4)", "1.19: integers wrap, NaN is -0 in FLOAT4E2M1"),
    (r"1\.1[258]\.0/test_cast(like)?_FLOAT_to_BFLOAT16(_expanded)?", "1.19: rounded, not cut off"),
    (r"1\.18\.0/test_attention_[34]d_.*qk_matmul_(bias|softcap)", "1.22: qk_matmul_output_mode 1 and 2 were exchanged"),
    (r"1\.15\.0/test_averagepool_3d_dilations_large_count_include_pad_is_1_ceil_mode_is_True", "1.18: ceil_mode"),
    (
        r"1\.6\.0/test_resize_upsample_sizes_nearest_(ceil_half_pixel|floor_align_corners|round_prefer_ceil_asymmetric)",
        "1.7: the model lacked nearest_mode",
    ),
    (r"1\.9\.0/test_convtranspose_autopad_same", "1.10: SAME_UPPER and SAME_LOWER were exchanged in the formula"),
)


class Unreadable(Exception):
    """A folder that cannot be made into a model of constants; the text says why."""


class Folder:
    """`name` is unique: <folder> in the node suite of NEWEST, <suite>/<folder> in its others, else with the release first."""

    def __init__(self, path, release):
        self.path, self.release, self.suite = path, release, path.parent.name
        parts = [] if release == NEWEST else [release]
        parts += [] if self.suite == "node" else [self.suite]
        self.name = "/".join([*parts, path.name])

    def model(self):
        return onnx.load(self.path / "model.onnx")


def allFolders():
    """Every folder that counts, the newest release first: each question is there once, with its newest answer."""
    dropped = t.TEST_RELEASES / "superseded.txt"
    superseded = set(dropped.read_text().split()) if dropped.exists() else set()
    roots = [(NEWEST, t.TEST_DATA)]
    others = [path for path in t.TEST_RELEASES.iterdir() if path.is_dir()] if t.TEST_RELEASES.is_dir() else []
    roots += [(path.name, path) for path in sorted(others, key=lambda path: [int(n) for n in path.name.split(".")])][::-1]
    for release, root in roots:
        for suite in SUITES:
            for path in sorted((root / suite).glob("*")):
                folder = Folder(path, release)
                repeated = release == NEWEST and f"{suite}/{path.name}" in superseded
                corrected = any(re.fullmatch(names, folder.name) for names, _ in CORRECTED)
                if (path / "model.onnx").exists() and not repeated and not corrected:
                    yield folder


MESSAGES = {
    "tensor_type": onnx.TensorProto,
    "sequence_type": onnx.SequenceProto,
    "optional_type": onnx.OptionalProto,
}


def readValues(folder, prefix, infos):
    """The stored messages of the inputs or outputs `infos`; None for those without a file (initializers have none)."""
    values = []
    for index, info in enumerate(infos):
        path = folder.path / "test_data_set_0" / f"{prefix}_{index}.pb"
        kind = info.type.WhichOneof("value")
        if kind not in MESSAGES:
            raise Unreadable(f"'{info.name}' is a {kind.removesuffix('_type')}")
        if not path.exists():
            values.append(None)
            continue
        values.append(MESSAGES[kind]())
        values[-1].ParseFromString(path.read_bytes())
        # Up to 1.18 the bits of bfloat16 were stored as uint16.
        declared = info.type.tensor_type.elem_type
        if declared == onnx.TensorProto.BFLOAT16 and values[-1].data_type == onnx.TensorProto.UINT16:
            values[-1].data_type = declared
    return values


# ---- inputs ------------------------------------------------------------------------------------------------------------


class Constants:
    """Values that become constants of one model, as initializers or as Constant nodes (`form`)."""

    def __init__(self, form):
        self.asNodes, self.nodes, self.initializers = form == "constants", [], []

    def add(self, name, message, kind):
        """A tensor, or a sequence or an optional of constants, under a name; `kind` is its TypeProto."""
        which = kind.WhichOneof("value")
        if which == "tensor_type":
            self._addTensor(name, message)
        elif which == "sequence_type":
            self._addSequence(name, message, kind.sequence_type.elem_type)
        else:
            self._addOptional(name, message, kind.optional_type.elem_type)

    def _addTensor(self, name, tensor):
        constant = onnx.TensorProto()
        constant.CopyFrom(tensor)
        constant.name = name
        if self.asNodes:
            self.nodes.append(helper.make_node("Constant", [], [name], value=constant))
        else:
            self.initializers.append(constant)

    def _addSequence(self, name, sequence, element):
        if element.WhichOneof("value") != "tensor_type":
            raise Unreadable(f"'{name}' is a sequence of sequences or maps")
        names = [f"{name}.{index}" for index in range(len(sequence.tensor_values))]
        for part, tensor in zip(names, sequence.tensor_values):
            self._addTensor(part, tensor)
        if names:
            self.nodes.append(helper.make_node("SequenceConstruct", names, [name]))
        else:
            self.nodes.append(helper.make_node("SequenceEmpty", [], [name], dtype=element.tensor_type.elem_type))

    def _addOptional(self, name, optional, element):
        given = element.WhichOneof("value").replace("type", "value")
        if optional.HasField(given):
            self.add(f"{name}.value", getattr(optional, given), element)
            self.nodes.append(helper.make_node("Optional", [f"{name}.value"], [name]))
        else:
            self.nodes.append(helper.make_node("Optional", [], [name], type=element))


def withConstants(model, values, dynamic=(), form="initializers"):
    """A copy of the model with its inputs, but for the `dynamic` ones, turned into constants. Inputs that have an initializer
    are constants already (`values` has None for them)."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    constants = Constants(form)
    there = {tensor.name for tensor in model.graph.initializer}
    replaced = set()
    for index, (info, value) in enumerate(zip(model.graph.input, values)):
        if index in dynamic:
            continue
        if info.name not in there:
            if value is None:
                raise Unreadable(f"no data for the input '{info.name}'")
            constants.add(info.name, value, info.type)
        # At IR 3 an initializer must also be an input, from IR 4 on it must not: a caller could replace it.
        if form == "initializers" or form == "constants" and (info.name not in there or model.ir_version >= 4):
            replaced.add(info.name)
    del made.graph.input[:]
    made.graph.input.extend(info for info in model.graph.input if info.name not in replaced)
    made.graph.initializer.extend(constants.initializers)
    nodes = constants.nodes + list(made.graph.node)
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    if form != "constants":  # from IR 4 on an initializer need not be an input, and one that is is a default value
        made.ir_version = max(made.ir_version, 4)
    return made


# ---- outputs -----------------------------------------------------------------------------------------------------------


class Opened:
    """A model whose outputs are tensors only, and what they must be."""

    def __init__(self, model, expected):
        self.model, self.expected = onnx.ModelProto(), []
        self.model.CopyFrom(model)
        del self.model.graph.output[:]
        for info, message in zip(model.graph.output, expected):
            self._open(info.name, message, info.type, info)

    def _open(self, name, message, kind, info=None):
        which = kind.WhichOneof("value")
        if which == "tensor_type":
            if info is None:
                info = helper.make_tensor_value_info(name, message.data_type, message.dims)
            self.model.graph.output.append(info)
            self.expected.append(message)
        elif which == "sequence_type":
            self._openSequence(name, message, kind.sequence_type.elem_type)
        else:
            self._openOptional(name, message, kind.optional_type.elem_type)

    def _node(self, operator, inputs, output):
        self.model.graph.node.append(helper.make_node(operator, inputs, [output]))
        return output

    def _openSequence(self, name, sequence, element):
        if element.WhichOneof("value") != "tensor_type":
            raise Unreadable(f"'{name}' is a sequence of sequences or maps")
        length = self._node("SequenceLength", [name], f"{name}.length")
        self._scalar(length, np.array(len(sequence.tensor_values)))
        for index, tensor in enumerate(sequence.tensor_values):
            position = numpy_helper.from_array(np.array(index), f"{name}.position{index}")
            self.model.graph.node.append(helper.make_node("Constant", [], [position.name], value=position))
            self._open(self._node("SequenceAt", [name, position.name], f"{name}.{index}"), tensor, element)

    def _openOptional(self, name, optional, element):
        given = element.WhichOneof("value").replace("type", "value")
        there = optional.HasField(given)
        self._scalar(self._node("OptionalHasElement", [name], f"{name}.there"), np.array(there))
        if there:
            inner = self._node("OptionalGetElement", [name], f"{name}.value")
            self._open(inner, getattr(optional, given), element)

    def _scalar(self, name, value):
        self._open(name, numpy_helper.from_array(value, name), helper.make_tensor_type_proto(1, []))
