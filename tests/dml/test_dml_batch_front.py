# SPDX-License-Identifier: Apache-2.0
"""onnx-to-dml: models whose open batch becomes another dimension than the first, merges with others, or is one from the start."""

import json

import numpy as np
import onnx
import pytest

import onnxfold_systemds as systemds
import onnxfold_testing as t
from test_run_dml import needsSystemds
from test_run_dml import run as runTool

R = np.random.default_rng(5)
X = R.standard_normal((4, 5, 6)).astype(np.float32)


def parsed(body, inputs="float[batch,5,6] x", outputs="float[] y", **constants):
    """Outputs have a rank and sizes once they are inferred."""
    made = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["": 18, "ai.onnx.ml": 3]> net ({inputs}) => ({outputs}) {{ {body} }}')
    for value in made.graph.output:
        value.type.tensor_type.ClearField("shape")
    made.graph.initializer.extend(onnx.numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items())
    return made


def expectSame(folder, made, inputs=(X,), rows=(1, 4), axis=0):
    """One script for any number of samples. Inputs and outputs have the batch in front there. Returns its text."""
    script = systemds.export(folder, made, f"--interface={folder / 'model.json'}")
    ports = json.loads((folder / "model.json").read_text())
    process = systemds.process()
    names = systemds.inputNames(made)
    for count in rows if process else ():
        given = [np.take(value, range(count), axis) for value in inputs]
        wanted = systemds.onnxRuntime(made, dict(zip(names, given)))
        matrices = systemds.runScript(folder, script, [np.moveaxis(value, axis, 0) for value in given], process)
        for port, matrix, one in zip(ports["outputs"], matrices, wanted):
            assert [count if size == "batch" else size for size in port["shape"]] == list(one.shape)
            systemds.expectClose(matrix, np.moveaxis(one, port.get("batch_axis", 0), 0) if one.ndim else one, port["name"])
    return script.read_text()


def weights(*shape):
    return R.standard_normal(shape).astype(np.float32)


NUMBERS = """n = Shape <start = 0, end = 1> (x) n0 = Squeeze (n) number = Range (zero, n0, one) across = Range (zero, tokens, one)
 samples = Unsqueeze (number, axes) """
COUNTS = {"zero": np.int64(0), "one": np.int64(1), "tokens": np.int64(6), "axes": np.int64([1, 2])}
MASK = X[:, 0] > 0


@pytest.mark.parametrize("each, shift, isSame", [(6, 0, True), (6, 3, False), (5, 0, False), (7, 0, False)])
def test_mask_by_the_number_of_the_sample(folder, each, shift, isSame):
    """As transformers read it: at number * tokens + token of the flat mask. Places that are in another sample are refused."""
    body = "flat = Flatten <axis = 2> (x) first = Mul (samples, each) local = Add (across, shift) at = Add (first, local) y = Gather (flat, at)"
    made = parsed(NUMBERS + body, "bool[batch,6] x", "bool[] y", **COUNTS, each=np.int64(each), shift=np.int64(shift))
    if isSame:
        expectSame(folder, made, [MASK])
    else:
        systemds.expectRefused(folder, made, "Gather")


@pytest.mark.parametrize("narrow, isSame", [("INT64", True), ("BOOL", False), ("INT8", False), ("UINT8", False), ("FLOAT16", False)])
def test_number_of_the_sample_in_a_narrow_type(folder, narrow, isSame):
    """Such a type does not have the numbers of all samples: as a bool, all but the first are 1."""
    body = f"""narrow = Cast <to = {onnx.TensorProto.DataType.Value(narrow)}> (samples) wide = Cast <to = 7> (narrow)
 flat = Flatten <axis = 2> (x) first = Mul (wide, tokens) at = Add (first, across) y = Gather (flat, at)"""
    made = parsed(NUMBERS + body, "bool[batch,6] x", "bool[] y", **COUNTS)
    if isSame:
        expectSame(folder, made, [MASK])
    else:
        systemds.expectRefused(folder, made, "Gather")


