# SPDX-License-Identifier: Apache-2.0
"""Operations of math and arith that MLIR 22 lowers wrongly, or not at all, in fold-run."""

import numpy as np
import pytest

from test_fold_run import Case, bfloat16, foldRun, fromBfloat16


def results(folder, body, values, types, *options):
    """Of a function of %a, %b, ... that computes %0, %1, ..."""
    arguments = ", ".join(f"%{name}: {kind}" for name, kind in zip("abc", types[0]))
    names, kinds = ", ".join(f"%{i}" for i in range(len(types[1]))), ", ".join(types[1])
    case = Case(folder, f"func.func @main({arguments}) -> ({kinds}) {{\n{body}\nreturn {names} : {kinds}\n}}\n", values, [])
    files = [folder / f"r{i}.npy" for i in range(len(types[1]))]
    foldRun(case.file, *case.arguments(False), *(f"--output={file}" for file in files), *options)
    return [np.load(file) for file in files]


@pytest.mark.parametrize("kind", ["f16", "f32", "f64"])
def test_clampf(folder, kind):
    """MLIR's expansion gives the upper bound for each x."""
    dtype = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[kind]
    x, low, high = (np.array(v, dtype) for v in ([-2, 0.5, 7, np.inf, -np.inf, np.nan], [-1] * 6, [3] * 6))
    tensor = f"tensor<6x{kind}>"
    (y,) = results(folder, f"%0 = math.clampf %a to [%b, %c] : {tensor}", [x, low, high], ([tensor] * 3, [tensor]))
    np.testing.assert_array_equal(y, np.clip(x, low, high))


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_small_operands_of_expm1_and_log1p(folder, kind):
    """exp(x) - 1 and log(1 + x), as MLIR computes them, are 0 for a small x."""
    dtype = {"f32": np.float32, "f64": np.float64}[kind]
    x = np.array([0, -0.0, 1e-30, -1e-9, 1e-5, 0.025, -0.5, 3, 80, -80, np.inf, -np.inf, np.nan, -1, 1e30, 1000], dtype)
    tensor = f"tensor<16x{kind}>"
    got = results(folder, f"%0 = math.expm1 %a : {tensor}\n%1 = math.log1p %a : {tensor}", [x], ([tensor], [tensor] * 2))
    with np.errstate(all="ignore"):
        for y, expected in zip(got, (np.expm1(x), np.log1p(x))):
            np.testing.assert_allclose(y, expected, rtol=4 * np.finfo(dtype).eps)
    assert np.signbit(got[0][1]) and np.signbit(got[1][1])


def test_bfloat16_of_doubles(folder):
    """LLVM calls __truncdfbf2, which this process does not have. Through f32 the first two would be rounded twice."""
    x = np.array([1 + 2**-8 + 2**-40, 1 + 2**-8 - 2**-40, 1 + 2**-8, -1 - 3 * 2**-8, 3.4e38, 1e39, -1e-320, np.inf, np.nan, 0])
    (y,) = results(folder, "%0 = arith.truncf %a : tensor<10xf64> to tensor<10xbf16>", [x], (["tensor<10xf64>"], ["tensor<10xbf16>"]))
    expected = [1 + 2**-7, 1, 1, -1 - 2**-6, np.inf, np.inf, 0, np.inf, np.nan, 0]
    np.testing.assert_array_equal(fromBfloat16(y.view(np.uint16)), expected)


@pytest.mark.parametrize("kind", ["f32", "bf16"])
@pytest.mark.parametrize("level", range(4))
def test_unsigned_floats_of_sign_extended_integers(folder, level, kind):
    """From level 1 on -1 gave 4294967296: LLVM's vectorisation of straight code takes the extension away."""
    n = np.array([-1, -2049, -(2**30), -2, -3, 0, -(2**31), 5], np.int32)
    body = f"""%w = arith.extsi %a : tensor<8xi32> to tensor<8xi64>
  %0 = arith.uitofp %w : tensor<8xi64> to tensor<8x{kind}>"""
    if kind == "bf16":
        body = body.replace("%0", "%y") + "\n  %0 = arith.extf %y : tensor<8xbf16> to tensor<8xf32>"
    else:  # the bits, which LLVM stores by pairs
        body = body.replace("%0", "%y") + "\n  %0 = arith.bitcast %y : tensor<8xf32> to tensor<8xi32>"
    result = "tensor<8xf32>" if kind == "bf16" else "tensor<8xi32>"
    (y,) = results(folder, body, [n], (["tensor<8xi32>"], [result]), f"--llvm-level={level}")
    expected = n.astype(np.int64).astype(np.uint64).astype(np.float32)
    expected = fromBfloat16(bfloat16(expected)) if kind == "bf16" else expected.view(np.int32)
    assert y.tolist() == expected.tolist()


