//===- TypeDecision.h - Which classes are converted -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Looks at the values of the classes that ClassCollector found, and keeps
// those that cannot be converted without harm. What is left is converted.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_TYPEDECISION_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_TYPEDECISION_H

#include "onnxfold/onnx/transforms/convert/internal/ClassCollector.h"
#include "onnxfold/onnx/transforms/convert/internal/ValueRanges.h"

namespace onnxfold {

class TypeDecision {
public:
  TypeDecision(mlir::ModuleOp module, const TypeConversionOptions &options,
               TypeClasses &classes, const ClassCollector &collector)
      : module(module), options(options), classes(classes),
        collector(collector) {}

  void run();

  /// The loss of the constant, computed at the first call. REQUIRES: a pair
  /// begins with its type.
  const ConvertedTensor &check(mlir::Operation *constant);
  /// The constants that keep their class.
  llvm::ArrayRef<ConvertedTensor> lost() const { return losses; }
  /// Why a constant, or an input, must keep its type.
  std::string whyFixed(mlir::Value value) const {
    return options.whyFixed ? options.whyFixed(value) : "";
  }

private:
  using Id = TypeClasses::Id;
  void keepLosses();
  void keepLarge();
  void keepOutOfRange();
  void keepSizes();
  void keepIslands();
  void keepUnread();
  bool keepRefused();
  bool isProved(mlir::Value value, DataType to, const ValueRanges &ranges);
  bool isOfSizes(Operator op, mlir::OpResult result,
                 const llvm::DenseSet<mlir::Value> &sizes) const;
  bool leadsToSizes(mlir::Value value,
                    const llvm::DenseSet<mlir::Value> &leading) const;
  bool isConverted(mlir::OpOperand &place) const {
    std::optional<Id> id = classes.of(place);
    return id ? !classes.isKept(*id) : classes.isConverted(place.get());
  }

  mlir::ModuleOp module;
  const TypeConversionOptions &options;
  TypeClasses &classes;
  const ClassCollector &collector;
  llvm::DenseMap<mlir::Operation *, ConvertedTensor> checks;
  std::vector<ConvertedTensor> losses;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_TYPEDECISION_H