@pytest.mark.parametrize("step, isSame", [(1, True), (2, False)])
def test_mask_by_number_and_token(folder, step, isSame):
    """As torch.export writes it: GatherND at (number, token)."""
    body = """s = Mul (samples, step) sizes = Concat <axis = 0> (n, d) a = Expand (s, sizes) b = Expand (across, sizes) last = Identity (end)
 a1 = Unsqueeze (a, last) b1 = Unsqueeze (b, last) at = Concat <axis = -1> (a1, b1) y = GatherND (x, at)"""
    made = parsed(NUMBERS + body, "bool[batch,6] x", "bool[] y", **COUNTS, step=np.int64(step), d=np.int64([1, 6]), end=np.int64([-1]))
    if isSame:
        expectSame(folder, made, [MASK])
    else:
        systemds.expectRefused(folder, made, "GatherND")


RECURRENT = {"LSTM": 4, "GRU": 3, "RNN": 1}
STEPS_FIRST = "s = Transpose <perm = [1, 0, 2]> (x) "


@pytest.mark.parametrize("op", RECURRENT)
@pytest.mark.parametrize("direction", ["forward", "bidirectional"])
def test_recurrent_layers(folder, op, direction):
    """Steps first, as exporters write them, with states that are expanded to the batch."""
    count = 2 if direction == "bidirectional" else 1
    state = f"d = Shape <start = 0, end = 1> (x) e = Concat <axis = 0> (k, d, h) zero = ConstantOfShape (e) "
    more = ", , zero, zero" if op == "LSTM" else ", , zero"
    results = "v, vh, vc" if op == "LSTM" else "v, vh"
    body = f'{STEPS_FIRST} {state} {results} = {op} <hidden_size = 7, direction = "{direction}"> (s, W, R, B{more}) \
        y = Transpose <perm = [2, 0, 1, 3]> (v) z = Gather <axis = 0> (vh, last)'
    gates = RECURRENT[op]
    made = parsed(body, outputs="float[] y, float[] z", k=[count], h=[7], last=-1, W=weights(count, 7 * gates, 6),
                  R=weights(count, 7 * gates, 7), B=weights(count, 14 * gates))
    text = expectSame(folder, made)
    assert "# output y: float32 (batch, 5, " in text and "# output z: float32 (batch, 7)" in text


def test_layers_one_after_the_other(folder):
    body = f"{STEPS_FIRST} v, = LSTM <hidden_size = 6> (s, W, R) w = Squeeze (v, one) v2, = LSTM <hidden_size = 6> (w, W, R) \
        w2 = Squeeze (v2, one) y = Transpose <perm = [1, 0, 2]> (w2)"
    expectSame(folder, parsed(body, one=[1], W=weights(1, 24, 6), R=weights(1, 24, 6)))


def test_attention_that_merges_heads_with_the_batch(folder):
    """(steps, batch * heads, width), as in PyTorch."""
    body = f"{STEPS_FIRST} q0 = MatMul (s, Q) q1 = Reshape (q0, split) q = Transpose <perm = [1, 0, 2]> (q1) \
        k0 = MatMul (s, K) k1 = Reshape (k0, split) k = Transpose <perm = [1, 2, 0]> (k1) \
        a0 = MatMul (q, k) a = Softmax <axis = -1> (a0) b = MatMul (a, q) c = Transpose <perm = [1, 0, 2]> (b) \
        d = Reshape (c, flat) e = Gemm <alpha = 0.5, beta = 2.0, transB = 1> (d, O, o) f = Reshape (e, back) y = Transpose <perm = [1, 0, 2]> (f)"
    made = parsed(body, split=[5, -1, 3], flat=[-1, 6], back=[5, -1, 6], Q=weights(6, 6), K=weights(6, 6), O=weights(6, 6), o=weights(6))
    expectSame(folder, made)


