//===- DiffModels.h - How do two models differ? -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares the contents of two models: their nodes, constants, inputs, outputs
// and opsets. (CompareModels.h compares what they compute.)
//
//   FoldReport report;
//   if (llvm::Error error = diffModels("a.onnx", "b.onnx", options, report))
//     return error;                     // one of them cannot be read
//   if (report.isChanged)
//     printReport(llvm::outs(), report, ReportFormat::Text);
//
// Nodes are matched by name, then by the names of their outputs, then by
// structure (operator, attributes and operands), from the inputs down and from
// the outputs up. Different names of nodes and of inner values are no
// difference, which is why a second export of a model is equal to the first;
// different names of inputs or outputs are one. Constants are compared by
// value. For matched nodes it does not matter whether a constant is an
// initializer or a Constant node. The contents of a model outside its graphs
// (texts, metadata, training information) are not compared.
//
// The result is the report of a change from `before` to `after`: `nodes()` are
// those of `before` (removed means that only `before` has the node),
// `newNodes()` those that only `after` has, and `constants()` all constants,
// with how they differ.
//
// Cost: linear. Both models are read; constants that are equal but for their
// names are read twice. Thread safety: any number of threads may call it at
// once.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_COMPARE_DIFFMODELS_H
#define ONNXFOLD_ONNX_DRIVER_COMPARE_DIFFMODELS_H

#include "onnxfold/onnx/driver/FoldModel.h"

namespace onnxfold {

/// `report` must be new. The options for inputs (--dim ...), data folders,
/// threads and the report's file are used, and of the functions `complete`.
llvm::Error diffModels(llvm::StringRef before, llvm::StringRef after,
                       const FoldOptions &options, FoldReport &report,
                       const FoldCallbacks &callbacks = {});

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_COMPARE_DIFFMODELS_H
