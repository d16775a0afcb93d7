//===- Passes.td - Clean-ups of ONNX graphs ----------------*- tablegen -*-===//
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def OnnxCleanUpPass : Pass<"onnx-clean-up"> {
  let summary = "constant propagation and exact clean-ups of ONNX graphs";
  let description = [{
    What the onnx-fold tool does at `-O1`: evaluates, cleans up until no more
    shapes become known, plans, rewrites.

    ```
    fold-opt --onnx-clean-up=disable=transpose,twice
    ```

    Runs on a module or a function: what is nested in it is cleaned up. Names in
    `disable` that no pattern has are an error of the pass.
  }];
  let dependentDialects = ["::onnxfold::ElementsDialect"];
  let options = [
    ListOption<"disable", "disable", "std::string",
               "clean-ups to leave out, by name">,
    Option<"level", "level", "int", "1", "1: exact; 2: within a bound too">,
    Option<"maxGrowth", "max-growth", "int64_t", "-1",
           "bytes that constants may gain (-1: no limit)">
  ];
}
