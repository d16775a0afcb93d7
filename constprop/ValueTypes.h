//===- ValueTypes.h - MLIR types that the IR does not state -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What is known of the MLIR types of values beyond what the IR says: that a
// value of unknown type is a sequence, and of what. The evaluation does not
// change the IR, so such types are kept here until
// FoldingInterface::refineTypes writes them into it.
//
//   types.set(result, sequenceType);
//   types.of(result);                    // sequenceType; else the IR's type
//
// Thread safety: none. The table refers to the values.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_VALUETYPES_H
#define ONNXFOLD_CONSTPROP_VALUETYPES_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace onnxfold {

class ValueTypes {
public:
  /// Types that are not known here are looked up in `outside`, which must
  /// outlive this table.
  explicit ValueTypes(const ValueTypes *outside = nullptr) : outside(outside) {}

  mlir::Type of(mlir::Value value) const {
    if (mlir::Type type = known.lookup(value))
      return type;
    return outside ? outside->of(value) : value.getType();
  }
  void set(mlir::Value value, mlir::Type type) { known[value] = type; }
  /// To be called before the value is erased.
  void forget(mlir::Value value) { known.erase(value); }

private:
  llvm::DenseMap<mlir::Value, mlir::Type> known; // few
  const ValueTypes *outside;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_VALUETYPES_H
