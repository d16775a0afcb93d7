# SPDX-License-Identifier: Apache-2.0
"""Compiled models: what onnx-run --emit=shared-library writes, called with NumPy arrays.

onnx/programs/CompiledModel.h in the sources describes how values are passed.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import tempfile

from . import _models, _tool
from .errors import FoldError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# TensorProto.DataType as numpy has it.
_TYPES = {
    1: "f4", 2: "u1", 3: "i1", 4: "u2", 5: "i2", 6: "i4", 7: "i8", 8: "i8", 9: "?", 10: "f2", 11: "f8", 12: "u4", 13: "u8",
    14: "c8", 15: "c16",
}  # fmt: skip
# Those that the package ml_dtypes adds to NumPy, which have a byte of their own too where they are smaller.
_MORE_TYPES = {
    16: "bfloat16", 17: "float8_e4m3fn", 18: "float8_e4m3fnuz", 19: "float8_e5m2", 20: "float8_e5m2fnuz", 21: "uint4",
    22: "int4", 23: "float4_e2m1fn", 24: "float8_e8m0fnu", 25: "uint2", 26: "int2",
}  # fmt: skip
_STRING = 8


def _dtype(code: int) -> Any:
    import numpy

    if code in _TYPES:
        return numpy.dtype(_TYPES[code])
    name = _MORE_TYPES.get(code)
    if name is None:
        raise TypeError(f"a compiled model has values of TensorProto.DataType {code}, for which NumPy has no type")
    try:
        import ml_dtypes
    except ImportError as error:
        raise ImportError(f"a compiled model has values of type {name}, for which NumPy needs the package ml_dtypes") from error
    return numpy.dtype(getattr(ml_dtypes, name))


class CompiledModel:
    """A compiled model in this process: `model(x=array)` returns the outputs by their names.

    Tensors are NumPy arrays (strings: of dtype object), sequences are lists of them, and an empty optional is None. A call may
    be made in any thread. `inputs` and `outputs` describe those of the model: dictionaries with `name`,
    `shape` (-1: any size, absent: any rank), `onnx` (TensorProto.DataType), `sequence` and `optional`.
    """

    def __init__(self, library: str | os.PathLike[str]) -> None:
        """`library`: a file that onnx-run --emit=shared-library wrote."""
        self._library = ctypes.CDLL(os.path.abspath(os.fspath(library)))
        text = ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(self._library, "onnxfold_signature")))
        signature = json.loads(text)
        self.inputs: list[dict[str, Any]] = signature["inputs"]
        self.outputs: list[dict[str, Any]] = signature["outputs"]
        for entry in self.inputs + self.outputs:
            _dtype(entry["onnx"])  # or a call could not take what the program gives
        self._free = ctypes.CDLL(None).free
        self._free.argtypes = [ctypes.c_void_p]

    def __call__(self, **values: Any) -> dict[str, Any]:
        import numpy

        unknown = set(values) - {entry["name"] for entry in self.inputs}
        if unknown:
            raise TypeError(f"the model has no input '{min(unknown)}', expected {', '.join(e['name'] for e in self.inputs)}")
        results = numpy.zeros(sum(map(_wordsOf, self.outputs)) + 1, numpy.int64)
        kept: list[Any] = []  # what the program reads
        given = [(entry, self._checked(entry, values.get(entry["name"]))) for entry in self.inputs]
        words = [results.ctypes.data] if self.outputs else []
        for entry, value in given:
            words += self._wordsFor(entry, value, kept)
        self._run(numpy.array(words or [0], numpy.int64))
        outputs, place = {}, 0
        for entry in self.outputs:
            outputs[entry["name"]] = self._take(entry, results[place:].tolist())
            place += _wordsOf(entry)
        return outputs

    def _run(self, words: Any) -> None:
        try:
            call = self._library.onnxfold_program_call
        except AttributeError:  # it calls nothing that could stop it
            self._library.onnxfold_run(ctypes.c_void_p(words.ctypes.data))
            return
        call.restype = ctypes.c_char_p
        message = call(ctypes.cast(self._library.onnxfold_run, ctypes.c_void_p), ctypes.c_void_p(words.ctypes.data))
        if message is not None:
            raise FoldError(message.decode(errors="replace"))

    # ---- values that go in

    def _checked(self, entry: dict[str, Any], value: Any) -> Any:
        """As arrays of the model's types. Nothing has been allocated yet, so an error loses nothing."""
        if value is None and entry["optional"]:
            return None
        if value is None:
            raise TypeError(f"input '{entry['name']}' has no value")
        return [self._array(entry, one) for one in value] if entry["sequence"] else self._array(entry, value)

    def _array(self, entry: dict[str, Any], value: Any) -> Any:
        import numpy

        code, shape = entry["onnx"], entry.get("shape")
        array = numpy.asarray(value, object) if code == _STRING else numpy.asarray(value)
        if code == _STRING:
            number = self._library.onnxfold_program_number_of_text
            number.restype, number.argtypes = ctypes.c_int64, [ctypes.c_char_p, ctypes.c_int64]
            texts = [text if isinstance(text, bytes) else str(text).encode() for text in array.reshape(-1)]
            array = numpy.array([number(text, len(text)) for text in texts], numpy.int64).reshape(array.shape)
        elif array.dtype != _dtype(code):
            raise TypeError(f"input '{entry['name']}' is an array of {array.dtype}, expected {_dtype(code)}")
        fits = shape is None or (
            len(shape) == array.ndim and all(size in (-1, has) for size, has in zip(shape, array.shape))
        )
        if not fits:
            raise ValueError(f"input '{entry['name']}' has shape {list(array.shape)}, expected {shape}")
        return array if array.flags.c_contiguous else array.copy()

    def _wordsFor(self, entry: dict[str, Any], value: Any, kept: list[Any]) -> list[int]:
        import numpy

        last = [int(value is not None)] if entry["optional"] else []
        if entry["sequence"]:
            return self._sequence(entry, value or []) + last
        if value is None:  # nobody reads it
            value = numpy.zeros([max(size, 0) for size in entry.get("shape") or []], _dtype(entry["onnx"]))
        tensor = _descriptor(value)
        kept += [value, tensor]
        if "shape" in entry:
            return [tensor.ctypes.data, *last]
        kept.append(numpy.array([value.ndim, tensor.ctypes.data], numpy.int64))
        return [kept[-1].ctypes.data, *last]

    def _sequence(self, entry: dict[str, Any], arrays: Sequence[Any]) -> list[int]:
        """A storage with a copy of each; the program frees it."""
        allocate, copy = self._library.onnxfoldSequenceAlloc, self._library.onnxfoldSequenceRecordCopy
        allocate.restype = copy.restype = ctypes.c_void_p
        allocate.argtypes = [ctypes.c_int64]
        copy.argtypes = [ctypes.c_uint32, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p]
        storage = allocate(len(arrays)) or 0
        for i, array in enumerate(arrays):
            record = copy(entry["code"], array.itemsize, array.ndim, _descriptor(array).ctypes.data)
            ctypes.c_int64.from_address(storage + 16 + 8 * i).value = record
        return [storage, len(arrays)]

    # ---- values that come out

    def _take(self, entry: dict[str, Any], words: list[int]) -> Any:
        isThere = not entry["optional"] or words[_wordsOf(entry) - 1] & 1
        if entry["sequence"]:
            value = self._takeSequence(entry, *words[:2])
        elif "shape" in entry:
            value = self._takeTensor(entry, words[: _wordsOf(entry)], len(entry["shape"]))
        else:
            rank, place = words[:2]
            value = self._takeTensor(entry, _wordsAt(place, 3 + rank), rank)
            self._free(place)
        return value if isThere else None

    def _takeTensor(self, entry: dict[str, Any], words: list[int], rank: int) -> Any:
        allocated, data, offset = words[:3]
        value = self._copied(entry, data + offset * _dtype(entry["onnx"]).itemsize, words[3 : 3 + rank])
        self._free(allocated)
        return value

    def _takeSequence(self, entry: dict[str, Any], storage: int, length: int) -> list[Any]:
        values = []
        for record in _wordsAt(storage + 16, length):
            rank, _, data, _ = _wordsAt(record + 16, 4)
            values.append(self._copied(entry, data, _wordsAt(record + 48, rank)))
        if storage:
            self._library.onnxfoldSequenceDealloc(ctypes.c_void_p(storage), ctypes.c_int64(length))
        return values

    def _copied(self, entry: dict[str, Any], data: int, sizes: list[int]) -> Any:
        import numpy

        value = numpy.empty(sizes, _dtype(entry["onnx"]))
        if value.nbytes:
            ctypes.memmove(value.ctypes.data, data, value.nbytes)
        return self._texts(value) if entry["onnx"] == _STRING else value

    def _texts(self, numbers: Any) -> Any:
        import numpy

        text, size = self._library.onnxfold_program_text, ctypes.c_int64()
        text.restype, text.argtypes = ctypes.c_void_p, [ctypes.c_int64, ctypes.c_void_p]
        values = numpy.empty(numbers.shape, object)
        for place in numpy.ndindex(numbers.shape):
            begin = text(int(numbers[place]), ctypes.addressof(size))
            values[place] = ctypes.string_at(begin, size.value).decode(errors="surrogateescape")
        return values


