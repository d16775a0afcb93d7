//===- KnownTypes.h - Types that were inferred, for the file ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the types that an evaluation refined beyond those of the model, for the
// writer, after the evaluation is freed.
//
//   KnownTypes known;
//   plan.apply();
//   known.collect(evaluation, /*names=*/writesAll);
//   ... if (known.contradicts(value, info.type())) ...
//   ... known.refine(value, *info.mutable_type()) ...
//
// Memory: the types that differ from those of the IR, or all if names are
// requested.
// Thread safety: const members may be called from several threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_KNOWNTYPES_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_KNOWNTYPES_H

#include "onnxfold/constprop/Evaluation.h"

namespace onnx {
class TypeProto;
} // namespace onnx

namespace onnxfold {

/// Gives `value` the type that its graph declares of it. That it is of another
/// one is noted (EvaluationOptions::noteTypeConflict).
void setDeclaredType(mlir::Value value, mlir::Type declared,
                     const Evaluation &evaluation);

class KnownTypes {
public:
  /// Collects the types of all values that are still below the root. `names`:
  /// the names of dimensions too. REQUIRES: since the evaluation, only
  /// constants were created.
  void collect(const Evaluation &evaluation, bool names);

  /// Collects the type of one value, with names of dimensions. REQUIRES: as
  /// collect, or nothing was changed.
  void collectValue(mlir::Value value, const Evaluation &evaluation) {
    note(value, evaluation, /*names=*/true);
  }

  /// Collects the types of arguments of bodies that hold in every iteration,
  /// and the names of their dimensions. (A file states these types itself.)
  /// REQUIRES: as collect.
  void collectArguments(const Evaluation &evaluation);

  /// The element types of values have changed in the IR since collect().
  void followElementTypes();

  /// A filter of the evaluation protects the producer of the value.
  bool isProtected(mlir::Value value) const {
    return untouched.contains(value);
  }

  /// The model's type and the known one cannot both be true.
  bool contradicts(mlir::Value value, const onnx::TypeProto &declared) const;

  /// Adds element type, rank and sizes that `type` does not have; names only
  /// where there was no rank. False if `type` has all of these. REQUIRES: they
  /// do not contradict each other.
  bool refine(mlir::Value value, onnx::TypeProto &type) const;

  /// Sets the type, names included. False if nothing is known.
  bool fill(mlir::Value value, onnx::TypeProto &type) const;

  /// The known type: that of the IR, or a better one.
  mlir::Type typeOf(mlir::Value value) const;

private:
  void note(mlir::Value value, const Evaluation &evaluation, bool names);

  llvm::DenseMap<mlir::Value, mlir::Type> types;
  llvm::DenseSet<mlir::Value> untouched;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<std::string>> dimensions;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_KNOWNTYPES_H
