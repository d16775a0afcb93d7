# SPDX-License-Identifier: Apache-2.0
"""The kinds of models that the functions take, as bytes and back."""

from __future__ import annotations

import os
import sys

from ._tool import openMemory
from .errors import FoldError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

# Protobuf's limit on one message.
MOST = 2**31 - 1


class Source:
    """A model as the tool gets it: a path, or bytes on its standard input."""

    def __init__(self, path: str | None, data: Any = None, folder: str | None = None) -> None:
        self.path = path
        self.data = data
        self.folder = folder  # where the external data of `data` is

    def open(self) -> BinaryIO | None:
        """The standard input of the tool."""
        if self.path is not None:
            return None
        file = openMemory("onnx-fold-input")
        file.write(self.data)
        file.flush()
        file.seek(0)
        return file

    def arguments(self) -> list[str]:
        if self.path is not None:
            # What looks like an option is a name all the same.
            return ["./" + self.path if self.path.startswith("-") else self.path]
        return ["-"] if self.folder is None else [f"--folder={self.folder}", "-"]


def tooLarge(size: int | None) -> FoldError:
    of = "" if size is None else f" of {size} bytes"
    return FoldError(
        f"<memory>: a model{of} is given as an object, expected at most 2 GB, which is protobuf's limit; give a path"
    )


def isPath(model: object) -> bool:
    return isinstance(model, (str, os.PathLike))


def isIrModel(model: object) -> bool:
    """An onnx_ir.Model; who has one has imported onnx_ir."""
    module = sys.modules.get("onnx_ir")
    return module is not None and isinstance(model, module.Model)


def sourceOf(model: Any, folder: str | os.PathLike[str] | None = None) -> Source:
    """`folder`: where the external data of a model is that is no path."""
    if isPath(model):
        if folder is not None:
            raise TypeError("folder is given with a path, expected it with a model in memory only")
        return Source(os.fsdecode(model))
    place = None if folder is None else os.fspath(folder)
    if isinstance(model, (bytes, bytearray, memoryview)):
        if len(model) > MOST:
            raise tooLarge(len(model))
        return Source(None, model, place)
    if isIrModel(model):
        place = _folderOfIrModel(model) if place is None else place
        model = sys.modules["onnx_ir"].to_proto(model)
    if not hasattr(model, "SerializeToString"):
        raise TypeError(
            f"the model is a {type(model).__name__}, expected a path, bytes, an onnx.ModelProto or an onnx_ir.Model"
        )
    return Source(None, _serialized(model), place)


def _serialized(model: Any) -> bytes:
    try:
        data: bytes = model.SerializeToString()
    except Exception as error:  # of protobuf, whose class differs from version to version
        raise tooLarge(None) from error
    if len(data) > MOST:
        raise tooLarge(len(data))
    return data


def _externalTensors(model: Any) -> Iterator[Any]:
    """Of an onnx_ir model: initializers and attributes of all graphs."""
    ir = sys.modules["onnx_ir"]
    for graph in [model.graph, *model.graph.subgraphs()]:
        for value in graph.initializers.values():
            if isinstance(value.const_value, ir.ExternalTensor):
                yield value.const_value
    for node in model.graph.all_nodes():
        for attribute in node.attributes.values():
            if attribute.type == ir.AttributeType.TENSOR and isinstance(attribute.value, ir.ExternalTensor):
                yield attribute.value


def _folderOfIrModel(model: Any) -> str | None:
    """onnx_ir remembers the folder of the model in each tensor."""
    folders = {os.path.abspath(tensor.base_dir) for tensor in _externalTensors(model)}
    if len(folders) > 1:
        shown = ", ".join(sorted(folders)[:3])
        raise FoldError(
            f"<memory>: has external data in {len(folders)} folders ({shown}), expected one; load or move the tensors"
        )
    return folders.pop() if folders else None


def restored(data: bytes, model: Any, folder: str | None) -> Any:
    """The bytes as the kind that `model` is of."""
    if isinstance(model, (bytes, bytearray, memoryview)):
        return data
    if not isIrModel(model):
        result = type(model)()
        result.ParseFromString(data)
        return result
    import onnx
    import onnx_ir

    result = onnx_ir.from_proto(onnx.ModelProto.FromString(data))
    if folder is not None:
        for tensor in _externalTensors(result):
            tensor.base_dir = folder
    return result
