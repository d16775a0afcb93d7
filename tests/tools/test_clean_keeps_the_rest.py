# SPDX-License-Identifier: Apache-2.0
"""--strip, --sort, --prune, --inputs-without-initializers and --shapes change what they name and no other field: the change is made again
with the onnx package, and the messages are compared. ONNX Runtime loads the result and computes the same values (the same bits, unless weights become constants), and a second run
writes the same bytes. Short form: every 101st node test of ONNX and three models; --long: every 5th and all models."""

import copy

import numpy as np
import onnx
import onnxfold_compare as compare
import onnxfold_models as m
import onnxfold_testing as t
import pytest
import test_toolkit_pairs as pairs

CONTENT = ("-O0", "--skip=*")


def without(field, wanted=lambda one: True):
    """Clears the field in all messages that have it."""

    def change(model):
        for one in [one for one in m.everyMessage(model) if field in one.DESCRIPTOR.fields_by_name and wanted(one)]:
            one.ClearField(field)

    return change


def isNode(message):
    return message.DESCRIPTOR.name == "NodeProto"


def keepOnly(messages, isKept):
    kept = [copy.deepcopy(one) for one in messages if isKept(one)]
    del messages[:]
    messages.extend(kept)


def withoutTraces(model):
    for one in [one for one in m.everyMessage(model) if "metadata_props" in one.DESCRIPTOR.fields_by_name]:
        keepOnly(one.metadata_props, lambda entry: "stack_trace" not in entry.key)


def withoutWeights(model):
    names = {one.name for one in model.graph.initializer} | {one.values.name for one in model.graph.sparse_initializer}
    keepOnly(model.graph.input, lambda one: one.name not in names)


def inOneOrder(model):
    """Nodes by their bytes: what is compared is which there are."""
    for one in [one for one in m.everyMessage(model) if "node" in one.DESCRIPTOR.fields_by_name]:
        nodes = sorted((copy.deepcopy(node) for node in one.node), key=lambda node: node.SerializeToString(deterministic=True))
        del one.node[:]
        one.node.extend(nodes)


def withoutParts(model):
    """What --prune may leave out."""
    del model.opset_import[:], model.functions[:]
    for one in [one for one in m.everyMessage(model) if one.DESCRIPTOR.name == "GraphProto"]:
        read = {name for node in one.node for name in node.input} | {value.name for value in one.output}
        keepOnly(one.initializer, lambda each: each.name in read)


def withoutShapes(model):
    without("value_info")(model)
    for value in [*model.graph.input, *model.graph.output]:
        value.ClearField("type")


# Flag: what it does to the original; and what is done to both before they are compared, where it chooses.
CHANGES = {
    "--strip=docs": (without("doc_string"), None),
    "--strip=metadata": (without("metadata_props"), None),
    "--strip=names": (without("name", isNode), None),
    "--strip=types": (without("value_info"), None),
    "--strip=stack-traces": (withoutTraces, None),
    "--inputs-without-initializers": (withoutWeights, None),
    "--sort": (None, inOneOrder),
    "--prune": (None, withoutParts),
    "--shapes": (None, withoutShapes),
}


def expectRest(folder, source, feeds, flag):
    what = f"{source.name} {flag}"
    change, choice = CHANGES[flag]
    more = ["--ir-version=4"] if flag == "--inputs-without-initializers" and onnx.load(source).ir_version < 4 else []
    plain = onnx.load(t.fold(source, folder / "plain.onnx", *CONTENT, *more))
    out = t.fold(source, folder / "out.onnx", *CONTENT, *more, flag)
    t.expectSameBytes(t.fold(out, folder / "again.onnx", *CONTENT, *more, flag), out, f"{what}: a second run")
    result, wanted = onnx.load(out), copy.deepcopy(plain)
    for one in (result, wanted):
        if choice:
            choice(one)
    if change:
        change(wanted)
    assert result == wanted, f"{what}: another field is changed"
    for got, want in zip(compare.outputs(out, feeds), compare.outputs(source, feeds), strict=True):
        if flag == "--inputs-without-initializers":  # the runtime fuses constants only, so bits may differ
            compare.expectAgreement(got, want, what)
            continue
        assert got.keys() == want.keys()
        assert all(np.array_equal(compare.bitPattern(got[name]), compare.bitPattern(want[name])) for name in want), what


def annotated(model):
    """Texts everywhere, and a weight that is an input."""
    for i, one in enumerate([one for one in m.everyMessage(model) if "metadata_props" in one.DESCRIPTOR.fields_by_name]):
        one.metadata_props.add(key=["pkg.torch.onnx.stack_trace", "namespace"][i % 2], value=f"text {i}")
        one.doc_string = f"doc {i}"
    if model.graph.initializer and model.graph.initializer[0].name not in {one.name for one in model.graph.input}:
        tensor = model.graph.initializer[0]
        model.graph.input.append(onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    return model


@pytest.mark.parametrize("flag", CHANGES)
def test_node_tests(folder, flag):
    count = 0
    for i, (source, feed) in enumerate(pairs.nodeTests(folder)):
        if i % 5:
            continue
        path = folder / f"text-{source.name}"
        onnx.save(annotated(onnx.load(source)), path)
        expectRest(folder, path, [feed], flag)
        count += 1
    assert count > (200 if t.options.long else 8)


@pytest.mark.parametrize("flag", CHANGES)
@pytest.mark.parametrize("name", pairs.INPUTS if t.options.long else pairs.SMALL)
def test_models(folder, name, flag):
    source = folder / "model.onnx"
    onnx.save(annotated(onnx.load(t.ROOT / f"tests/models/data/{name}.onnx")), source)
    expectRest(folder, source, [compare.randomFeed(pairs.INPUTS[name], 1)], flag)
