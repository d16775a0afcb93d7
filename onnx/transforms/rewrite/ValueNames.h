//===- ValueNames.h - Which names are visible where -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// In the file, values are identified by name. A value in a body hides a value
// of the same name around the body. So a user can be rewired to a value only if
// the value is visible to it, and a value can be renamed only if no other value
// has the new name.
//
//   ValueNames names([&](Operation *op) { return isReplaced(op); });
//   if (names.isVisible("x", home, reader)) ...
//   names.note(op);                          // `op` was not there before
//
// A table is made once for each region that is queried; its cost is the size of
// the region. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_VALUENAMES_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_VALUENAMES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <functional>

namespace onnxfold {

class ValueNames {
public:
  /// `isReplaced`: the operation will be erased, and other values may take its
  /// names.
  explicit ValueNames(std::function<bool(mlir::Operation *)> isReplaced)
      : isReplaced(std::move(isReplaced)) {}

  /// No body between `home` and `reader` has a value of this name.
  bool isVisible(llvm::StringRef name, mlir::Region *home,
                 mlir::Operation *reader);
  /// Whether one value alone in `region` and its bodies has this name.
  bool isUnique(llvm::StringRef name, mlir::Region *region);
  /// Records an operation that was created after the tables.
  void note(mlir::Operation *op);
  /// Forgets all tables, because any name may have changed.
  void clear();

private:
  using Mentions = llvm::StringMap<mlir::Value>;
  void noteMentions(mlir::ValueRange values, Mentions &valueOf);
  void noteMentions(mlir::Operation *below, Mentions &valueOf);

  std::function<bool(mlir::Operation *)> isReplaced;
  llvm::DenseMap<mlir::Region *, llvm::StringSet<>> namesOf;
  /// The only value of a name in a region and its bodies; null: several.
  llvm::DenseMap<mlir::Region *, Mentions> mentions;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_VALUENAMES_H
