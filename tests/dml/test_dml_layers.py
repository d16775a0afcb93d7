# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx on layers of SystemDS's jar, one file each: forward(), whose parameters are the inputs of the model."""

import zipfile

import numpy as np
import pytest

import onnxfold_systemds as systemds
from test_dml_to_onnx import TOOL, convert, expectClose, runModel, values

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built")

X, W = values(6, 4), values(4, 3, seed=2)
LABELS = np.eye(4)[[0, 1, 2, 3, 0, 1]]
SHARES = np.abs(X) / np.abs(X).sum(1, keepdims=True)
# (layer, inputs, bound scalars)
LAYERS = [
    ("affine", [X, W, values(1, 3, seed=3)], {}),
    ("cross_entropy_loss", [SHARES, LABELS], {}),
    ("elu", [X], {"alpha": 1}),
    ("fm", [X, values(1, 1), values(4, 1), values(4, 2)], {}),
    ("gelu", [X], {}),
    ("l1_loss", [X, values(6, 4, seed=2)], {}),
    ("l1_reg", [X], {"lambda": 0.5}),
    ("l2_loss", [X, values(6, 4, seed=2)], {}),
    ("l2_reg", [X], {"lambda": 0.5}),
    ("leaky_relu", [X], {}),
    ("log_loss", [SHARES, (X > 0) * 1.0], {}),
    ("logcosh_loss", [X, values(6, 4, seed=2)], {}),
    ("low_rank_affine", [X, values(4, 2), values(2, 3), values(1, 3)], {}),
    ("relu", [X], {}),
    ("scale_shift1d", [X, values(1, 4), values(1, 4, seed=3)], {}),
    ("selu", [X], {}),
    ("sigmoid", [X], {}),
    ("silu", [X], {}),
    ("softmax", [X], {}),
    ("tanh", [X], {}),
]


@pytest.mark.skipif(not systemds.systemdsJar(), reason="SystemDS is not installed (tools/setup-systemds.sh)")
@pytest.mark.parametrize("layer, inputs, bound", LAYERS, ids=[one[0] for one in LAYERS])
def test_layers(folder, layer, inputs, bound, monkeypatch):
    """forward() of the layer, read from the jar, of any batch size."""
    with zipfile.ZipFile(systemds.systemdsJar()) as jar:
        jar.extractall(folder, [name for name in jar.namelist() if name.startswith("scripts/nn/") and name.endswith(".dml")])
    monkeypatch.chdir(folder / "scripts")  # where source("nn/...") is looked for
    path = folder / f"scripts/nn/layers/{layer}.dml"
    model = convert(path, "--function=forward", *(f"--bind={key}={value}" for key, value in bound.items()))
    names = [value.name for value in model.graph.input]
    got = runModel(model, dict(zip(names, inputs)))
    result = model.graph.output[0].name
    arguments = [*names, *(f"{key}={value}" for key, value in bound.items())]
    reads = "".join(f'{name}_file = ifdef(${name}, "{name}")\n{name} = read({name}_file)\n' for name in names)
    given = ", ".join(one if "=" in one else f"{one}={one}" for one in arguments)
    call = f"r = layer::forward({given})" + ("" if got[0].ndim else "\nr = as.matrix(r)")
    script = folder / "driver.dml"
    script.write_text(f'source("nn/layers/{layer}.dml") as layer\n{reads}{call}\n'
                      f'r_file = ifdef($r, "r")\nwrite(r, r_file, format="csv")\n')
    wanted = systemds.runScript(folder, script, inputs, systemds.process())[0]
    expectClose(got[0], wanted, result)
