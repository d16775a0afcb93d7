//===- Passes.td - Clean-ups of ONNX graphs ----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def OnnxCleanUpPass : Pass<"onnx-clean-up"> {
  let summary = "constant propagation and exact clean-ups of ONNX graphs";
  let description = [{
    The work of the onnx-fold tool at `-O1`: evaluates, cleans up until no more
    shapes become known, plans, rewrites.

    ```
    fold-opt --onnx-clean-up=disable=transpose,twice
    ```

    Runs on a module or a function, with everything nested in it. Unknown names
    in `disable` are an error of the pass.
  }];
  let dependentDialects = ["::onnxfold::ElementsDialect", "::onnxfold::OnnxDialect"];
  let options = [
    ListOption<"disable", "disable", "std::string",
               "names of clean-ups that are not applied">,
    Option<"level", "level", "int", "1", "1: exact rewrites; 2: also rewrites within a bound">,
    Option<"maxGrowth", "max-growth", "int64_t", "-1",
           "bytes that constants may gain (-1: no limit)">
  ];
}
