# SPDX-License-Identifier: Apache-2.0
"""onnx-fold's passes and attribute for compilers that are written in Python, on MLIR's C API.

    from onnx_fold import mlir

    with mlir.Context() as context:
        module = context.parse(text)
        weights = context.elements(array)                      # no copy: NumPy's memory, however large
        module.operations("arith.constant")[0]["value"] = weights
        module.run("builtin.module(constprop,canonicalize)")   # and frees what the passes drop
        print(module, context.statistics().live_bytes)

It needs libonnxfold_passes.so, which `cmake --install build --component plugin` installs: the path is in the variable
ONNXFOLD_MLIR_LIBRARY, or the library is where the loader finds it. Objects of MLIR's own Python package work too, if it is
built for the same libMLIR.so: `mlir.Context(of=ir_context)`, and `attribute.to(ir)` gives an `ir.Attribute`.
"""

from __future__ import annotations

import ctypes
import itertools
import os
from typing import Any, Callable, NamedTuple

__all__ = ["Attribute", "Context", "Error", "Module", "Operation", "Statistics"]


class Error(Exception):
    """What MLIR's diagnostics say, one a line."""


class Statistics(NamedTuple):
    """Numbers about the values of a context since it was made."""

    created: int
    freed: int
    live_bytes: int
    peak_bytes: int
    freed_bytes: int
    collections: int


class _Object(ctypes.Structure):
    _fields_ = [("ptr", ctypes.c_void_p)]


class _Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class _Chunk(ctypes.Structure):  # a text of the library, which may have no end mark
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class _Result(ctypes.Structure):  # MlirLogicalResult
    _fields_ = [("value", ctypes.c_int8)]


class _Numbers(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in Statistics._fields]


_Print = ctypes.CFUNCTYPE(None, _Chunk, ctypes.c_void_p)
_Release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Visit = ctypes.CFUNCTYPE(ctypes.c_int, _Object, ctypes.c_void_p)
_Diagnose = ctypes.CFUNCTYPE(ctypes.c_int8, _Object, ctypes.c_void_p)  # of one byte, as MlirLogicalResult
_Nothing = ctypes.c_void_p

# name: result, arguments
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "mlirContextCreate": (_Object, []),
    "mlirContextDestroy": (None, [_Object]),
    "mlirContextAppendDialectRegistry": (None, [_Object, _Object]),
    "mlirContextSetAllowUnregisteredDialects": (None, [_Object, ctypes.c_bool]),
    "mlirContextAttachDiagnosticHandler": (ctypes.c_uint64, [_Object, _Diagnose, _Nothing, _Nothing]),
    "mlirContextDetachDiagnosticHandler": (None, [_Object, ctypes.c_uint64]),
    "mlirDiagnosticPrint": (None, [_Object, _Print, _Nothing]),
    "mlirDiagnosticGetSeverity": (ctypes.c_int, [_Object]),
    "mlirDialectRegistryCreate": (_Object, []),
    "mlirDialectRegistryDestroy": (None, [_Object]),
    "mlirModuleCreateParse": (_Object, [_Object, _Text]),
    "mlirModuleDestroy": (None, [_Object]),
    "mlirModuleGetOperation": (_Object, [_Object]),
    "mlirOperationGetContext": (_Object, [_Object]),
    "mlirOperationGetName": (_Object, [_Object]),
    "mlirIdentifierStr": (_Chunk, [_Object]),
    "mlirOperationGetAttributeByName": (_Object, [_Object, _Text]),
    "mlirOperationSetAttributeByName": (None, [_Object, _Text, _Object]),
    "mlirOperationPrint": (None, [_Object, _Print, _Nothing]),
    "mlirOperationVerify": (ctypes.c_bool, [_Object]),
    "mlirOperationWalk": (None, [_Object, _Visit, _Nothing, ctypes.c_int]),
    "mlirAttributeGetContext": (_Object, [_Object]),
    "mlirAttributeGetType": (_Object, [_Object]),
    "mlirAttributePrint": (None, [_Object, _Print, _Nothing]),
    "mlirTypeParseGet": (_Object, [_Object, _Text]),
    "mlirTypePrint": (None, [_Object, _Print, _Nothing]),
    "mlirPassManagerCreate": (_Object, [_Object]),
    "mlirPassManagerDestroy": (None, [_Object]),
    "mlirPassManagerGetAsOpPassManager": (_Object, [_Object]),
    "mlirParsePassPipeline": (_Result, [_Object, _Text, _Print, _Nothing]),
    "mlirPassManagerRunOnOp": (_Result, [_Object, _Object]),
    "onnxFoldRegisterDialects": (None, [_Object]),
    "onnxFoldRegisterPasses": (None, []),
    "onnxFoldCheckText": (_Result, [_Object, _Text]),
    "onnxFoldElementsAttrGet": (_Object, [_Object, ctypes.c_void_p, ctypes.c_size_t, _Release, _Nothing]),
    "onnxFoldElementsSize": (ctypes.c_int64, [_Object]),
    "onnxFoldElementsRead": (_Result, [_Object, ctypes.c_void_p, ctypes.c_size_t]),
    "onnxFoldRootCreate": (_Object, [_Object]),
    "onnxFoldRootDestroy": (None, [_Object]),
    "onnxFoldPinCreate": (_Object, [_Object]),
    "onnxFoldPinDestroy": (None, [_Object]),
    "onnxFoldAddCollector": (None, [_Object]),
    "onnxFoldCollect": (ctypes.c_size_t, [_Object]),
    "onnxFoldGetStatistics": (_Numbers, [_Object]),
}

