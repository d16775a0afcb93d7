# SPDX-License-Identifier: Apache-2.0
"""A model in memory as files in a temporary folder: its large tensors in a data file, all else in a model file.

Protobuf allows 2 GB for one message, so a larger model has no bytes; and what is not folded need not come back: the result
refers to the data file, and gets the tensors of the argument.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import Any

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ._changes import Changes

DATA = "onnx-fold.tensors"
# Smaller tensors stay in the model file.
SMALLEST = 1024
PAGE = 4096
# Messages that may hold tensors; of nodes only those with such an attribute.
HOLDERS = ("ModelProto", "GraphProto", "NodeProto", "AttributeProto", "FunctionProto", "TrainingInfoProto")
TYPED = {1: ("float_data", "<f4"), 6: ("int32_data", "<i4"), 7: ("int64_data", "<i8"), 11: ("double_data", "<f8"), 13: ("uint64_data", "<u8")}


class Stored:
    """The folder, which `close` removes. `target`: the output that will be made of it, on whose file system it is."""

    def __init__(self, target: str | None = None) -> None:
        import tempfile

        beside = None if target is None else os.path.dirname(target)
        self.target = target
        self.data = DATA if target is None else os.path.basename(target) + ".data"
        self._temporary = tempfile.TemporaryDirectory(prefix="onnx-fold-" if beside is None else ".onnx-fold-", dir=beside)
        self.folder = self._temporary.name
        self.path = os.path.join(self.folder, "model.onnx")
        self.result = os.path.join(self.folder, "result.onnx")
        self.isIr = False  # onnx_ir wrote it
        self.outside: dict[str, Any] = {}  # by name: tensors in files of their own, which the tool copies
        self.roots: set[str] = set()  # folders that links lead to
        self._file: Any = None
        self._tensors: dict[tuple[str, int], Any] = {}
        self._links: dict[str, tuple[str, str]] = {}

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._temporary.cleanup()

    def write(self, data: Any) -> None:
        if self._file is not None:
            self._file.flush()
        with open(self.path, "wb") as file:
            file.write(data)

    def put(self, tensor: Any, write: Callable[[Any], int]) -> tuple[str, int, int]:
        """The place of a tensor in the data file, to which `write` writes its bytes; returns how many there are."""
        if self._file is None:
            self._file = open(os.path.join(self.folder, self.data), "wb")
        offset = -(-self._file.tell() // PAGE) * PAGE
        self._file.seek(offset)
        length = write(self._file)
        self._tensors[self.data, offset] = tensor
        return self.data, offset, length

    def link(self, folder: str, location: str) -> str:
        """A data file of the model, under a name that no other one has."""
        if os.path.isabs(location) or ".." in location.split(os.sep):
            return location  # the tool refuses it, in its own words
        name, given, number = location, (folder, location), 0
        while self._links.get(name, given) != given or name == self.data:
            number += 1
            name = os.path.join(str(number), location)
        if name not in self._links:
            self._links[name] = given
            self.roots.add(folder)
            os.makedirs(os.path.dirname(os.path.join(self.folder, name)), exist_ok=True)
            os.symlink(os.path.join(folder, location), os.path.join(self.folder, name))
        return name

    def tensorAt(self, location: str, offset: int) -> Any:
        """What was put there; nothing for a part of it."""
        return self._tensors.get((location, offset))

    def linkedAs(self, location: str) -> tuple[str, str] | None:
        """Its folder, and its name there."""
        return self._links.get(location)

    def moveTo(self, changes: Changes) -> bool:
        """Makes the output of the result and its data file, which takes no time; false if it is not just that, or if much of the
        data is not read any more."""
        assert self.target is not None
        if self._file is None or self._links or sorted(os.listdir(self.folder)) != sorted(
            [self.data, os.path.basename(self.path), os.path.basename(self.result)]
        ):
            return False
        import onnx

        with open(self.result, "rb") as file:
            model = onnx.ModelProto.FromString(file.read())
        used = sum(int(_entries(one).get("length", 0)) for one in _tensorsOf(model) if one.data_location == 1)
        if used < 0.9 * self._file.tell():
            return False
        data = os.path.join(os.path.dirname(self.target), self.data)
        changes.keep([data, self.target])
        changes.isDecided = True
        if os.path.exists(self.target):
            os.unlink(self.target)  # nobody reads it with other weights
        os.replace(os.path.join(self.folder, self.data), data)
        os.replace(self.result, self.target)
        return True

    def bytesAt(self, location: str, offset: int, length: int | None) -> bytes:
        with open(os.path.join(self.folder, location), "rb") as file:
            file.seek(offset)
            return file.read(-1 if length is None else length)


# ---- onnx.ModelProto --------------------------------------------------------------------------------------------------------


def estimatedBytes(model: Any) -> int:
    """Of the initializers, by their shapes: no byte is touched."""
    total = 0
    for tensor in model.graph.initializer:
        if tensor.data_location == 0:
            elements = 1
            for size in tensor.dims:
                elements *= size
            total += elements * _bits(tensor.data_type) // 8
    return total


def _bits(data_type: int) -> int:
    if data_type in (7, 11, 13, 14):
        return 64
    if data_type in (1, 6, 12):
        return 32
    return 128 if data_type == 15 else 16 if data_type in (4, 5, 10, 16) else 8


def _copied(source: Any, target: Any, move: Callable[[Any, Any], None]) -> None:
    """Each message but tensors, which `move` copies."""
    for field, value in source.ListFields():
        kind = field.message_type.name if field.message_type is not None else None
        if kind is None:
            if hasattr(value, "extend"):
                getattr(target, field.name).extend(value)
            else:
                setattr(target, field.name, value)
            continue
        isRepeated = hasattr(value, "add")
        for one in value if isRepeated else [value]:
            into = getattr(target, field.name).add() if isRepeated else getattr(target, field.name)
            if kind == "TensorProto":
                move(one, into)
            elif kind in HOLDERS and not (kind == "NodeProto" and _isPlain(one)):
                into.SetInParent()
                _copied(one, into, move)
            else:
                into.CopyFrom(one)


def _isPlain(node: Any) -> bool:
    """It has no tensor and no graph. Messages are true; fields that are not set are not."""
    return all(
        not (one.HasField("t") or one.HasField("g") or one.tensors or one.graphs) for one in node.attribute
    )


def _tensorsOf(message: Any) -> Iterator[Any]:
    for field, value in message.ListFields():
        kind = field.message_type.name if field.message_type is not None else None
        if kind == "TensorProto" or kind in HOLDERS:
            for one in value if hasattr(value, "add") else [value]:
                if kind == "TensorProto":
                    yield one
                elif not (kind == "NodeProto" and _isPlain(one)):
                    yield from _tensorsOf(one)


def _entries(tensor: Any) -> dict[str, str]:
    return {entry.key: entry.value for entry in tensor.external_data}


def _setEntries(tensor: Any, **entries: object) -> None:
    del tensor.external_data[:]
    for key, value in entries.items():
        if value is not None:
            tensor.external_data.add(key=key, value=str(value))
    tensor.data_location = 1  # EXTERNAL


def _protoBytes(tensor: Any) -> Any:
    """The bytes of a tensor as a data file has them; nothing for one that stays in the model file."""
    if tensor.HasField("raw_data"):
        return tensor.raw_data
    name, dtype = TYPED.get(tensor.data_type, ("", ""))
    values = getattr(tensor, name) if name else ()
    if len(values) * 8 < SMALLEST:
        return None
    import numpy

    return numpy.asarray(values, dtype).tobytes()


@contextmanager
def _keptPages() -> Iterator[None]:
    """Memory that is freed is used again. raw_data is a copy at each call; of a copy above 32 MB glibc gives the pages back, and
    new ones take four times as long as the copy. The limits that are set afterwards are those that glibc itself arrives at when
    a block of 32 MB is freed."""
    import ctypes

    library = ctypes.CDLL(None)
    isGlibc = hasattr(library, "mallopt") and hasattr(library, "malloc_trim")

    def limit(mapped: int, kept: int) -> None:
        if isGlibc:
            library.mallopt(-3, mapped)  # M_MMAP_THRESHOLD
            library.mallopt(-1, kept)  # M_TRIM_THRESHOLD

    limit(1 << 30, (1 << 31) - 1)
    try:
        yield
    finally:
        limit(32 << 20, 64 << 20)
        if isGlibc:
            library.malloc_trim(0)


def storeProto(model: Any, stored: Stored, folder: str | None) -> None:
    """`folder`: of the external data that the model has."""

    def move(tensor: Any, into: Any) -> None:
        if tensor.data_location == 1:
            into.CopyFrom(tensor)
            entries = _entries(tensor)
            if "location" in entries:
                entries["location"] = stored.link(os.path.abspath(folder or "."), entries["location"])
                _setEntries(into, **entries)
            return
        data = _protoBytes(tensor)
        if data is None or len(data) < SMALLEST:
            into.CopyFrom(tensor)
            return
        location, offset, length = stored.put(tensor, lambda file: file.write(data))
        for name in ("name", "data_type", "doc_string"):  # ListFields would copy the data, too
            if tensor.HasField(name):
                setattr(into, name, getattr(tensor, name))
        into.dims.extend(tensor.dims)
        if hasattr(tensor, "metadata_props"):
            into.metadata_props.extend(tensor.metadata_props)
        _setEntries(into, location=location, offset=offset, length=length)

    small = type(model)()
    with _keptPages():
        _copied(model, small, move)
    stored.write(small.SerializeToString())


def restoreProto(kind: type, stored: Stored) -> Any:
    """The result as an object of the class `kind`."""
    result = kind()
    with open(stored.result, "rb") as file:
        result.ParseFromString(file.read())
    for tensor in _tensorsOf(result):
        if tensor.data_location == 1:
            _restoreTensor(tensor, stored)
    return result


def _restoreTensor(tensor: Any, stored: Stored) -> None:
    entries = _entries(tensor)
    location, offset = entries.get("location", ""), int(entries.get("offset", 0))
    linked = stored.linkedAs(location)
    if linked is not None:
        entries["location"] = linked[1]
        return _setEntries(tensor, **entries)
    given = stored.tensorAt(location, offset)
    if given is not None and given.data_type == tensor.data_type and list(given.dims) == list(tensor.dims):
        metadata = list(getattr(tensor, "metadata_props", ()))
        name, document = tensor.name, tensor.doc_string
        tensor.CopyFrom(given)
        tensor.name, tensor.doc_string = name, document
        if not document:
            tensor.ClearField("doc_string")
        if hasattr(tensor, "metadata_props"):
            del tensor.metadata_props[:]
            tensor.metadata_props.extend(metadata)
        return
    length = entries.get("length")
    del tensor.external_data[:]
    tensor.ClearField("data_location")
    tensor.raw_data = stored.bytesAt(location, offset, None if length is None else int(length))


# ---- onnx_ir.Model ----------------------------------------------------------------------------------------------------------


def irTensors(model: Any) -> Iterator[tuple[Any, Callable[[Any], None]]]:
    """The tensors of all graphs and functions, each with a function that replaces it."""
    import onnx_ir

    graphs = [model.graph, *model.graph.subgraphs()]
    for function in model.functions.values():
        graphs += [function.graph, *function.graph.subgraphs()]
    for graph in graphs:
        for value in graph.initializers.values():
            if value.const_value is not None:
                yield value.const_value, _valueSetter(value)
        for node in graph:
            for name, attribute in node.attributes.items():
                if attribute.type == onnx_ir.AttributeType.TENSOR and not attribute.is_ref():
                    yield attribute.value, _attributeSetter(node, name)


def _valueSetter(value: Any) -> Callable[[Any], None]:
    def replace(tensor: Any) -> None:
        value.const_value = tensor

    return replace


def _attributeSetter(node: Any, name: str) -> Callable[[Any], None]:
    import onnx_ir

    def replace(tensor: Any) -> None:
        node.attributes[name] = onnx_ir.AttrTensor(name, tensor)

    return replace


def irBytes(model: Any) -> int:
    """Of all tensors that are in memory."""
    import onnx_ir

    return sum(one.nbytes for one, _ in irTensors(model) if not isinstance(one, (onnx_ir.ExternalTensor, onnx_ir.StringTensor)))


def storeIr(model: Any, stored: Stored, folder: str | None) -> None:
    import onnx_ir

    stored.isIr = True
    small = model.clone()
    for tensor, replace in list(irTensors(small)):
        if isinstance(tensor, onnx_ir.ExternalTensor):
            stored.outside[str(tensor.name)] = tensor
            place = os.path.abspath(folder if folder is not None else tensor.base_dir)
            location, offset, length = stored.link(place, os.fspath(tensor.location)), tensor.offset, tensor.length
        elif isinstance(tensor, onnx_ir.StringTensor) or tensor.nbytes < SMALLEST:
            continue
        else:
            location, offset, length = stored.put(tensor, _irWriter(tensor))
        replace(
            onnx_ir.ExternalTensor(
                location, offset, length, tensor.dtype, shape=tensor.shape, name=tensor.name, base_dir=stored.folder
            )
        )
    stored.write(onnx_ir.to_proto(small).SerializeToString())


def _irWriter(tensor: Any) -> Callable[[Any], int]:
    def write(file: Any) -> int:
        if hasattr(tensor, "tofile"):
            before = file.tell()
            file.flush()
            tensor.tofile(file)
            return int(file.tell() - before)
        return int(file.write(tensor.tobytes()))

    return write


def restoreIr(stored: Stored) -> Any:
    import onnx
    import onnx_ir

    with open(stored.result, "rb") as file:
        result = onnx_ir.from_proto(onnx.ModelProto.FromString(file.read()))
    for tensor, replace in list(irTensors(result)):
        if isinstance(tensor, onnx_ir.ExternalTensor):
            replace(_restoredIr(tensor, stored))
    return result


def _restoredIr(tensor: Any, stored: Stored) -> Any:
    import onnx
    import onnx_ir

    location, offset = os.fspath(tensor.location), tensor.offset or 0
    linked = stored.linkedAs(location)
    if linked is not None:
        return onnx_ir.ExternalTensor(
            linked[1], tensor.offset, tensor.length, tensor.dtype, shape=tensor.shape, name=tensor.name, base_dir=linked[0]
        )
    given = stored.tensorAt(location, offset)
    if given is not None and given.dtype == tensor.dtype and given.shape == tensor.shape and given.name == tensor.name:
        return given
    data = stored.bytesAt(location, offset, tensor.length)
    outside = stored.outside.get(tensor.name)
    if outside is not None and outside.dtype == tensor.dtype and outside.shape == tensor.shape and outside.tobytes() == data:
        return outside
    proto = onnx.TensorProto(name=tensor.name, data_type=int(tensor.dtype), dims=tensor.shape.numpy(), raw_data=data)
    return onnx_ir.serde.TensorProtoTensor(proto)
