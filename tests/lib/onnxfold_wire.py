# SPDX-License-Identifier: Apache-2.0
"""Protobuf on the wire, written and read by hand: for models that no library would write.

A message is `bytes`; the functions return the bytes of one field. `pad` lengthens a varint with continuation bytes, which
is legal and which no writer does.
"""

VARINT, FIXED64, LENGTH, GROUP, END_GROUP, FIXED32 = range(6)


def varint(value, pad=0):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    if pad:
        out[-1] |= 0x80
        out += b"\x80" * (pad - 1) + b"\x00"
    return bytes(out)


def tag(field, wireType, pad=0):
    return varint(field << 3 | wireType, pad)


def number(field, value, pad=0, tagPad=0):
    return tag(field, VARINT, tagPad) + varint(value, pad)


def message(field, content, pad=0, tagPad=0):
    """A length-delimited field: a message, bytes, or a string."""
    if isinstance(content, str):
        content = content.encode()
    return tag(field, LENGTH, tagPad) + varint(len(content), pad) + content


def fixed32(field, content):
    return tag(field, FIXED32) + content


def fixed64(field, content):
    return tag(field, FIXED64) + content


def group(field, content):
    """The form of a nested message that proto3 dropped; old writers may have left one as an unknown field."""
    return tag(field, GROUP) + content + tag(field, END_GROUP)


def unknownFields(first=1000):
    """One field of each wire type under numbers that ONNX does not use."""
    return (
        number(first, 7)
        + message(first + 1, b"kept")
        + fixed32(first + 2, b"\1\2\3\4")
        + fixed64(first + 3, b"\1\2\3\4\5\6\7\x08")
    )


def readVarint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """Yields (field, wire type, content, whole field with its tag) for each field of a message."""
    at = 0
    while at < len(data):
        begin = at
        key, at = readVarint(data, at)
        wireType = key & 7
        if wireType == VARINT:
            content, at = readVarint(data, at)
        elif wireType == LENGTH:
            size, at = readVarint(data, at)
            content, at = data[at : at + size], at + size
        elif wireType in (FIXED32, FIXED64):
            size = 4 if wireType == FIXED32 else 8
            content, at = data[at : at + size], at + size
        elif wireType == GROUP:
            content, at = _groupContent(data, at, key >> 3)
        else:
            raise ValueError(f"wire type {wireType} at byte {begin}")
        yield key >> 3, wireType, content, data[begin:at]


def _groupContent(data, begin, number):
    """Skips to the end of a group: (its content, the position after its end tag)."""
    at = begin
    while True:
        key, after = readVarint(data, at)
        if key == number << 3 | END_GROUP:
            return data[begin:at], after
        *_, whole = next(fields(data[at:]))
        at += len(whole)


def first(data, wanted):
    """Content of the first field with this number, or None."""
    for field, _, content, _ in fields(data):
        if field == wanted:
            return content
    return None


def every(data, wanted):
    return [content for field, _, content, _ in fields(data) if field == wanted]
