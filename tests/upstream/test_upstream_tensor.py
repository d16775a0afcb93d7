# SPDX-License-Identifier: Apache-2.0
"""Every kernel of tensor against MLIR's own execution, on seeded random shapes; and what is undefined."""

import re

import numpy as np
import onnxfold_testing as t
import pytest
from onnxfold_upstream import Differential, fold

ROUNDS = 20 if t.options.long else 1
ELEMENTS = {"i8": np.int8, "i32": np.int32, "f32": np.float32, "f64": np.float64, "i1": np.bool_}


def generator(name, round):
    return np.random.default_rng([t.options.seed, round, *name.encode()])


def values(random, element, shape):
    if element == "i1":
        return random.integers(0, 2, shape).astype(np.bool_)
    return random.integers(-99, 99, shape).astype(ELEMENTS[element])


def tensor(shape, element):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def listed(numbers):
    return ", ".join(str(int(n)) for n in numbers)


def randomSlice(random, shape):
    starts = [random.integers(0, size) for size in shape]
    steps = [random.integers(1, 4) for _ in shape]
    sizes = [random.integers(1, (size - start - 1) // step + 2) for size, start, step in zip(shape, starts, steps)]
    return starts, sizes, steps


def scalars(numbers):
    return [(np.array(n, np.int64), "!index") for n in numbers]


def addSlices(cases, random, element):
    shape = tuple(random.integers(1, 8, random.integers(1, 4)))
    x = values(random, element, shape)
    starts, sizes, steps = randomSlice(random, shape)
    static = f"[{listed(starts)}] [{listed(sizes)}] [{listed(steps)}]"
    part = tensor(sizes, element)
    whole = tensor(shape, element)
    cases.add(f"tensor.extract_slice {{0}}{static} : {whole} to {part}", [(x, element)], [part])
    dropped = [size for size in sizes if size != 1]
    cases.add(f"tensor.extract_slice {{0}}{static} : {whole} to {tensor(dropped, element)}", [(x, element)], [tensor(dropped, element)])
    y = values(random, element, sizes)
    cases.add(f"tensor.insert_slice {{0}} into {{1}}{static} : {part} into {whole}", [(y, element), (x, element)], [whole])
    names = ", ".join(f"{{{i + 1}}}" for i in range(len(shape)))
    cases.add(f"tensor.extract_slice {{0}}[{names}] [{listed(sizes)}] [{listed(steps)}] : {whole} to {part}",
              [(x, element), *scalars(starts)], [part])
    low, high = random.integers(0, 3, len(shape)), random.integers(0, 3, len(shape))
    padded = tensor([size + a + b for size, a, b in zip(shape, low, high)], element)
    arguments = ", ".join(f"%i{d}: index" for d in range(len(shape)))
    fill = "true" if element == "i1" else "7.5" if element[0] == "f" else "7"
    cases.add(f"tensor.pad {{0}} low[{listed(low)}] high[{listed(high)}] {{{{\n^bb0({arguments}):\ntensor.yield %fill : {element}\n}}}}"
              f" : {whole} to {padded}", [(x, element)], [padded],
              before=[f"%fill = arith.constant {fill}" + ("" if element == "i1" else f" : {element}")])


def addShapes(cases, random, element):
    shape = tuple(random.integers(1, 5, 4))
    x = values(random, element, shape)
    a, b, c, d = shape
    whole = tensor(shape, element)
    collapsed = tensor((a * b, c * d), element)
    cases.add(f"tensor.collapse_shape {{0}} [[0, 1], [2, 3]] : {whole} into {collapsed}", [(x, element)], [collapsed])
    y = x.reshape(a * b, c * d)
    cases.add(f"tensor.expand_shape {{0}} [[0, 1], [2, 3]] output_shape [{listed(shape)}] : {collapsed} into {whole}",
              [(y, element)], [whole])
    other = tensor((c * d, a, b), element)
    cases.add(f"tensor.reshape {{0}}({{1}}) : ({whole}, tensor<3xi64>) -> {other}",
              [(x, element), (np.array([c * d, a, b], np.int64), "i64")], [other])


def addElements(cases, random, element):
    x = values(random, element, (3, 4))
    i, j = random.integers(0, 3), random.integers(0, 4)
    one = f"%x = tensor.extract {{0}}[%i, %j] : tensor<3x4x{element}>"
    indices = [f"%i = arith.constant {i} : index", f"%j = arith.constant {j} : index"]
    # Results of scalars are made tensors, which the comparison takes.
    cases.add(f"tensor.from_elements %x, %x, %x : tensor<3x{element}>", [(x, element)], [f"tensor<3x{element}>"],
              before=[*indices, one])
    cases.add(f"tensor.splat %x : tensor<2x5x{element}>", [(x, element)], [f"tensor<2x5x{element}>"], before=[*indices, one])
    cases.add(f"tensor.insert %x into {{0}}[%j2, %i] : tensor<3x4x{element}>", [(x, element)], [f"tensor<3x4x{element}>"],
              before=[*indices, one, "%j2 = arith.constant 2 : index"])


def addGenerate(cases, random):
    a, b = random.integers(1, 6, 2)
    cases.add(f"tensor.generate {{{{\n^bb0(%i: index, %j: index):\n%s = arith.muli %i, %j : index\n%k = arith.index_cast %s : index to i32\n"
              f"tensor.yield %k : i32\n}}}} : tensor<{a}x{b}xi32>", [], [f"tensor<{a}x{b}xi32>"])


@pytest.mark.parametrize("element", ELEMENTS)
def testAgainstExecution(element, folder):
    cases = Differential()
    for round in range(ROUNDS):
        random = generator(element, round)
        addSlices(cases, random, element)
        addShapes(cases, random, element)
        addElements(cases, random, element)
        addGenerate(cases, random)
    cases.run(folder)


def folded(folder, operation, operands, result):
    """The result of an operation that MLIR has no lowering for, as numpy reads it."""
    text = fold(folder, "numpy", [(operation, operands, [result], 0, ())])[0]
    constant = re.search(r"dense<(.*)> : ", text)
    assert constant, text
    if constant[1][0] == '"':
        shape = [int(size) for size in re.findall(r"\d+(?=x)", result)]
        return np.frombuffer(bytes.fromhex(constant[1][3:-1]), np.int32).reshape(shape)
    return np.array(eval(constant[1]))


def testGather(folder):
    random = generator("gather", 0)
    x = random.integers(-99, 99, (3, 4, 5)).astype(np.int32)
    indices = random.integers(0, 4, (2, 3, 1))
    got = folded(folder, "tensor.gather {0}[{1}] gather_dims([1]) : (tensor<3x4x5xi32>, tensor<2x3x1xindex>) -> tensor<2x3x3x1x5xi32>",
                 [(x, "i32"), (indices, "index")], "tensor<2x3x3x1x5xi32>")
    wanted = np.stack([[x[:, j:j + 1, :] for j in row[:, 0]] for row in indices])
    np.testing.assert_array_equal(got, wanted)
    pairs = np.stack([random.integers(0, 3, 6), random.integers(0, 5, 6)], -1)
    got = folded(folder, "tensor.gather {0}[{1}] gather_dims([0, 2]) : (tensor<3x4x5xi32>, tensor<6x2xindex>) -> tensor<6x4xi32>",
                 [(x, "i32"), (pairs, "index")], "tensor<6x4xi32>")
    np.testing.assert_array_equal(got, np.stack([x[i, :, k] for i, k in pairs]))


def testScatter(folder):
    random = generator("scatter", 0)
    x = random.integers(-99, 99, (4, 5, 6)).astype(np.int32)
    part = random.integers(-99, 99, (3, 4, 1, 6)).astype(np.int32)
    rows = random.permutation(5)[:3]
    got = folded(folder, "tensor.scatter {0} into {1}[{2}] scatter_dims([1]) unique : "
                 "(tensor<3x4x1x6xi32>, tensor<4x5x6xi32>, tensor<3x1xindex>) -> tensor<4x5x6xi32>",
                 [(part, "i32"), (x, "i32"), (rows[:, None], "index")], "tensor<4x5x6xi32>")
    wanted = x.copy()
    for i, row in enumerate(rows):
        wanted[:, row, :] = part[i, :, 0, :]
    np.testing.assert_array_equal(got, wanted)


def testConcat(folder):
    x, y = np.arange(6, dtype=np.int32).reshape(2, 3), np.arange(4, dtype=np.int32).reshape(2, 2)
    got = folded(folder, "tensor.concat dim(1) {0}, {1} : (tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x5xi32>",
                 [(x, "i32"), (y, "i32")], "tensor<2x5xi32>")
    np.testing.assert_array_equal(got, np.concatenate([x, y], 1))


def testUndefined(folder):
    cases = Differential()
    x = np.arange(12, dtype=np.int32).reshape(3, 4)
    index = np.array(3, np.int64)
    before = ["%i = arith.constant 3 : index", "%j = arith.constant 0 : index"]
    cases.addKept("tensor.extract_slice {0}[%i, 0] [2, 4] [1, 1] : tensor<3x4xi32> to tensor<2x4xi32>", [(x, "i32")],
                  ["tensor<2x4xi32>"], "dimension 0, of 3 elements, is left", before=before)
    cases.addKept("tensor.insert %k into {0}[%i, %j] : tensor<3x4xi32>", [(x, "i32")], ["tensor<3x4xi32>"],
                  "dimension 0, of 3 elements, is left", before=[*before, "%k = arith.constant 1 : i32"])
    cases.addKept("tensor.gather {0}[{1}] gather_dims([0]) : (tensor<3x4xi32>, tensor<1x1xindex>) -> tensor<1x4xi32>",
                  [(x, "i32"), (index.reshape(1, 1), "index")], ["tensor<1x4xi32>"], "index 3 is outside of dimension 0")
    twice = np.zeros((2, 1), np.int64)
    cases.addKept("tensor.scatter {0} into {1}[{2}] scatter_dims([0]) unique : "
                  "(tensor<2x4xi32>, tensor<3x4xi32>, tensor<2x1xindex>) -> tensor<3x4xi32>",
                  [(x[:2], "i32"), (x, "i32"), (twice, "index")], ["tensor<3x4xi32>"], "writes where another one does")
    cases.addKept("tensor.reshape {0}({1}) : (tensor<3x4xi32>, tensor<1xi64>) -> tensor<?xi32>",
                  [(x, "i32"), (np.array([5]), "i64")], ["tensor<?xi32>"], "has not 12 elements")
    cases.run(folder)