_loaded: ctypes.CDLL | None = None
_held: dict[int, Any] = {}  # arrays whose memory attributes refer to, by number
_numbers = itertools.count(1)


def _forget(number: int | None) -> None:
    _held.pop(number or 0, None)


_release = _Release(_forget)


def _library() -> ctypes.CDLL:
    global _loaded
    if _loaded is None:
        library = ctypes.CDLL(os.environ.get("ONNXFOLD_MLIR_LIBRARY", "libonnxfold_passes.so"))
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        library.onnxFoldRegisterPasses()
        _loaded = library
    return _loaded


def _text(text: str) -> _Text:
    data = text.encode()
    return _Text(data, len(data))


def _string(chunk: _Chunk) -> str:
    return ctypes.string_at(chunk.data, chunk.length).decode() if chunk.length else ""


def _printed(function: Callable[..., None], thing: _Object) -> str:
    parts: list[str] = []
    function(thing, _Print(lambda chunk, _: parts.append(_string(chunk))), None)
    return "".join(parts)


# MLIR's Python packages hand objects to each other as capsules of these names.
_PREFIX = "mlir.ir."
_capsule_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(("PyCapsule_New", ctypes.pythonapi))
_capsule_name = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", ctypes.pythonapi))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
_names: dict[str, bytes] = {kind: f"{_PREFIX}{kind}._CAPIPtr".encode() for kind in ("Attribute", "Context", "Module", "Operation")}


def _object(thing: Any) -> _Object:
    """What stands behind an object of ours, or of an MLIR package."""
    if isinstance(thing, (Context, Module, Operation, Attribute)):
        return thing._ptr
    capsule = thing._CAPIPtr
    return _Object(_capsule_pointer(capsule, _capsule_name(capsule)))


class _Diagnostics:
    """The errors of a context while they are collected."""

    def __init__(self, context: _Object) -> None:
        self.context = context
        self.errors: list[str] = []

    def __enter__(self) -> _Diagnostics:
        def note(diagnostic: _Object, _: Any) -> int:
            is_error: bool = _library().mlirDiagnosticGetSeverity(diagnostic) == 0
            if is_error:
                self.errors.append(_printed(_library().mlirDiagnosticPrint, diagnostic))
            return is_error  # handled

        self.handler = _Diagnose(note)
        self.number = _library().mlirContextAttachDiagnosticHandler(self.context, self.handler, None, None)
        return self

    def __exit__(self, *_: Any) -> None:
        _library().mlirContextDetachDiagnosticHandler(self.context, self.number)

    def error(self, words: str) -> Error:
        return Error("\n".join(self.errors) or words)


def _run(pipeline: str, context: _Object, operation: _Object, module: Module | None) -> None:
    library = _library()
    if library.mlirOperationGetContext(operation).ptr != context.ptr:
        raise Error("the module is of another context")
    with _Diagnostics(context) as diagnostics:
        manager = library.mlirPassManagerCreate(context)
        try:
            wrong: list[str] = []
            print_wrong = _Print(lambda chunk, _: wrong.append(_string(chunk)))
            passes = library.mlirPassManagerGetAsOpPassManager(manager)
            if not library.mlirParsePassPipeline(passes, _text(pipeline), print_wrong, None).value:
                raise diagnostics.error("".join(wrong) or f"{pipeline}: not a pipeline")
            library.onnxFoldAddCollector(manager)
            if module is not None:
                module._runs += 1
            if not library.mlirPassManagerRunOnOp(manager, operation).value:
                raise diagnostics.error(f"{pipeline}: failed")
        finally:
            library.mlirPassManagerDestroy(manager)


