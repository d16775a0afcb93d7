# SPDX-License-Identifier: Apache-2.0
"""dml-to-onnx on scripts that we did not write: each layer of SystemDS's jar, and each builtin function whose name ends in
Predict or Apply. Those that convert must give what SystemDS gives, to 1e-12 (1e-5 where ONNX Runtime has convolutions for float32
only), for any sizes of their inputs; the others say why not. docs/dml.md has both lists.

    pytest tests/dml/test_dml_systemds_scripts.py -k conv2d
"""

import dataclasses
import re
import subprocess
import zipfile

import numpy as np
import onnx
import pytest

import onnxfold_systemds as systemds
import onnxfold_testing as t
from test_dml_to_onnx import TOOL, NotConverted, convert, expectSame, values

pytestmark = pytest.mark.skipif(not systemds.systemdsJar(), reason="SystemDS is not installed (tools/setup-systemds.sh)")


@pytest.fixture(scope="session")
def scripts(tmp_path_factory):
    """SystemDS's own scripts, to look at; --scripts reads them from its jar."""
    folder = tmp_path_factory.mktemp("systemds")
    with zipfile.ZipFile(systemds.systemdsJar()) as jar:
        jar.extractall(folder, [name for name in jar.namelist() if re.match(r"scripts/(nn|builtin)/.*\.dml$", name)])
    return folder / "scripts"


@dataclasses.dataclass
class Use:
    """Statements that use a layer or a builtin: they make `outputs` of `inputs`."""

    body: str
    inputs: dict
    outputs: str = "y"
    fixed: bool = False  # the sizes of inputs are given; otherwise they are open
    refused: str = ""  # what the tool says
    instead: str = ""  # what SystemDS runs, where it has the statements on a GPU only


def positive(*shape, seed=1):
    return np.abs(values(*shape, seed=seed)) + 0.1


def shares(rows, columns, seed=1):
    x = positive(rows, columns, seed=seed)
    return x / x.sum(1, keepdims=True)


def labels(rows, columns):
    return np.eye(columns)[np.arange(rows) * 7 % columns]


X, D = values(6, 4), values(6, 4, seed=5)
IMAGES = {"X": values(2, 90), "dout": values(2, 4 * 12, seed=5)}  # 3 x 5 x 6
FILTERS = {"W": values(4, 3 * 3 * 3, seed=2), "b": values(4, 1, seed=3)}
CHANNELS = {"g": positive(3, 1, seed=2), "b": values(3, 1, seed=3), "m": values(3, 1, seed=4), "v": positive(3, 1, seed=5)}
FEATURES = {"g": values(1, 4, seed=2), "b": values(1, 4, seed=3), "m": values(1, 4, seed=4), "v": positive(1, 4, seed=5)}
STEPS = {"X": values(3, 8), "W": values(2 + 5, 20, seed=2), "b": values(1, 20, seed=3), "h": values(3, 5, seed=4), "c0": values(3, 5, seed=5)}
BATCH_NORM = "[y, em, ev, cm, cv] = l::forward(X, g, b, 3, 5, 6, '{}', m, v, 0.9, 1e-5)"
POOL = "[y, h, w] = l::forward(X, 3, 5, 6, 2, 2, 2, 1, {}, {})\nh = as.matrix(h)\nw = as.matrix(w)"
CONV = "[y, h, w] = l::forward(X, W, b, 3, 5, 6, 3, 3, 2, 1, 1, 1)\nh = as.matrix(h)\nw = as.matrix(w)"
BERT_D, BERT_T = 6, 3
BERT = {
    "S": values(2, BERT_T * BERT_D), "Q": values(6, 6, seed=2), "q": values(1, 6, seed=3), "K": values(6, 6, seed=4),
    "k": values(1, 6, seed=5), "V": values(6, 6, seed=6), "v": values(1, 6, seed=7), "C": values(6, 6, seed=8),
    "c": values(1, 6, seed=9), "I": values(6, 8, seed=10), "i": values(1, 8, seed=11), "O": values(8, 6, seed=12),
    "o": values(1, 6, seed=13), "g1": values(1, 6, seed=14), "b1": values(1, 6, seed=15), "g2": values(1, 6, seed=16), "b2": values(1, 6, seed=17)}
MB = {"X": values(2, 2 * 16), **{f"w{i}": values(*shape, seed=i) if i % 6 else positive(*shape, seed=i) for i, shape in enumerate([
    (4, 2), (4, 1), (4, 1), (4, 1), (4, 1), (4, 1), (4, 9), (4, 1), (4, 1), (4, 1), (4, 1), (4, 1), (1, 4), (1, 1), (4, 1), (4, 1),
    (4, 4), (4, 1), (4, 1), (4, 1), (4, 1), (4, 1)], 1)}}
