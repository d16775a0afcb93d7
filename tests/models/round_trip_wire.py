# SPDX-License-Identifier: Apache-2.0
"""Models for test_round_trip.py that are written by hand on the wire: legal protobuf that no library would write.

A model here is y = Relu(x + w) for f32 [2, 3]; `withAdd` gives it one more node, Add of two constants, that can be folded.
"""

import struct

from onnxfold_wire import FIXED32, LENGTH, fields, fixed32, fixed64, group, message, number, tag, unknownFields, varint

FLOAT = 1


def tensorType(shape=(2, 3), more=b""):
    dims = b"".join(message(1, number(1, size) + more) for size in shape)
    return message(1, number(1, FLOAT) + message(2, dims + more) + more) + more


def valueInfo(name, more=b""):
    return message(1, name) + message(2, tensorType(more=more)) + more


def node(operator, inputs, outputs, more=b"", name=""):
    content = b"".join(message(1, value) for value in inputs) + b"".join(message(2, value) for value in outputs)
    return content + (message(3, name) if name else b"") + message(4, operator) + more


def tensor(name, more=b"", shape=(2, 3)):
    count = 1
    for size in shape:
        count *= size
    dims = b"".join(number(1, size) for size in shape)
    return dims + number(2, FLOAT) + message(8, name) + message(9, struct.pack("<f", 1.0) * count) + more


def graphFields(withAdd, more=b""):
    """The fields of the graph, each whole, by what they are: a builder orders them."""
    parts = {
        "nodes": [message(1, node("Add", ["x", "w"], ["h"], more)), message(1, node("Relu", ["h"], ["y"], more))],
        "name": [message(2, "g")],
        "initializers": [message(5, tensor("w", more))],
        "inputs": [message(11, valueInfo("x", more))],
        "outputs": [message(12, valueInfo("y", more))],
        "values": [message(13, valueInfo("h", more))],
        "more": [more] if more else [],
    }
    if withAdd:
        own = "onnxfold_round_trip_"
        parts["nodes"].insert(1, message(1, node("Add", [own + "one", own + "one"], [own + "sum"], name=own + "add")))
        parts["initializers"].append(message(5, tensor(own + "one")))
        parts["outputs"].append(message(12, valueInfo(own + "sum")))
    return parts


def modelBytes(graph, before=None, after=b""):
    head = number(1, 10) + message(2, "tests") if before is None else before
    return head + message(7, graph) + after + message(8, message(1, "") + number(2, 21))


def plainGraph(withAdd, more=b""):
    return b"".join(b"".join(part) for part in graphFields(withAdd, more).values())


def unknownEverywhere(withAdd):
    """Unknown fields of every wire type in every kind of message."""
    more = unknownFields()
    graph = plainGraph(withAdd, more)
    imports = message(8, message(1, "") + number(2, 21) + more)
    metadata = message(14, message(1, "k") + message(2, "v") + more)
    return more + number(1, 10) + metadata + message(7, graph) + more + imports


def unknownLarge(withAdd):
    """An unknown field of 3 MB: larger than any window that a reader keeps."""
    return modelBytes(
        plainGraph(withAdd, message(2000, bytes(range(256)) * 12288)), after=message(2000, b"\xff" * 3_000_000)
    )


def unknownHighNumbers(withAdd):
    return modelBytes(plainGraph(withAdd, number((1 << 29) - 1, 1) + message(19000 - 1, b"x")))


def unknownAttributeAndString(withAdd):
    """A node whose attribute carries unknown fields, and a tensor whose strings are not UTF-8."""
    attribute = message(1, "alpha") + fixed32(2, b"\0\0\0\x3f") + unknownFields() + number(20, 1)
    words = number(1, 2) + number(2, 8) + message(6, b"\xff\xfe") + message(6, b"") + message(8, "words")
    parts = graphFields(withAdd)
    parts["nodes"][-1] = message(1, node("LeakyRelu", ["h"], ["y"], message(5, attribute)))
    parts["initializers"].append(message(5, words))
    return modelBytes(b"".join(b"".join(part) for part in parts.values()))


def reversedFields(withAdd):
    """Everything in the reverse of the usual order, but for the nodes, whose order means something."""
    parts = graphFields(withAdd)
    graph = b"".join(b"".join(parts[name]) for name in ("values", "outputs", "inputs", "initializers", "name", "nodes"))
    return message(8, number(2, 21) + message(1, "")) + message(7, graph) + message(2, "tests") + number(1, 10)


def interleavedFields(withAdd):
    """Nodes and initializers take turns; the name comes in the middle."""
    parts = graphFields(withAdd)
    mixed = []
    for index, one in enumerate(parts["nodes"]):
        mixed += [one] + parts["initializers"][index : index + 1]
    mixed += parts["initializers"][len(parts["nodes"]) :]
    return modelBytes(
        b"".join(mixed[:2] + parts["name"] + mixed[2:] + parts["values"] + parts["outputs"] + parts["inputs"])
    )