class Attribute:
    """An attribute. One of onnx-fold stays alive as long as this object, whatever collections run."""

    def __init__(self, pointer: _Object, context: Context) -> None:
        self._pointer, self._context = pointer, context
        self._pin = _library().onnxFoldPinCreate(pointer)

    def __del__(self) -> None:
        if self._pin.ptr and self._context._pointer.ptr:
            _library().onnxFoldPinDestroy(self._pin)

    @property
    def _ptr(self) -> _Object:
        self._context._check()
        return self._pointer

    def __str__(self) -> str:
        return _printed(_library().mlirAttributePrint, self._ptr)

    @property
    def _CAPIPtr(self) -> Any:
        return _capsule_new(self._ptr.ptr, _names["Attribute"], None)

    def to(self, ir: Any) -> Any:
        """The same attribute as an object of an MLIR package, whose module `ir` is given."""
        return ir.Attribute._CAPICreate(self._CAPIPtr)

    @property
    def type(self) -> str:
        return _printed(_library().mlirTypePrint, _library().mlirAttributeGetType(self._ptr))

    def tobytes(self) -> bytes:
        """A copy of the value: row-major, of whole bytes for each element."""
        size = _library().onnxFoldElementsSize(self._ptr)
        if size < 0:
            raise Error(f"an attribute of type {self.type} has no bytes that can be read")
        bytes_ = ctypes.create_string_buffer(max(size, 1))
        if not _library().onnxFoldElementsRead(self._ptr, bytes_, size).value:
            raise Error(f"the value of an attribute of type {self.type} cannot be read")
        return bytes_.raw[:size]

    def array(self) -> Any:
        """A copy of the value as an array of NumPy."""
        import numpy

        value = self.tobytes()
        shape, element = _shape_of(self.type)
        if element not in _DTYPES:
            raise Error(f"NumPy has no element type for {element}; tobytes() has the bytes")
        return numpy.frombuffer(value, _DTYPES[element]).reshape(shape)


_DTYPES = {
    "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "index": "int64",
    "ui8": "uint8", "ui16": "uint16", "ui32": "uint32", "ui64": "uint64",
    "f16": "float16", "f32": "float32", "f64": "float64", "complex<f32>": "complex64", "complex<f64>": "complex128",
}  # fmt: skip
_TYPES = {dtype: element for element, dtype in _DTYPES.items() if element != "index"}


def _shape_of(text: str) -> tuple[list[int], str]:
    """[2, 3] and "f32" of "tensor<2x3xf32>"."""
    inner = text[text.index("<") + 1 : -1].split(",")[0]
    sizes, rest = [], inner
    while rest.split("x")[0].isdigit():
        size, _, rest = rest.partition("x")
        sizes.append(int(size))
    return sizes, rest


class Operation:
    """An operation of a module, until passes run on it: they may erase any."""

    def __init__(self, pointer: _Object, context: Context, module: Module) -> None:
        self._pointer, self._context, self._of = pointer, context, module
        self._runs = module._runs

    @property
    def _ptr(self) -> _Object:
        self._of._check()
        if self._runs != self._of._runs:
            raise Error("passes have run on the module since; ask it for its operations again")
        return self._pointer

    @property
    def name(self) -> str:
        return _string(_library().mlirIdentifierStr(_library().mlirOperationGetName(self._ptr)))

    def __str__(self) -> str:
        return _printed(_library().mlirOperationPrint, self._ptr)

    def __getitem__(self, name: str) -> Attribute:
        found = _library().mlirOperationGetAttributeByName(self._ptr, _text(name))
        if not found.ptr:
            raise KeyError(name)
        return Attribute(found, self._context)

    def __setitem__(self, name: str, value: Any) -> None:
        attribute = _object(value)
        if _library().mlirAttributeGetContext(attribute).ptr != self._context._ptr.ptr:
            raise Error(f"the attribute for '{name}' is of another context")
        _library().mlirOperationSetAttributeByName(self._ptr, _text(name), attribute)


class Module(Operation):
    """A module, whose constants are alive as long as it is. Made by Context.parse."""

    def __init__(self, pointer: _Object, context: Context) -> None:
        self._runs: int = 0  # of passes
        super().__init__(_library().mlirModuleGetOperation(pointer), context, self)
        self._module = pointer
        self._root = _library().onnxFoldRootCreate(self._pointer)
        context._modules.append(self)

    def _check(self) -> None:
        if not self._module.ptr:
            raise Error("the module is closed")

    @property
    def _ptr(self) -> _Object:
        self._check()
        return self._pointer

    def operations(self, name: str = "") -> list[Operation]:
        """All operations, or those of a name, in the order of the text."""
        found: list[Operation] = []

        def visit(pointer: _Object, _: Any) -> int:
            operation = Operation(_Object(pointer.ptr), self._context, self)
            if not name or operation.name == name:
                found.append(operation)
            return 0  # goes on

        _library().mlirOperationWalk(self._ptr, _Visit(visit), None, 0)
        return found

    def verify(self) -> None:
        with _Diagnostics(self._context._ptr) as diagnostics:
            if not _library().mlirOperationVerify(self._ptr):
                raise diagnostics.error("the module is not valid")

    def run(self, pipeline: str) -> None:
        """Runs passes, and frees the values that they drop."""
        self._context.run(pipeline, self)

    def close(self) -> None:
        """Erases the module; its constants are freed by the next collection."""
        if self._root.ptr:
            _library().onnxFoldRootDestroy(self._root)
            _library().mlirModuleDestroy(self._module)
            self._root = self._module = _Object()
            self._context._modules.remove(self)