def test_heads_as_the_first_dimension(folder):
    """(3, batch, heads, steps, width), as in vision transformers."""
    body = "a = MatMul (x, W) b = Reshape (a, heads) c = Transpose <perm = [2, 0, 3, 1, 4]> (b) q0, k0, v0 = Split <axis = 0, num_outputs = 3> (c) \
        q = Squeeze (q0, zero) k1 = Squeeze (k0, zero) v = Squeeze (v0, zero) k = Transpose <perm = [0, 1, 3, 2]> (k1) \
        s = MatMul (q, k) p = Softmax (s) o = MatMul (p, v) m = Transpose <perm = [0, 2, 1, 3]> (o) y = Reshape (m, flat)"
    expectSame(folder, parsed(body, heads=[0, 5, 3, 2, 3], flat=[0, 5, 6], zero=[0], W=weights(6, 18)))


def test_table_at_the_places_that_samples_have(folder):
    """Embeddings of tokens, steps first, with positions that are the same for all samples."""
    body = "s = Transpose (x) a = Gather (T, s) b = Add (a, P) y = ReduceMean <keepdims = 0> (b, zero)"
    tokens = R.integers(-10, 10, (4, 5))
    made = parsed(body, "int64[batch,5] x", T=weights(10, 6), P=weights(5, 1, 6), zero=[0])
    expectSame(folder, made, [tokens])


def test_class_token(folder):
    body = "n = Shape <start = 0, end = 1> (x) d = Concat <axis = 0> (n, sizes) c = Expand (token, d) a = Concat <axis = 1> (c, x) b = Add (a, P) \
        s = Transpose <perm = [1, 0, 2]> (b) y = Gather <axis = 0> (s, first)"
    expectSame(folder, parsed(body, sizes=[1, 6], token=weights(1, 1, 6), P=weights(1, 6, 6), first=0))


def test_distances_to_stored_samples(folder):
    """What skl2onnx writes for nearest neighbours and Gaussian processes: a column for each sample."""
    made = parsed("", "float[batch,6] x", M=weights(9, 6), k=[3])
    scanned = onnx.parser.parse_graph("step (float[batch,6] given, float[6] one) => (float[batch,6] kept, float[batch] part) \
        <int64[1] axis = {1}> { kept = Identity (given) d = Sub (given, one) part = ReduceSumSquare <keepdims = 0> (d, axis) }")
    nodes = [onnx.helper.make_node("Scan", ["x", "M"], ["kept", "d"], body=scanned, num_scan_inputs=1),
             onnx.helper.make_node("Transpose", ["d"], ["t"], perm=[1, 0]), onnx.helper.make_node("Neg", ["t"], ["n"]),
             onnx.helper.make_node("TopK", ["n", "k"], ["values", "y"], axis=1)]
    made.graph.node.extend(nodes)
    made.graph.output.add().CopyFrom(onnx.helper.make_empty_tensor_value_info("values"))
    made.graph.output[-1].type.tensor_type.elem_type = 1
    made.graph.output[0].type.tensor_type.elem_type = 7
    expectSame(folder, made, [X[:, 0]])


def test_votes_one_after_the_other(folder):
    """Concat along the batch, then a dimension for the voters: quadratic discriminants."""
    body = "a = Neg (x) b = Concat <axis = 0> (x, a, x) c = Reshape (b, voters) m = ReduceMax <keepdims = 0> (c, zero) y = Add (m, x)"
    expectSame(folder, parsed(body, "float[batch,6] x", voters=[3, -1, 6], zero=[0]), [X[:, 0]])


@pytest.mark.parametrize("keeps", [0, 1])
def test_classes_in_a_row(folder, keeps):
    """ArrayFeatureExtractor of a list has one row; the script has a column."""
    made = parsed(f"l = ArgMax <axis = 1, keepdims = {keeps}> (x) y = ai.onnx.ml.ArrayFeatureExtractor (classes, l)", "float[batch,6] x", "int64[] y",
                  classes=np.arange(10, 16))
    assert "# output y: int64 (1, batch), rows are 'batch'" in expectSame(folder, made, [X[:, 0]])


