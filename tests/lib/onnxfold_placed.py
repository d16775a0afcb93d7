# SPDX-License-Identifier: Apache-2.0
"""Models whose nodes have device configurations, texts and annotations, for tests of what refers to values by name."""

import numpy as np
import onnx
from onnx import TensorProto, helper

import onnxfold_models as m
import onnxfold_references as r
import onnxfold_testing as t
from onnxfold_models import const, info, node

W = const("w", np.arange(12).reshape(3, 4) / 7, np.float32)
B = const("b", [1, 2, 3, 4], np.float32)
X, Y = info("x", ("n", 3)), info("y", ("n", 4))
SAME_Y = info("y", ("n", 3))


def spec(name, number, dimension=None):
    """How `name` is sharded; `number` tells which spec it is."""
    one = onnx.ShardingSpecProto(tensor_name=name, device=[number, 99])
    one.index_to_device_group_map.add(key=number, value=[0, 1])
    if dimension:
        one.sharded_dim.add(axis=0).simple_sharding.add(dim_param=dimension, num_shards=2)
    return one


def placed(made, *specs, stage=0, configuration="c"):
    """The node with a device configuration."""
    made.device_configurations.add(configuration_id=configuration, sharding_spec=specs, pipeline_stage=stage)
    return made


def told(made, doc=None, **metadata):
    """The node with texts."""
    if doc is not None:
        made.doc_string = doc
    helper.set_metadata_props(made, metadata)
    return made


def model(nodes, outputs=(Y,), inputs=(X,), constants=(W, B), annotations=(), opset=21, ir=11, **more):
    result = m.model(nodes, inputs, outputs, constants, opset=opset, ir=ir, **more)
    for name in "cd":
        result.configuration.add(name=name, num_devices=2)
    for name, parameters in annotations:
        result.graph.quantization_annotation.append(annotation(name, **parameters))
    return result


def annotation(name, **parameters):
    return onnx.TensorAnnotation(
        tensor_name=name,
        quant_parameter_tensor_names=[onnx.StringStringEntryProto(key=key, value=value) for key, value in parameters.items()],
    )


def folded(folder, source, *flags, **more):
    out = m.folded(folder, source, *flags, **more)
    r.expectReferences(out)
    return out


def warnings(folder, source, *flags):
    onnx.save(source, folder / "told.onnx")
    return t.runOk(folder / "told.onnx", "-o", folder / "told-out.onnx", *flags).err


def metadata(made):
    return {entry.key: entry.value for entry in made.metadata_props}


def stages(made):
    return [one.pipeline_stage for one in made.device_configurations]


def loop(inner, carried="a", state="s", annotations=()):
    """x, three times through the nodes `inner`, which make `carried` of `state`."""
    flag = TensorProto.BOOL
    inputs = [info("i", (), TensorProto.INT64), info("go", (), flag), info(state, None)]
    body = m.graph([*inner, node("Identity", ["go"], ["on"])], inputs, [info("on", (), flag), info(carried, None)], name="body")
    body.quantization_annotation.extend(annotations)
    return node("Loop", ["three", "", "x"], ["l"], "loop", body=body)


THREE = const("three", 3, np.int64)
