# SPDX-License-Identifier: Apache-2.0
# What lit must know: every .mlir file below tests/ is a test; the tools come from the build and from LLVM.
import os

import lit.formats

config.name = "onnxfold"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs", "data", "corpus"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.onnxfold_build, "tests", "lit")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.onnxfold_build, "bin"), config.llvm_tools, config.environment["PATH"]])
# A FileCheck variable that is not of the current function is a mistake, not a match.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"
for name in ("ONNXFOLD_LONG", "ONNXFOLD_CPU_LEVEL", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if "ONNXFOLD_LONG" in os.environ:
    config.available_features.add("long")

config.substitutions.append(("%python", config.test_python))
config.substitutions.append(("%build", config.onnxfold_build))
