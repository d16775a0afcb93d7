# SPDX-License-Identifier: Apache-2.0
"""Arguments of Python as options of the tool."""

from __future__ import annotations

import os

from ._arguments import FLAGS
from .errors import OptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Union

    Path = Union[str, "os.PathLike[str]"]
    Sizes = Mapping[str, Sequence[Union[int, str, None]]]
    Names = Union[str, Iterable[str]]
    Paths = Union[str, "os.PathLike[str]", Iterable[str]]
    # A folder or a .npz file; values by name, or several such sets.
    Inputs = Union[str, "os.PathLike[str]", Mapping[str, Any], Sequence[Mapping[str, Any]]]
    # An int is a number of bytes, "10%" a part of the model; "unlimited".
    Size = Union[int, str]


# Arguments that are no options of all functions, and their flags.
OWN = {
    "bind": "bind",
    "folder": "folder",
    "in_place": "in-place",
    "once_output": "once-output",
    "output": "o",
    "output_dir": "output-dir",
    "batch_memory": "batch-memory",
    "verify": "verify",
    "verify_inputs": "verify-inputs",
}


def _arguments() -> dict[str, str]:
    """Arguments by their options."""
    found = {flag: name for name, (_, flag, _) in FLAGS.items()}
    found.update({flag: name for name, flag in OWN.items()})
    return {("-" if len(flag) == 1 else "--") + flag: name for flag, name in found.items()} | {"--inline-data": "external_data"}


def argumentOf(option: str) -> str | None:
    """Of an option of the tool, as its messages have it: "--dim", "--bind=x"."""
    return _arguments().get(option.partition("=")[0])


def withArguments(text: str) -> str:
    """A message of the tool about options, with the names that they have here."""
    import re

    arguments = _arguments()
    text = text.replace(" (see onnx-fold --help)", " (see help(onnx_fold.fold))")
    return re.sub(r"(?<![\w-])--?[a-zA-Z][\w-]*", lambda found: arguments.get(found[0], found[0]), text)


def names(flag: str, values: Paths) -> list[str]:
    """An option that may be repeated; one text is one value."""
    if isinstance(values, (str, os.PathLike)):
        values = [os.fspath(values)]
    return [f"--{flag}={os.fspath(value)}" for value in values]


def sizes(flag: str, shapes: Sizes) -> list[str]:
    """A dimension of None or "?" is left open."""
    texts = []
    for name, shape in shapes.items():
        sizes = ",".join("?" if size is None else str(size) for size in shape)
        texts.append(f"--{flag}={name}:{sizes}")
    return texts


def dimensions(flag: str, dims: Mapping[str, int]) -> list[str]:
    return [f"--{flag}={name}:{size}" for name, size in dims.items()]


def _asText(value: object) -> str | None:
    """A value as the command line takes it; nothing for what only a file can hold."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, str)):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, (list, tuple)) and value and all(isinstance(one, (bool, int, float)) for one in value):
        return ",".join(str(_asText(one)) for one in value)
    return None


def bindings(values: Mapping[str, Any], folder: Files) -> list[str]:
    """--bind. Arrays, and what NumPy makes an array of, go through files of numpy.save in a temporary folder.

    None is the value of the input's initializer.
    """
    texts = []
    for number, (name, value) in enumerate(values.items()):
        if value is None:
            texts.append(f"--bind={name}")
            continue
        text = _asText(value)
        texts.append(f"--bind={name}={folder.save(number, value) if text is None else text}")
    return texts


def _array(value: object) -> Any:
    """Lists of Python's floats: most inputs are of single precision. Who needs another type gives an array."""
    import numpy

    array = numpy.asarray(value)
    if isinstance(value, (list, tuple)) and array.dtype == numpy.float64:
        array = array.astype(numpy.float32)
    return array


def sets(given: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """One set of values of inputs, or several, as a list."""
    return [given] if hasattr(given, "keys") else list(given)  # type: ignore[list-item]


def loadedSets(given: Inputs | None) -> list[Mapping[str, Any]]:
    """The values themselves, for who runs models in this process."""
    if given is None:
        return []
    if not isinstance(given, (str, os.PathLike)):
        return sets(given)
    import numpy

    path = os.fspath(given)
    if not os.path.isdir(path):
        with numpy.load(path) as archive:
            return [dict(archive)]
    names = sorted(os.listdir(path))
    archives = [name for name in names if name.endswith(".npz")]
    if archives:
        return [one for name in archives for one in loadedSets(os.path.join(path, name))]
    arrays = {name[:-4]: numpy.load(os.path.join(path, name)) for name in names if name.endswith(".npy")}
    if not arrays:
        raise OptionError(f"verify_inputs is {path!r}, expected a folder with *.npz or *.npy for ONNX Runtime", "usage")
    return [arrays]


class Files:
    """A temporary folder for values of inputs, made when one needs it. A context manager."""

    def __init__(self) -> None:
        self._folder: Any = None

    def save(self, number: int, value: object) -> str:
        import tempfile

        import numpy

        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="onnx-fold-")
        path = os.path.join(self._folder.name, f"{number}.npy")
        numpy.save(path, _array(value), allow_pickle=False)
        return path

    def saveSets(self, given: Inputs) -> str:
        """--verify-inputs: a path as it is; values by name, or several such sets, as archives of numpy.savez."""
        if isinstance(given, (str, os.PathLike)):
            return os.fspath(given)
        import tempfile
        import zipfile

        import numpy

        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="onnx-fold-")
        place = os.path.join(self._folder.name, "inputs")
        os.mkdir(place)
        for number, values in enumerate(sets(given)):
            # Not numpy.savez: an input may be called as one of its parameters.
            with zipfile.ZipFile(os.path.join(place, f"{number:06}.npz"), "w") as archive:
                for name, value in values.items():
                    with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                        numpy.lib.format.write_array(file, _array(value), allow_pickle=False)
        return place

    def __enter__(self) -> Files:
        return self

    def __exit__(self, *error: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()


# How flags are made of an argument: by a function of its flag and its value, which is not the default.


def value(flag: str, given: Any) -> list[str]:
    return [f"--{flag}={os.fspath(given) if isinstance(given, os.PathLike) else given}"]


def switch(flag: str, given: Any) -> list[str]:
    return [f"--{flag}"] if given else []


def level(flag: str, given: Any) -> list[str]:
    return [f"-{flag}{given}"]


def growth(flag: str, given: Any) -> list[str]:
    return value(flag, "unlimited" if given == float("inf") else given)


def quantization(flag: str, given: Any) -> list[str]:
    if isinstance(given, bool):
        given = "all" if given else "none"
    return value(flag, given)


def runOnce(flag: str, given: Any) -> list[str]:
    return [f"--{flag}"] if given is True else names(flag, given) if given else []


def external(flag: str, given: Any) -> list[str]:
    if given is False:
        return ["--inline-data"]
    return [f"--{flag}"] if given is True else value(flag, given)


def flags(given: Mapping[str, Any]) -> list[str]:
    """The options that are the same for fold, check and examine, of checked arguments by name."""
    result = []
    for name, (default, flag, form) in FLAGS.items():
        if name in given and given[name] is not None and given[name] != default:
            result += globals()[form](flag, given[name])
    return result