NET = {"X": values(5, 4), "W1": values(4, 6, seed=2), "b1": values(1, 6, seed=3), "W2": values(6, 3, seed=4), "b2": values(1, 3, seed=5)}
NET_LIST = "model = list(W1=W1, b1=b1, W2=W2, b2=b2, activation='{}')\n"
LENET = {"X": values(2, 64), "W1": values(3, 25, seed=2), "b1": values(3, 1, seed=3), "W2": values(2, 75, seed=4), "b2": values(2, 1, seed=5),
         "W3": values(8, 6, seed=6), "b3": values(1, 6, seed=7), "W4": values(6, 4, seed=8), "b4": values(1, 4, seed=9)}
LENET_LIST = "model = list(W1=W1, b1=b1, W2=W2, b2=b2, W3=W3, b3=b3, W4=W4, b4=b4)\n"

# By layer: forward(), and backward() where it is the same kind of work. `l` is the layer.
LAYERS = {
    "affine": [Use("y = l::forward(X, W, b)", {"X": X, "W": values(4, 3, seed=2), "b": values(1, 3, seed=3)}),
               Use("[y, z, w] = l::backward(d, X, W, b)", {"d": values(6, 3), "X": X, "W": values(4, 3, seed=2), "b": values(1, 3, seed=3)}, "y z w")],
    "attention": [Use("y = l::forward(Q, V, K, 3, Q)", {"Q": values(2, 12), "V": values(2, 6, seed=2), "K": values(2, 6, seed=3)})],
    "avg_pool2d_builtin": [Use(POOL.format(0, 0), IMAGES, "y h w"), Use(POOL.format(1, 0), IMAGES)],
    "batch_norm1d": [Use(f"[y, em, ev, cm, cv, cn] = l::forward(X, g, b, '{mode}', m, v, 0.9, 1e-5)", {"X": X, **FEATURES}, "y em ev cm cv cn")
                     for mode in ("train", "test")],
    "batch_norm2d": [Use(BATCH_NORM.format("train"), {"X": IMAGES["X"], **CHANNELS}, "y em cm cv"),  # ev: of the mean, a mistake of 3.4.0
                     Use(BATCH_NORM.format("test"), {"X": IMAGES["X"], **CHANNELS}, "y em ev"),
                     Use("[dX, dg, db] = l::backward(d, m, v, X, g, 3, 5, 6, 1e-5)",
                         {"X": IMAGES["X"], "d": values(2, 90, seed=7), **CHANNELS}, "dX dg db")],
    "batch_norm2d_old": [Use(BATCH_NORM.format(mode), {"X": IMAGES["X"], **CHANNELS}, "y em ev cm cv") for mode in ("train", "test")],
    "bert_layer": [Use("[y, a, outs, m1, m2, m3, c1, c2, c3, c4, c5, c6] = l::forward(S, 2, 3, 3, 8, Q, q, K, k, V, v, C, c, I, i, O, o, 0.0, 0.0,"
                       " 1e-5, g1, b1, g2, b2, 'gelu')", BERT, "y a")],
    "bilstm": [Use(f"[y, c, co, cc, ci] = l::forward(X, W, V, b, d, 4, 2, {seq}, h, c0)",
                   {**STEPS, "V": values(7, 20, seed=6), "d": values(1, 20, seed=7), "h": values(6, 5, seed=8), "c0": values(6, 5, seed=9)}, "y c")
               for seq in ("TRUE", "FALSE")],
    "conv1d": [Use("y = l::forward(X, W, 1, 2, 2, 3, 30, 4, 3)", {"X": IMAGES["X"], "W": values(4, 9)})],
    "conv2d": [Use(CONV, {"X": IMAGES["X"], **FILTERS}, "y h w")],
    "conv2d_builtin": [Use(CONV, {"X": IMAGES["X"], **FILTERS}, "y h w"),
                       Use("[y, z, w] = l::backward(d, 3, 6, X, W, b, 3, 5, 6, 3, 3, 2, 1, 1, 1)",
                           {"d": values(2, 72), "X": IMAGES["X"], **FILTERS}, "y z w")],
    "conv2d_depthwise": [Use("[y, h, w] = l::forward(X, W, b, 5, 6, 2, 3, 3, 2, 1, 1, 1)",
                             {"X": IMAGES["X"], "W": values(3, 18), "b": values(6, 1)})],
    "conv2d_transpose": [Use("[y, h, w] = l::forward(X, W, b, 3, 5, 6, 3, 3, 2, 1, 1, 1, 1, 0)",
                             {"X": IMAGES["X"], "W": values(3, 36), "b": values(4, 1)})],
    "conv2d_transpose_depthwise": [Use("[y, h, w] = l::forward(X, W, b, 4, 3, 4, 2, 3, 3, 2, 2, 1, 1, 1, 1)",
                                       {"X": values(2, 48), "W": values(2, 18), "b": values(2, 1)})],
    "cross_entropy_loss": [Use("y = as.matrix(l::forward(P, L))", {"P": shares(6, 4), "L": labels(6, 4)}),
                           Use("y = l::backward(P, L)", {"P": shares(6, 4), "L": labels(6, 4)})],
    "cross_entropy_loss2d": [Use("s = l::forward(P, L, 3)\ny = as.matrix(s)", {"P": shares(2, 90), "L": np.abs(values(2, 90, seed=2))})],
    "dropout": [Use("[y, m] = l::forward(X, 0.5, 7)", {"X": X}, refused="random numbers, on which a result depends")],
    "elu": [Use("y = l::forward(X, 1)", {"X": X}), Use("y = l::backward(d, X, 1)", {"d": D, "X": X})],
    "embedding": [Use("y = l::forward(I, E)", {"I": np.array([[3.0], [1], [5], [3]]), "E": values(5, 2)})],
    "feedForward": [Use(NET_LIST.format(kind) + f"r = l::feedForward(X, model, TRUE)\ny = as.matrix(r['{last}'])", NET)
                    for kind, last in (("logits", "out2"), *((kind, "outs2") for kind in ("sigmoid", "relu", "lrelu", "tanh", "softmax")))],
    "fm": [Use("y = l::forward(X, w0, W, V)", {"X": X, "w0": values(1, 1), "W": values(4, 1), "V": values(4, 2)})],
    "gelu": [Use("y = l::forward(X)", {"X": X}), Use("y = l::backward(d, X)", {"d": D, "X": X})],
    "global_avg_pool2d": [Use("[y, h, w] = l::forward(X, 3, 5, 6)", IMAGES)],
    "l1_loss": [Use("y = as.matrix(l::forward(X, d))", {"X": X, "d": D}), Use("y = l::backward(X, d)", {"X": X, "d": D})],
    "l1_reg": [Use("y = as.matrix(l::forward(X, 0.5))", {"X": X}), Use("y = l::backward(X, 0.5)", {"X": X})],
    "l2_loss": [Use("y = as.matrix(l::forward(X, d))", {"X": X, "d": D}), Use("y = l::backward(X, d)", {"X": X, "d": D})],
    "l2_reg": [Use("y = as.matrix(l::forward(X, 0.5))", {"X": X}), Use("y = l::backward(X, 0.5)", {"X": X})],
    "leaky_relu": [Use("y = l::forward(X)", {"X": X}), Use("y = l::backward(d, X)", {"d": D, "X": X})],
    "lenetForwardPass": [Use(LENET_LIST + "r = l::lenetForward(X, 1, 8, 8, model, TRUE)\ny = as.matrix(r['probs'])", LENET)],
    "log_loss": [Use("y = as.matrix(l::forward(P, L))", {"P": shares(6, 4), "L": labels(6, 4)})],
    "logcosh_loss": [Use("y = as.matrix(l::forward(X, d))", {"X": X, "d": D})],
    "low_rank_affine": [Use("y = l::forward(X, U, V, b)", {"X": X, "U": values(4, 2), "V": values(2, 3), "b": values(1, 3)})],
    "lrn": [Use("y = l::forward(X, 3, 5, 6, 3, 1e-2, 0.75, 2)", {"X": IMAGES["X"]})],
    "lstm": [Use(f"[y, c, co, cc, ci] = l::forward(X, W, b, 4, 2, {seq}, h, c0)", STEPS, "y c co cc ci") for seq in ("TRUE", "FALSE")],
    "lstm_staging": [Use(f"[y, c] = l::forward(X, W, b, {seq}, h, c0)", STEPS, "y c",
                         instead=f"[y, c, co, cc, ci] = lstm(X, W, b, h, c0, {seq})") for seq in ("TRUE", "FALSE")],
    "max_pool2d": [Use(POOL.format(1, 1), {"X": IMAGES["X"]}, "y h w")],
    "max_pool2d_builtin": [Use(POOL.format(0, 0), {"X": IMAGES["X"]}, "y h w"), Use(POOL.format(1, 1), {"X": IMAGES["X"]}),
                           Use("y = l::backward(d, 2, 3, X, 3, 5, 6, 2, 2, 2, 2, 0, 0) + 1", {"d": values(2, 18), "X": IMAGES["X"]})],
    "mbconv": [Use(f"model = list({', '.join(f'w{i}' for i in range(1, 23))})\n"
                   f"[y, io, bu, h, w] = l::forward(X, model, 2, 4, 4, 4, 3, 3, 1, 1, 1, 1, FALSE, 2, 'test', 0.25)", MB),
               Use(f"model = list({', '.join(f'w{i}' for i in range(1, 23))})\n"
                   "[y, io, bu, h, w] = l::forward(X, model, 2, 4, 4, 4, 3, 3, 1, 1, 1, 1, FALSE, 2, 'train', 0.25)\n"
                   "[dX, g] = l::backward(d, X, model, io, bu, 2, 4, 4, 4, 3, 3, 1, 1, 1, 1, FALSE, 2, 'train', 0.25)\n"
                   "g1 = as.matrix(g[1])", {**MB, "d": values(2, 64, seed=30)}, "dX g1")],
    "multi_attention": [Use("[y, a, m] = l::forward(Q, K, V, 2, 3, 4, 0.0)",
                            {"Q": values(2, 24), "K": values(2, 24, seed=2), "V": values(2, 24, seed=3)}, "y a")],
    "relu": [Use("y = l::forward(X)", {"X": X}), Use("y = l::backward(d, X)", {"d": D, "X": X})],
    "rnn": [Use(f"[y, c] = l::forward(X, W, b, 4, 2, {seq}, h)",
                {"X": STEPS["X"], "W": values(7, 5), "b": values(1, 5), "h": values(3, 5)}, "y c") for seq in ("TRUE", "FALSE")],
    "scale_shift1d": [Use("y = l::forward(X, g, b)", {"X": X, "g": FEATURES["g"], "b": FEATURES["b"]})],
    "scale_shift2d": [Use("y = l::forward(X, g, b, 3, 5, 6)", {"X": IMAGES["X"], "g": CHANNELS["g"], "b": CHANNELS["b"]})],
    "selu": [Use("y = l::forward(X)", {"X": X}), Use("y = l::backward(d, X)", {"d": D, "X": X})],
    "sigmoid": [Use("y = l::forward(X)", {"X": X}), Use("y = l::backward(d, X)", {"d": D, "X": X})],
    "silu": [Use("y = l::forward(X)", {"X": X})],
    "softmax": [Use("y = l::forward(X)", {"X": X}), Use("y = l::backward(d, X)", {"d": D, "X": X})],
    "softmax2d": [Use("y = l::forward(X, 3)", {"X": IMAGES["X"]})],
    "softmax_cross_entropy_loss": [Use("y = as.matrix(l::forward(X, L))", {"X": X, "L": labels(6, 4)})],
    "tanh": [Use("y = l::forward(X)", {"X": X}), Use("y = l::backward(d, X)", {"d": D, "X": X})],
    "upsample2d": [Use("y = l::forward(X, 3, 5, 6, 2, 3)", {"X": IMAGES["X"]})],
}

