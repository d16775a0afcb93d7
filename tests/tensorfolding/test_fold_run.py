# SPDX-License-Identifier: Apache-2.0
"""fold-run: programs that fold give what they give without folding, and what numpy computes; its errors."""

import subprocess

import numpy as np
import pytest

import onnxfold_testing as t

TOOL = t.TOOL.parent / "fold-run"
PLAIN = "--pass-pipeline=builtin.module()"  # nothing is folded


def foldRun(*arguments, code=0):
    result = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode == code, f"{arguments}: status {result.returncode}\n{result.stdout}{result.stderr}"
    return result.stdout if code == 0 else result.stderr


def bfloat16(array):
    """The bits of the nearest bfloat16, ties to even."""
    bits = np.asarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def fromBfloat16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


class Case:
    """A program in a folder, with the values of its arguments. `constant` are the numbers of those that are weights."""

    def __init__(self, folder, text, values, constant):
        self.folder, self.values, self.constant = folder, values, constant
        self.file = folder / "program.mlir"
        self.file.write_text(text)
        for number, value in enumerate(values):
            np.save(folder / f"{number}.npy", value)

    def arguments(self, isFolded):
        kinds = ["weight" if isFolded and n in self.constant else "input" for n in range(len(self.values))]
        return [f"--{kind}={n}={self.folder / f'{n}.npy'}" for n, kind in enumerate(kinds)]

    def run(self, *options, isFolded=True):
        """The first result and what was printed."""
        out = self.folder / "out.npy"
        text = foldRun(self.file, *self.arguments(isFolded), f"--output={out}", *options)
        return np.load(out), text

    def check(self, parts=1, modes=("runtime", "both")):
        """Folded or not, in every mode, in each of three calls: the same bytes. Returns them."""
        plain, _ = self.run(PLAIN, isFolded=False)
        for mode in modes:
            folded, text = self.run(f"--mode={mode}", "--runs=3")
            assert folded.tobytes() == plain.tobytes(), f"{mode}: {text}"
            if mode == "runtime":
                assert f"3 calls: {parts} fold" in text, text
        return plain


def randoms():
    return np.random.default_rng(t.options.seed)


def layer(name, x, w, rows, depth, columns, kind, marks=""):
    """y = x times w, on packed operands: x is rows x depth, w depth x columns."""
    zero = "0" if kind == "i32" else "0.0"
    return f"""
  %{name}_xe = tensor.empty() : tensor<{rows // 2}x{depth // 4}x2x4x{kind}>
  %{name}_x = linalg.pack {x} inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %{name}_xe
      : tensor<{rows}x{depth}x{kind}> -> tensor<{rows // 2}x{depth // 4}x2x4x{kind}>
  %{name}_we = tensor.empty() : tensor<{columns // 8}x{depth // 4}x8x4x{kind}>
  %{name}_w = linalg.pack {w} outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 4] into %{name}_we
      : tensor<{depth}x{columns}x{kind}> -> tensor<{columns // 8}x{depth // 4}x8x4x{kind}>
  %{name}_zero = arith.constant {zero} : {kind}
  %{name}_oe = tensor.empty() : tensor<{rows // 2}x{columns // 8}x2x8x{kind}>
  %{name}_o = linalg.fill ins(%{name}_zero : {kind}) outs(%{name}_oe : tensor<{rows // 2}x{columns // 8}x2x8x{kind}>)
      -> tensor<{rows // 2}x{columns // 8}x2x8x{kind}>
  %{name}_p = linalg.mmt4d ins(%{name}_x, %{name}_w : tensor<{rows // 2}x{depth // 4}x2x4x{kind}>,
      tensor<{columns // 8}x{depth // 4}x8x4x{kind}>) outs(%{name}_o : tensor<{rows // 2}x{columns // 8}x2x8x{kind}>)
      -> tensor<{rows // 2}x{columns // 8}x2x8x{kind}>
  %{name}_e = tensor.empty() : tensor<{rows}x{columns}x{kind}>
  %{name} = linalg.unpack %{name}_p inner_dims_pos = [0, 1] inner_tiles = [2, 8] into %{name}_e
      : tensor<{rows // 2}x{columns // 8}x2x8x{kind}> -> tensor<{rows}x{columns}x{kind}>"""


