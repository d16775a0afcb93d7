# SPDX-License-Identifier: Apache-2.0
"""onnx-fold from Python: computes everything in an ONNX model that depends on constants alone.

    import onnx_fold

    onnx_fold.fold_all("models", output_dir="out")                  # a folder of models
    onnx_fold.fold("model.onnx", "small.onnx", dims={"batch": 1})   # files: the model is not loaded into Python
    folded = onnx_fold.fold(proto).model                            # ModelProto, bytes or onnx_ir.Model: the same kind
    onnx_fold.check("model.onnx")                                   # would folding change it?
    onnx_fold.verify("model.onnx", "small.onnx").equal              # do they compute the same?
    print(onnx_fold.diff("model.onnx", "other.onnx"))               # which nodes and constants differ?
    print(onnx_fold.stats("model.onnx"))                            # parameters, multiply-adds, memory
    onnx_fold.reduce("model.onnx", lambda path: fails(path))        # the smallest model for which something holds
    onnx_fold.compile("model.onnx")(x=array)["y"]                   # as machine code; needs onnx-run

The program `onnx-fold`, which is part of the package, does the work; each call is a process of its own. docs/python.md
is the manual.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import compat as compat
    from . import ir as ir
    from ._compiled import CompiledModel as CompiledModel
    from ._compiled import compile as compile
    from ._fold import Result as Result
    from ._fold import check as check
    from ._fold import diff as diff
    from ._fold import examine as examine
    from ._fold import fold as fold
    from ._fold import verify as verify
    from ._many import Outcome as Outcome
    from ._many import fold_all as fold_all
    from ._reduce import Reduced as Reduced
    from ._reduce import reduce as reduce
    from ._stats import Stats as Stats
    from ._stats import stats as stats
    from .errors import FileError as FileError
    from .errors import FoldError as FoldError
    from .errors import FoldWarning as FoldWarning
    from .errors import OptionError as OptionError
    from .errors import OptionTypeError as OptionTypeError
    from .errors import VerificationError as VerificationError
    from .progress import Progress as Progress
    from .report import Difference as Difference
    from .report import Report as Report
    from .report import Verification as Verification

    __version__: str

__all__ = [
    "CompiledModel",
    "Difference",
    "FileError",
    "FoldError",
    "FoldWarning",
    "OptionError",
    "OptionTypeError",
    "Outcome",
    "Progress",
    "Reduced",
    "Report",
    "Result",
    "Stats",
    "Verification",
    "VerificationError",
    "check",
    "compat",
    "compile",
    "diff",
    "examine",
    "fold",
    "fold_all",
    "ir",
    "reduce",
    "stats",
    "verify",
]

# Where each name is. They are imported when they are first used: `import onnx_fold` takes a millisecond.
_PLACES = {
    "CompiledModel": "._compiled",
    "compile": "._compiled",
    "Result": "._fold",
    "check": "._fold",
    "diff": "._fold",
    "examine": "._fold",
    "fold": "._fold",
    "verify": "._fold",
    "Outcome": "._many",
    "fold_all": "._many",
    "Reduced": "._reduce",
    "reduce": "._reduce",
    "Stats": "._stats",
    "stats": "._stats",
    "FileError": ".errors",
    "FoldError": ".errors",
    "FoldWarning": ".errors",
    "OptionError": ".errors",
    "OptionTypeError": ".errors",
    "VerificationError": ".errors",
    "Progress": ".progress",
    "Difference": ".report",
    "Report": ".report",
    "Verification": ".report",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    value: object
    if name in _PLACES:
        value = getattr(import_module(_PLACES[name], __name__), name)
    elif name in ("compat", "ir"):
        value = import_module("." + name, __name__)
    elif name == "__version__":
        value = import_module("._tool", __name__).version()
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__ + ["__version__"])
