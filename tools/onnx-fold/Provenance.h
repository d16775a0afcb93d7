//===- Provenance.h - Where a folded constant came from ---------*- C++ -*-===//
//
// A constant that stands in the place of a node was computed from other
// constants: initializers and Constant nodes. The report names them, and with
// --provenance so does the metadata of the constant, as JSON:
//
//   metadata_props["onnx-fold.from"] =
//       {"op":"Transpose","node":"t","sources":["w"]}
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_PROVENANCE_H
#define ONNXFOLD_TOOLS_ONNXFOLD_PROVENANCE_H

#include "onnxfold/constprop/FoldPlan.h"

namespace onnxfold {

/// Names of the constants that the results of `op` were computed from, each
/// once, nearest first; at most 16, and none from further than 64 nodes away.
/// They live as long as the context.
llvm::SmallVector<llvm::StringRef> sourcesOf(mlir::Operation *op,
                                             const Evaluation &evaluation);

/// Notes on each operation whose results become constants where they come from:
/// the constants inherit the note (provenanceOf() in onnx/io/Export.h). Call
/// before FoldPlan::apply().
void noteProvenance(const Evaluation &evaluation, const FoldPlan &plan);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_PROVENANCE_H