def literal(array):
    return "dense<" + str(array.tolist()) + ">"


@pytest.mark.parametrize("kind", ["f32", "bf16", "f16"])
def test_mlp_of_the_design(folder, kind):
    """The three kinds of weights of the design: a literal, known when it is compiled, known when it runs."""
    random = randoms()
    # Small integers: exact in every type and order of summation.
    x, w0, w1, w2 = (random.integers(-2, 3, shape).astype(np.float32) for shape in ((4, 8), (8, 16), (16, 8), (8, 8)))
    text = f"""
func.func @entry(%x: tensor<4x8x{kind}>, %w1: tensor<16x8x{kind}>, %w2: tensor<8x8x{kind}>) -> tensor<4x8x{kind}>
    attributes {{compiletime_const_args_index = [1 : i32], runtime_const_args_index = [2 : i32]}} {{
  %w0 = arith.constant {literal(w0)} : tensor<8x16x{kind}>
  {layer("y0", "%x", "%w0", 4, 8, 16, kind)}
  {layer("y1", "%y0", "%w1", 4, 16, 8, kind)}
  {layer("y2", "%y1", "%w2", 4, 8, 8, kind)}
  return %y2 : tensor<4x8x{kind}>
}}"""
    as16 = {"f32": np.float32, "f16": np.float16}.get(kind)
    values = [bfloat16(v) if kind == "bf16" else v.astype(as16) for v in (x, w1, w2)]
    y = Case(folder, text, values, {1, 2}).check(parts=3)
    y = fromBfloat16(y.view(np.uint16)) if kind == "bf16" else y
    expected = x @ w0 @ w1 @ w2
    if kind == "f32":
        assert np.array_equal(y, expected)
    else:  # each sum is rounded
        np.testing.assert_allclose(y.astype(np.float32), expected, rtol=0.05, atol=4)


def test_int8_weights_with_a_scale(folder):
    random = randoms()
    x, w = random.integers(-9, 9, (4, 8)).astype(np.int8), random.integers(-128, 128, (8, 16)).astype(np.int8)
    text = f"""
func.func @entry(%x: tensor<4x8xi8>, %w: tensor<8x16xi8> {{onnxfold.constant = "runtime"}}) -> tensor<4x16xi32> {{
  %xi = arith.extsi %x : tensor<4x8xi8> to tensor<4x8xi32>
  %wi = arith.extsi %w : tensor<8x16xi8> to tensor<8x16xi32>
  {layer("y", "%xi", "%wi", 4, 8, 16, "i32")}
  return %y : tensor<4x16xi32>
}}"""
    y = Case(folder, text, [x, w], {1}).check()
    assert np.array_equal(y, x.astype(np.int32) @ w.astype(np.int32))


def test_dynamic_batch(folder):
    random = randoms()
    text = """
func.func @entry(%x: tensor<?x8xf32>, %w: tensor<16x8xf32> {onnxfold.constant = "runtime"}) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<8x16xf32>
  %t = linalg.transpose ins(%w : tensor<16x8xf32>) outs(%te : tensor<8x16xf32>) permutation = [1, 0]
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %o = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %y = linalg.matmul ins(%x, %t : tensor<?x8xf32>, tensor<8x16xf32>) outs(%o : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %y : tensor<?x16xf32>
}"""
    w = random.integers(-4, 5, (16, 8)).astype(np.float32)
    for rows in (1, 5, 0):
        x = random.integers(-4, 5, (rows, 8)).astype(np.float32)
        assert np.array_equal(Case(folder, text, [x, w], {1}).check(), x @ w.T)


def test_dynamic_weights(folder):
    """The size of a folded tensor is known when it is folded."""
    text = """
func.func @entry(%x: tensor<8xf32>, %w: tensor<?x8xf32> {onnxfold.constant = "runtime"}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %w, %c0 : tensor<?x8xf32>
  %te = tensor.empty(%n) : tensor<8x?xf32>
  %t = linalg.transpose ins(%w : tensor<?x8xf32>) outs(%te : tensor<8x?xf32>) permutation = [1, 0]
  %e = tensor.empty(%n) : tensor<?xf32>
  %o = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %y = linalg.vecmat ins(%x, %t : tensor<8xf32>, tensor<8x?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}"""
    random = randoms()
    x, w = random.integers(-4, 5, 8).astype(np.float32), random.integers(-4, 5, (3, 8)).astype(np.float32)
    assert np.array_equal(Case(folder, text, [x, w], {1}).check(parts=1), w @ x)