HOLES = X.copy()
HOLES[1, 2] = HOLES[4, 0] = np.nan
CODES = np.array([[1.0, 2], [3, 1], [2, 2], [1, 3], [3, 3], [2, 1]])
# Two inner nodes and three leaves in an array of seven: feature and threshold, or 0 and class.
TREE = np.array([[1, 0.1, 2, -0.3, 0, 3, 0, 1, 0, 2, 0, 0, 0, 0.0]])
FOREST = np.array([[1, 1, 0, 1, *TREE[0]], [0, 1, 1, 1, 1, -0.2, 3, 0.4, 0, 1, 0, 2, 0, 3, 0, 0, 0, 0]])
KINDS = np.array([[1.0, 1, 1, 1, 2]])
GAUSSIANS = {"X": values(6, 2), "w": shares(1, 3), "m": values(3, 2, seed=2)}
OUTLIERS = {"X": X, "a": values(1, 4, seed=2) - 0.5, "b": values(1, 4, seed=2) + 0.5, "c": positive(1, 4)}
SHERLOCK = {"X": values(3, 1588), **{f"{net}{kind}{layer}": values(*shape, seed=layer) * 0.05 for net, size in
            (("c", 960), ("w", 201), ("p", 400), ("s", 27), ("f", 312)) for kind, layer, shape in
            (("W", 1, (size, 9)), ("b", 1, (1, 9)), ("W", 2, (9, 8)), ("b", 2, (1, 8)), ("W", 3, (8, 78)), ("b", 3, (1, 78)))}}
