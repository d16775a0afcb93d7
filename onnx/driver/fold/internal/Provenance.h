//===- Provenance.h - Where a folded constant came from ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A constant that replaces a node was computed from other constants:
// initializers and Constant nodes. The report names them. With --provenance the
// metadata of the constant names them, too, as JSON:
//
//   metadata_props["onnx-fold.from"] =
//       {"op":"Transpose","node":"t","sources":["w"]}
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_PROVENANCE_H
#define ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_PROVENANCE_H

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"

namespace onnxfold {

/// Adds to each operation whose results become constants a note about the
/// sources of these results, which the constants inherit (provenanceOf() in
/// onnx/io/write/Export.h). Constants that were lifted from functions get a note,
/// too. Call before FoldPlan::apply().
void noteProvenance(const CleanUp &cleanUp, const FoldPlan &plan);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLD_INTERNAL_PROVENANCE_H
