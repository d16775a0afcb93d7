//===- Provenance.h - Where a folded constant came from ---------*- C++ -*-===//
//
// A constant that replaces a node was computed from other constants:
// initializers and Constant nodes. The report names them, and with --provenance
// so does the metadata of the constant, as JSON:
//
//   metadata_props["onnx-fold.from"] =
//       {"op":"Transpose","node":"t","sources":["w"]}
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_INTERNAL_PROVENANCE_H
#define ONNXFOLD_ONNX_DRIVER_INTERNAL_PROVENANCE_H

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"

namespace onnxfold {

/// Notes on each operation whose results become constants where they come from:
/// the constants inherit the note (provenanceOf() in onnx/io/Export.h). So on
/// the constants that were lifted from functions. Call before
/// FoldPlan::apply().
void noteProvenance(const CleanUp &cleanUp, const FoldPlan &plan);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_INTERNAL_PROVENANCE_H