STEPS = parsed("v, vh = GRU <hidden_size = 7> (x, W, R) y = Squeeze (v, one) z = ReduceMax <keepdims = 0> (y, zero)", "float[5,batch,6] x",
               "float[] y, float[] z", one=[1], zero=[0], W=weights(1, 21, 6), R=weights(1, 21, 7))


def test_input_and_output_with_steps_first(folder):
    text = expectSame(folder, STEPS, [X.transpose(1, 0, 2)], axis=1)
    assert "# input x: float32 (5, batch, 6), rows are 'batch'" in text
    assert "# output y: float32 (5, batch, 7), rows are 'batch'" in text and "# output z: float32 (batch, 7)" in text
    inputs = json.loads((folder / "model.json").read_text())["inputs"]
    assert inputs == [{"name": "x", "parameter": "x", "type": "float32", "shape": [5, "batch", 6], "batch_axis": 1}]


@needsSystemds
def test_arrays_keep_the_dimensions_of_the_model(folder):
    onnx.save(STEPS, folder / "model.onnx")
    given = np.ascontiguousarray(X.transpose(1, 0, 2))
    np.save(folder / "x.npy", given)
    runTool("model.onnx", "--input=x=x.npy", "--output=y=y.npy", "--output=z=z.npy", cwd=folder)
    for name, wanted in zip("yz", systemds.onnxRuntime(STEPS, {"x": given})):
        np.testing.assert_allclose(np.load(folder / f"{name}.npy"), wanted, 1e-4, 1e-5)


@pytest.mark.parametrize("body", [
    "s = Transpose <perm = [1, 0, 2]> (x) y = Softmax <axis = 1> (s)", "s = Transpose <perm = [1, 0, 2]> (x) y = ReduceSum (s, at)",
    "s = Transpose <perm = [1, 2, 0]> (x) y = MatMul (s, x)", "s = Transpose <perm = [1, 0, 2]> (x) y = CumSum (s, one)",
    "s = Transpose <perm = [1, 2, 0]> (x) r = Reshape (s, six) y = ReduceMax (r, at)"])
def test_samples_that_are_mixed_are_refused(folder, body):
    systemds.expectRefused(folder, parsed(body, at=[1], one=np.int64(1), six=[5, -1, 2]), "is possible (--dim=batch:N)")


def test_another_value_for_each_sample(folder):
    """A constant of a fixed number of samples."""
    made = parsed("s = Transpose <perm = [1, 0, 2]> (x) y = Add (s, c)", c=weights(5, 4, 1))
    systemds.expectRefused(folder, made, "dimension 1 of 's' is 'batch', only one free batch size")


# ---- random graphs -------------------------------------------------------------------------------------------------------


