# SPDX-License-Identifier: Apache-2.0
"""A model that ONNX's full check accepts was refused after the fold: an output of a body was an initializer without a type.

Node tests of every suite, as they are, with inputs that became constants, and with types left out (of the main graph's outputs
the shapes, of the outputs of bodies all), at every level and with --shapes. Short form: two of these forms of 150 folders; --long: all.
"""

import random

import onnx

import backend_cases
import onnxfold_testing as t

COUNT = 150
RUNS = (["-O0"], ["-O1"], ["-O2"], ["-O1", "--shapes"])


def isValid(model):
    try:
        onnx.checker.check_model(model, full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError):
        return False
    return True


def everyBody(nodes):
    for node in nodes:
        for attribute in node.attribute:
            for body in [attribute.g] if attribute.HasField("g") else attribute.graphs:
                yield body
                yield from everyBody(body.node)


def withoutTypes(model):
    """Outputs state as little as the checker lets them."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    for value in made.graph.output:
        if value.type.WhichOneof("value") == "tensor_type":
            value.type.tensor_type.ClearField("shape")
    del made.graph.value_info[:]
    for body in everyBody(made.graph.node):
        for value in body.output:
            value.ClearField("type")
    return made


def withConstants(folder, model):
    """Inputs that are constant but for the first, or all; None where one cannot be."""
    try:
        inputs = backend_cases.readValues(folder, "input", model.graph.input)
        return [backend_cases.withConstants(model, inputs, dynamic=dynamic) for dynamic in ([0], []) if inputs]
    except (backend_cases.Unreadable, AttributeError, ValueError):
        return []


def forms(folder, chance):
    model = folder.model()
    made = [model, *withConstants(folder, model)]
    made += map(withoutTypes, made[:])
    return made if t.options.long else chance.sample(made, 2)


def chosen(chance):
    folders = list(backend_cases.allFolders())
    return folders if t.options.long else chance.sample(folders, min(COUNT, len(folders)))


def test_a_valid_model_stays_valid(folder):
    chance, count, broken = random.Random(t.options.seed), 0, []
    for one in chosen(chance):
        for i, model in enumerate(forms(one, chance)):
            if not isValid(model):
                continue
            onnx.save(model, folder / "model.onnx")
            count += 1
            for flags in RUNS:
                t.runOk(*flags, "--quiet", "-o", folder / "out.onnx", folder / "model.onnx")
                if not isValid(str(folder / "out.onnx")):
                    broken.append(f"{one.name}, form {i}, {' '.join(flags)}")
    assert not broken, f"{len(broken)} results of {count} models are not valid any more (seed {t.options.seed}): {broken[:10]}"
    assert count > COUNT, "models that were valid"
