# SPDX-License-Identifier: Apache-2.0
"""The command `onnxslim in.onnx out.onnx`, with the options of its releases 0.1."""

from __future__ import annotations

import argparse
import sys
import time

from . import _models, _rewrites
from ._modules import VERSIONS
from ._onnxslim import slim
from ._onnxslim_parts import print_model_info_as_table, summarize_model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

EXPORTS = {"onnxslim.cli": ("main",), "onnxslim.cli._main": ("main",)}


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="onnxslim", description="Simplifies an ONNX model as OnnxSlim does, by onnx-fold.")
    add = result.add_argument
    add("input_model", nargs="+", help="one model; several with --inspect")
    add("output_model", nargs="?")
    add("--no-shape-infer", action="store_true", help="do not write inferred types")
    add("--skip-optimizations", nargs="+", choices=list(_rewrites.OPTIMIZATIONS), metavar="NAME")
    add("--skip-fusion-patterns", nargs="+", choices=list(_rewrites.FUSIONS), metavar="NAME")
    add("--size-threshold", type=int, metavar="BYTES", help="keep nodes with larger results")
    add("--input-shapes", nargs="+", metavar="NAME:SIZES", help="fix these shapes; -1 leaves a size open")
    add("--inputs", nargs="+", metavar="NAME", help="cut the model there")
    add("--outputs", nargs="+", metavar="NAME", help="cut the model there")
    add("--dtype", choices=["fp16", "fp32"], help="fp16 is refused: onnx-fold converts no types")
    add("--save-as-external-data", action="store_true")
    add("--model-check", action="store_true", help="compare on random inputs")
    add("--model-check-inputs", nargs="+", metavar="NAME:SIZES", help="or NAME:FILE.npy")
    add("--inspect", action="store_true", help="print the operators")
    add("--dump-to-disk", action="store_true", help=argparse.SUPPRESS)
    add("--verbose", action="store_true", help="no effect")
    add("-v", "--version", action="version", version=VERSIONS["onnxslim"])
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser()
    given = vars(options.parse_args(arguments))
    models = given.pop("input_model")
    if given["inspect"]:
        slim(models, dump_to_disk=given["dump_to_disk"])
        return 0
    if len(models) > 2:
        options.error(f"{models[2]!r} is a third model, expected an input and an output; --inspect takes several")
    output = models[1] if len(models) == 2 else given["output_model"]
    started = time.perf_counter()
    made = slim(models[0], **{**given, "output_model": None, "save_as_external_data": False})
    if made is None:
        print(f"onnxslim: {models[0]}: the result computes something else than the model, and is not written", file=sys.stderr)
        return 1
    if output is not None:
        _models.save(made, output, None, given["save_as_external_data"])
    infos = [summarize_model(models[0], models[0]), summarize_model(made, output or "result")]
    print_model_info_as_table(infos, time.perf_counter() - started)
    return 0


if __name__ == "__main__":
    sys.exit(main())
