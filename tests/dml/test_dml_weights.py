# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx: matrices that a script reads by name from files are constants of the model, whoever wrote them."""

import numpy as np
import pytest
from onnx import numpy_helper

import onnxfold_systemds as systemds
from test_dml_to_onnx import TOOL, NotConverted, convert, runModel, values

pytestmark = pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built")

WEIGHTED = 'weights = ifdef($weights, "w")\nx = read($x)\nw = read(weights + "/w.bin", format="binary"{sizes})\ny = x %*% w\nwrite(y, $y)\n'


def constantsOf(model):
    return {tuple(one.dims): numpy_helper.to_array(one) for one in model.graph.initializer}


@pytest.mark.parametrize("sizes", ["", ", rows=3, cols=2"], ids=["mtd", "said"])
@pytest.mark.parametrize("kind", ["binary", "csv"])
def test_weights_are_constants(folder, kind, sizes):
    """What the script names is read; without the file it is an input."""
    w = np.array([[1.5, -2], [np.inf, 0], [1e-300, 3]])
    (folder / "w").mkdir()
    (folder / "a.dml").write_text(WEIGHTED.format(sizes=sizes))
    assert [value.name for value in convert(folder / "a.dml").graph.input] == ["x", "w"]
    (systemds.writeBinary if kind == "binary" else systemds.writeMatrix)(folder / "w/w.bin", w)
    if kind == "binary" and not sizes:
        (folder / "w/w.bin.mtd").write_text('{"rows": 3, "cols": 2}')
    model = convert(folder / "a.dml")
    assert [value.name for value in model.graph.input] == ["x"]
    np.testing.assert_array_equal(constantsOf(model)[3, 2], w)


def test_weights_of_systemds(folder):
    """Dense and sparse blocks, of several blocks, as SystemDS writes them."""
    if not systemds.process():
        pytest.skip("SystemDS is not installed")
    body = ("a = matrix(seq(1, 2400), rows=1200, cols=2) / 7\nb = (a %% 50 == 0) * a\nc = matrix(0, rows=3, cols=1001)\nc[2, 1001] = 5\n"
            'write(a, "a.bin", format="binary")\nwrite(b, "b.bin", format="binary")\nwrite(c, "c.bin", format="binary")\n')
    (folder / "make.dml").write_text(body.replace('"a.bin"', f'"{folder}/a.bin"').replace('"b.bin"', f'"{folder}/b.bin"').replace('"c.bin"', f'"{folder}/c.bin"'))
    systemds.process().run(folder / "make.dml", unused=1)
    (folder / "use.dml").write_text('x = read($x)\na = read("a.bin")\nb = read("b.bin")\nc = read("c.bin")\n'
                                    "y = a + x\nz = b + x\nv = c + x\nwrite(y, $y)\nwrite(z, $z)\nwrite(v, $v)\n")
    y, z, v = runModel(convert(folder / "use.dml"), {"x": np.zeros((1, 1))})
    a = np.arange(1, 2401).reshape(1200, 2) / 7
    np.testing.assert_array_equal(y, a)
    np.testing.assert_array_equal(z, (np.fmod(a, 50) == 0) * a)
    assert v.shape == (3, 1001) and v[1, 1000] == 5 and v.sum() == 5


def test_bound_parameters_of_a_script(folder):
    (folder / "a.dml").write_text("k = ifdef($k, 2)\nx = read($x)\nb = read($b)\ny = x * k + b\nwrite(y, $y)\n")
    systemds.writeMatrix(folder / "b.csv", [[1.0, 2.0]])
    model = convert(folder / "a.dml", "--bind=k=5", f"--bind=b={folder}/b.csv")
    np.testing.assert_array_equal(runModel(model, {"x": np.ones((1, 2))})[0], [[6.0, 7.0]])


def test_damaged_weights(folder):
    (folder / "w").mkdir()
    systemds.writeBinary(folder / "w/w.bin", values(3, 2))
    whole = (folder / "w/w.bin").read_bytes()
    (folder / "a.dml").write_text(WEIGHTED.format(sizes=", rows=3, cols=2"))
    for damaged in (whole[:-5], whole[:150], whole[:20], b"1,2\n3\n", b"1,x\n", whole.replace(b"SEQ\x06", b"SEQ\x06\xff")):
        (folder / "w/w.bin").write_bytes(damaged)
        with pytest.raises(NotConverted) as refusal:
            convert(folder / "a.dml")
        assert "a.dml:3:5: " in str(refusal.value) and "w.bin: " in str(refusal.value)
    (folder / "w/w.bin").write_bytes(whole)
    (folder / "a.dml").write_text(WEIGHTED.format(sizes=", rows=2, cols=2"))
    with pytest.raises(NotConverted) as refusal:
        convert(folder / "a.dml")
    assert "no matrix of blocks of that size" in str(refusal.value)
