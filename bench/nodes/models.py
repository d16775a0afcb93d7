# SPDX-License-Identifier: Apache-2.0
"""Large models as exporters write them: graphs that are kept in this folder, and weights that are made from seeds.

graphs/NAME.onnx.xz is a model whose weights have no content; the text of each tensor says what to fill in. graphs/inputs.json says
which random inputs a model takes, like tests/models/data/inputs.json. export.py made both.
"""

import hashlib
import json
import lzma
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

GRAPHS = Path(__file__).resolve().parent / "graphs"
INPUTS = GRAPHS / "inputs.json"
NAMES = sorted(path.name.removesuffix(".onnx.xz") for path in GRAPHS.glob("*.onnx.xz"))
MARK = "random"


def tensors(graph):
    """Every tensor of a graph and its bodies that holds a constant."""
    yield from graph.initializer
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            if attribute.HasField("g"):
                yield from tensors(attribute.g)


def make(name, path):
    """Writes the model and returns what inputs it takes."""
    model = onnx.load_from_string(lzma.decompress((GRAPHS / f"{name}.onnx.xz").read_bytes()))
    for tensor in tensors(model.graph):
        if tensor.doc_string.startswith(MARK):
            fill(tensor)
    onnx.save(model, path)
    return json.loads(INPUTS.read_text())[name]


def fill(tensor):
    """From "random SEED CENTRE SPREAD [positive]": equal weights had equal seeds, so shared ones are equal again."""
    _, seed, centre, spread, *positive = tensor.doc_string.split()
    kind = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
    values = np.random.default_rng(int(seed)).normal(float(centre), float(spread), tuple(tensor.dims))
    if kind.kind in "iu":
        values = np.clip(np.rint(values), np.iinfo(kind).min, np.iinfo(kind).max)
    tensor.raw_data = (np.abs(values) if positive else values).astype(kind).tobytes()
    tensor.doc_string = ""


def put(name, model):
    """The other way round, for export.py: takes out weights and traces of the exporting machine; returns the stored size."""
    for tensor in tensors(model.graph):
        strip(tensor)
    untrace(model.graph)
    data = lzma.compress(model.SerializeToString(deterministic=True), preset=9 | lzma.PRESET_EXTREME)
    (GRAPHS / f"{name}.onnx.xz").write_bytes(data)
    return len(data)


def strip(tensor):
    """Only what looks random: masks, ranges, scales and indices mean something and are kept."""
    values = numpy_helper.to_array(tensor)
    quantised = tensor.data_type in (onnx.TensorProto.INT8, onnx.TensorProto.UINT8)
    if values.size < 32 or not (quantised or values.dtype.kind == "f"):
        return
    # In 16 bits many are equal.
    if len(np.unique(values)) < (8 if quantised else min(values.size / 2, 256)) or not np.all(np.isfinite(values)):
        return
    seed = int.from_bytes(hashlib.sha256(values.tobytes()).digest()[:4])
    wide = values.astype(np.float64)
    positive = " positive" if wide.min() > 0 else ""
    for field in ("raw_data", "float_data", "int32_data", "double_data"):
        tensor.ClearField(field)
    tensor.doc_string = f"{MARK} {seed} {wide.mean():.4g} {wide.std():.4g}{positive}"


def untrace(graph):
    for node in graph.node:
        kept = [entry for entry in node.metadata_props if "trace" not in entry.key]
        del node.metadata_props[:]
        node.metadata_props.extend(kept)
        node.doc_string = ""
        for attribute in node.attribute:
            if attribute.HasField("g"):
                untrace(attribute.g)
