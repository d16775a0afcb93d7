# SPDX-License-Identifier: Apache-2.0
"""Every kernel of arith and math against MLIR's own execution, on seeded random numbers and special ones.

Floats are compared bit by bit where the operation is exact; transcendental functions in units in the last place, as libm,
which MLIR calls, is not exact: ours are (upstream/RATIONALE.md).
"""

import re

import ml_dtypes
import numpy as np
import onnxfold_testing as t
import pytest
from ml_dtypes import bfloat16
from onnxfold_upstream import Differential, fold

INTEGERS = {"i1": np.bool_, "i4": np.int8, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
FLOATS = {"f16": np.float16, "bf16": bfloat16, "f32": np.float32, "f64": np.float64}
ROUNDS = 20 if t.options.long else 1


def generator(name, round):
    return np.random.default_rng([t.options.seed, round, *name.encode()])


def shapeFor(random):
    return tuple(random.integers(1, 9, random.integers(0, 4)))


def integers(random, element, shape):
    bits = int(element[1:])
    if element == "i1":
        return random.integers(0, 2, shape).astype(np.bool_)
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    x = random.integers(low, high, shape, np.int64, endpoint=True)
    special = random.choice([low, low + 1, -1, 0, 1, 2, high], shape)
    return np.where(random.random(shape) < 0.4, special, x).astype(INTEGERS[element])


def floats(random, element, shape, low=-40.0, high=40.0, special=True):
    x = random.uniform(low, high, shape) * 2.0 ** random.integers(-6, 1, shape)
    if special:
        some = random.choice([0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, np.inf, -np.inf, np.nan, 1e-40, 6e4], shape)
        x = np.where(random.random(shape) < 0.3, some, x)
    with np.errstate(over="ignore"):
        return x.astype(FLOATS[element])


def tensor(shape, element):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def least(element):
    return -(1 << (int(element[1:]) - 1))


def divisible(random, op, x, y, element):
    """A divisor where the operation is defined."""
    y = np.where(y == 0, 1, y).astype(y.dtype)
    if op in ("divsi", "remsi", "ceildivsi", "floordivsi"):
        y = np.where((y.astype(np.int64) == -1) & (x.astype(np.int64) == least(element)), 1, y).astype(y.dtype)
        if element == "i1":
            x[...] = False
    return x, y


def addIntegers(cases, round):
    wrapping = "addi subi muli andi ori xori maxsi minsi maxui minui".split()
    divisions = "divsi divui remsi remui ceildivsi ceildivui floordivsi".split()
    for element in INTEGERS:
        for op in [*wrapping, *divisions, "shli", "shrsi", "shrui"]:
            if element == "i1" and op in divisions:
                continue  # -1 / -1 overflows
            random = generator(op + element, round)
            shape = shapeFor(random)
            x, y = integers(random, element, shape), integers(random, element, shape)
            if op in divisions:
                x, y = divisible(random, op, x, y, element)
            elif op.startswith("sh"):
                y = random.integers(0, int(element[1:]), shape).astype(INTEGERS[element])
            cases.add(f"arith.{op} {{0}}, {{1}} : {tensor(shape, element)}", [(x, element), (y, element)], [tensor(shape, element)])
        for op in "addui_extended", "mulsi_extended", "mului_extended":
            random = generator(op + element, round)
            shape = shapeFor(random)
            x, y = integers(random, element, shape), integers(random, element, shape)
            types = [tensor(shape, element), tensor(shape, "i1" if op.startswith("add") else element)]
            spelled = ", ".join(types) if op.startswith("add") else types[0]
            cases.add(f"arith.{op} {{0}}, {{1}} : {spelled}", [(x, element), (y, element)], types)
        for predicate in "eq ne slt sle sgt sge ult ule ugt uge".split():
            random = generator(predicate + element, round)
            shape = shapeFor(random)
            x, y = integers(random, element, shape), integers(random, element, shape)
            y = np.where(random.random(shape) < 0.4, x, y).astype(x.dtype)
            cases.add(f"arith.cmpi {predicate}, {{0}}, {{1}} : {tensor(shape, element)}", [(x, element), (y, element)],
                      [tensor(shape, "i1")])


def addIntegerCasts(cases, round):
    names = list(INTEGERS)
    for i, narrow in enumerate(names):
        for wide in names[i + 1:]:
            for op, source, target in ("extsi", narrow, wide), ("extui", narrow, wide), ("trunci", wide, narrow):
                random = generator(op + source + target, round)
                shape = shapeFor(random)
                cases.add(f"arith.{op} {{0}} : {tensor(shape, source)} to {tensor(shape, target)}",
                          [(integers(random, source, shape), source)], [tensor(shape, target)])
        for op in "index_cast", "index_castui":
            random = generator(op + narrow, round)
            shape = shapeFor(random)
            cases.add(f"arith.{op} {{0}} : {tensor(shape, narrow)} to {tensor(shape, 'index')}",
                      [(integers(random, narrow, shape), narrow)], [tensor(shape, "index")])
        for element in FLOATS:
            random = generator("tofp" + narrow + element, round)
            shape = shapeFor(random)
            x = integers(random, narrow, shape)
            for op in "sitofp", "uitofp":
                # MLIR's f16 and bf16 of large integers go through f32, and are rounded twice.
                if narrow in ("i32", "i64") and element in ("f16", "bf16"):
                    continue
                cases.add(f"arith.{op} {{0}} : {tensor(shape, narrow)} to {tensor(shape, element)}", [(x, narrow)],
                          [tensor(shape, element)])
            if narrow in ("i8", "i16", "i32", "i64"):
                f = floats(random, element, shape, -100, 100, special=False)
                cases.add(f"arith.fptosi {{0}} : {tensor(shape, element)} to {tensor(shape, narrow)}", [(f, element)],
                          [tensor(shape, narrow)])
                cases.add(f"arith.fptoui {{0}} : {tensor(shape, element)} to {tensor(shape, narrow)}",
                          [(np.abs(f), element)], [tensor(shape, narrow)])


def addFloats(cases, round):
    for element in FLOATS:
        for op in "addf subf mulf divf remf maximumf minimumf maxnumf minnumf".split():
            random = generator(op + element, round)
            shape = shapeFor(random)
            special = op not in ("maxnumf", "minnumf")  # of two zeros they may take either
            x, y = floats(random, element, shape, special=special), floats(random, element, shape, special=special)
            if op in ("maximumf", "minimumf"):  # arith-expand does not order zeros (testZeros)
                x, y = (np.where(v == 0, 0, v).astype(v.dtype) for v in (x, y))
            cases.add(f"arith.{op} {{0}}, {{1}} : {tensor(shape, element)}", [(x, element), (y, element)], [tensor(shape, element)])
        for predicate in "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split():
            random = generator(predicate + element, round)
            shape = shapeFor(random)
            x, y = floats(random, element, shape), floats(random, element, shape)
            y = np.where(random.random(shape) < 0.3, x, y).astype(x.dtype)
            cases.add(f"arith.cmpf {predicate}, {{0}}, {{1}} : {tensor(shape, element)}", [(x, element), (y, element)],
                      [tensor(shape, "i1")])
        random = generator("unary" + element, round)
        shape = shapeFor(random)
        x, y = floats(random, element, shape), floats(random, element, shape)
        same = tensor(shape, element)
        cases.add(f"arith.negf {{0}} : {same}", [(x, element)], [same])
        condition = integers(random, "i1", shape)
        cases.add(f"arith.select {{0}}, {{1}}, {{2}} : {tensor(shape, 'i1')}, {same}", [(condition, "i1"), (x, element), (y, element)],
                  [same])
        bits = "i" + element.lstrip("bf")
        cases.add(f"arith.bitcast {{0}} : {same} to {tensor(shape, bits)}", [(x, element)], [tensor(shape, bits)])
        for wide in "f32", "f64":
            if wide != element and element != "f64":
                cases.add(f"arith.extf {{0}} : {same} to {tensor(shape, wide)}", [(x, element)], [tensor(shape, wide)])
        for narrow in "f16", "bf16", "f32":
            # From double MLIR's bf16 is rounded to f32 first.
            if np.dtype(FLOATS[narrow]).itemsize < np.dtype(FLOATS[element]).itemsize and (element, narrow) != ("f64", "bf16"):
                cases.add(f"arith.truncf {{0}} : {same} to {tensor(shape, narrow)}", [(x, element)], [tensor(shape, narrow)])


EXACT_MATH = "absf ceil floor round roundeven trunc sqrt".split()
# (operation, the range of its arguments)
MATH = {"acos": (-1, 1), "acosh": (1, 40), "asin": (-1, 1), "asinh": (-40, 40), "atan": (-40, 40), "atanh": (-1, 1),
        "cbrt": (-40, 40), "cos": (-40, 40), "cosh": (-10, 10), "erf": (-4, 4), "erfc": (-4, 4), "exp": (-10, 10), "exp2": (-10, 10),
        "expm1": (-10, 10), "log": (0, 40), "log10": (0, 40), "log1p": (-1, 40), "log2": (0, 40), "sin": (-40, 40),
        "sinh": (-10, 10), "tan": (-40, 40), "tanh": (-4, 4), "rsqrt": (0, 40)}


def addMath(cases, round):
    for element in "f32", "f64":
        for op in EXACT_MATH:
            random = generator(op + element, round)
            shape = shapeFor(random)
            cases.add(f"math.{op} {{0}} : {tensor(shape, element)}", [(floats(random, element, shape), element)],
                      [tensor(shape, element)])
        for op, (low, high) in MATH.items():
            random = generator(op + element, round)
            shape = shapeFor(random)
            x = floats(random, element, shape, low, high, special=False)
            if op == "expm1":  # MLIR computes exp(x) - 1, which is exact to some units where that is not small
                x = np.copysign(np.abs(x) + 1, x)
            cases.add(f"math.{op} {{0}} : {tensor(shape, element)}", [(x, element)], [tensor(shape, element)], ulps=4)
        random = generator("binary" + element, round)
        shape = shapeFor(random)
        x, y, z = (floats(random, element, shape, special=False) for _ in range(3))
        same = tensor(shape, element)
        cases.add(f"math.atan2 {{0}}, {{1}} : {same}", [(x, element), (y, element)], [same], ulps=4)
        cases.add(f"math.powf {{0}}, {{1}} : {same}", [(np.abs(x), element), (y / 8, element)], [same], ulps=4)
        cases.add(f"math.copysign {{0}}, {{1}} : {same}", [(x, element), (y, element)], [same])
        cases.add(f"math.fma {{0}}, {{1}}, {{2}} : {same}", [(x, element), (y, element), (z, element)], [same])
        cases.add(f"math.sincos {{0}} : {same}", [(x, element)], [same, same], ulps=4)
        powers = random.integers(-5, 6, shape).astype(np.int32)
        cases.add(f"math.fpowi {{0}}, {{1}} : {same}, {tensor(shape, 'i32')}", [(x, element), (powers, "i32")], [same], ulps=8)
        s = floats(random, element, shape)
        for op in "isfinite", "isnan":  # MLIR has no lowering of the others (testClasses)
            cases.add(f"math.{op} {{0}} : {same}", [(s, element)], [tensor(shape, "i1")])
    for element in "i8", "i16", "i32", "i64":
        for op in "absi", "ctlz", "cttz", "ctpop":
            random = generator(op + element, round)
            shape = shapeFor(random)
            cases.add(f"math.{op} {{0}} : {tensor(shape, element)}", [(integers(random, element, shape), element)],
                      [tensor(shape, element)])
    random = generator("ipowi", round)
    shape = shapeFor(random)
    x, y = random.integers(1, 9, shape).astype(np.int32), random.integers(-3, 12, shape).astype(np.int32)
    cases.add(f"math.ipowi {{0}}, {{1}} : {tensor(shape, 'i32')}", [(x, "i32"), (y, "i32")], [tensor(shape, "i32")])


def scales(random, element, shape):
    """Powers of two, 0xFF is NaN. (MLIR's expansion reads 2^-127 as 0.)"""
    exponents = random.integers(-20, 20, shape)
    if element == "f32":
        return 2.0 ** exponents.astype(np.float32)
    return np.where(random.random(shape) < 0.1, 0xFF, exponents + 127).astype(np.uint8)


def addScaling(cases, round):
    for scale in "f8E8M0FNU", "f32":
        random = generator("scaling" + scale, round)
        shape = shapeFor(random)
        s = (scales(random, scale, shape), scale)
        kind = tensor(shape, scale)
        nibbles = (random.integers(0, 16, shape).astype(np.uint8), "f4E2M1FN")
        for source, wide in ("f4E2M1FN", "f32"), ("f4E2M1FN", "f16"), ("f16", "f32"), ("f32", "f64"):
            x = nibbles if source == "f4E2M1FN" else (floats(random, source, shape), source)
            cases.add(f"arith.scaling_extf {{0}}, {{1}} : {tensor(shape, source)}, {kind} to {tensor(shape, wide)}", [x, s],
                      [tensor(shape, wide)])
        for wide, narrow in ("f32", "f4E2M1FN"), ("f32", "f16"), ("f64", "f32"):
            # Of a NaN there is no f4.
            x = floats(random, wide, shape, special=narrow != "f4E2M1FN")
            factor = s if narrow != "f4E2M1FN" or scale == "f32" else (np.minimum(s[0], 0xFE).astype(np.uint8), scale)
            small = tensor(shape, narrow)
            before = [f"%n = arith.scaling_truncf {{0}}, {{1}} : {tensor(shape, wide)}, {kind} to {small}"]
            if narrow == "f4E2M1FN":
                # MLIR's expansion makes +0 of negative numbers above -0.5.
                cases.add(f"arith.extf %n : {small} to {tensor(shape, 'f32')}", [(np.abs(x), wide), factor], [tensor(shape, "f32")],
                          before=before)
            else:
                cases.add(before[0][len("%n = "):], [(x, wide), factor], [small])


@pytest.mark.parametrize("add", [addIntegers, addIntegerCasts, addFloats, addMath, addScaling])
def testAgainstExecution(add, folder):
    for round in range(ROUNDS):
        cases = Differential()
        add(cases, round)
        cases.run(folder)


def kept(cases, operation, *operands, reason, result=None):
    """Operands as lists of whole numbers, with their types."""
    arrays = [(np.array(values, {**INTEGERS, **FLOATS}[element]), element) for values, element in operands]
    shape = arrays[0][0].shape
    cases.addKept(operation, arrays, [tensor(shape, result or operands[0][1])], reason)


def testPoisonAndUndefined(folder):
    cases = Differential()
    two = "tensor<2xi8>"
    for op in "divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi":
        kept(cases, f"arith.{op} {{0}}, {{1}} : {two}", ([1, 2], "i8"), ([3, 0], "i8"), reason="element [1] divides by 0")
    for op in "divsi", "remsi", "ceildivsi", "floordivsi":
        kept(cases, f"arith.{op} {{0}}, {{1}} : {two}", ([-128, 2], "i8"), ([-1, 1], "i8"), reason="element [0] divides by 0 or overflows")
    for op in "shli", "shrui", "shrsi":
        kept(cases, f"arith.{op} {{0}}, {{1}} : {two}", ([1, 2], "i8"), ([8, 1], "i8"), reason="element [0] is shifted by its width")
    for op, y in ("addi", 100), ("subi", -100), ("muli", 3), ("shli", 2):
        kept(cases, f"arith.{op} {{0}}, {{1}} overflow<nsw> : {two}", ([1, 60], "i8"), ([1, y], "i8"), reason="which nsw makes poison")
    for op, y in ("addi", -1), ("subi", 61), ("muli", 5), ("shli", 3):
        kept(cases, f"arith.{op} {{0}}, {{1}} overflow<nuw> : {two}", ([1, 60], "i8"), ([1, y], "i8"), reason="which nuw makes poison")
    for op in "divsi", "divui":
        kept(cases, f"arith.{op} {{0}}, {{1}} exact : {two}", ([4, 5], "i8"), ([2, 2], "i8"), reason="element [1] is not a multiple")
    for op in "shrsi", "shrui":
        kept(cases, f"arith.{op} {{0}}, {{1}} exact : {two}", ([4, 5], "i8"), ([2, 2], "i8"), reason="element [1] loses a bit")
    kept(cases, f"arith.trunci {{0}} overflow<nsw> : tensor<2xi16> to {two}", ([1, 128], "i16"), reason="overflows", result="i8")
    kept(cases, f"arith.trunci {{0}} overflow<nuw> : tensor<2xi16> to {two}", ([1, 256], "i16"), reason="overflows", result="i8")
    kept(cases, f"arith.fptosi {{0}} : tensor<2xf32> to {two}", ([1, 128], "f32"), reason="element [1] is out of range", result="i8")
    kept(cases, f"arith.fptoui {{0}} : tensor<2xf32> to {two}", ([1, -1], "f32"), reason="element [1] is out of range", result="i8")
    kept(cases, f"arith.fptosi {{0}} : tensor<2xf32> to {two}", ([1, np.nan], "f32"), reason="element [1] is out of range", result="i8")
    floats2 = "tensor<2xf32>"
    kept(cases, f"arith.divf {{0}}, {{1}} fastmath<nnan> : {floats2}", ([1, 0], "f32"), ([1, 0], "f32"), reason="makes poison")
    kept(cases, f"arith.divf {{0}}, {{1}} fastmath<ninf> : {floats2}", ([1, 1], "f32"), ([1, 0], "f32"), reason="makes poison")
    kept(cases, f"arith.scaling_extf {{0}}, {{1}} : tensor<2xf16>, {floats2} to {floats2}", ([1, 1], "f16"), ([2, 3], "f32"),
         reason="scale [1] is not a power of two", result="f32")
    kept(cases, f"arith.scaling_truncf {{0}}, {{1}} : {floats2}, {floats2} to tensor<2xf16>", ([1, 1], "f32"), ([-2, 2], "f32"),
         reason="scale [0] is not a power of two", result="f16")
    kept(cases, f"math.exp {{0}} fastmath<ninf> : {floats2}", ([1, 1000], "f32"), reason="makes poison")
    kept(cases, f"math.ipowi {{0}}, {{1}} : {two}", ([1, 0], "i8"), ([1, -1], "i8"), reason="element [1] divides by 0")
    cases.run(folder)


def testClasses(folder):
    """isinf and isnormal, and floats of 8 bits, by numbers that are known."""
    cases = Differential()
    for element, normal in ("f16", 2.0**-14), ("bf16", 2.0**-126), ("f32", 2.0**-126), ("f64", 2.0**-1022):
        x = np.array([normal, normal * 0.75, -normal, 0, np.inf, -np.inf, np.nan, 1], FLOATS[element])
        for op, wanted in ("isnormal", [1, 0, 1, 0, 0, 0, 0, 1]), ("isinf", [0, 0, 0, 0, 1, 1, 0, 0]):
            text = fold(folder, "class", [(f"math.{op} {{0}} : tensor<8x{element}>", [(x, element)], ["tensor<8xi1>"], 0, ())])[0]
            assert f"dense<{[bool(w) for w in wanted]}>".lower() in text, text


def valuesOf(folder, operation, x, element, result):
    """What an operation of one operand folds to, as MLIR prints it."""
    text = fold(folder, "values", [(operation, [(x, element)], [result], 0, ())])[0]
    return re.search(r"dense<\[(.*)\]>", text)[1].split(", ")


def testZeros(folder):
    """maximumf and minimumf order zeros."""
    x, y = (np.array(values, np.float32) for values in ([0, -0.0, 0, -0.0], [-0.0, 0, 0, -0.0]))
    for op, wanted in ("maximumf", [0, 0, 0, -0.0]), ("minimumf", [-0.0, -0.0, 0, -0.0]):
        case = (f"arith.{op} {{0}}, {{1}} : tensor<4xf32>", [(x, "f32"), (y, "f32")], ["tensor<4xf32>"], 0, ())
        got = re.search(r"dense<\[(.*)\]>", fold(folder, "zeros", [case])[0])[1].split(", ")
        assert [(float(g), np.signbit(float(g))) for g in got] == [(w, np.signbit(w)) for w in wanted], (op, got)


def testRoundingModes(folder):
    """1 + 2^-11 lies in the middle of two f16, 1 + 2^-11 + 2^-20 above it."""
    x = np.array([1 + 2**-11, 1 + 2**-11 + 2**-20, -1 - 2**-11, 1 + 3 * 2**-11], np.float32)
    step = 2.0**-10
    modes = {"": [1, 1 + step, -1, 1 + 2 * step], "to_nearest_even": [1, 1 + step, -1, 1 + 2 * step],
             "downward": [1, 1, -1 - step, 1 + step], "upward": [1 + step, 1 + step, -1, 1 + 2 * step],
             "toward_zero": [1, 1, -1, 1 + step], "to_nearest_away": [1 + step, 1 + step, -1 - step, 1 + 2 * step]}
    for mode, wanted in modes.items():
        got = valuesOf(folder, f"arith.truncf {{0}} {mode} : tensor<4xf32> to tensor<4xf16>", x, "f32", "tensor<4xf16>")
        wanted = [np.float16(w) for w in wanted]
        assert [np.float16(float(g)) for g in got] == wanted, (mode, got)
        scaled = (f"arith.scaling_truncf {{0}}, %s {mode} : tensor<4xf32>, tensor<4xf32> to tensor<4xf16>", [(2 * x, "f32")],
                  ["tensor<4xf16>"], 0, ("%s = arith.constant dense<2.0> : tensor<4xf32>",))
        got = re.search(r"dense<\[(.*)\]>", fold(folder, "scaled", [scaled])[0])[1].split(", ")
        assert [np.float16(float(g)) for g in got] == wanted, (mode, got)


def testNarrowFloats(folder):
    """Floats of 8 bits and less are computed as MLIR's APFloat rounds them; ml_dtypes is written by others."""
    random = np.random.default_rng(t.options.seed)
    x = np.concatenate([random.uniform(-20, 20, 300), [0.0, -0.0, 1e-9]]).astype(np.float32)
    types = {"f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2, "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
             "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz, "f4E2M1FN": ml_dtypes.float4_e2m1fn, "f6E2M3FN": ml_dtypes.float6_e2m3fn,
             "f6E3M2FN": ml_dtypes.float6_e3m2fn}
    for element, dtype in types.items():
        shape = f"{x.size}x"
        narrow = f"tensor<{shape}{element}>"
        text = fold(folder, "narrow", [(f"arith.extf %s : {narrow} to tensor<{shape}f32>", [(x, "f32")], [f"tensor<{shape}f32>"], 0,
                                        (f"%n = arith.truncf {{0}} : tensor<{shape}f32> to {narrow}",
                                         f"%s = arith.mulf %n, %n : {narrow}"))])[0]
        bits = re.search(r'dense<"0x([0-9A-F]*)">', text)
        assert bits, text[-500:]
        got = np.frombuffer(bytes.fromhex(bits[1]), np.float32)
        exact = x.astype(dtype)
        wanted = (exact.astype(np.float32) * exact.astype(np.float32)).astype(dtype).astype(np.float32)
        np.testing.assert_array_equal(got, wanted, element)


def testFlagsThatHold(folder):
    """Flags that no element breaks change nothing."""
    cases = Differential()
    x, y = np.array([4, 6], np.int8), np.array([2, 3], np.int8)
    for text in ("addi {0}, {1} overflow<nsw, nuw>", "subi {0}, {1} overflow<nsw, nuw>", "muli {0}, {1} overflow<nsw, nuw>",
                 "shli {0}, {1} overflow<nsw>", "divsi {0}, {1} exact", "divui {0}, {1} exact"):
        cases.add(f"arith.{text} : tensor<2xi8>", [(x, "i8"), (y, "i8")], ["tensor<2xi8>"])
    f, g = np.array([4, 6], np.float32), np.array([2, 3], np.float32)
    for flag in "fast", "nnan", "ninf", "nsz", "arcp", "contract", "reassoc", "afn":
        cases.add(f"arith.divf {{0}}, {{1}} fastmath<{flag}> : tensor<2xf32>", [(f, "f32"), (g, "f32")], ["tensor<2xf32>"])
    cases.run(folder)