class Context:
    """A context of its own, or with `of` that of an object of an MLIR package, which stays its owner."""

    def __init__(self, of: Any = None, allow_unregistered: bool = False) -> None:
        library = _library()
        self._owns = of is None
        self._pointer = library.mlirContextCreate() if of is None else _object(of)
        self._package = of
        self._modules: list[Module] = []
        registry = library.mlirDialectRegistryCreate()
        library.onnxFoldRegisterDialects(registry)
        library.mlirContextAppendDialectRegistry(self._ptr, registry)
        library.mlirDialectRegistryDestroy(registry)
        if allow_unregistered:
            library.mlirContextSetAllowUnregisteredDialects(self._ptr, True)

    def _check(self) -> None:
        if not self._pointer.ptr:
            raise Error("the context is closed")

    @property
    def _ptr(self) -> _Object:
        self._check()
        return self._pointer

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends all modules, and the context if it is its own."""
        for module in list(self._modules):
            module.close()
        if self._pointer.ptr and self._owns:
            _library().mlirContextDestroy(self._pointer)
        self._pointer = _Object()

    def _parsed(self, parser: Callable[..., _Object], text: str) -> _Object:
        """What a parser of MLIR makes of the text; null for one that would end the process."""
        given = _text(text)
        return parser(self._ptr, given) if _library().onnxFoldCheckText(self._ptr, given).value else _Object()

    def parse(self, text: str) -> Module:
        with _Diagnostics(self._ptr) as diagnostics:
            module = self._parsed(_library().mlirModuleCreateParse, text)
            if not module.ptr:
                raise diagnostics.error("not a module")
        return Module(module, self)

    def elements(self, array: Any, type: str = "") -> Attribute:
        """`#elements.dense` over the memory of `array`, which nothing may change from then on. An array of NumPy, or, with a
        `type` such as "tensor<4xbf16>", any object with a contiguous buffer: whole bytes for each element."""
        view = memoryview(array)
        if not view.c_contiguous:
            raise Error("the array is not contiguous; numpy.ascontiguousarray copies it")
        if not type:
            if str(array.dtype) not in _TYPES:
                raise Error(f"an array of {array.dtype} has no element type of MLIR; give the type")
            type = f"tensor<{''.join(f'{size}x' for size in view.shape or ())}{_TYPES[str(array.dtype)]}>"
        with _Diagnostics(self._ptr) as diagnostics:
            parsed = self._parsed(_library().mlirTypeParseGet, type)
            if not parsed.ptr:
                raise diagnostics.error(f"{type}: not a type")
        number = next(_numbers)
        _held[number] = (view, array)
        address = _address(view)
        attribute = _library().onnxFoldElementsAttrGet(parsed, address, view.nbytes, _release, number)
        if not attribute.ptr:
            del _held[number]
            raise Error(f"{view.nbytes} bytes are no value of type {type}")
        return Attribute(attribute, self)

    def run(self, pipeline: str, module: Any) -> None:
        """Runs passes on a module of ours or of an MLIR package, and frees the values that they drop."""
        own = module._of if isinstance(module, Operation) else None
        _run(pipeline, self._ptr, _object(module if own is not None else module.operation), own)

    def collect(self) -> int:
        """Frees the values to which neither a module nor an Attribute refers; returns their number."""
        return int(_library().onnxFoldCollect(self._ptr))

    def statistics(self) -> Statistics:
        numbers = _library().onnxFoldGetStatistics(self._ptr)
        return Statistics(*(getattr(numbers, name) for name in Statistics._fields))


class _PyBuffer(ctypes.Structure):  # the beginning of Py_buffer
    _fields_ = [("buf", ctypes.c_void_p), ("rest", ctypes.c_char * 256)]


_get_buffer = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int)(
    ("PyObject_GetBuffer", ctypes.pythonapi)
)
_release_buffer = ctypes.PYFUNCTYPE(None, ctypes.POINTER(_PyBuffer))(("PyBuffer_Release", ctypes.pythonapi))


def _address(view: memoryview) -> int:
    """Of a buffer that may be read-only, which ctypes' from_buffer refuses. It stays while `view` does."""
    buffer = _PyBuffer()
    if _get_buffer(view, ctypes.byref(buffer), 0) != 0:
        raise Error("the object has no buffer")
    address = buffer.buf or 0
    _release_buffer(ctypes.byref(buffer))
    return address
