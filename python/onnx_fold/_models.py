# SPDX-License-Identifier: Apache-2.0
"""The kinds of models that the functions take, as bytes or files, and back."""

from __future__ import annotations

import os
import sys

from . import _check, _stored
from ._tool import openMemory
from .errors import FoldError, OptionTypeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

# Protobuf's limit on one message.
MOST = 2**31 - 1
# From here on the tensors of an object go through files (_stored.py), which saves copies.
LARGE = 2**30


class Source:
    """A model as the tool gets it: a path, or bytes on its standard input. A context manager, for what is stored in files."""

    def __init__(self, path: str | None, data: Any = None, folder: str | None = None, stored: _stored.Stored | None = None) -> None:
        self.path = path
        self.data = data
        self.folder = folder  # where the external data of `data` is
        self.stored = stored
        self.name = path if path is not None and stored is None else "<memory>"  # in messages

    @property
    def isMemory(self) -> bool:
        return self.path is None or self.stored is not None

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
        roots = [f"--data-root={root}" for root in sorted(self.stored.roots)] if self.stored is not None else []
        if self.path is not None:
            # What looks like an option is a name all the same.
            return [*roots, "./" + self.path if self.path.startswith("-") else self.path]
        return ["-"] if self.folder is None else [f"--folder={self.folder}", "-"]

    def named(self, text: str) -> str:
        """A text of the tool, with the name that the model has here."""
        if self.stored is not None:
            return text.replace(self.stored.result, self.stored.target or self.name).replace(self.stored.path, self.name)
        if self.path is None:
            text = self.name + text[1:] if text == "-" or text.startswith("-: ") else text
            return text.replace("<stdin>", self.name).replace("<stdout>", self.name)
        return text.replace("./" + self.path, self.path) if self.path.startswith("-") else text

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *error: object) -> None:
        if self.stored is not None:
            self.stored.close()


def tooLarge(size: int | None) -> FoldError:
    of = "" if size is None else f" of {size} bytes"
    return FoldError(
        f"<memory>: a model{of} is given as bytes, expected at most 2 GB, which is protobuf's limit; give a path or an object"
    )


def isPath(model: object) -> bool:
    return isinstance(model, (str, os.PathLike))


def isFile(model: object) -> bool:
    """An open file, or what reads like one (io.BytesIO)."""
    return hasattr(model, "read") and not hasattr(model, "SerializeToString")


def _contentOf(file: Any) -> bytes:
    """From where it stands on."""
    data = file.read()
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise OptionTypeError(
            f"model is an open file that has a {type(data).__name__}, expected bytes; open it with mode 'rb'", "usage", argument="model"
        )
    return bytes(data)


def _folderOf(file: Any) -> str | None:
    """Where the external data of the model in this file is."""
    name = getattr(file, "name", None)
    return os.path.dirname(os.path.abspath(name)) if isinstance(name, str) and os.path.exists(name) else None


def isIrModel(model: object) -> bool:
    """An onnx_ir.Model; who has one has imported onnx_ir."""
    module = sys.modules.get("onnx_ir")
    return module is not None and isinstance(model, module.Model)


def isProgram(model: object) -> bool:
    """A torch.onnx.ONNXProgram, which has an onnx_ir.Model."""
    return type(model).__name__ == "ONNXProgram" and hasattr(model, "model_proto")


def sourceOf(
    model: Any, folder: str | os.PathLike[str] | None = None, target: str | None = None, needsFile: bool = False
) -> Source:
    """`folder`: where the external data of a model is that is no path. `target`: the path of the output.
    `needsFile`: the model must have a path."""
    if isPath(model):
        if folder is not None:
            text = "folder is given with a path, expected it with a model in memory only"
            raise OptionTypeError(text, "usage", argument="folder")
        return Source(os.fsdecode(model))
    place = None if folder is None else os.fspath(folder)
    if isinstance(model, (bytes, bytearray, memoryview)):
        if len(model) > MOST:
            raise tooLarge(len(model))
        return _storedBytes(model, place) if needsFile else Source(None, model, place)
    if isFile(model):
        return sourceOf(_contentOf(model), _folderOf(model) if place is None else place, target, needsFile)
    if isProgram(model):
        model = model.model if isIrModel(getattr(model, "model", None)) else model.model_proto
    if isIrModel(model):
        return _sourceOfIr(model, place, target, needsFile)
    if not hasattr(model, "SerializeToString"):
        expected = "a path, bytes, an open file, an onnx.ModelProto, an onnx_ir.Model or a torch.onnx.ONNXProgram"
        raise _check.wrongType("model", type(model), expected)
    return _sourceOfProto(model, place, target, needsFile)