def test_convolution(folder):
    """The filter comes in the order of one format and is used in that of another."""
    text = """
func.func @entry(%x: tensor<1x6x6x3xf32>, %w: tensor<4x3x3x3xf32> {onnxfold.constant = "runtime"}) -> tensor<1x4x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %te = tensor.empty() : tensor<3x3x3x4xf32>
  %t = linalg.transpose ins(%w : tensor<4x3x3x3xf32>) outs(%te : tensor<3x3x3x4xf32>) permutation = [2, 3, 1, 0]
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %o = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %t : tensor<1x6x6x3xf32>, tensor<3x3x3x4xf32>)
      outs(%o : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %y : tensor<1x4x4x4xf32>
}"""
    random = randoms()
    x, w = (random.integers(-4, 5, shape).astype(np.float32) for shape in ((1, 6, 6, 3), (4, 3, 3, 3)))
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(1, 2))  # n h w c kh kw
    assert np.array_equal(Case(folder, text, [x, w], {1}).check(), np.einsum("nhwcij,fcij->nhwf", windows, w))


def dequantized(name, size):
    """int8 weights and one scale for each column, as floats."""
    return f"""
  %{name}_e = tensor.empty() : tensor<{size}x{size}xf32>
  %{name}_f = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
      ins(%{name}, %{name}_s : tensor<{size}x{size}xi8>, tensor<{size}xf32>) outs(%{name}_e : tensor<{size}x{size}xf32>) {{
  ^bb0(%in: i8, %s: f32, %o: f32):
    %i = arith.sitofp %in : i8 to f32
    %m = arith.mulf %i, %s : f32
    linalg.yield %m : f32
  }} -> tensor<{size}x{size}xf32>"""


def product(name, left, right, rows, depth, columns):
    return f"""
  %{name}_e = tensor.empty() : tensor<{rows}x{columns}xf32>
  %{name}_o = linalg.fill ins(%zero : f32) outs(%{name}_e : tensor<{rows}x{columns}xf32>) -> tensor<{rows}x{columns}xf32>
  %{name} = linalg.matmul ins({left}, {right} : tensor<{rows}x{depth}xf32>, tensor<{depth}x{columns}xf32>)
      outs(%{name}_o : tensor<{rows}x{columns}xf32>) -> tensor<{rows}x{columns}xf32>"""


def test_attention_with_quantized_weights(folder):
    marks = '{onnxfold.constant = "runtime"}'
    weights = ", ".join(f"%{n}: tensor<8x8xi8> {marks}, %{n}_s: tensor<8xf32> {marks}" for n in "qkv")
    text = f"""
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @entry(%x: tensor<4x8xf32>, {weights}) -> tensor<4x8xf32> {{
  %zero = arith.constant 0.0 : f32
  {"".join(dequantized(n, 8) for n in "qkv")}
  {product("xq", "%x", "%q_f", 4, 8, 8)}{product("xk", "%x", "%k_f", 4, 8, 8)}{product("xv", "%x", "%v_f", 4, 8, 8)}
  %kte = tensor.empty() : tensor<8x4xf32>
  %kt = linalg.transpose ins(%xk : tensor<4x8xf32>) outs(%kte : tensor<8x4xf32>) permutation = [1, 0]
  {product("scores", "%xq", "%kt", 4, 8, 4)}
  %ee = tensor.empty() : tensor<4x4xf32>
  %exp = linalg.exp ins(%scores : tensor<4x4xf32>) outs(%ee : tensor<4x4xf32>) -> tensor<4x4xf32>
  %se = tensor.empty() : tensor<4xf32>
  %so = linalg.fill ins(%zero : f32) outs(%se : tensor<4xf32>) -> tensor<4xf32>
  %sum = linalg.reduce ins(%exp : tensor<4x4xf32>) outs(%so : tensor<4xf32>) dimensions = [1]
    (%a: f32, %b: f32) {{
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }}
  %soft = linalg.generic {{indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}}
      ins(%exp, %sum : tensor<4x4xf32>, tensor<4xf32>) outs(%ee : tensor<4x4xf32>) {{
  ^bb0(%e: f32, %s: f32, %o: f32):
    %d = arith.divf %e, %s : f32
    linalg.yield %d : f32
  }} -> tensor<4x4xf32>
  {product("y", "%soft", "%xv", 4, 4, 8)}
  return %y : tensor<4x8xf32>
}}"""
    random = randoms()
    x = random.standard_normal((4, 8)).astype(np.float32)
    q, k, v = (random.integers(-128, 128, (8, 8)).astype(np.int8) for _ in range(3))
    scales = [random.uniform(0.001, 0.01, 8).astype(np.float32) for _ in range(3)]
    values = [x, q, scales[0], k, scales[1], v, scales[2]]
    y = Case(folder, text, values, set(range(1, 7))).check(parts=3)
    xq, xk, xv = (x @ (w * s) for w, s in zip((q, k, v), scales))
    exp = np.exp(xq @ xk.T)
    np.testing.assert_allclose(y, exp / exp.sum(1, keepdims=True) @ xv, rtol=1e-4, atol=1e-5)


