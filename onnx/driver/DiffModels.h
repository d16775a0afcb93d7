//===- DiffModels.h - How do two models differ? -----------------*- C++ -*-===//
//
// Compares what two models say, not what they compute (that is
// CompareModels.h): their nodes, the constants, inputs, outputs and opsets.
//
//   FoldReport report;
//   if (llvm::Error error = diffModels("a.onnx", "b.onnx", options, report))
//     return error;                     // one of them cannot be read
//   if (report.isChanged)
//     report.print(llvm::outs(), ReportFormat::Text);
//
// Nodes are matched by name, then by the names of what they give, then by
// structure: what they compute (operator, attributes) from what, from the
// inputs down and from the outputs up. Names of nodes and of values inside are
// no difference, which is why a second export of one model is equal to the
// first; names of inputs and outputs are one. Constants are compared by value,
// and where nodes were matched it does not matter whether a constant is an
// initializer or a Constant node. What other than the graphs a model holds
// (texts, metadata, training information) is not compared.
//
// The result is the report of a change from `before` to `after`: `nodes()` are
// those of `before` (kept, changed, or removed: only there), `newNodes()` those
// only in `after`, `constants()` those that differ, and all others.
//
// Cost: reading both models, twice what is equal but for its name; linear.
// Thread safety: any number of threads may call it at once.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_DIFFMODELS_H
#define ONNXFOLD_ONNX_DRIVER_DIFFMODELS_H

#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/driver/FoldReport.h"

namespace onnxfold {

/// `report` must be new. What options say of inputs (--dim ...), data folders,
/// threads and the report's file is heeded.
llvm::Error diffModels(llvm::StringRef before, llvm::StringRef after,
                       const FoldOptions &options, FoldReport &report);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_DIFFMODELS_H
