# SPDX-License-Identifier: Apache-2.0
"""Types of arguments: each is checked by its annotation, so that a mistake is an error that names the argument."""

from __future__ import annotations

import operator
import os
from typing import Any, Callable

from .errors import OptionError, OptionTypeError

PATH = "a path"
NAMES = "a text, or several as a list"
SIZE = "a number of bytes, or a text such as '500M'"
NUMBER = "a whole number"


def shown(value: object) -> str:
    import reprlib

    return reprlib.repr(value)


def wrongType(name: str, value: object, expected: str) -> OptionTypeError:
    text = f"{name} is {shown(value)}, expected {expected}"
    return OptionTypeError(text, "usage", fields={"has": shown(value), "expected": expected}, argument=name)


def wrongValue(name: str, value: object, expected: str) -> OptionError:
    text = f"{name} is {shown(value)}, expected {expected}"
    return OptionError(text, "usage", fields={"has": shown(value), "expected": expected}, argument=name)


def _isBool(value: object) -> bool:
    # NumPy's truth values are none of Python's.
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool") or (type(value) is int and value in (0, 1))


def _isPath(value: object) -> bool:
    return isinstance(value, (str, os.PathLike))


def _hasKeys(value: Any) -> bool:
    return hasattr(value, "keys") and hasattr(value, "__getitem__")


def truth(name: str, value: Any) -> bool:
    if not _isBool(value):
        raise wrongType(name, value, "True or False")
    return bool(value)


def path(name: str, value: Any) -> Any:
    if not _isPath(value):
        raise wrongType(name, value, PATH)
    return value


def whole(name: str, value: Any, expected: str = NUMBER) -> int:
    if isinstance(value, bool):
        raise wrongType(name, value, expected)
    try:
        return operator.index(value)
    except TypeError:
        raise wrongType(name, value, expected) from None


def seconds(name: str, value: Any) -> Any:
    if isinstance(value, (bool, str)) or not hasattr(value, "__float__"):
        raise wrongType(name, value, "a number of seconds")
    return value


def size(name: str, value: Any) -> Any:
    if isinstance(value, str) or (name == "max_growth" and value == float("inf")):
        return value
    return whole(name, value, SIZE)


def names(name: str, value: Any) -> Any:
    if _isPath(value):
        return value
    if isinstance(value, (bytes, bytearray)) or not hasattr(value, "__iter__") or _hasKeys(value):
        raise wrongType(name, value, NAMES)
    found = list(value)
    for one in found:
        if not _isPath(one):
            raise wrongType(name, found, NAMES)
    return found


def _named(name: str, value: Any, expected: str) -> dict[str, Any]:
    if not _hasKeys(value):
        raise wrongType(name, value, expected)
    found = {key: value[key] for key in value.keys()}
    for key in found:
        if not isinstance(key, str):
            raise wrongType(name, found, expected)
    return found


def dimensions(name: str, value: Any) -> dict[str, int]:
    expected = "sizes by the names of dimensions, such as {'batch': 1}"
    return {key: whole(f"{name}[{key!r}]", one) for key, one in _named(name, value, expected).items()}


def shapes(name: str, value: Any) -> dict[str, list[Any]]:
    expected = "shapes by the names of inputs, such as {'x': [1, 3, None, None]}"
    found = {}
    for key, shape in _named(name, value, expected).items():
        if isinstance(shape, (str, bytes)) or not hasattr(shape, "__iter__"):
            raise wrongType(f"{name}[{key!r}]", shape, "sizes, such as [1, 3, None, None]")
        place = f"{name}[{key!r}]"
        found[key] = [one if one is None or isinstance(one, str) else whole(place, one, "whole numbers or None") for one in shape]
    return found


def values(name: str, value: Any) -> dict[str, Any]:
    return _named(name, value, "values by the names of inputs, such as {'x': array}")


def inputs(name: str, value: Any) -> Any:
    if _isPath(value):
        return value
    if _hasKeys(value):
        return values(name, value)
    expected = "values by the names of inputs, several of these, a folder or a .npz file"
    if not hasattr(value, "__iter__") or isinstance(value, (bytes, bytearray)):
        raise wrongType(name, value, expected)
    return [_named(name, one, expected) for one in value]


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise wrongType(name, value, "a text")
    return value


def progress(name: str, value: Any) -> Any:
    if not isinstance(value, bool) and not callable(value) and not hasattr(value, "isEnabledFor"):
        raise wrongType(name, value, "a function, a logging.Logger, or True for a bar")
    return value


def _either(*checks: Callable[[str, Any], Any], expected: str) -> Callable[[str, Any], Any]:
    def check(name: str, value: Any) -> Any:
        for one in checks:
            try:
                return one(name, value)
            except OptionTypeError:
                pass
        raise wrongType(name, value, expected)

    return check


# By annotation, without "| None": an argument that is None is left out.
CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "bool": truth,
    "int": whole,
    "float": seconds,
    "Size": size,
    "Names": names,
    "Paths": names,
    "Sizes": shapes,
    "Inputs": inputs,
    "Mapping[str, int]": dimensions,
    "Mapping[str, Any]": values,
    "str": text,
    "str | os.PathLike[str]": path,
    "bool | int": _either(truth, whole, expected="True, False or a whole number"),
    "bool | str": _either(truth, path, expected="True, False, None or a text such as 'w.bin,shard=2G'"),
    "bool | Names": _either(truth, names, expected="True, False, a text, or several as a list"),
    "ProgressArgument": progress,
}


def _checkOf(annotation: str) -> Callable[[str, Any], Any] | None:
    kind = annotation.removesuffix(" | None")
    if kind.startswith("Literal["):
        return text
    if kind.startswith("bool | Literal["):
        return _either(truth, text, expected="True, False or a text")
    return CHECKS.get(kind)


def checked(function: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """Arguments by name, which a caller of `function` has given, each in one form: a list for what may be any iterable."""
    result = dict(given)
    for name, value in given.items():
        check = _checkOf(str(function.__annotations__.get(name, "")))
        if check is not None and value is not None:
            result[name] = check(name, value)
    return result


def unknown(name: str, known: Any) -> OptionTypeError:
    import difflib

    near = difflib.get_close_matches(name, list(known), 1)
    return OptionTypeError(
        f"unexpected argument {name!r}" + (f", expected {near[0]!r}" if near else ""), "usage", argument=name
    )