def test_cached_tensor_is_not_overwritten(folder):
    """`folded + x` was computed in the memory of `folded`: the second of three calls gave another result."""
    text = """
func.func @entry(%x: tensor<4x4xf32>, %w: tensor<4x4xf32> {onnxfold.constant = "runtime"}) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %y = linalg.add ins(%t, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}"""
    x, w = np.ones((4, 4), np.float32), np.arange(16, dtype=np.float32).reshape(4, 4)
    assert np.array_equal(Case(folder, text, [x, w], {1}).check(), w.T + 1)


def test_constant_global(folder):
    """A weight that is a memref.global was packed in each call."""
    random = randoms()
    x, w, g = (random.integers(-4, 5, (4, 4)).astype(np.float32) for _ in range(3))
    text = f"""
memref.global "private" constant @g : memref<4x4xf32> = {literal(g)}
func.func @entry(%x: tensor<4x4xf32>, %w: tensor<4x4xf32> {{onnxfold.constant = "runtime"}}) -> tensor<4x4xf32> {{
  %m = memref.get_global @g : memref<4x4xf32>
  %gt = bufferization.to_tensor %m restrict : memref<4x4xf32> to tensor<4x4xf32>
  %gn = arith.negf %gt : tensor<4x4xf32>
  %wn = arith.negf %w : tensor<4x4xf32>
  %s = arith.addf %x, %gn : tensor<4x4xf32>
  %y = arith.mulf %s, %wn : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}}"""
    y = Case(folder, text, [x, w], {1}).check(parts=2)
    assert np.array_equal(y, (x - g) * -w)


def test_input_is_not_overwritten(folder):
    """The memory of an input is the caller's: three calls on the same one are three times the same."""
    text = """
func.func @entry(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}"""
    case = Case(folder, text, [np.ones(4, np.float32)], set())
    y, printed = case.run(PLAIN, "--runs=3")
    assert np.array_equal(y, np.full(4, 2, np.float32)), printed


def test_scalars_beside_tensors(folder):
    """Tensors of static shape were returned if a scalar was, too, and the run-time library read what nobody had written."""
    text = """
func.func @entry(%x: tensor<2xf32>) -> (tensor<2xf32>, f32, index) {
  %c = arith.constant 2.5 : f32
  %i = arith.constant 7 : index
  %y = arith.addf %x, %x : tensor<2xf32>
  return %y, %c, %i : tensor<2xf32>, f32, index
}"""
    _, printed = Case(folder, text, [np.array([1, 2], np.float32)], set()).run(PLAIN)
    values = [line.split("dense<")[1].split(">")[0] for line in printed.splitlines()[:3]]
    assert values == ["[2.000000e+00, 4.000000e+00]", "2.500000e+00", "7"]