SHERLOCK_CALL = "y = sherlockPredict(X, " + ", ".join(name for name in SHERLOCK if name != "X") + ")"
FRAME = {"F": X}

BUILTINS = {
    "WoEApply": [Use("y = WoEApply(X, L, E)", {"X": CODES, "L": labels(6, 2)[:, :1], "E": values(2, 3)})],
    "alsPredict": [Use("y = alsPredict(u, I, L, R)", {"u": np.array([[2.0], [5], [1]]), "I": labels(5, 4), "L": values(5, 2), "R": values(2, 4)})],
    "alsTopkPredict": [Use("[y, z] = alsTopkPredict(u, I, L, R, 2)",
                           {"u": np.array([[2.0], [5], [1]]), "I": labels(5, 4), "L": positive(5, 2), "R": positive(2, 4)}, "y z")],
    "correctTyposApply": [Use("F = as.frame(X)\n[y] = correctTyposApply(strings=F, distance_matrix=X, dict=F)", {"X": X},
                              refused="a part of something that is not a matrix")],
    "dbscanApply": [Use("[y, z] = dbscanApply(X, M, 1.5)", {"X": X, "M": values(4, 4, seed=2)}, "y z")],
    "decisionTreePredict": [Use(f"y = decisionTreePredict(X=X, ctypes=k, M=M, strategy='{kind}')", {"X": X, "k": KINDS, "M": TREE}, fixed=fixed)
                            for kind, fixed in (("TT", True), ("TT", False), ("GEMM", False), ("GEMM", True))],
    "ffPredict": [Use(NET_LIST.format("softmax") + "y = ffPredict(model, X, 2)", NET)],
    "fixInvalidLengthsApply": [Use("F = as.frame(X)\ny = fixInvalidLengthsApply(F, X, X, X)", {"X": X}, refused="works on frames")],
    "frequencyEncodeApply": [Use("y = frequencyEncodeApply(X, F)", {"X": CODES, "F": positive(2, 3)})],
    "glmPredict": [Use(f"y = glmPredict(X=X, B=B, dfam={family}, link={link}, verbose=FALSE)", {"X": X, "B": B})
                   for family, link, B in ((1, 1, values(4, 1)), (2, 2, values(5, 1)), (2, 3, values(4, 1)), (2, 5, values(4, 1)), (3, 2, values(5, 2)))],
    "gmmPredict": [Use("[y, z] = gmmPredict(X, w, m, p, 'VVV')", {**GAUSSIANS, "p": np.vstack([np.triu(positive(2, 2, seed=i)) for i in range(3)])}, "y z"),
                   Use("[y, z] = gmmPredict(X, w, m, p, 'VVI')", {**GAUSSIANS, "p": positive(3, 2)}, "y z"),
                   Use("[y, z] = gmmPredict(X, w, m, p, 'EEE')", {**GAUSSIANS, "p": np.triu(positive(2, 2))}, "y z")],
    "imputeByFDApply": [Use("y = imputeByFDApply(X, Y)", {"X": CODES[:, :1], "Y": positive(3, 1)})],
    "imputeByMeanApply": [Use("y = imputeByMeanApply(X, v)", {"X": HOLES, "v": values(1, 4)})],
    "imputeByMedianApply": [Use("y = imputeByMedianApply(X, v)", {"X": HOLES, "v": values(1, 4)})],
    "imputeByModeApply": [Use("y = imputeByModeApply(X, v)", {"X": HOLES, "v": values(1, 4)})],
    "kmeansPredict": [Use("y = kmeansPredict(X, C)", {"X": X, "C": values(3, 4, seed=2)})],
    "l2svmPredict": [Use("[y, z] = l2svmPredict(X=X, W=W)", {"X": X, "W": values(rows, 2)}, "y z", fixed=fixed) for rows in (4, 5) for fixed in (False, True)],
    "lenetPredict": [Use(LENET_LIST + "y = lenetPredict(model=model, X=X, C=1, Hin=8, Win=8)", LENET)],
    "lmPredict": [Use("y = lmPredict(X=X, B=B, ytest=matrix(0, 1, 1), icpt=0, verbose=FALSE)", {"X": X, "B": values(rows, 1)}) for rows in (4, 5)],
    "miceApply": [Use("F = as.frame(X)\nb = list(X)\ny = miceApply(X, X, 0.5, F, b)", {"X": X}, refused="works on frames")],
    "msvmPredict": [Use("[y, z] = msvmPredict(X, W)", {"X": x, "W": values(rows, 3)}, "y z") for rows, x in ((4, X), (5, HOLES))],
    "multiLogRegPredict": [Use("[y, z, s] = multiLogRegPredict(X=X, B=B, Y=L, verbose=FALSE)\ns = as.matrix(s)",
                               {"X": x, "B": values(rows, 2), "L": np.array([[1.0], [3], [2], [1], [3], [2]])}, "y z s") for rows, x in ((4, HOLES), (5, X))],
    "naiveBayesPredict": [Use("[y, z] = naiveBayesPredict(X, P, C)", {"X": positive(6, 4), "P": shares(3, 4), "C": positive(3, 1)}, "y z")],
    "normalizeApply": [Use("y = normalizeApply(X, a, b)", {"X": X, "a": X.min(0, keepdims=True), "b": X.max(0, keepdims=True)})],
    "outlierByIQRApply": [Use(f"y = outlierByIQRApply(X, a, b, c, 0.1, {repair})", OUTLIERS) for repair in (0, 1, 2)],
    "outlierBySdApply": [Use(f"y = outlierBySdApply(X, a, c, 0.5, {repair})", {k: OUTLIERS[k] for k in "Xac"}) for repair in (0, 1, 2)],
    "randomForestPredict": [Use("y = randomForestPredict(X=X, ctypes=k, M=M)", {"X": X, "k": kinds, "M": FOREST})
                            for kinds in (KINDS, KINDS * 0 + 1)],
    "scaleApply": [Use("y = scaleApply(X, a, b)", {"X": X, "a": values(1, 4), "b": positive(1, 4)})],
    "scaleRobustApply": [Use("y = scaleRobustApply(X, a, b, c)", {"X": X, "a": values(1, 4), "b": values(1, 4, seed=2), "c": values(1, 4, seed=3)})],
    "sherlockPredict": [Use(SHERLOCK_CALL, SHERLOCK, refused="evaluation.dml: cannot be read: no such file")],
    "winsorizeApply": [Use("y = winsorizeApply(X, a, b)", {"X": X, "a": values(1, 4) - 0.5, "b": values(1, 4) + 0.5})],
}


