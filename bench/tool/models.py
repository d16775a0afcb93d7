# SPDX-License-Identifier: Apache-2.0
"""The models of bench_tool.py: deterministic, random weights, written without holding more than one weight in memory."""

import math
import random
import struct
from pathlib import Path

FLOAT, INT64, FLOAT16 = 1, 7, 10
SEED = 20261121


# ---- the few messages of ONNX that these models need, as bytes ----------------------------------------------------------


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def ints(name, values):
    return message(5, message(1, name) + b"".join(number(8, value) for value in values) + number(20, 7))


def integer(name, value):
    return message(5, message(1, name) + number(3, value) + number(20, 2))


def node(operator, inputs, output, attributes=b"", field=1):
    names = b"".join(message(1, name) for name in inputs) + message(2, output)
    return message(field, names + message(3, f"/{output}") + message(4, operator) + attributes)


def info(field, name, shape, kind=FLOAT):
    dims = b"".join(message(1, message(2, size) if isinstance(size, str) else number(1, size)) for size in shape)
    return message(field, message(1, name) + message(2, message(1, number(1, kind) + message(2, dims))))


class Model:
    """Collects nodes, values and weights; `write` streams them into a file. A weight's content is made when it is written."""

    def __init__(self, opset=17):
        self.nodes, self.values, self.weights, self.names, self.opset = [], [], [], 0, opset
        self.shared = {}
        self.functions = b""

    def fresh(self, name):
        self.names += 1
        return f"{name}_{self.names}"

    def add(self, operator, inputs, attributes=b"", name=None):
        output = name or self.fresh(operator.lower())
        self.nodes.append(node(operator, inputs, output, attributes))
        return output

    def weight(self, shape, name="w", content=None, kind=FLOAT):
        name = self.fresh(name)
        self.weights.append((name, tuple(shape), kind, content))
        return name

    def scalar(self, value):
        return self.weight((), "c", struct.pack("<f", value))

    def integers(self, *values, scalar=False):
        return self.weight(() if scalar else (len(values),), "i", struct.pack(f"<{len(values)}q", *values), INT64)

    def constant(self, value, isList=False):
        """A Constant node of one integer, or a list of one."""
        dims = number(1, 1) if isList else b""
        tensor = dims + number(2, INT64) + message(9, struct.pack("<q", value))
        return self.add("Constant", [], message(5, message(1, "value") + message(5, tensor) + number(20, 4)))

    def integersOnce(self, *values):
        """The one constant of these values that all nodes share."""
        if values not in self.shared:
            self.shared[values] = self.integers(*values)
        return self.shared[values]

    def input(self, name, shape, kind=FLOAT):
        self.values.append(info(11, name, shape, kind))
        return name

    def output(self, name, shape, kind=FLOAT):
        self.values.append(info(12, name, shape, kind))

    def write(self, path, data=None, dataBytes=None):
        """Writes the model. With `data` the weights stand in that file, and of each only the first `dataBytes`: the rest is a
        hole."""
        generator = random.Random(SEED)
        block = positiveFloats(generator)
        sizes = {FLOAT: 4, INT64: 8, FLOAT16: 2}
        if data:
            self.writeData(data, block, generator, dataBytes)
        heads = []
        for name, shape, kind, _ in self.weights:
            count = sizes[kind]
            for size in shape:
                count *= size
            head = (
                b"".join(number(1, size) for size in shape)
                + number(2, kind)
                + message(8, name)
                + varint(9 << 3 | 2)
                + varint(count)
            )
            heads.append((varint(5 << 3 | 2) + varint(len(head) + count) + head, count))
        rest = b"".join(self.nodes) + message(2, "bench")
        total = len(rest) + sum(len(head) + count for head, count in heads) + sum(map(len, self.values))
        with open(path, "wb") as file:
            file.write(number(1, 8) + message(2, "bench_tool.py") + varint(7 << 3 | 2) + varint(total) + rest)
            for (head, count), (_, _, _, content) in zip(heads, self.weights):
                file.write(head)
                if content is not None:
                    file.write(content)
                    continue
                # Every weight starts elsewhere in the block, so that no two are alike.
                at = generator.randrange(len(block) // 4) * 4
                while count:
                    part = block[at : at + count]
                    file.write(part)
                    count -= len(part)
                    at = 0
            file.write(b"".join(self.values) + message(8, message(1, "") + number(2, self.opset)) + self.functions)
        return Path(path)


    def writeData(self, path, block, generator, dataBytes):
        """Moves the weights without a given content into the file `path`."""
        size, left = 0, []
        with open(path, "wb") as file:
            for name, shape, kind, content in self.weights:
                if content is not None:
                    left.append((name, shape, kind, content))
                    continue
                count = 4 * math.prod(shape)
                at = generator.randrange(len(block) // 4) * 4
                file.seek(size)
                written = 0
                while written < min(count, dataBytes or count):
                    part = block[at : at + min(count, dataBytes or count) - written]
                    written += file.write(part)
                    at = 0
                entries = (("location", Path(path).name), ("offset", size), ("length", count))
                head = b"".join(number(1, one) for one in shape) + number(2, kind) + message(8, name)
                head += b"".join(message(13, message(1, key) + message(2, str(value))) for key, value in entries)
                self.values.append(message(5, head + number(14, 1)))
                size += count
            file.truncate(size)
        self.weights = left


def positiveFloats(generator, count=1 << 20):
    """4 MB of floats in [0.5, 2): their roots and quotients are ordinary numbers too."""
    bits = generator.getrandbits(32 * count).to_bytes(4 * count, "little")
    words = struct.unpack(f"<{count}I", bits)
    return struct.pack(f"<{count}I", *[0x3F000000 | word & 0x00FFFFFF for word in words])


# ---- the models ---------------------------------------------------------------------------------------------------------


def tiny(path):
    model = Model()
    model.add("Add", [model.weight((2, 3)), model.weight((2, 3))], name="y")
    model.output("y", (2, 3))
    return model.write(path)


def shapes(path, layers=60, width=2048, **where):
    """1 GB: 60 layers of a 2048 x 2048 MatMul, each followed by the shape arithmetic of splitting into heads and back."""
    model = Model()
    value = model.input("x", ("batch", "length", width))
    axis, zero, one, two = model.integers(0), *(model.integers(index, scalar=True) for index in (0, 1, 2))
    heads, heads1 = model.integers(16, scalar=True), model.integers(16)
    for _ in range(layers):
        value = model.add("MatMul", [value, model.weight((width, width))])
        shape = model.add("Shape", [value])
        batch, length, hidden = (model.add("Gather", [shape, index]) for index in (zero, one, two))
        size = model.add("Div", [hidden, heads])
        parts = [model.add("Unsqueeze", [part, axis]) for part in (batch, length, size)]
        target = model.add("Concat", [parts[0], parts[1], heads1, parts[2]], integer("axis", 0))
        split = model.add("Reshape", [value, target])
        whole = model.add("Unsqueeze", [model.add("Mul", [size, heads]), axis])
        value = model.add("Reshape", [split, model.add("Concat", [parts[0], parts[1], whole], integer("axis", 0))])
    model.output(value, ("batch", "length", width))
    return model.write(path, **where)


def linear(model, value, rows, columns):
    """Linear as exporters write it: the weight is stored [out, in] and transposed on the spot."""
    weight = model.add("Transpose", [model.weight((columns, rows))], ints("perm", [1, 0]))
    return model.add("Add", [model.weight((columns,), "b"), model.add("MatMul", [value, weight])])


def normalise(model, value, width):
    """Layer normalisation, written out."""
    mean = model.add("ReduceMean", [value], ints("axes", [-1]) + integer("keepdims", 1))
    centred = model.add("Sub", [value, mean])
    variance = model.add(
        "ReduceMean", [model.add("Mul", [centred, centred])], ints("axes", [-1]) + integer("keepdims", 1)
    )
    deviation = model.add("Sqrt", [model.add("Add", [variance, model.scalar(1e-5)])])
    scaled = model.add("Mul", [model.add("Div", [centred, deviation]), model.weight((width,), "gamma")])
    return model.add("Add", [scaled, model.weight((width,), "beta")])


def attention(model, value, hidden, heads):
    query, key, content = (linear(model, value, hidden, hidden) for _ in range(3))
    target = model.integers(0, 0, heads, hidden // heads)
    query, content = (
        model.add("Transpose", [model.add("Reshape", [one, target])], ints("perm", [0, 2, 1, 3]))
        for one in (query, content)
    )
    key = model.add("Transpose", [model.add("Reshape", [key, target])], ints("perm", [0, 2, 3, 1]))
    scores = model.add("Div", [model.add("MatMul", [query, key]), model.add("Sqrt", [model.scalar(hidden / heads)])])
    mixed = model.add("MatMul", [model.add("Softmax", [scores], integer("axis", -1)), content])
    joined = model.add(
        "Reshape", [model.add("Transpose", [mixed], ints("perm", [0, 2, 1, 3])), model.integers(0, 0, hidden)]
    )
    return linear(model, joined, hidden, hidden)


def transformer(path, layers=11, hidden=768, inner=3072, vocabulary=12_000, heads=12):
    """350 MB, of which the 311 MB of Linear weights are transposed: the sizes of a BERT base. The embedding is read as it is."""
    model = Model()
    tokens = model.input("tokens", ("batch", "length"), INT64)
    value = normalise(model, model.add("Gather", [model.weight((vocabulary, hidden)), tokens]), hidden)
    for _ in range(layers):
        value = normalise(model, model.add("Add", [value, attention(model, value, hidden, heads)]), hidden)
        wide = linear(model, value, hidden, inner)
        error = model.add("Erf", [model.add("Div", [wide, model.add("Sqrt", [model.scalar(2.0)])])])
        active = model.add(
            "Mul", [model.add("Mul", [wide, model.add("Add", [error, model.scalar(1.0)])]), model.scalar(0.5)]
        )
        value = normalise(model, model.add("Add", [value, linear(model, active, inner, hidden)]), hidden)
    model.output(value, ("batch", "length", hidden))
    return model.write(path)


def adapters(path, data, layers=200, width=1800, rank=32, changed=None):
    """2.6 GB of external data: 200 weights into each of which a low-rank adapter is merged, W + a b, as it is done before a
    model is shipped. `changed`: the number of a layer whose adapter was trained further."""
    model = Model()
    value = model.input("x", ("batch", width))
    generator = random.Random(SEED)
    for layer in range(layers):
        parts = [generator.randbytes(2 * rank * width) for _ in range(2)]
        if layer == changed:
            parts[0] = parts[0][::-1]
        shapes = ((width, rank), (rank, width))
        halves = [model.weight(shape, content=halfFloats(part), kind=FLOAT16) for shape, part in zip(shapes, parts)]
        a, b = (model.add("Cast", [half], integer("to", FLOAT)) for half in halves)
        delta = model.add("Mul", [model.add("MatMul", [a, b]), model.scalar(1 / rank)])
        merged = model.add("Add", [model.weight((width, width)), delta])
        value = model.add("MatMul", [value, merged])
    model.output(value, ("batch", width))
    return model.write(path, data=data)


def halfFloats(bits):
    """Halves in [0.5, 2) of random bits."""
    words = struct.unpack(f"<{len(bits) // 2}H", bits)
    return struct.pack(f"<{len(words)}H", *[0x3800 | word & 0x07FF for word in words])


def scaledWeight(model, rows, columns):
    """A Conv weight behind the arithmetic of its normalisation: 15 operators, 6 of them over all elements."""
    weight = model.add("Reshape", [model.weight((columns // 9, 3, 3, rows)), model.integers(columns, rows)])
    weight = model.add("Transpose", [weight], ints("perm", [1, 0]))
    weight = model.add("Sqrt", [weight])
    deviation = model.add("Sqrt", [model.add("Add", [model.weight((rows,), "variance"), model.scalar(1e-5)])])
    gamma = model.add("Cast", [model.weight((rows,), "gamma", b"\x00\x3c" * rows, FLOAT16)], integer("to", FLOAT))
    scale = model.add("Reshape", [model.add("Div", [gamma, deviation]), model.integers(rows, 1)])
    weight = model.add("Div", [weight, model.weight((1, columns), "norm")])
    weight = model.add("Mul", [weight, scale])
    weight = model.add("Add", [weight, model.scalar(1e-3)])
    step = model.add("Cast", [model.integers(3, scalar=True)], integer("to", FLOAT))
    weight = model.add("Mul", [weight, model.add("Div", [step, model.scalar(4.0)])])
    return model.add("Reshape", [weight, model.integers(rows, columns // 9, 3, 3)])


def chains(path, layers=53):
    """53 weights of 50 million elements in all, each behind a chain of 15 operators: as a ResNet whose BatchNormalization was
    written out. All 795 fold; the 53 Conv that read the results are kept."""
    model = Model()
    widths = (64, 64, 128, 128, 256, 256, 512, 688)
    for layer in range(layers):
        width = widths[layer % len(widths)]
        weight = scaledWeight(model, width, 9 * width)
        value = model.input(f"x{layer}", ("batch", width, 8, 8))
        model.output(model.add("Conv", [value, weight], ints("pads", [1, 1, 1, 1])), ("batch", width, 8, 8))
    return model.write(path)


def transposedChains(path, chains=40, size=1118):
    """40 weights of 1.25 million elements, each behind 20 operators that fold, three of them transpositions: 200 MB."""
    model = Model()
    for chain in range(chains):
        value = model.weight((size, size))
        for third in range(3):
            value = model.add("Transpose", [value], ints("perm", [1, 0]))
            value = model.add("Mul", [value, model.scalar(1.0 + 0.25 * third)])
            value = model.add("Add", [value, model.weight((size,), "row")])
            value = model.add("Div", [value, model.scalar(3.0)])
            value = model.add("Sub", [value, model.weight((size, 1), "column")])
            value = model.add("Abs", [value])
        value = model.add("Sqrt", [value])
        value = model.add("Neg", [value])
        data = model.input(f"x{chain}", ("batch", size))
        model.output(model.add("MatMul", [data, value]), ("batch", size))
    return model.write(path)


def windows(model, value, width, axis, zero, one):
    """The shape arithmetic by which a Swin cuts windows out of its image, and puts them together again."""
    for _ in range(2):
        shape = model.add("Shape", [value])
        batch, length = (model.add("Gather", [shape, index]) for index in (zero, one))
        side = model.constant(7)
        parts = [model.add("Div", [length, side]), model.add("Mul", [batch, side])]
        for _ in range(3):
            parts = [model.add("Div", [model.add("Mul", [part, side]), model.constant(7)]) for part in parts]
        whole = model.add("Div", [parts[1], model.constant(7)])
        target = [model.add("Unsqueeze", [part, axis]) for part in (whole, length)]
        target = model.add("Concat", [*target, model.constant(width, isList=True)], integer("axis", 0))
        same = model.add("Slice", [target, model.constant(0, isList=True), model.constant(3, isList=True), axis])
        value = model.add("Reshape", [value, same])
    return value


def swin(path, layers=240):
    """200 MB in 11,760 nodes, and 5,280 Constant nodes: shape arithmetic around 240 transposed weights, as exporters write it."""
    model = Model()
    width = 456
    value = model.input("x", ("batch", "length", width))
    axis, zero, one = model.integers(0), model.integers(0, scalar=True), model.integers(1, scalar=True)
    for _ in range(layers):
        value = linear(model, windows(model, value, width, axis, zero, one), width, width)
    model.output(value, ("batch", "length", width))
    return model.write(path)


def linears(path, layers=200, width=1792, **where):
    """2.6 GB in 2,400 nodes: 200 weights of 12.8 MB which are transposed, each with 11 operators that are kept."""
    model = Model()
    value = model.input("x", ("batch", "length", width))
    for _ in range(layers):
        value = linear(model, value, width, width)
        for operator in ("Relu", "Neg", "Relu", "Sigmoid", "Tanh", "Relu", "Neg", "Sigmoid", "Abs"):
            value = model.add(operator, [value])
    model.output(value, ("batch", "length", width))
    return model.write(path, **where)


def partlyTurned(path, data, layers, width):
    """Of every three weights two are transposed. Returns the names of two values that cut out a third of the layers."""
    model, values = Model(), []
    value = model.input("x", ("batch", width))
    for layer in range(layers):
        if layer % 3:
            value = model.add("Relu", [linear(model, value, width, width)])
        else:
            value = model.add("Relu", [model.add("MatMul", [value, model.weight((width, width))])])
        values.append(value)
    model.output(value, ("batch", width))
    model.write(path, data=data)
    return values[layers // 3], values[2 * layers // 3]


def functions(path, layers=36, width=1024):
    """151 MB: 36 calls of one function of the model, which transposes the weight that it is passed."""
    model = Model()
    value = model.input("x", ("batch", "length", width))
    for _ in range(layers):
        weights = [model.weight((width, width)), model.weight((width,), "b")]
        value = model.add("Linear", [value, *weights], message(7, "bench"))
    model.output(value, ("batch", "length", width))
    body = [
        node("Transpose", ["w"], "t", ints("perm", [1, 0]), field=7),
        node("MatMul", ["x", "t"], "m", field=7),
        node("Add", ["m", "b"], "s", field=7),
        node("Relu", ["s"], "y", field=7),
    ]
    head = message(1, "Linear") + b"".join(message(4, name) for name in ("x", "w", "b")) + message(5, "y")
    tail = message(9, message(1, "") + number(2, model.opset)) + message(10, "bench")
    model.functions = message(8, message(1, "bench") + number(2, 1)) + message(25, head + b"".join(body) + tail)
    return model.write(path)


def lstm(path, layers=8, hidden=940):
    """225 MB: LSTMs as PyTorch exports them: the gates in another order, by slices that are put together again."""
    model = Model()
    value = model.input("x", ("length", "batch", hidden))
    axis = model.integers(0)
    cuts = [model.integers(cut * hidden) for cut in range(5)]
    state = model.input("state", (1, "batch", hidden))
    for _ in range(layers):
        parts = []
        for shape in ((4 * hidden, hidden), (4 * hidden, hidden), (4 * hidden,), (4 * hidden,)):
            weight = model.weight(shape)
            gates = [model.add("Slice", [weight, cuts[gate], cuts[gate + 1], axis]) for gate in (0, 3, 1, 2)]
            parts.append(model.add("Concat", gates, integer("axis", 0)))
        bias = model.add("Concat", parts[2:], integer("axis", 0))
        weights = [model.add("Unsqueeze", [part, axis]) for part in (*parts[:2], bias)]
        output = model.add("LSTM", [value, *weights, "", state, state], integer("hidden_size", hidden))
        value = model.add("Squeeze", [output, model.integersOnce(1)])
    model.output(value, ("length", "batch", hidden))
    return model.write(path)


def detector(path, levels=5, width=1140):
    """156 MB in 1,900 nodes: heads whose weights are scaled, and whose anchors are computed from constants."""
    model = Model()
    size = 0
    for level in range(levels):
        value = model.input(f"x{level}", ("batch", width))
        for _ in range(6):
            scaled = model.add("Mul", [model.weight((width, width)), model.weight((width, 1), "scale")])
            value = model.add("Relu", [model.add("MatMul", [value, scaled])])
            size += 4 * width * width
        boxes = model.weight((4, 1), "anchor")
        for step in range(180):
            boxes = model.add("Add", [model.add("Mul", [boxes, model.scalar(0.5)]), model.scalar(step / 7)])
        grid = model.add("Tile", [boxes, model.integers(1, width // 4)])
        flat = model.add("Reshape", [grid, model.integers(1, -1)])
        model.output(model.add("Add", [value, flat]), ("batch", width))
    return model.write(path)


def nodes(path, count):
    """`count` nodes as exporters write them: of each twelve, three compute with data and nine with shapes, which fold."""
    model = Model()
    value = model.input("x", (1, 64, 8))
    one, minus, index = model.integers(1), model.integers(-1), model.integers(1, scalar=True)
    two = model.scalar(2.0)
    for _ in range(count // 12):
        width = model.add("Gather", [model.add("Shape", [value]), index])
        half = model.add("Div", [model.add("Mul", [width, index]), index])
        same = model.add("Sub", [model.add("Add", [half, index]), index])
        wide = model.add("Unsqueeze", [same, model.integersOnce(0)])
        shape = model.add("Concat", [one, wide, minus], integer("axis", 0))
        value = model.add("Reshape", [value, model.add("Identity", [shape])])
        value = model.add("Mul", [model.add("Relu", [value]), two])
    model.output(value, (1, 64, 8))
    return model.write(path)


def holes(path, count, data=None):
    """`count` nodes of an LLM whose weights of 20 MB, 2,000 for 200,000 nodes, are holes of a data file: of each hundred
    nodes one is a MatMul, 11 compute with shapes and fold, and 88 are kept."""
    model = Model()
    width = 2236
    value = model.input("x", ("batch", "length", width))
    index = model.integers(1, scalar=True)
    for _ in range(count // 100):
        value = model.add("MatMul", [value, model.weight((width, width))])
        for operator in ("Relu", "Neg", "Abs", "Sigmoid") * 22:
            value = model.add(operator, [value])
        length = model.add("Gather", [model.add("Shape", [value]), index])
        for operator in ("Mul", "Add", "Sub", "Add", "Sub"):
            length = model.add(operator, [length, index])
        wide = model.add("Unsqueeze", [model.add("Sub", [length, index]), model.integersOnce(0)])
        shape = model.add("Concat", [model.integersOnce(0), wide, model.integersOnce(width)], integer("axis", 0))
        value = model.add("Reshape", [value, shape])
    model.output(value, ("batch", "length", width))
    return model.write(path, data=data or Path(f"{path}.data"), dataBytes=4)


def initializers(path, count):
    """`count` small weights, each read by a node that is kept and one that folds."""
    model = Model()
    value, two = model.input("x", (1, 8)), model.scalar(2.0)
    content = struct.pack("<8f", *range(1, 9))
    for _ in range(count):
        scaled = model.add("Mul", [model.weight((8,), content=content), two])
        value = model.add("Add", [value, scaled])
    model.output(value, (1, 8))
    return model.write(path)
