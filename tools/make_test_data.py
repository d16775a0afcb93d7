#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the folder of test data out of wheels of the onnx package and of the onnx package that is installed.

    make_test_data.py TARGET WHEEL...

    TARGET/onnx/backend/test/data                    all data of the newest wheel
    TARGET/releases/<version>/<suite>/<folder>       what the installed package makes (suites node and simple), and the node,
                                                     simple and pytorch suites of the older wheels
    TARGET/releases/superseded.txt                   folders of the newest wheel (<suite>/<folder>) that are not to be used

Each question is there once: of folders with the same graph (but for names and documentation), the same versions of its
operators and the same inputs the answer of the newest release counts. Folders of the newest wheel that the installed package
answers in the same way are not repeated below releases.
"""

import shutil
import sys
import warnings
import zipfile
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

SUITES = ("node", "simple", "pytorch-operator", "pytorch-converted")
DATA = "onnx/backend/test/data/"


def versionOf(release):
    return tuple(int(part) for part in release.split("."))


def unpack(wheel, target, folders):
    """Writes onnx/backend/test/data/<folder>/... of a wheel below `target`; `folders` None: all."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            parts = name.removeprefix(DATA).split("/")
            if name.startswith(DATA) and not name.endswith("/") and (folders is None or parts[0] in folders):
                path = target.joinpath(*parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(name))


def asMessage(value, info):
    """What the file of a value holds, by the declared type of the value."""
    if isinstance(value, (onnx.TensorProto, onnx.SequenceProto, onnx.OptionalProto)):
        return value
    make = {"tensor_type": numpy_helper.from_array, "sequence_type": numpy_helper.from_list}
    make["optional_type"] = numpy_helper.from_optional
    kind = info.type.WhichOneof("value")
    return make[kind](np.asarray(value) if kind == "tensor_type" else value, info.name)


def generate(target):
    """Writes the cases that the installed package has as Python code: node tests and simple models."""
    from onnx.backend.test.case import model, node

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numpy, on purpose: overflow, log of 0
        cases = [case for case in node.collect_testcases() + model.collect_testcases() if case.model is not None]
    for case in cases:
        folder = target / case.kind / case.name / "test_data_set_0"
        folder.mkdir(parents=True)
        (folder.parent / "model.onnx").write_bytes(case.model.SerializeToString())
        inputs, outputs = case.data_sets[0]
        graph = case.model.graph
        for prefix, values, infos in (("input", inputs, graph.input), ("output", outputs, graph.output)):
            for index, (value, info) in enumerate(zip(values, infos)):
                (folder / f"{prefix}_{index}.pb").write_bytes(asMessage(value, info).SerializeToString())


def sinceVersion(node, imports):
    domain = "" if node.domain == "ai.onnx" else node.domain
    try:
        return onnx.defs.get_schema(node.op_type, imports[domain], domain).since_version
    except (KeyError, onnx.defs.SchemaError):
        return None


def questionAndAnswer(folder):
    """Two values that are equal for equal questions and answers. A model says it with the versions of its operators, so that
    the same node at the opsets 13 and 14 is one question if nothing changed between them."""
    model = onnx.load(folder / "model.onnx")
    imports = {"" if one.domain == "ai.onnx" else one.domain: one.version for one in model.opset_import}
    graph = model.graph
    graph.name = graph.doc_string = ""
    for node in graph.node:
        node.name = node.doc_string = ""
    versions = [sinceVersion(node, imports) for node in graph.node]
    data = {path.name: path.read_bytes() for path in sorted(folder.glob("test_data_set_0/*.pb"))}
    inputs = {name: content for name, content in data.items() if name.startswith("input")}
    outputs = {name: content for name, content in data.items() if name.startswith("output")}
    return repr((graph.SerializeToString(deterministic=True), versions, inputs)), outputs


def foldersOf(root):
    """[(suite/folder, path)] of the suites that are looked at."""
    found = [path for suite in SUITES for path in sorted((root / suite).glob("*")) if (path / "model.onnx").exists()]
    return [(path.relative_to(root).as_posix(), path) for path in found]


def main():
    target, wheels = Path(sys.argv[1]), {Path(name).name.split("-")[1]: name for name in sys.argv[2:]}
    shutil.rmtree(target, ignore_errors=True)
    newest = max(wheels, key=versionOf)
    unpack(wheels.pop(newest), target / DATA, None)
    generate(target / "releases" / onnx.__version__)
    answers = {}  # question -> (answer, <suite>/<folder>)
    for name, folder in foldersOf(target / DATA):
        question, answer = questionAndAnswer(folder)
        answers.setdefault(question, (answer, name))
    superseded, questions = [], set(answers)
    for _, folder in foldersOf(target / "releases" / onnx.__version__):
        question, answer = questionAndAnswer(folder)
        known = answers.get(question)
        if known and known[0] == answer:
            shutil.rmtree(folder)
        elif known:
            superseded.append(known[1])
        questions.add(question)
    for release in sorted(wheels, key=versionOf, reverse=True):
        root = target / "releases" / release
        unpack(wheels[release], root, SUITES)
        for _, folder in foldersOf(root):
            question, _ = questionAndAnswer(folder)
            if question in questions:
                shutil.rmtree(folder)
            questions.add(question)
    (target / "releases" / "superseded.txt").write_text("".join(name + "\n" for name in sorted(set(superseded))))


if __name__ == "__main__":
    sys.exit(main())
