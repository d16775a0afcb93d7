# SPDX-License-Identifier: Apache-2.0
"""`python -m onnx_fold verify ORIGINAL FOLDED`: two models on the same inputs, run by ONNX Runtime.

Exit status: 0 all outputs are equal; 1 the command is wrong; 3 the models differ; 4 an output could not be compared.
"""

from __future__ import annotations

import argparse
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

NAME = "python -m onnx_fold verify"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        _fail(f"{message} (see {NAME} --help)")


def _fail(text: str) -> NoReturn:
    print(f"onnx-fold: error: {text}", file=sys.stderr)
    sys.exit(1)


def _dimension(text: str) -> tuple[str, int]:
    name, _, size = text.rpartition(":")
    if not name or not size.isdecimal():
        raise argparse.ArgumentTypeError(f"is {text!r}, expected NAME:SIZE")
    return name, int(size)


def _shape(text: str) -> tuple[str, list[int | str | None]]:
    name, _, sizes = text.rpartition(":")
    given = sizes.split(",") if sizes else []
    if not name or not all(size == "?" or size.isdecimal() for size in given):
        raise argparse.ArgumentTypeError(f"is {text!r}, expected NAME:SIZE,SIZE,...")
    return name, [None if size == "?" else int(size) for size in given]


def _trials(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"is {text!r}, expected a number above 0")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(NAME, description="Runs two models on the same inputs in ONNX Runtime, and compares what they compute.")
    parser.add_argument("original", help="the model")
    parser.add_argument("folded", help="the model that should compute the same")
    parser.add_argument("--trials", type=_trials, default=3, metavar="N", help="how many random inputs (default: 3)")
    parser.add_argument("--exact", action="store_true", help="all bits must be equal")
    parser.add_argument("--dim", type=_dimension, action="append", default=[], metavar="NAME:SIZE", help="a dimension's size")
    parser.add_argument("--input-shape", type=_shape, action="append", default=[], metavar="NAME:SIZE,...", help="an input's shape")
    return parser


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    for path in (options.original, options.folded):
        try:
            open(path, "rb").close()
        except OSError as error:
            _fail(f"{path}: cannot be opened: {(error.strerror or str(error)).lower()}")
    try:
        from . import verify

        found = verify(
            options.original,
            options.folded,
            engine="onnxruntime",
            trials=options.trials,
            exact=options.exact,
            dims=dict(options.dim),
            input_shapes=dict(options.input_shape),
        )
    except ImportError as error:
        _fail(f"{error} in {sys.executable}, expected the packages numpy and onnxruntime")
    for value in found.differences():
        print(f"onnx-fold: verify: {value['name']} differs: {value['difference']}", file=sys.stderr)
    for value in found.not_run:
        print(f"onnx-fold: verify: {value['name']} was not run: {value['text']}", file=sys.stderr)
    if found.differences():
        return 3
    if not found.equal:
        return 4
    print(f"onnx-fold: verify: {len(found.compared)} values are equal in {found.trials} trials of ONNX Runtime", file=sys.stderr)
    return 0