@pytest.mark.parametrize("kind, width", [("i1", 1), ("i4", 4), ("i8", 8), ("i64", 64)])
def test_literals_of_integers(folder, kind, width):
    """Types narrower than a byte too, with all bits set: as literals, folded when compiled or when run, and as weights."""
    random = randoms()
    low, high = (0, 2) if width == 1 else (-(1 << min(width - 1, 40)), 1 << min(width - 1, 40))
    w0, w1 = (random.integers(low, high, (4, 6)) for _ in range(2))
    wide = kind if width >= 8 else "i8"

    def prepared(name):
        """Transposed, extended to whole bytes (what is narrower is not kept), times 3."""
        extend = "arith.extui" if width == 1 else "arith.extsi"
        extended = f"{extend} %{name}_t : tensor<6x4x{kind}> to tensor<6x4x{wide}>"
        return f"""
  %{name}_e = tensor.empty() : tensor<6x4x{kind}>
  %{name}_t = linalg.transpose ins(%{name} : tensor<4x6x{kind}>) outs(%{name}_e : tensor<6x4x{kind}>) permutation = [1, 0]
  %{name}_x = {extended if width < 8 else f"arith.addi %{name}_t, %{name}_t : tensor<6x4x{wide}>"}
  %{name}_p = arith.muli %{name}_x, %three : tensor<6x4x{wide}>"""

    text = f"""
func.func @entry(%x: tensor<6x4x{wide}>, %w1: tensor<4x6x{kind}> {{onnxfold.constant = "runtime"}}) -> tensor<6x4x{wide}> {{
  %w0 = arith.constant {literal(w0.astype(bool) if width == 1 else w0).lower()} : tensor<4x6x{kind}>
  %three = arith.constant dense<3> : tensor<6x4x{wide}>
  {prepared("w0")}{prepared("w1")}
  %a = arith.xori %w0_p, %x : tensor<6x4x{wide}>
  %y = arith.xori %a, %w1_p : tensor<6x4x{wide}>
  return %y : tensor<6x4x{wide}>
}}"""
    stored = {1: np.bool_, 64: np.int64}.get(width, np.int8)
    result = np.int64 if width == 64 else np.int8
    x = random.integers(-100, 100, (6, 4)).astype(result)
    y = Case(folder, text, [x, w1.astype(stored)], {1}).check(parts=2)
    factor = 3 if width < 8 else 6
    assert np.array_equal(y, x ^ (factor * w0.T).astype(result) ^ (factor * w1.T).astype(result))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("name", ["bool", "int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"])
def test_files_of_numpy(folder, name, order):
    """Read and written back: every type that numpy has, in both orders of memory."""
    kind = {"bool": "i1", "uint8": "i8"}.get(name, name.replace("float", "f").replace("int", "i"))
    text = f"""
func.func @entry(%x: tensor<2x3x{kind}>) -> tensor<2x3x{kind}> {{
  return %x : tensor<2x3x{kind}>
}}"""
    x = np.array([[1, 0, 1], [1, 1, 0]]).astype(name, order=order)
    y, _ = Case(folder, text, [x], set()).run(PLAIN)
    assert y.dtype == (np.int8 if name == "uint8" else x.dtype) and np.array_equal(y, x)


TRANSPOSE = """
func.func @mlp(%x: tensor<2x3xf32>, %w: tensor<3x2xf32> {onnxfold.constant = "runtime"}) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x3xf32>
  %t = linalg.transpose ins(%w : tensor<3x2xf32>) outs(%e : tensor<2x3xf32>) permutation = [1, 0]
  %y = arith.addf %x, %t : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}
"""


@pytest.fixture
def transpose(folder):
    (folder / "mlp.mlir").write_text(TRANSPOSE)
    np.save(folder / "x.npy", np.zeros((2, 3), np.float32))
    np.save(folder / "w.npy", np.arange(6, dtype=np.float32).reshape(3, 2))
    np.save(folder / "double.npy", np.zeros((3, 2)))
    (folder / "text.npy").write_text("no array, but long enough")
    return folder


