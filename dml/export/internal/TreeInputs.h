//===- TreeInputs.h - Trees that read what is not scaled yet ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Behind a scaler a tree asks fl(fl(x - offset) * scale) <= split, where fl
// rounds to float32. Each step keeps the order of numbers, so this is the same
// as x <= t for some t, which is found by trying: the kernels of constant folding
// compute the steps as a runtime does. The tree asks x <= t then. The scaler
// needs no statement, and no row goes another way because a script computes in
// doubles.
//
//   Scaler -> Concat -> TreeEnsembleClassifier
//
// Thread safety: none. Errors: none; what cannot be moved stays.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_TREEINPUTS_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_TREEINPUTS_H

#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "mlir/IR/Region.h"

namespace onnxfold::dml {

/// Lets trees read the inputs of the nodes that scale their features, column by
/// column. False if there are none.
bool readUnscaled(mlir::Region &graph, const KnownTypes &types);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_TREEINPUTS_H