# Two and three convolutions, 8 channels of 4 x 4, with their normalizations: the gradients of all weights.
BLOCK = "c = list(X, 4, 4, {})\n[dX, g] = l::{}_block_backward(d, c, list({}), {}, 1, 1, list({}))\n"
BLOCKS = {"basic": (2, "8, 8", [(8, 72), (8, 72)]), "bottleneck": (3, "8, 2", [(2, 8), (2, 18), (8, 2)])}


def residualBlock(kind):
    """Values that a forward pass caches are drawn."""
    count, channels, filters = BLOCKS[kind]
    inputs, cached, weights, means = {"X": values(2, 128), "d": values(2, 128, seed=30)}, [], [], []
    for i, (out, size) in enumerate(filters, 1):
        shapes = {f"o{i}": (2, out * 16), f"n{i}": (2, out * 16), f"r{i}": (2, out * 16), f"W{i}": (out, size), f"b{i}": (out, 1), f"m{i}": (out, 1)}
        inputs |= {name: values(*shape, seed=40 * i + k) for k, (name, shape) in enumerate(shapes.items())}
        inputs |= {f"g{i}": positive(out, 1, seed=i), f"v{i}": positive(out, 1, seed=i + 5)}
        cached += [f"o{i}", "4", "4", f"n{i}", f"r{i}"]
        weights += [f"W{i}", f"g{i}", f"b{i}"]
        means += [f"m{i}", f"v{i}"]
    body = BLOCK.format(", ".join(cached), kind, ", ".join(weights), channels, ", ".join(means))
    body += "\n".join(f"q{i} = as.matrix(g[{i}])" for i in range(1, 3 * count + 1))
    return Use(body, inputs, " ".join(["dX", *(f"q{i}" for i in range(1, 3 * count + 1))]))