def scalarsTwice(withAdd):
    """A scalar field that occurs twice: the last one holds, both must be kept."""
    return modelBytes(
        plainGraph(withAdd) + message(2, "last name"),
        before=number(1, 3) + number(1, 10) + message(2, "a") + message(2, "b"),
    )


def overlongVarints(withAdd):
    """Tags, lengths and numbers with continuation bytes that say nothing."""

    def stretched(content, depth):
        out = b""
        for field, wireType, value, whole in fields(content):
            if wireType == LENGTH:
                nested = (
                    stretched(value, depth - 1)
                    if depth and field in (1, 5, 7, 11, 12, 13) and not isText(value)
                    else value
                )
                out += message(field, nested, pad=2, tagPad=1)
            elif wireType == 0:
                out += number(field, value, pad=3, tagPad=1)
            else:
                out += whole
        return out

    def isText(value):
        return all(32 <= byte < 127 for byte in value)

    model = modelBytes(plainGraph(withAdd))
    return stretched(model, 2)


def packedNumbers(withAdd):
    """dims of a tensor packed into one field, and its floats in several: a reader must accept both forms of either."""
    dims = message(1, varint(2) + varint(3))
    single = b"".join(tag(4, FIXED32) + struct.pack("<f", float(value)) for value in range(2))
    rest = message(4, struct.pack("<4f", 2, 3, 4, 5))
    parts = graphFields(withAdd)
    parts["initializers"][0] = message(5, dims + number(2, FLOAT) + single + rest + message(8, "w"))
    return modelBytes(b"".join(b"".join(part) for part in parts.values()))


def packedAttribute(withAdd):
    """The ints of an attribute packed; Transpose twice, so that the model is not changed."""
    perm = message(1, "perm") + message(8, varint(1) + varint(0)) + number(20, 7)
    parts = graphFields(withAdd)
    parts["nodes"] += [
        message(1, node("Transpose", ["h"], ["h1"], message(5, perm))),
        message(1, node("Transpose", ["h1"], ["h2"], message(5, perm))),
    ]
    return modelBytes(b"".join(b"".join(part) for part in parts.values()))


def emptyMessages(withAdd):
    """Messages of length 0 wherever one may stand."""
    graph = plainGraph(withAdd) + message(14, b"") + message(16, b"")
    return modelBytes(graph, after=message(14, b"") + message(20, b""))


def negativeNumbers(withAdd):
    """Negative numbers take ten bytes."""
    return modelBytes(plainGraph(withAdd), after=number(5, -1))


def oldGroups(withAdd):
    """Unknown fields in the old group form, nested."""
    more = group(3000, number(1, 1) + group(2, message(3, b"inside")) + fixed64(4, bytes(8)))
    return modelBytes(plainGraph(withAdd, more), after=more)


def graphInTwoParts(withAdd):
    """A message field that occurs twice is merged: two graph fields are one graph."""
    parts = graphFields(withAdd)
    first = b"".join(b"".join(parts[name]) for name in ("nodes", "name"))
    second = b"".join(b"".join(parts[name]) for name in ("initializers", "inputs", "outputs", "values"))
    return modelBytes(first, after=message(7, second))


def paddedTensor(withAdd):
    """raw_data longer than the shape needs: legal, and not ours to cut."""
    parts = graphFields(withAdd)
    long = number(1, 2) + number(1, 3) + number(2, FLOAT) + message(8, "w") + message(9, bytes(24 + 5))
    parts["initializers"][0] = message(5, long)
    return modelBytes(b"".join(b"".join(part) for part in parts.values()))


def manySmallFields(withAdd):
    """20,000 initializers of one element between the nodes."""
    parts = graphFields(withAdd)
    parts["initializers"] += [message(5, tensor(f"small_{index}", shape=(1,))) for index in range(20_000)]
    return modelBytes(b"".join(b"".join(part) for part in parts.values()))


def models(withAdd=False):
    """{name: builder}. Two graph fields in one model are left out where something folds: there they may become one."""
    builders = [
        unknownEverywhere,
        unknownLarge,
        unknownHighNumbers,
        unknownAttributeAndString,
        reversedFields,
        interleavedFields,
        scalarsTwice,
        overlongVarints,
        packedNumbers,
        packedAttribute,
        emptyMessages,
        negativeNumbers,
        oldGroups,
        paddedTensor,
        manySmallFields,
    ]
    if not withAdd:
        builders.append(graphInTwoParts)
    return {f"wire_{build.__name__}": lambda _, build=build: build(withAdd) for build in builders}
