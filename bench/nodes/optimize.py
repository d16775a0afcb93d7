#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one of the other tools on one model, in its default settings; bench_nodes.py calls this, a process for each run.

    optimize.py TOOL IN OUT       TOOL: onnxsim, onnxslim, onnxscript, ort-basic

Needs the packages of bench/nodes/requirements.txt. A memory limit is set by the caller.
"""

import sys


def onnxsim(source, target):
    import onnx
    import onnxsim

    # As its command line does it: what could not be checked is an error, and the model is written all the same.
    model, _ = onnxsim.simplify(onnx.load(source))
    onnx.save(model, target)


def onnxslim(source, target):
    import onnxslim

    onnxslim.slim(source, target)


def onnxscript(source, target):
    import onnx
    import onnxscript.optimizer

    onnx.save(onnxscript.optimizer.optimize(onnx.load(source)), target)


def runtime(source, target):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = target
    onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


TOOLS = {"onnxsim": onnxsim, "onnxslim": onnxslim, "onnxscript": onnxscript, "ort-basic": runtime}

if __name__ == "__main__":
    TOOLS[sys.argv[1]](*sys.argv[2:])