def test_prints_small_results(transpose):
    out = foldRun(transpose / "mlp.mlir", f"--weight=1={transpose}/w.npy", f"--input=0={transpose}/x.npy", "--runs=5")
    assert out.splitlines() == [
        "result 0: dense<[[0.000000e+00, 2.000000e+00, 4.000000e+00], [1.000000e+00, 3.000000e+00, 5.000000e+00]]> "
        ": tensor<2x3xf32>",
        "5 calls: 1 fold of 1 part, 1 tensor in 64 bytes kept",
    ]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["--weight=1={}/x.npy"], "weight 1 of 'mlp': {}/x.npy has shape [2, 3] of f32, expected tensor<3x2xf32>"),
        (["--weight=1={}/double.npy"], "weight 1 of 'mlp': {}/double.npy has shape [3, 2] of f64, expected tensor<3x2xf32>"),
        (["--weight=1={}/none.npy"], "weight 1 of 'mlp': {}/none.npy: cannot be read: no such file or directory"),
        (["--weight=1={}/text.npy"], "weight 1 of 'mlp': {}/text.npy: does not begin as a .npy file of version 1, 2 or 3"),
        (["--weight=7={}/w.npy"], "'mlp' has 2 arguments, but weight 7 is given"),
        (["--weight=0={}/x.npy"], "argument 0 of 'mlp' is not constant, expected --input 0=FILE"),
        (["--input=1={}/w.npy"], "argument 1 of 'mlp' is constant, expected --weight 1=FILE"),
        (["--weight=1={}/w.npy"], "argument 0 of 'mlp' has no value, expected --input 0=FILE.npy"),
        (["--weight=one"], "--weight is 'one', expected NUMBER=FILE.npy"),
        (["--weight=1=a.npy", "--weight=1=b.npy"], "--weight gives argument 1 twice"),
        (["--entry=other"], "other"),
        (["--mode=never"], "--mode is 'never', expected runtime, compiletime or both"),
        (["--runs=0"], "--runs is '0', expected a number from 1"),
        (["--print-limit=-1"], "--print-limit is '-1', expected a number from 0"),
    ],
)
def test_errors(transpose, arguments, message):
    err = foldRun(transpose / "mlp.mlir", *(text.format(transpose) for text in arguments), code=1)
    assert message.format(transpose) in err


def test_call_before_weights(transpose):
    err = foldRun(transpose / "mlp.mlir", f"--input=0={transpose}/x.npy", code=1)
    assert "entry 'mlp': argument 1 (tensor<3x2xf32>) has no value" in err


def test_missing_program(folder):
    assert "none.mlir" in foldRun(folder / "none.mlir", code=1)


def test_views_of_open_sizes(folder):
    """The result was [[0], [2]], the first row: MLIR casts a view to an identity layout where sizes are not known."""
    text = """
    func.func @f(%x: tensor<2x3xf32>) -> (tensor<?x?xf32>, tensor<?xf32>) {
      %a = arith.addf %x, %x : tensor<2x3xf32>
      %s = tensor.extract_slice %a[0, 0][2, 1][1, 1] : tensor<2x3xf32> to tensor<2x1xf32>
      %d = tensor.cast %s : tensor<2x1xf32> to tensor<?x?xf32>
      %f = tensor.collapse_shape %d [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
      return %d, %f : tensor<?x?xf32>, tensor<?xf32>
    }
    """
    case = Case(folder, text, [np.float32([[0, 1, 2], [3, 4, 5]])], [])
    flat = folder / "flat.npy"
    result, _ = case.run(f"--output={flat}")
    assert result.tolist() == [[0], [6]] and np.load(flat).tolist() == [0, 6], (result, np.load(flat))


def test_several_open_sizes_of_one_dimension(folder):
    """A flat tensor as m x 2 x n, where only the program knows m and n: MLIR's expand-strided-metadata ended the process."""
    text = """
    func.func @f(%x: tensor<?xf32>, %m: index, %n: index) -> tensor<?x2x?xf32> {
      %e = tensor.expand_shape %x [[0, 1, 2]] output_shape [%m, 2, %n] : tensor<?xf32> into tensor<?x2x?xf32>
      return %e : tensor<?x2x?xf32>
    }
    """
    x = np.arange(12, dtype=np.float32)
    case = Case(folder, text, [x, np.int64(2), np.int64(3)], [])
    result, *_ = case.run()
    assert np.array_equal(result, x.reshape(2, 2, 3)), result


