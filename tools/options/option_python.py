# SPDX-License-Identifier: Apache-2.0
"""The arguments of Python, of the table of options: python/onnx_fold/_arguments.py."""

from __future__ import annotations

import textwrap

from option_table import ROOT, Option, Table

MODULE = ROOT / "python/onnx_fold/_arguments.py"

HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""The arguments of onnx_fold.fold, as the table of options has them (options/Options.td).

Made by tools/options/make_options.py, which a test compares with this file. Not to be edited.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, TypedDict, TypeVar

    from ._fold import Result
    from ._options import Inputs, Names, Paths, Size, Sizes
    from .progress import ProgressArgument

    Model = TypeVar("Model")

    class Options(TypedDict, total=False):
        """The arguments of `fold` that decide about the result."""

'''

# Arguments of the function alone: name, type, default, what it does, an example.
OF_PYTHON = [
    (
        "verify_with",
        'Literal["onnx-fold", "onnxruntime"]',
        '"onnx-fold"',
        "what verifies: our own kernels, or ONNX Runtime",
        'verify_with="onnxruntime"',
    ),
    (
        "engine",
        'Literal["program", "library"]',
        '"program"',
        "\"library\": folds in this process, by libonnxfold, which saves the start of a program; a crash or a full memory ends this process too",
        'engine="library"',
    ),
    (
        "progress",
        "ProgressArgument",
        "None",
        "a function that is called with a Progress (an exception ends the run, and no file is left); a logging.Logger; True: a bar, with tqdm",
        "progress=print",
    ),
    ("nodes", "bool", "True", "False: the report counts operators and lists no nodes", "nodes=False"),
]

# The arguments without a default of the table.
FIRST = [
    ("model", "", "a path, bytes, an open file, an onnx.ModelProto, an onnx_ir.Model or a torch.onnx.ONNXProgram of any size", 'fold("model.onnx")'),
    ("output", "None", "the file to write", 'fold("model.onnx", "small.onnx")'),
]


def _isShared(option: Option) -> bool:
    return bool(option.fields.get("PythonType"))


def arguments(table: Table) -> list[Option]:
    """In the order of the table."""
    return [one for one in table.options if one.fields.get("PythonType") or one.fields.get("PythonFoldType")]


def _form(option: Option) -> str:
    """How flags are made of a value: by a function of _options.py."""
    if option.fields.get("PythonForm"):
        return option.fields["PythonForm"]
    if not option.takesValue:
        return "switch"
    return "names" if "Repeatable" in option.flags else "value"


def _document(name: str, initial: str, text: str, example: str) -> list[str]:
    """An argument with its default, what it does, and an example."""
    lines = textwrap.wrap(text, 100, break_on_hyphens=False)
    given = f"{name} = {initial}" if initial else name
    return [f"        {given}", *(" " * 12 + line for line in lines), f"            Example: {example}"]


def _text(option: Option) -> str:
    return option.fields.get("PythonText") or option.fields["HelpText"].removesuffix("; may be repeated")


def module(table: Table) -> str:
    found = arguments(table)
    shared = [one for one in found if _isShared(one)]
    text = HEAD
    for one in shared:
        text += f"        {one.pythonName}: {one.fields['PythonType']}\n"
    text += "\n\n# Argument: its default, the flag, and the function of _options.py that makes flags of a value.\n"
    text += "FLAGS: dict[str, tuple[object, str, str]] = {\n"
    for one in shared:
        text += f'    "{one.pythonName}": ({one.fields["PythonInitial"]}, "{one.name}", "{_form(one)}"),\n'
    text += "}\n\n\ndef fold(\n    model: Model,\n    output: str | os.PathLike[str] | None = None,\n    *,\n"
    for one in found:
        kind = one.fields.get("PythonType") or one.fields["PythonFoldType"]
        text += f"    {one.pythonName}: {kind} = {one.fields['PythonInitial']},\n"
    for name, kind, initial, *_ in OF_PYTHON:
        text += f"    {name}: {kind} = {initial},\n"
    text += ") -> Result[Model]:\n"
    document = [
        '    """Folds a model, which is not changed.',
        "",
        "    A path is written to `output`, else to `model.folded.onnx` beside it. Other models are returned (`.model`), and written to",
        "    `output` if that is given. The arguments have the names and meanings of the options of the tool (docs/reference.md):",
        "",
    ]
    for name, initial, what, example in FIRST:
        document += _document(name, initial, what, example)
    for one in found:
        document += _document(one.pythonName, one.fields["PythonInitial"], _text(one), one.fields["PythonExample"])
    for name, _, initial, what, example in OF_PYTHON:
        document += _document(name, initial, what, example)
    document += [
        "",
        "    Raises FoldError; then no file has changed. It is an OptionError (a ValueError) or an OptionTypeError (a TypeError) if an",
        "    argument is wrong, a FileError (an OSError) if a file is, and a VerificationError if the result computes something else.",
        "    Warnings are FoldWarnings.",
    ]
    text += "\n".join([*document, '    """']) + "\n"
    text += "    given = dict(locals())\n    from ._fold import foldGiven\n\n    return foldGiven(given)\n"
    return text