def cases(table):
    return [pytest.param(name, use, id=f"{name}-{i}") for name, uses in table.items() for i, use in enumerate(uses)]


def check(folder, functions, use):
    jar = systemds.systemdsJar()
    call = lambda: expectSame(folder, use.body, use.inputs, use.outputs.split(), f"--scripts={jar}", functions=functions, fixed=use.fixed,
                              instead=use.instead)
    if not use.refused:
        return call()
    with pytest.raises(NotConverted) as refusal:
        call()
    assert use.refused in str(refusal.value)


@pytest.mark.parametrize("layer, use", cases(LAYERS))
def test_layers(folder, layer, use):
    check(folder, f'source("nn/layers/{layer}.dml") as l', use)


@pytest.mark.parametrize("kind", BLOCKS)
def test_gradients_of_residual_blocks(folder, kind):
    check(folder, 'source("nn/networks/resnet.dml") as l', residualBlock(kind))


@pytest.mark.parametrize("builtin, use", cases(BUILTINS))
def test_builtins(folder, builtin, use):
    check(folder, "", use)


def test_scripts_in_a_folder(folder, scripts):
    """--scripts may be a folder, and the script one of SystemDS's own."""
    models = []
    for place in (scripts, systemds.systemdsJar()):
        model = folder / "model.onnx"
        command = [TOOL, "nn/layers/softmax2d.dml", f"--scripts={place}", "--function=forward", "--bind=C=3", "-o", model]
        assert subprocess.run(command, cwd=folder, capture_output=True, text=True).returncode == 0
        models.append(model.read_bytes())
    assert models[0] == models[1]


