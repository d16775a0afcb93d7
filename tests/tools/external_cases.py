# SPDX-License-Identifier: Apache-2.0
"""What the tests of external data share: tensors that refer to files, and what a data file of the tool must look like."""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t

ALIGNMENT, SMALLEST = 65536, 1024
SIDE = 40
WEIGHT = np.random.default_rng(1).standard_normal((SIDE, SIDE)).astype(np.float32)


def external(name, location, value=None, offset=0, kind=TensorProto.FLOAT, dims=None):
    """A TensorProto that refers to `location`; the caller writes the file."""
    tensor = TensorProto(name=name, data_type=kind, data_location=TensorProto.EXTERNAL)
    tensor.dims.extend(value.shape if dims is None else dims)
    length = value.nbytes if dims is None else int(np.prod(dims)) * 4
    for key, entry in (("location", location), ("offset", offset), ("length", length)):
        pair = tensor.external_data.add()
        pair.key, pair.value = key, str(entry)
    return tensor


def entries(tensor):
    return {entry.key: entry.value for entry in tensor.external_data}


def allTensors(model):
    """Initializers of all graphs and values of Constant nodes, those of functions included."""
    graphs = list(t.allGraphs(model.graph))
    for graph in graphs:
        yield from graph.initializer
    for nodes in [graph.node for graph in graphs] + [function.node for function in model.functions]:
        for one in nodes:
            for attribute in one.attribute:
                if attribute.HasField("t"):
                    yield attribute.t


def isExternal(tensor):
    return tensor.data_location == TensorProto.EXTERNAL


def expectOneFile(path, location):
    """All large tensors of the model are in `location`, aligned, without overlap, and no small one is."""
    bare = onnx.load(path, load_external_data=False)
    full = onnx.load(path)
    used = set()
    for tensor, loaded in zip(allTensors(bare), allTensors(full)):
        size = numpy_helper.to_array(loaded).nbytes if loaded.data_type != TensorProto.STRING else 0
        assert isExternal(tensor) == (size >= SMALLEST), f"{tensor.name} of {size} bytes is external"
        if not isExternal(tensor):
            continue
        told = entries(tensor)
        assert told["location"] == location, f"location of {tensor.name}"
        assert int(told["offset"]) % ALIGNMENT == 0, f"offset of {tensor.name} modulo 64 KiB"
        assert int(told["length"]) == size, f"length of {tensor.name}"
        assert set(told) == {"location", "offset", "length"}, f"entries of {tensor.name}"
        used.add((int(told["offset"]), size))
    ends = sorted(used)
    for (begin, size), (following, _) in zip(ends, ends[1:]):
        assert begin + size <= following, f"ranges overlap: {ends}"
    assert (Path(path).parent / location).stat().st_size == (sum(ends[-1]) if ends else 0), "size of the data file"
    return full


def expectSameResults(left, right, source):
    for got, want in zip(compare.outputs(left, [m.ones(source)]), compare.outputs(right, [m.ones(source)])):
        compare.expectAgreement(got, want, f"{Path(left).name} and {Path(right).name}")
