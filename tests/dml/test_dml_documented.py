# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/dml.md that train with SystemDS and predict with ONNX Runtime."""

import os
import re
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import onnxfold_systemds as systemds
import onnxfold_testing as t

pytestmark = pytest.mark.skipif(not systemds.systemdsJar(), reason="SystemDS is not installed (tools/setup-systemds.sh)")


def block(name):
    """The indented lines that a comment announces."""
    text = (t.ROOT / "docs/dml.md").read_text()
    return textwrap.dedent(re.search(rf"<!-- {name} -->\n\n((?:    .*\n)+)", text)[1])


def test_train_and_predict(folder):
    for name in ("train.dml", "predict.dml"):
        (folder / name).write_text(block(name))
    x = np.random.default_rng(1).standard_normal((20, 3))
    systemds.writeMatrix(folder / "X.csv", x)
    systemds.writeMatrix(folder / "y.csv", x @ [[2.0], [-1.0], [0.5]] + 3)
    jar = systemds.systemdsJar()
    (folder / "build").mkdir()
    (folder / "build/systemds").symlink_to(jar.parents[1])
    environment = {**os.environ, "PATH": f"{t.TOOL.parent}:{os.environ['PATH']}"}
    for command in block("commands").splitlines():
        command = re.sub(r"^python3\b", sys.executable, command)
        done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    got = np.array(re.findall(r"[-\d.]+", done.stdout), float)
    np.testing.assert_allclose(got, [4.5, 4.5], rtol=1e-6)
