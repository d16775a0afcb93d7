# SPDX-License-Identifier: Apache-2.0
"""Modules named onnxsim and onnxslim, whose functions are those of onnx-fold."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence
    from typing import Any

# The releases whose arguments and names these modules have; products compare them with what they require.
VERSIONS = {"onnxsim": "0.8.1", "onnxslim": "0.1.98"}

# Where the functions of a module are: modules of this package, whose public names it gets.
SOURCES = {
    "onnxsim": ("_onnxsim", "_onnxsim_parts", "_command_onnxsim"),
    "onnxsim.backend": ("_onnxsim_parts",),
    "onnxsim.model_checking": ("_onnxsim_parts",),
    "onnxsim.model_info": ("_onnxsim_parts",),
    "onnxsim.onnx_simplifier": ("_onnxsim", "_onnxsim_parts", "_command_onnxsim"),
    "onnxsim.version": (),
    "onnxslim": ("_onnxslim", "_onnxslim_parts"),
    "onnxslim.argparser": ("_onnxslim_parts",),
    "onnxslim.cli": ("_onnxslim", "_command_onnxslim"),
    "onnxslim.cli._main": ("_onnxslim", "_command_onnxslim"),
    "onnxslim.core": ("_onnxslim_parts",),
    "onnxslim.core.optimization": ("_onnxslim_parts",),
    "onnxslim.core.pattern": ("_onnxslim_parts",),
    "onnxslim.core.pattern.registry": ("_onnxslim_parts",),
    "onnxslim.utils": ("_onnxslim_parts",),
    "onnxslim.version": (),
}
MAINS = {"onnxsim.__main__": "_command_onnxsim", "onnxslim.__main__": "_command_onnxslim"}


def install() -> None:
    """From here on, `import onnxsim` and `import onnxslim` give modules whose functions are those of onnx-fold.

    They have the public names and the arguments of those packages, which need not be installed; if they are, these modules take
    their place in this process. What another module has imported from them before stays as it is.
    """
    prepare()
    for name in VERSIONS:
        importlib.import_module(name)


def uninstall() -> None:
    """The packages that are installed come back for what is imported from here on."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, Finder)]
    _forget()


def prepare() -> None:
    """As install, but nothing is imported before somebody asks for it."""
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        _forget()
        sys.meta_path.insert(0, Finder())


def _forget() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] in VERSIONS]:
        del sys.modules[name]


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds and makes these modules, and says to importlib.metadata that the packages are installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        root = fullname.partition(".")[0]
        if root not in VERSIONS:
            return None
        if fullname not in SOURCES and fullname not in MAINS:
            raise ModuleNotFoundError(f"No module named {fullname!r}: {_elsewhere(root)}", name=fullname)
        isPackage = fullname in SOURCES and (fullname == root or any(name.startswith(fullname + ".") for name in SOURCES))
        return importlib.machinery.ModuleSpec(fullname, self, origin="onnx_fold.compat", is_package=isPackage)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        root = name.partition(".")[0]
        module.__doc__ = f"{name}, whose functions are those of onnx-fold (onnx_fold.compat)."
        module.__dict__["__getattr__"] = _missing(name, root)
        _fill(module.__dict__, name, root)
        for child in SOURCES:
            if child.rpartition(".")[0] == name:
                importlib.import_module(child)

    def get_code(self, fullname: str) -> types.CodeType:
        """For `python -m`."""
        text = f"import sys\nfrom onnx_fold.compat.{MAINS[fullname]} import main\nsys.exit(main())\n"
        return compile(text, f"<{fullname} of onnx_fold.compat>", "exec")

    def find_distributions(self, context: Any = None) -> Iterable[importlib.metadata.Distribution]:
        """Not to those who look into folders of their own, as pip does."""
        if "path" in getattr(context, "__dict__", {}) and context.path is not sys.path:
            return iter(())
        wanted = getattr(context, "name", None)
        return iter([Distribution(name) for name in VERSIONS if wanted is None or wanted.lower() == name])


def _fill(names: dict[str, Any], module: str, root: str) -> None:
    for source in SOURCES.get(module, ()):
        there = importlib.import_module(f"onnx_fold.compat.{source}")
        for name in there.EXPORTS.get(module, ()):
            names[name] = getattr(there, name)
    if module == root:
        names["__version__"] = ("v" if root == "onnxsim" else "") + VERSIONS[root]
    if module.endswith(".version"):
        names["version"] = names["__version__"] = ("v" if root == "onnxsim" else "") + VERSIONS[root]
    if root == "onnxsim" and module != "onnxsim.__main__":
        names.setdefault("__all__", [name for name in names if not name.startswith("_") or name == "__version__"])


def _missing(module: str, root: str) -> Any:
    """Names of the package that are no simplification are there, and say so when they are used."""

    def get(name: str) -> Any:
        from ._names import OTHER_NAMES

        if name not in OTHER_NAMES.get(module, ()):
            raise AttributeError(f"module {module!r} has no attribute {name!r}: {_elsewhere(root)}")

        def refuse(*arguments: object, **keywords: object) -> None:
            raise NotImplementedError(f"{module}.{name} is something that onnx-fold does not do: {_elsewhere(root)}")

        return type(name, (), {"__new__": refuse, "__init_subclass__": classmethod(refuse), "__module__": module})

    return get


def _elsewhere(root: str) -> str:
    return (
        f"onnx_fold.compat stands in for {root}, and only simplifies; for the rest start a process without `onnx_fold.compat`, "
        f"with {root} {VERSIONS[root]} installed"
    )


class Distribution(importlib.metadata.Distribution):
    """What importlib.metadata says about a package: its name and version."""

    def __init__(self, name: str) -> None:
        self._name = name

    def read_text(self, filename: str) -> str | None:
        if filename != "METADATA":
            return None
        return f"Metadata-Version: 2.1\nName: {self._name}\nVersion: {VERSIONS[self._name]}\nSummary: onnx_fold.compat\n"

    def locate_file(self, path: str | os.PathLike[str]) -> Any:
        import pathlib

        return pathlib.Path(__file__).parent / path