def roundedToBfloat16(n):
    """Of a Python integer, once, ties to even."""
    size = abs(n)
    unit = 1 << max(size.bit_length() - 8, 0)
    low, rest = size // unit, size % unit
    up = 2 * rest > unit or (2 * rest == unit and low % 2)
    return float((low + up) * unit) * (-1 if n < 0 else 1)


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("width", [16, 32, 64])
def test_bfloat16_of_integers(folder, width, signed):
    """16842753 gave 16777216: by way of f32 it was rounded twice."""
    ties = [(2 * half + 1) << shift for half in (128, 129, 200, 255) for shift in range(width - 9)]
    near = [tie + step for tie in ties for step in (-1, 0, 1, 2047, -2047) if 0 <= tie + step < 1 << (width - 1)]
    if signed:
        numbers = [*near, *(-n for n in near), -(1 << (width - 1)), (1 << (width - 1)) - 1]
    else:
        numbers = [*near, *((1 << width) - 1 - n for n in near), *(n + (1 << (width - 1)) for n in near)]
    n = np.array(numbers, f"{'i' if signed else 'u'}{width // 8}")
    size = len(numbers)
    body = f"""%y = arith.{'si' if signed else 'ui'}tofp %a : tensor<{size}xi{width}> to tensor<{size}xbf16>
  %0 = arith.extf %y : tensor<{size}xbf16> to tensor<{size}xf32>"""
    given = n.view(f"i{width // 8}")
    (y,) = results(folder, body, [given], ([f"tensor<{size}xi{width}>"], [f"tensor<{size}xf32>"]))
    assert y.tolist() == [roundedToBfloat16(number) for number in numbers]


def test_classes_of_extended_floats(folder):
    """MLIR has no lowering for these."""
    x = np.array([0, -0.0, 1, -2.5e300, 5e-324, np.inf, -np.inf, np.nan])
    body = """%w = arith.extf %a : tensor<8xf64> to tensor<8xf80>
  %0 = math.isinf %w : tensor<8xf80>
  %1 = math.isnormal %w : tensor<8xf80>"""
    infinite, normal = results(folder, body, [x], (["tensor<8xf64>"], ["tensor<8xi1>"] * 2))
    assert infinite.tolist() == np.isinf(x).tolist()
    assert normal.tolist() == (np.isfinite(x) & (x != 0)).tolist()


def test_index_and_i1(folder):
    """The former ended in a message of LLVM's; the -1 of i1 was 1."""
    body = """%0 = math.fpowi %a, %b : tensor<3xf32>, tensor<3xindex>
%1 = math.fpowi %a, %c : tensor<3xf32>, tensor<3xi1>
%2, %3 = arith.addui_extended %b, %b : tensor<3xindex>, tensor<3xi1>"""
    x, n, b = np.array([2, 4, 0.5], np.float32), np.array([3, -1, 0]), np.array([True, False, True])
    inputs = ["tensor<3xf32>", "tensor<3xindex>", "tensor<3xi1>"]
    got = results(folder, body, [x, n, b], (inputs, ["tensor<3xf32>", "tensor<3xf32>", *inputs[1:]]))
    for y, expected in zip(got, ([8, 0.25, 1], [0.5, 1, 2], [6, -2, 0], [False, True, False])):
        assert y.tolist() == expected


def test_scalable_vectors(folder):
    """LLVM ends the process on a machine that has none."""
    text = """func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> { return %x : tensor<1xf32> }
func.func @g(%x: vector<[4]xf32>) -> vector<[4]xf32> {
  %0 = arith.addf %x, %x : vector<[4]xf32>
  return %0 : vector<[4]xf32>
}
"""
    case = Case(folder, text, [np.zeros(1, np.float32)], [])
    message = foldRun(case.file, "--entry=main", *case.arguments(False), code=1)
    what = "'llvm.fadd' of (vector<[4]xf32>, vector<[4]xf32>) has a scalable vector, expected vectors of a fixed size to run here"
    assert message == f"fold-run: error: {case.file}: {what}\n"


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_scaling_is_refused_by_name(folder, kind):
    """The message named the arith.extf that MLIR makes of it."""
    text = f"""func.func @main(%x: tensor<1x{kind}>) -> tensor<1x{kind}> {{ return %x : tensor<1x{kind}> }}
func.func @g(%x: f4E2M1FN, %s: f8E8M0FNU) -> {kind} {{
  %0 = arith.scaling_extf %x, %s : f4E2M1FN, f8E8M0FNU to {kind}
  return %0 : {kind}
}}
"""
    case = Case(folder, text, [np.zeros(1, np.dtype(f"f{int(kind[1:]) // 8}"))], [])
    message = foldRun(case.file, "--entry=main", *case.arguments(False), code=1)
    assert "'arith.scaling_extf' op is not lowered to the LLVM dialect by MLIR 22" in message


