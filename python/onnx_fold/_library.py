# SPDX-License-Identifier: Apache-2.0
"""engine="library": libonnxfold in this process, through its C interface (capi/onnx_fold.h).

It folds what the program would fold, to the same bytes. It tells no progress, and what it cannot do is left to the program, which
runs once more: so errors and their fields are those of the program.
"""

from __future__ import annotations

import ctypes
import os

from . import _tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._models import Source

_NAME = "libonnxfold.so.1"
_loaded: Any = None


def _places() -> list[str]:
    """ONNXFOLD_LIBRARY alone, else beside the program, else where the loader looks."""
    given = os.environ.get("ONNXFOLD_LIBRARY")
    if given:
        return [given]
    folder = os.path.join(os.path.dirname(os.path.realpath(_tool.binary())), os.pardir, "lib")
    beside = os.path.normpath(os.path.join(folder, _NAME))
    return [beside, _NAME] if os.path.exists(beside) else [_NAME]


def _load() -> Any:
    """The library, which is loaded once. It has to be of the version of the program: their bytes and errors are the same."""
    global _loaded
    if _loaded is None:
        library = _opened(_places())
        library.onnx_fold_version.restype = ctypes.c_char_p
        version, wanted = library.onnx_fold_version().decode(), _tool.version()
        if version != wanted:
            raise OSError(f"{_NAME} is of version {version}, expected {wanted}, that of {_tool.binary()}; set ONNXFOLD_LIBRARY")
        address, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
        for name, result, arguments in (
            ("options_create", address, []),
            ("options_destroy", None, [address]),
            ("options_set", ctypes.c_int, [address, text, text]),
            ("file", address, [address, text, text]),
            ("memory", address, [address, address, size, text]),
            ("memory_to_file", address, [address, address, size, text, text]),
            ("result_destroy", None, [address]),
            ("result_status", ctypes.c_int, [address]),
            ("result_report", text, [address]),
            ("result_changed", ctypes.c_int, [address]),
            ("result_model", address, [address, ctypes.POINTER(size)]),
        ):
            function = getattr(library, "onnx_fold_" + name)
            function.restype, function.argtypes = result, arguments
        _loaded = library
    return _loaded


def _opened(places: list[str]) -> Any:
    failures = []
    for place in places:
        try:
            return ctypes.CDLL(place)
        except OSError as error:
            failures.append(str(error))
    raise FileNotFoundError(f"engine='library' needs {_NAME}, which cannot be loaded ({'; '.join(failures)}); set ONNXFOLD_LIBRARY")


def _named(flag: str) -> tuple[bytes, bytes]:
    """An option of the command line as onnx_fold_options_set takes it."""
    if flag.startswith("-O"):
        return b"level", flag[2:].encode()
    name, _, value = flag[2:].partition("=")
    return name.encode(), os.fsencode(value)


def run(flags: list[str], source: Source, target: str | None) -> _tool.Run | None:
    """One run, as _tool.run has it; None if it is for the program. `target` None: the model is returned, or nothing is written."""
    library = _load()
    writes = "--check" not in flags
    if source.stored is not None or (source.path is not None and writes and target is None):
        return None
    options = library.onnx_fold_options_create()
    try:
        named = [_named(flag) for flag in flags if flag != "--check"]
        if any(library.onnx_fold_options_set(options, name, value) for name, value in named):
            return None
        return _run(library, options, source, target if writes else None, writes)
    finally:
        library.onnx_fold_options_destroy(options)


def _run(library: Any, options: Any, source: Source, target: str | None, writes: bool) -> _tool.Run | None:
    output = None if target is None else os.fsencode(target)
    if source.path is not None:
        result = library.onnx_fold_file(options, os.fsencode(source.path), output)
    else:
        folder = None if source.folder is None else os.fsencode(source.folder)
        data = source.data if isinstance(source.data, bytes) else bytes(source.data)
        if writes and target is None:
            result = library.onnx_fold_memory(options, data, len(data), folder)
        else:
            result = library.onnx_fold_memory_to_file(options, data, len(data), folder, output)
    try:
        return _told(library, result, writes)
    finally:
        library.onnx_fold_result_destroy(result)


def _told(library: Any, result: Any, writes: bool) -> _tool.Run | None:
    if library.onnx_fold_result_status(result) != 0:
        return None
    run = _tool.Run()
    run.changed = bool(library.onnx_fold_result_changed(result))
    run.status = 2 if run.changed and not writes else 0
    report = library.onnx_fold_result_report(result)
    run.report = b'{"report":' + report + b"}"
    if b'"warnings": []' not in report:
        import json

        run.warnings = json.loads(report)["warnings"]
    size = ctypes.c_size_t()
    model = library.onnx_fold_result_model(result, ctypes.byref(size))
    if model:
        run.data = ctypes.string_at(model, size.value)
    return run
