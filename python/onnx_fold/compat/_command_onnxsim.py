# SPDX-License-Identifier: Apache-2.0
"""The command `onnxsim in.onnx out.onnx`, with the options of its releases 0.4 to 0.8 that are about simplifying."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

import onnx

from . import _models, _rewrites
from ._modules import VERSIONS
from ._onnxsim import simplify
from ._onnxsim_parts import print_simplifying_info

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

EXPORTS = {"onnxsim": ("main",), "onnxsim.onnx_simplifier": ("main",)}
NO_EFFECT = (
    "--enable-fuse-bn --include-subgraph --dynamic-input-shape --enable-onnxruntime-optimization --skip-schema-import --cuda "
    "--merge-ort-profile --no-certify"
).split()
NO_EFFECT_VALUES = "--check-rtol --check-atol --input-fill --custom-lib".split()


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="onnxsim", description="Simplifies an ONNX model as onnxsim does, by onnx-fold.")
    add = result.add_argument
    add("input_model")
    add("output_model")
    add("check_n", nargs="?", type=int, default=0, help="compare on so many random inputs")
    add("--skip-fuse-bn", action="store_true", help="keep BatchNormalization nodes")
    add("--skip-optimization", "--skip-optimizer", nargs="*", metavar="NAME", help="skip these optimizers; without names, all")
    add("--enable-optimization", nargs="+", metavar="NAME", help="no effect")
    add("--skip-constant-folding", action="store_true")
    add("--skip-shape-inference", action="store_true", help="do not write inferred types")
    shape = "NAME:SIZES, or SIZES for the only input"
    add("--overwrite-input-shape", "--input-shape", nargs="+", metavar="SHAPE", help=f"fix these shapes: {shape}")
    add("--test-input-shape", nargs="+", metavar="SHAPE", help=f"of the random inputs: {shape}")
    add("--input-data-path", nargs="+", metavar="NAME:FILE", help="compare on these inputs: raw bytes, or .npy")
    add("--unused-output", nargs="+", metavar="NAME", help="drop these outputs")
    add("--no-large-tensor", nargs="?", const="1KB", default="1.5GB", metavar="SIZE", help="keep nodes with larger results")
    add("--mutable-initializer", action="store_true", help="initializers that are inputs stay so")
    add("--initializers-as-non-constants", action="store_true", help="fold Constant nodes only")
    add("--save-as-external-data", action="store_true")
    add("--external-data-threshold", default="100MB", metavar="SIZE")
    add("--target-opset", metavar="N", help="a number, or latest")
    add("--inline-functions", action="store_true")
    add("--graph-diff", action="store_true", help="print how the models differ")
    add("-v", "--version", action="version", version=f"onnxsim v{VERSIONS['onnxsim']} of onnx_fold.compat")
    add("--list-default-optimizers", action="store_true", help="print the names that --skip-optimization takes")
    for name in NO_EFFECT:
        add(name, action="store_true", help=argparse.SUPPRESS)
    for name in NO_EFFECT_VALUES:
        add(name, help=argparse.SUPPRESS)
    add("--providers", nargs="+", help=argparse.SUPPRESS)
    return result


def main(arguments: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else list(arguments)
    if "--list-default-optimizers" in words:
        print("\n".join(_rewrites.OPTIMIZERS))
        return 0
    options = parser()
    given, unknown = options.parse_known_args(words)
    if unknown:
        options.error(
            f"{unknown[0]} is no option here: onnx-fold only simplifies; run onnxsim itself on {given.output_model} for it"
        )
    return run(given)


def run(given: Any) -> int:
    before, folder = _models.read(given.input_model)
    skipped = given.skip_optimization
    target = given.target_opset
    after, ok = simplify(
        given.input_model,
        given.check_n,
        perform_optimization=skipped is None or skipped != [],
        skip_fuse_bn=given.skip_fuse_bn,
        overwrite_input_shapes=given.overwrite_input_shape,
        test_input_shapes=given.test_input_shape,
        skipped_optimizers=skipped,
        skip_constant_folding=given.skip_constant_folding,
        skip_shape_inference=given.skip_shape_inference,
        input_data=_data(before, given.input_data_path or ()) if given.check_n else None,
        unused_output=given.unused_output,
        tensor_size_threshold=given.no_large_tensor,
        mutable_initializer=given.mutable_initializer,
        initializers_as_constants=not given.initializers_as_non_constants,
        inline_functions=given.inline_functions,
        target_opset_version=target if target in (None, "latest") else int(target),
        output_path=given.output_model,
        external_data_threshold="0" if given.save_as_external_data else given.external_data_threshold,
    )
    print_simplifying_info(before, after)
    if given.graph_diff:
        from ._onnxsim_parts import print_graph_diff

        print_graph_diff(_models.loaded(before, folder), after)
    if not ok:
        print(f"onnxsim: {given.output_model} computes something else than {given.input_model}", file=sys.stderr)
    return 0 if ok else 1


def _data(model: onnx.ModelProto, texts: Sequence[str]) -> dict[str, Any]:
    """NAME:FILE, with raw bytes of the type and shape of the input, or an .npy file."""
    import numpy

    types = {value.name: value.type.tensor_type for value in model.graph.input}
    result = {}
    for text in texts:
        name, _, path = text.partition(":")
        if name not in types or not path:
            raise ValueError(f"--input-data-path has {text!r}, expected NAME:FILE with one of {', '.join(types)}")
        if os.path.splitext(path)[1] == ".npy":
            result[name] = numpy.load(path)
            continue
        sizes = [dim.dim_value if dim.dim_value > 0 else -1 for dim in types[name].shape.dim]
        array = numpy.fromfile(path, dtype=onnx.helper.tensor_dtype_to_np_dtype(types[name].elem_type))
        result[name] = array.reshape(sizes if sizes.count(-1) < 2 else [1 if size < 0 else size for size in sizes])
    return result


if __name__ == "__main__":
    sys.exit(main())
