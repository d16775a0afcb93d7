//===- Passes.td - Constant propagation --------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def ConstantPropagationPass : Pass<"constprop"> {
  let summary = "fold everything that depends on constants alone";
  let description = [{
    Folds operations of dialects that provide a `FoldingInterface`, and others
    by MLIR's own interfaces (`constprop/DefaultFolding.h`): `scf.if`,
    `scf.for`, `func.call` and `arith` need no code. The pass runs on any
    operation and folds what is nested in it. An operation that cannot be
    folded is kept; `--remarks-filter-missed=constprop` prints the reason.

    `skip=linalg.matmul,tosa.*` keeps operations with such names, and what their
    bodies hold; `only` keeps all others.

    Dialects whose operations `FoldingInterface::materialize` makes must be
    loaded before the passes run. New constants are attributes that only the IR
    holds: with a Collector (`gc/Collector.h`), those that die are freed after
    the pass.
  }];
  // The C++ options hold functions too.
  let constructor = "::onnxfold::createConstantPropagationPass()";
  let dependentDialects = ["::onnxfold::ElementsDialect"];
  let options = [
    Option<"maxGrowth", "max-growth", "int64_t", "-1",
           "bytes that constants may gain (-1: no limit)">,
    Option<"maxResult", "max-result", "uint64_t",
           "::onnxfold::FoldLimits().maxResultBytes",
           "bytes of the largest result">,
    Option<"maxWork", "max-work", "uint64_t", "::onnxfold::FoldLimits().maxWork",
           "work of one operation, in units of about 0.1 ns">,
    Option<"maxTripCount", "max-trip-count", "uint64_t",
           "::onnxfold::FoldLimits().maxTripCount",
           "iterations of one loop, those in its body included">,
    Option<"precision", "precision", "::onnxfold::Precision",
           "::onnxfold::Precision::Exact",
           "exact: floats are rounded after each operation; wide: held in double, rounded at the end",
           [{::llvm::cl::values(
               clEnumValN(::onnxfold::Precision::Exact, "exact",
                          "rounded to their type after each"),
               clEnumValN(::onnxfold::Precision::Wide, "wide",
                          "in double, rounded at the end"))}]>,
    ListOption<"only", "only", "std::string",
               "globs of operation names (arith.*): only these change">,
    ListOption<"skip", "skip", "std::string",
               "globs of operation names that do not change; wins over `only`">
  ];
}