class Graph:
    """Nodes one after the other on a value (sizes; -1: the batch) whose batch moves about."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.lines, self.constants, self.dims, self.value, self.count = [], {}, [-1, 4, 6], "x", 0

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants[name] = np.asarray(value)
        return name

    def add(self, op, *inputs, attributes="", dims=None):
        self.count += 1
        self.lines.append(f"v{self.count} = {op} {f'<{attributes}>' if attributes else ''} ({', '.join((self.value, *inputs))})")
        self.value, self.dims = f"v{self.count}", list(dims if dims is not None else self.dims)

    def axis(self):
        return int(self.random.choice([i for i, size in enumerate(self.dims) if size > 0]))

    def transpose(self):
        perm = self.random.permutation(len(self.dims)).tolist()
        self.add("Transpose", attributes=f"perm = {perm}", dims=[self.dims[i] for i in perm])

    def unary(self):
        self.add(self.random.choice(["Tanh", "Neg", "Relu", "Softplus"]))

    def binary(self):
        dims = [1 if size < 0 or self.random.random() < 0.4 else size for size in self.dims]
        self.add(self.random.choice(["Add", "Mul", "Max"]), self.constant(weights(*dims[self.random.integers(len(dims) + 1):])))

    def softmax(self):
        self.add("Softmax", attributes=f"axis = {self.axis() - self.random.choice([0, len(self.dims)])}")

    def reduce(self):
        if sum(size > 0 for size in self.dims) > 1:
            axis, keeps = self.axis(), int(self.random.integers(2))
            dims = [1 if i == axis else size for i, size in enumerate(self.dims) if keeps or i != axis]
            self.add(self.random.choice(["ReduceMax", "ReduceMean", "ReduceSum"]), self.constant([axis]), attributes=f"keepdims = {keeps}", dims=dims)

    def split(self):
        """A size into two."""
        axis = self.axis()
        if self.dims[axis] % 2 == 0 and len(self.dims) < 5:
            dims = [*self.dims[:axis], 2, self.dims[axis] // 2, *self.dims[axis + 1:]]
            self.add("Reshape", self.constant(dims), dims=dims)

    def merge(self):
        """Two sizes into one: the batch and another, too, for a while."""
        if len(self.dims) < 3:
            return
        at = int(self.random.integers(len(self.dims) - 1))
        pair, whole = self.dims[at:at + 2], list(self.dims)
        size = -1 if -1 in pair else pair[0] * pair[1]
        dims = [*self.dims[:at], size, *self.dims[at + 2:]]
        self.add("Reshape", self.constant(dims), dims=dims)
        if size == -1:
            self.unary()
            self.add("Reshape", self.constant(whole), dims=whole)

    def matmul(self):
        if self.dims[-1] > 0 and len(self.dims) > 1:
            self.add("MatMul", self.constant(weights(self.dims[-1], 4)), dims=[*self.dims[:-1], 4])

    def gather(self):
        axis, places = self.axis(), self.random.integers(0, 2, int(self.random.integers(1, 4)))
        if self.dims[axis] > 1:
            self.add("Gather", self.constant(places), attributes=f"axis = {axis}", dims=[len(places) if i == axis else s for i, s in enumerate(self.dims)])

    def concat(self):
        axis = self.axis()
        self.add("Concat", self.value, attributes=f"axis = {axis}", dims=[2 * s if i == axis else s for i, s in enumerate(self.dims)])

    def slice(self):
        axis = self.axis()
        if self.dims[axis] > 2:
            self.add("Slice", *map(self.constant, ([1], [3], [axis])), dims=[2 if i == axis else s for i, s in enumerate(self.dims)])

    def squared(self):
        """Each sample with itself."""
        if len(self.dims) > 2 and -1 not in self.dims[-2:]:
            value, dims = self.value, self.dims
            perm = [*range(len(dims) - 2), len(dims) - 1, len(dims) - 2]
            self.add("Transpose", attributes=f"perm = {perm}", dims=[dims[i] for i in perm])
            self.add("MatMul", value, dims=[*dims[:-2], dims[-1], dims[-1]])

    def model(self):
        steps = [self.transpose, self.transpose, self.unary, self.binary, self.softmax, self.reduce, self.split, self.merge, self.matmul,
                 self.gather, self.concat, self.slice, self.squared]
        for _ in range(9):
            self.random.choice(steps)()
        self.add("Identity")
        return parsed("\n".join(self.lines), "float[batch,4,6] x", f"float[] {self.value}", **self.constants)


@pytest.mark.parametrize("seed", range(400 if t.options.long else 25))
def test_random_graphs(folder, seed):
    expectSame(folder, Graph(seed).model(), [X[:, :4]], rows=(3,))


IMAGES = R.standard_normal((4, 3, 2, 6, 6)).astype(np.float32)
NETWORK = """m = Reshape (x, merged) c = Conv <pads = [1, 1, 1, 1], strides = [2, 1]> (m, W, b) n = BatchNormalization (c, s, s, s, s) r = Relu (n)
 p, i = MaxPool <kernel_shape = [2, 2]> (r) d = Conv <group = 2> (p, V) a = AveragePool <kernel_shape = [1, 2]> (d)
 {last} y = Reshape (g, apart)"""


@pytest.mark.parametrize("last", ["g = GlobalAveragePool (a)", "k = InstanceNormalization (a, t, t) g = GlobalMaxPool (k)"])
def test_images_of_a_series(folder, last):
    """Time is merged with the batch, as models of videos have it: the images of a sample are groups of channels."""
    made = parsed(NETWORK.format(last=last), "float[batch,3,2,6,6] x", "float[] y", W=weights(2, 2, 3, 3), b=weights(2), s=np.float32([0.5, 2]),
                  t=np.float32([1, 2, 0.5, 3]), V=weights(4, 1, 2, 1), merged=np.int64([-1, 2, 6, 6]), apart=np.int64([-1, 3, 4]))
    expectSame(folder, made, [IMAGES])


def test_statistics_of_all_images(folder):
    """A BatchNormalization that trains took the mean of each image over the batch, silently."""
    body = "m = Reshape (x, merged) n, mean, var = BatchNormalization <training_mode = 1> (m, s, s, s, s) y = Reshape (n, apart)"
    made = parsed(body, "float[batch,3,2,6,6] x", "float[] y", s=np.float32([1, 2]), merged=np.int64([-1, 2, 6, 6]), apart=np.int64([-1, 3, 72]))
    systemds.expectRefused(folder, made, "BatchNormalization")


def test_images_of_a_series_whose_channels_are_mixed(folder):
    """Each place has a mean over the channels of one image."""
    body = "m = Reshape (x, merged) l = LRN <size = 3> (m) y = Reshape (l, apart)"
    made = parsed(body, "float[batch,3,2,6,6] x", "float[] y", merged=np.int64([-1, 2, 6, 6]), apart=np.int64([-1, 3, 72]))
    systemds.expectRefused(folder, made, "LRN 'l'")


@pytest.mark.parametrize("equation", ["ij,bjd->bid", "ij,bjd->ibd", "ij,bjd->dib"])
def test_sums_of_products_by_equation(folder, equation):
    """A graph network multiplies by its constant neighbours first; the batch may stand anywhere in the result."""
    made = parsed(f'y = Einsum <equation = "{equation}"> (A, x)', A=weights(5, 5))
    expectSame(folder, made)


@pytest.mark.parametrize("equation, isPossible", [("tbd,de->tbe", True), ("tbd,tbd->b", True), ("tbd,de->te", False), ("tbd,bde->tbe", False)])
def test_equation_of_steps_first(folder, equation, isPossible):
    """The batch is dimension 1; sums over it, and another matrix for each sample, are refused."""
    second = "(x, x)" if equation.count("tbd") == 2 else "(x, W)"
    W = weights(1, 6, 3) if "bde" in equation else weights(6, 3)
    made = parsed(f'y = Einsum <equation = "{equation}"> {second}', "float[5,batch,6] x", "float[] y", W=W)
    if isPossible:
        expectSame(folder, made, [np.ascontiguousarray(X.transpose(1, 0, 2))], axis=1)
    else:
        systemds.expectRefused(folder, made, "Einsum 'y'")


LAST = """flat = Reshape (x, merged) n = Shape <start = 0, end = 1> (x) n0 = Squeeze (n) number = Range (zero, n0, one) first = Mul (number, five)
 last = Sub (lengths, one) at = Add (last, first) y = Gather (flat, at)"""


def test_last_step_of_each_sample(folder):
    """x[arange(n), lengths - 1], as PyTorch exports it. A place in another sample stops the script."""
    made = parsed(LAST, "float[batch,5,6] x, int64[batch] lengths", "float[] y", merged=np.int64([-1, 6]), zero=np.int64(0), one=np.int64(1),
                  five=np.int64(5))
    script = folder / "model.dml"
    expectSame(folder, made, [X, np.int64([3, 1, 5, 2])])
    for wrong in (0, 6) if systemds.process() else ():
        with pytest.raises(RuntimeError):
            systemds.runScript(folder, script, [X, np.int64([3, wrong, 5, 2])], systemds.process())