def _storedBytes(data: Any, folder: str | None) -> Source:
    stored = _stored.Stored()
    stored.write(data)
    return Source(stored.path, None, folder, stored)


def _sourceOfProto(model: Any, folder: str | None, target: str | None, needsFile: bool) -> Source:
    hasGraph = hasattr(model, "graph")
    if not (needsFile and hasGraph) and not (hasGraph and _stored.estimatedBytes(model) > LARGE):
        try:
            data: bytes = model.SerializeToString()
        except Exception as error:  # of protobuf, whose class differs from version to version
            if not hasGraph:
                raise tooLarge(None) from error
        else:
            if len(data) <= MOST:
                return Source(None, data, folder)
    stored = _storedBy(_stored.storeProto, model, folder, target)
    return Source(stored.path, None, folder, stored)


def _storedBy(store: Any, model: Any, folder: str | None, target: str | None) -> _stored.Stored:
    stored = _stored.Stored(target)
    try:
        store(model, stored, folder)
    except BaseException:
        stored.close()
        raise
    return stored


def protoOf(model: Any) -> tuple[Any, str | None]:
    """An onnx_ir.Model as a ModelProto of its own, and the folder of its external data."""
    place = _foldersOf(model)
    if len(place) > 1:
        shown = ", ".join(place[:3])
        raise FoldError(f"<memory>: has external data in {len(place)} folders ({shown}), expected one; load or move the tensors")
    return sys.modules["onnx_ir"].to_proto(model), place[0] if place else None


def _sourceOfIr(model: Any, folder: str | None, target: str | None, needsFile: bool) -> Source:
    isSmall = (folder is not None or len(_foldersOf(model)) <= 1) and _stored.irBytes(model) <= LARGE and not needsFile
    if isSmall or not hasattr(model, "clone"):
        proto, place = protoOf(model) if folder is None else (sys.modules["onnx_ir"].to_proto(model), folder)
        return _sourceOfProto(proto, place, target, needsFile)
    stored = _storedBy(_stored.storeIr, model, folder, target)
    return Source(stored.path, None, None, stored)


def _foldersOf(model: Any) -> list[str]:
    """onnx_ir remembers the folder of the model in each tensor."""
    ir = sys.modules["onnx_ir"]
    return sorted({os.path.abspath(one.base_dir) for one, _ in _stored.irTensors(model) if isinstance(one, ir.ExternalTensor)})


def restored(data: bytes, model: Any, folder: str | None) -> Any:
    """The bytes as the kind that `model` is of."""
    if isinstance(model, (bytes, bytearray, memoryview)) or isFile(model):
        return data
    if isProgram(model):
        return _asProgram(restored(data, getattr(model, "model", model.model_proto), folder), model)
    if not isIrModel(model):
        result = type(model)()
        result.ParseFromString(data)
        return result
    import onnx
    import onnx_ir

    result = onnx_ir.from_proto(onnx.ModelProto.FromString(data))
    if folder is not None:
        for tensor, _ in _stored.irTensors(result):
            if isinstance(tensor, onnx_ir.ExternalTensor):
                tensor.base_dir = folder
    return result


def restoredFrom(stored: _stored.Stored, model: Any) -> Any:
    """The result in these files as the kind that `model` is of."""
    if isProgram(model):
        return _asProgram(restoredFrom(stored, getattr(model, "model", model.model_proto)), model)
    if not isIrModel(model):
        return _stored.restoreProto(type(model), stored)
    if stored.isIr:
        return _stored.restoreIr(stored)
    import onnx
    import onnx_ir

    return onnx_ir.from_proto(_stored.restoreProto(onnx.ModelProto, stored))


def _asProgram(result: Any, program: Any) -> Any:
    """A program with another model; older ones have none to replace."""
    import copy

    if not isIrModel(getattr(program, "model", None)):
        return result
    made = copy.copy(program)
    made.model = result
    if hasattr(made, "_inference_session"):
        made._inference_session = None
    return made