def test_a_result_that_is_returned_twice(folder):
    """The parameter of the first result took the buffer, and the second one ended the process."""
    text = """
    func.func @f(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      %e = arith.addf %x, %x : tensor<3xf32>
      return %e, %e : tensor<3xf32>, tensor<3xf32>
    }
    """
    second = folder / "second.npy"
    case = Case(folder, text, [np.float32([1, 2, 3])], [])
    result, *_ = case.run(f"--output={second}")
    assert result.tolist() == np.load(second).tolist() == [2, 4, 6], (result, np.load(second))


FUNCTIONS = {  # of numpy, of an operation of one operand
    "absf": np.abs, "acos": np.arccos, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan, "atanh": np.arctanh,
    "cbrt": np.cbrt, "ceil": np.ceil, "cos": np.cos, "cosh": np.cosh, "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1,
    "floor": np.floor, "log": np.log, "log10": np.log10, "log1p": np.log1p, "log2": np.log2, "roundeven": np.rint,
    "rsqrt": lambda x: 1 / np.sqrt(x), "sin": np.sin, "sinh": np.sinh, "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh,
    "trunc": np.trunc,
}  # fmt: skip


@pytest.mark.parametrize("kind", ["f16", "f32", "f64"])
def test_functions_of_math(folder, kind):
    """rsqrt, copysign, fpowi and sincos failed: one of two passes refused what only the other one has."""
    dtype = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[kind]
    x, n = np.array([0.25, 0.5, 0.75], dtype), np.array([3, -2, 0], np.int32)
    cases = [(f"%r{{i}} = math.{name} %x : !t", function(x.astype(np.float64))) for name, function in FUNCTIONS.items()]
    cases += [
        ("%y{i} = arith.negf %x : !t\n%r{i} = math.copysign %x, %y{i} : !t", -x),
        ("%r{i} = math.fpowi %x, %n : !t, tensor<3xi32>", np.array([0.25**3, 4, 1])),
        ("%s{i}, %r{i} = math.sincos %x : !t", np.cos(x)),
        ("%y{i} = math.sqrt %x : !t\n%r{i} = math.clampf %x to [%y{i}, %y{i}] : !t", np.sqrt(x)),
        ("%y{i} = math.isnan %x : !t\n%s{i} = arith.negf %x : !t\n%r{i} = arith.select %y{i}, %s{i}, %x : tensor<3xi1>, !t", x),
    ]
    body = "\n".join(text.format(i=i) for i, (text, _) in enumerate(cases))
    names, types = (", ".join(parts) for parts in zip(*((f"%r{i}", "!t") for i in range(len(cases)))))
    text = f"""!t = tensor<3x{kind}>
func.func @main(%x: !t, %n: tensor<3xi32>) -> ({types}) {{
{body}
return {names} : {types}
}}
"""
    case = Case(folder, text, [x, n], [])
    outputs = [f"--output={folder / f'r{i}.npy'}" for i in range(len(cases))]
    foldRun(case.file, *case.arguments(False), *outputs)
    for i, (text, value) in enumerate(cases):
        np.testing.assert_allclose(np.load(folder / f"r{i}.npy"), value, rtol=4 * np.finfo(dtype).eps, err_msg=text)


@pytest.mark.parametrize("kind", ["f16", "f32", "f64"])
def test_classes_of_floats(folder, kind):
    """MLIR lowers isnan and isfinite; isinf and isnormal were refused."""
    dtype = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[kind]
    least = np.finfo(dtype).tiny
    x = np.array([0, -0.0, least, -least, least / 2, np.inf, -np.inf, np.nan, np.finfo(dtype).max, -1], dtype)
    text = f"""!t = tensor<10x{kind}>
func.func @main(%x: !t) -> (tensor<10xi8>, tensor<10xi8>) {{
  %0 = math.isinf %x : !t
  %1 = math.isnormal %x : !t
  %2 = arith.extui %0 : tensor<10xi1> to tensor<10xi8>
  %3 = arith.extui %1 : tensor<10xi1> to tensor<10xi8>
  return %2, %3 : tensor<10xi8>, tensor<10xi8>
}}
"""
    case = Case(folder, text, [x], [])
    outputs = [f"--output={folder / f'r{i}.npy'}" for i in range(2)]
    foldRun(case.file, *case.arguments(False), *outputs)
    assert np.load(folder / "r0.npy").tolist() == [0, 0, 0, 0, 0, 1, 1, 0, 0, 0]
    assert np.load(folder / "r1.npy").tolist() == [0, 0, 1, 1, 0, 0, 0, 0, 1, 1]