def _wordsOf(entry: dict[str, Any]) -> int:
    isPair = entry["sequence"] or "shape" not in entry
    return (2 if isPair else 3 + 2 * len(entry["shape"])) + bool(entry["optional"])


def _wordsAt(place: int, count: int) -> list[int]:
    return list((ctypes.c_int64 * count).from_address(place)) if count else []


def _descriptor(array: Any) -> Any:
    """A tensor as programs take it; row-major."""
    import numpy

    strides = [1] * array.ndim
    for axis in range(array.ndim - 2, -1, -1):
        strides[axis] = strides[axis + 1] * array.shape[axis + 1]
    return numpy.array([array.ctypes.data, array.ctypes.data, 0, *array.shape, *strides], numpy.int64)


def _onnxRun() -> str:
    """ONNX_RUN_BINARY, or the program beside onnx-fold, or that of PATH."""
    given = os.environ.get("ONNX_RUN_BINARY")
    beside = os.path.join(os.path.dirname(_tool.binary()), "onnx-run")
    found = given or (beside if os.access(beside, os.X_OK) else shutil.which("onnx-run"))
    if not found:
        raise FileNotFoundError("the program onnx-run is not in PATH; it is built from the sources, or set ONNX_RUN_BINARY")
    return found


def compile(model: Any, output: str | os.PathLike[str] | None = None, flags: Sequence[str] = ()) -> CompiledModel:
    """Compiles a model (a path, bytes, an open file, an onnx.ModelProto or an onnx_ir.Model) by onnx-run, and loads it.

    `output` keeps the library, for CompiledModel(output). `flags` are further options of onnx-run, such as "--llvm-level=3". An error at
    run time is a FoldError of the call.
    """
    with _models.sourceOf(model, needsFile=True) as source, tempfile.TemporaryDirectory(prefix="onnx-fold-") as folder:
        path = source.path or ""
        library = os.path.join(folder, "libmodel.so") if output is None else os.fspath(output)
        command = [_onnxRun(), os.path.abspath(path), "--emit=shared-library", "-o", os.path.abspath(library), *flags]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            text = done.stderr.decode(errors="replace").strip()
            raise FoldError(source.named(text.replace("onnx-run: error: ", "")), status=done.returncode)
        return CompiledModel(library)