def test_a_script_beside_that_has_the_name_of_a_builtin(folder):
    """SystemDS's own test scripts stand in functions/, with functions/builtin/scale.dml beside them: it was taken for the builtin."""
    (folder / "builtin").mkdir()
    (folder / "builtin/scale.dml").write_text("x = read($x)\ny = scale(x, TRUE, TRUE)\nwrite(y, $y)\n")
    expectSame(folder, "y = scale(x, TRUE, TRUE)", {"x": X}, ["y"], f"--scripts={systemds.systemdsJar()}")


def test_bad_jars(folder):
    (folder / "a.jar").write_bytes(systemds.systemdsJar().read_bytes()[:-100])
    (folder / "b.jar").write_bytes(b"text")
    (folder / "a.dml").write_text("x = read($x)\nwrite(x, $y)\n")
    for jar in "ab":
        with pytest.raises(NotConverted, match="is not a zip archive|its list of entries is broken"):
            convert(folder / "a.dml", f"--scripts={folder}/{jar}.jar")
    with pytest.raises(NotConverted, match="no such file"):
        convert(folder / "b.dml", f"--scripts={systemds.systemdsJar()}")


def test_all_are_tried(scripts):
    """The tables have all of the jar, and the goals are met."""
    assert sorted(LAYERS) == sorted(path.stem for path in (scripts / "nn/layers").glob("*.dml"))
    names = [path.stem for path in (scripts / "builtin").glob("*.dml")]
    assert sorted(BUILTINS) == sorted(name for name in names if name.endswith(("Predict", "Apply")))
    convert = [sum(not uses[0].refused for uses in table.values()) for table in (LAYERS, BUILTINS)]
    assert convert[0] >= 50 and convert[1] >= 26


def test_documented(scripts):
    """docs/dml.md lists what is refused."""
    text = (t.ROOT / "docs/dml.md").read_text()
    for table in (LAYERS, BUILTINS):
        for name, uses in table.items():
            if uses[0].refused:
                assert f"`{name}`" in text


# ---- how many nodes a layer has ------------------------------------------------------------------------------------------

SIGNS = re.compile(r"%\*%|%/%|%%|[<>=!]=|&&?|\|\|?|[-+*/^<>!]")
LOOP = re.compile(r"\b(?:par)?for\s*\(\s*\w+ in ([^{]*?)\)\s*\{")
# One instruction of SystemDS on rows of images: three changes of rank and an operator.
OF_IMAGES = {"conv2d", "conv2d_backward_data", "conv2d_backward_filter", "max_pool", "max_pool_backward", "avg_pool", "avg_pool_backward",
             "bias_add", "bias_multiply"}


