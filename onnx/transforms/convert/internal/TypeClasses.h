//===- TypeClasses.h - Values that change their type together ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A class is a set of values and of places (operands of operations) that have
// one element type, before and after. Operands of no class take either type.
//
//   TypeClasses classes(pairs);
//   unsigned id = classes.make(DataType::Float32);
//   classes.add(value, id);
//   classes.keep(id, "Shape-13 has it as tensor(int64)");
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_TYPECLASSES_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_TYPECLASSES_H

#include "onnxfold/onnx/transforms/convert/TypeConversion.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

namespace onnxfold {

/// The element type of a tensor; Undefined for anything else.
DataType elementTypeOf(mlir::Type type);
/// The same tensor type of other elements.
mlir::Type withElements(mlir::Type type, DataType elements);

class TypeClasses {
public:
  using Id = unsigned;

  explicit TypeClasses(llvm::ArrayRef<TypePair> pairs) : pairs(pairs) {}

  /// The pair that begins with the element type of `type`; null if none does.
  const TypePair *pairOf(mlir::Type type) const;
  const TypePair &pairOf(Id id) const { return *classes[root(id)].pair; }

  Id make(const TypePair &pair);
  void join(Id a, Id b);
  /// The class is not converted. The first reason counts; "" is one that nobody
  /// need hear of.
  void keep(Id id, const llvm::Twine &why);
  bool isKept(Id id) const { return classes[root(id)].kept.has_value(); }
  const std::string &whyKept(Id id) const { return *classes[root(id)].kept; }

  void add(mlir::Value value, Id id);
  void add(mlir::OpOperand &place, Id id);
  std::optional<Id> of(mlir::Value value) const;
  std::optional<Id> of(mlir::OpOperand &place) const;
  Id ofOrNew(mlir::Value value, const TypePair &pair);

  bool isConverted(mlir::Value value) const {
    std::optional<Id> id = of(value);
    return id && !isKept(*id);
  }

  /// The members of a class, by its root. Valid until the next join.
  struct Members {
    llvm::SmallVector<mlir::Value> values;
    llvm::SmallVector<mlir::OpOperand *> places;
  };
  llvm::MapVector<Id, Members> members() const;
  Id root(Id id) const;

private:
  struct Class {
    mutable Id parent;
    const TypePair *pair;
    std::optional<std::string> kept;
  };
  llvm::ArrayRef<TypePair> pairs;
  std::vector<Class> classes;
  llvm::MapVector<mlir::Value, Id> values;
  llvm::MapVector<mlir::OpOperand *, Id> places;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_TYPECLASSES_H