def test_vectors_of_functions_of_libm(folder):
    """Refused by the name of a vector.extract, which MLIR takes the elements out with; powers of index were refused for tensors, too."""
    body = """%c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %given = bufferization.to_buffer %a : tensor<8xf32> to memref<8xf32>
  %bytes = memref.alloc() {alignment = 64 : i64} : memref<32xi8>
  %numbers = memref.view %bytes[%c0][] : memref<32xi8> to memref<8xf32>
  %vectors = memref.view %bytes[%c0][] : memref<32xi8> to memref<2xvector<4xf32>>
  memref.copy %given, %numbers : memref<8xf32> to memref<8xf32>
  scf.for %i = %c0 to %c2 step %c1 {
    %v = memref.load %vectors[%i] : memref<2xvector<4xf32>>
    %w = math.acosh %v : vector<4xf32>
    memref.store %w, %vectors[%i] : memref<2xvector<4xf32>>
  }
  %0 = tensor.generate {
  ^bb0(%i: index):
    %x = memref.load %numbers[%i] : memref<8xf32>
    tensor.yield %x : f32
  } : tensor<8xf32>
  %1 = math.ipowi %b, %b : tensor<3xindex>"""
    x, n = np.array([1, 1.5, 2, 3, 10, 1e20, np.inf, np.nan], np.float32), np.array([2, -1, 5])
    y, power = results(folder, body, [x, n], (["tensor<8xf32>", "tensor<3xindex>"], ["tensor<8xf32>", "tensor<3xindex>"]))
    np.testing.assert_allclose(y, np.arccosh(x), rtol=4 * np.finfo(np.float32).eps)
    assert power.tolist() == [4, -1, 3125]


@pytest.mark.parametrize("kind", ["f80", "f128"])
def test_functions_of_wide_floats(folder, kind):
    """MLIR extended their operands to f32, which is narrower."""
    x, tensor = np.array([0.5, -1.25, 3, 1e-9, 700]), f"tensor<5x{kind}>"
    body = f"""%w = arith.extf %a : tensor<5xf64> to {tensor}
  %e = math.exp %w : {tensor}
  %s = math.sin %e : {tensor}
  %r = math.floor %w : {tensor}
  %0 = arith.truncf %e : {tensor} to tensor<5xf64>
  %1 = arith.truncf %r : {tensor} to tensor<5xf64>"""
    e, r = results(folder, body, [x], (["tensor<5xf64>"], ["tensor<5xf64>"] * 2))
    np.testing.assert_allclose(e, np.exp(x), rtol=2 * np.finfo(np.float64).eps)
    np.testing.assert_array_equal(r, np.floor(x))


def test_half_floats_of_wide_integers(folder):
    """LLVM ends the process for vectors of i128, which its optimiser makes of these loops."""
    n = np.array([0, 1, -1, 65519, 65520, 2049, -2049, 2**62])
    wide = "tensor<8xi128>"
    body = f"""%w = arith.extsi %a : tensor<8xi64> to {wide}
  %0 = arith.sitofp %w : {wide} to tensor<8xf16>
  %1 = arith.uitofp %w : {wide} to tensor<8xf16>"""
    signed, unsigned = results(folder, body, [n], (["tensor<8xi64>"], ["tensor<8xf16>"] * 2))
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(signed, n.astype(np.float16))
    np.testing.assert_array_equal(unsigned, [0, 1, np.inf, 65504, np.inf, 2048, np.inf, np.inf])


def test_missing_function_of_the_code_generator(folder):
    """There was a second message, that the program has no metadata."""
    text = """func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> { return %x : tensor<1xf32> }
llvm.func @g(%p: !llvm.ptr) -> i256 {
  %0 = llvm.load %p atomic monotonic {alignment = 32 : i64} : !llvm.ptr -> i256
  llvm.return %0 : i256
}
"""
    case = Case(folder, text, [np.zeros(1, np.float32)], [])
    message = foldRun(case.file, "--entry=main", *case.arguments(False), code=1)
    assert message.count("__atomic_load") == 1 and "its code cannot be linked" in message and "has no constant" not in message, message


@pytest.mark.parametrize("kind", ["f8E5M2", "tf32"])
def test_floats_that_llvm_lacks(folder, kind):
    """The message named a memref.alloca, or LLVM's sitofp, and another said that there is more to lower."""
    text = f"""func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = arith.truncf %x : tensor<4xf32> to tensor<4x{kind}>
  %1 = arith.extf %0 : tensor<4x{kind}> to tensor<4xf32>
  return %1 : tensor<4xf32>
}}
"""
    case = Case(folder, text, [np.zeros(4, np.float32)], [])
    message = foldRun(case.file, *case.arguments(False), "--pass-pipeline=builtin.module()", code=1)
    assert f"has a value of '{kind}', with which the LLVM dialect does not compute" in message