def afterBlock(text, start):
    """Behind the brace that ends the block whose first brace is at `start` or after."""
    depth = 0
    for place in range(text.index("{", start), len(text)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return place + 1


def functionIn(text, name):
    """Where a function begins, or None."""
    return re.search(rf"\b{name}\s*=\s*function\s*\(", text)


class Operations:
    """How many operators, calls and slices a function has, with those of functions that it calls, and of a loop in each round.
    `rounds`: of loops up to a variable, if they are known; the others are a Loop, whose body counts once."""

    def __init__(self, scripts, rounds):
        self.scripts, self.rounds = scripts, rounds

    def ofFunction(self, path, name):
        text = re.sub(r"/\*.*?\*/|#[^\n]*", "", path.read_text(), flags=re.S)
        start = text.index("{", functionIn(text, name).start())
        return self.ofText(re.sub(r'"[^"]*"', "", text[start + 1 : afterBlock(text, start) - 1]), path)

    def ofText(self, text, path):
        loop = LOOP.search(text)
        if not loop:
            return self.ofStatements(text, path)
        end = afterBlock(text, loop.end() - 1)
        numbers = loop[1].split(", check")[0]
        last = re.split("[:,]", numbers)[1].strip()
        inside = self.rounds.get(last, 1) * self.ofText(text[loop.end() : end - 1], path)
        return self.ofStatements(text[: loop.start()] + numbers, path) + inside + self.ofText(text[end:], path)

    def ofStatements(self, text, path):
        calls = [call for call in re.findall(r"([\w.]+(?:::\w+)?)\s*\(", text) if call not in ("if", "for", "while", "parfor")]
        return len(SIGNS.findall(text)) + len(re.findall(r"\w\[", text)) + sum(self.ofCall(call, path) for call in calls)

    def ofCall(self, call, path):
        space, _, name = call.rpartition("::")
        own = t.ROOT / f"dml/builtins/{name}.dml"
        if space:
            sourced = re.search(rf'source\("([^"]+)"\)\s*as\s*{space}\b', path.read_text())[1]
            return self.ofFunction(self.scripts / sourced.removeprefix("scripts/"), name)
        if functionIn(path.read_text(), name):
            return self.ofFunction(path, name)
        return self.ofFunction(own, name) if own.exists() else 4 if name in OF_IMAGES else 1


# Losses and the layers that are formulas, of any sizes: (layer, options).
FORMULAS = [("affine", ""), ("cross_entropy_loss", ""), ("cross_entropy_loss2d", "--bind=C=3"), ("elu", ""), ("fm", ""), ("gelu", ""), ("l1_loss", ""),
            ("l1_reg", ""), ("l2_loss", ""), ("l2_reg", ""), ("leaky_relu", ""), ("log_loss", ""), ("logcosh_loss", ""), ("low_rank_affine", ""),
            ("relu", ""), ("scale_shift1d", ""), ("selu", ""), ("sigmoid", ""), ("silu", ""), ("softmax", ""), ("softmax2d", "--bind=C=3"),
            ("softmax_cross_entropy_loss", ""), ("tanh", "")]


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("layer, option", FORMULAS, ids=[one[0] for one in FORMULAS])
def test_few_nodes(scripts, layer, option, direction, folder):
    """At most 1.5 nodes for an operation."""
    path = f"nn/layers/{layer}.dml"
    command = [TOOL, path, f"--function={direction}", f"--scripts={systemds.systemdsJar()}", *option.split(), "-o", folder / "model.onnx"]
    subprocess.run(command, cwd=folder, check=True)
    assert len(onnx.load(folder / "model.onnx").graph.node) <= 1.5 * Operations(scripts, {}).ofFunction(scripts / path, direction)


# Rounds of loops that LAYERS fixes, by the last number.
ROUNDS = {"lstm": {"T": 4}, "rnn": {"T": 4}, "bilstm": {"T": 4, "steps": 4}, "lstm_staging": {"steps": 4}, "multi_attention": {"H": 2}, "bert_layer": {"H": 3},
          "conv2d": {"Hout": 3, "Wout": 3, "C": 3}, "max_pool2d": {"C": 3, "Hout": 3, "Wout": 3}, "conv2d_depthwise": {"C": 3},
          "conv2d_transpose_depthwise": {"F": 2}}
# Sizes that are open and a place by values, which the Loop wants as lists; and a sum at places that MaxPool gives as a list
# (dml/RATIONALE.md); 1.6 without the sum that the use adds.
MORE = {("embedding", "forward"): 2, ("max_pool2d_builtin", "backward"): 1.8}


def allNodes(graph):
    return sum(1 + sum(allNodes(one.g) for one in node.attribute if one.HasField("g")) for node in graph.node)


@pytest.mark.parametrize("layer, use", cases({layer: uses for layer, uses in LAYERS.items() if not uses[0].refused}))
def test_nodes_of_all_layers(scripts, layer, use, folder):
    reads = [f"{name} = read(${name})" for name in use.inputs]
    writes = [f"write({name}, ${name})" for name in use.outputs.split()]
    (folder / "a.dml").write_text("\n".join([f'source("nn/layers/{layer}.dml") as l', *reads, use.body, *writes, ""]))
    model = convert(folder / "a.dml", f"--scripts={systemds.systemdsJar()}")
    name = re.search(r"l::(\w+)\(", use.body)[1]
    count = Operations(scripts, ROUNDS.get(layer, {})).ofFunction(scripts / f"nn/layers/{layer}.dml", name)
    assert allNodes(model.graph) <= MORE.get((layer, name), 1.5) * count
