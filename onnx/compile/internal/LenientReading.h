//===- LenientReading.h - What ONNX Runtime overlooks -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Models that say something wrong and run in ONNX Runtime all the same: a
// program does what they do there. Folding leaves such nodes as they are.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_COMPILE_INTERNAL_LENIENTREADING_H
#define ONNXFOLD_ONNX_COMPILE_INTERNAL_LENIENTREADING_H

#include "onnxfold/onnx/programs/Signature.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace onnxfold {

/// A domain that the model does not import is of its last known version, if it
/// has operators that are known here.
void importKnownDomains(mlir::ModuleOp module);

/// The shapes that a model declares of its outputs are often wrong: those of
/// PaddleOCR have no axes, others have the batch of an example. A program has
/// the shape that is inferred, where a rank is.
class DeclaredOutputs {
public:
  /// The outputs have no type until inference gives them one. REQUIRES: `graph`
  /// outlives this object.
  explicit DeclaredOutputs(mlir::FunctionOpInterface graph);
  /// After inference: carried values that are declared as scalars, of which a
  /// Loop makes something else, and what depends on them have any rank. Whether
  /// there are some, so that types are inferred again.
  bool openCarriedScalars();
  /// After inference: an output without a rank has the declared one, and sizes
  /// that the run says.
  void restore();

private:
  mlir::FunctionOpInterface graph;
  llvm::SmallVector<mlir::Type> declared;
};

/// A warning for each output whose two shapes no tensor has.
std::vector<std::string> contradictions(const Signature &declared,
                                        const Signature &found);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_COMPILE_INTERNAL_LENIENTREADING_H