def test_poison(folder):
    """Folders of arith and affine write ub.poison for what is undefined, which no pass lowered."""
    text = """func.func @main(%x: tensor<3xi32>, %y: tensor<3xindex>) -> (tensor<3xi32>, tensor<3xindex>) {
  %0 = arith.constant 0 : index
  %1 = ub.poison : i32
  %2 = tensor.insert %1 into %x[%0] : tensor<3xi32>
  %3 = affine.apply affine_map<(d0)[s0] -> (d0 mod (s0 - s0))>(%0)[%0]
  %4 = tensor.insert %3 into %y[%0] : tensor<3xindex>
  return %2, %4 : tensor<3xi32>, tensor<3xindex>
}
"""
    x, y = np.array([1, 2, 3], np.int32), np.array([4, 5, 6], np.int64)
    case = Case(folder, text, [x, y], [])
    outputs = [f"--output={folder / f'r{i}.npy'}" for i in range(2)]
    foldRun(case.file, *case.arguments(False), *outputs)
    assert np.load(folder / "r0.npy")[1:].tolist() == [2, 3] and np.load(folder / "r1.npy")[1:].tolist() == [5, 6]


def test_a_function_that_is_not_there(folder):
    """The compiler printed "Symbols not found", and then a wrong second message about metadata."""
    text = """func.func private @nowhere(f32) -> f32
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = arith.constant 1.0 : f32
  %r = func.call @nowhere(%c) : (f32) -> f32
  %t = tensor.splat %r : tensor<3xf32>
  return %t : tensor<3xf32>
}
"""
    case = Case(folder, text, [np.zeros(3, np.float32)], [])
    message = foldRun(case.file, *case.arguments(False), code=1)
    assert message == f"fold-run: error: {case.file}: function 'nowhere' is not in this process\n"


def test_numbers_that_llvm_does_not_have(folder):
    """The message names the operation, not the cast that stands in for it."""
    text = "!t = tensor<3xf8E5M2>\nfunc.func @main(%x: !t) -> !t {\n%r = arith.addf %x, %x : !t\nreturn %r : !t\n}\n"
    case = Case(folder, text, [np.zeros(3, np.uint8)], [])
    message = foldRun(case.file, *case.arguments(False), code=1)
    assert "'arith.addf' op has a value of 'f8E5M2', with which the LLVM dialect does not compute" in message


def test_description_that_cannot_be_read(folder):
    """The last line blamed passes that had not run."""
    (folder / "f.mlir").write_text("func.func @f() attributes {onnxfold.constant_tensors = {}} {\nreturn\n}\n")
    message = foldRun(folder / "f.mlir", code=1)
    assert message.endswith(f"fold-run: error: {folder / 'f.mlir'}: 'onnxfold.constant_tensors' of 'f' cannot be read\n")


def test_quantized_elements(folder):
    """Programs of TOSA have quantized types: they are no dialect that fold-run does not know."""
    kind = "tensor<2x!quant.uniform<i8:f32, 5.000000e-01:-128>>"
    (folder / "q.mlir").write_text(f"func.func @q(%x: {kind}) -> {kind} {{\nreturn %x : {kind}\n}}\n")
    assert f"has type '{kind}', expected a ranked tensor of numbers" in foldRun(folder / "q.mlir", code=1)


@pytest.mark.parametrize("kind", ["i7", "i128", "f80", "complex<i8>"])
@pytest.mark.parametrize("sizes", ["2x3x", "0x"])
def test_results_of_types_without_values(folder, kind, sizes):
    """Programs have more types than can be printed: the width of i7 was taken for 0, by which was divided."""
    case = folder / "case.mlir"
    of = f"tensor<{sizes}{kind}>"
    case.write_text(f"func.func @main() -> {of} {{\n  %0 = tensor.empty() : {of}\n  return %0 : {of}\n}}\n")
    done = subprocess.run([TOOL, case], capture_output=True, text=True)
    wanted = f"result 0 of 'main' is {of}, which cannot be printed; expected another element type"
    assert done.returncode == 1 and wanted in done.stderr, (done.returncode, done.stdout, done.stderr)
