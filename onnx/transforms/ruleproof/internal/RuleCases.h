//===- RuleCases.h - Types, shapes and attributes to try --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_RULEPROOF_INTERNAL_RULECASES_H
#define ONNXFOLD_ONNX_TRANSFORMS_RULEPROOF_INTERNAL_RULECASES_H

#include "onnxfold/onnx/transforms/rules/Rule.h"
#include "onnxfold/onnx/verify/RandomTensor.h"

namespace onnxfold {

/// The parameters of a rule, numbers aside. Numbers of the rule (one = Constant
/// <value_float = 1.0>) have any shape, as those of models do.
struct RuleCase {
  struct Given {
    DataType type = DataType::Undefined;
    llvm::SmallVector<Shape, 1> shapes; ///< one, none, or of variadic ones more
    Elements tried;                     ///< its value, if the rule states some
  };
  std::vector<Given> values; ///< of parameters and numbers
  std::vector<mlir::Attribute> attributes;
};

class RuleCases {
public:
  RuleCases(const RewriteRule &rule, unsigned pattern,
            mlir::MLIRContext &context, int64_t most, uint64_t seed);

  /// How many cases forEach() visits.
  int64_t size() const;
  /// Every case if there are at most so many, else a sample that has every
  /// combination of types.
  void forEach(llvm::function_ref<bool(const RuleCase &)> visit);

  /// The types of each class that has parameters or numbers.
  const std::vector<std::vector<DataType>> &types() const { return allTypes; }
  /// The value is a parameter or a number, and stands for tensors.
  bool isGiven(unsigned value) const { return given[value]; }
  /// Some parameter of the case has elements that are drawn; without them all
  /// rounds of numbers are alike.
  bool hasNumbers(const RuleCase &one) const;
  /// Whatever the numbers are, the pattern is defined and the conditions hold,
  /// or not. Of operators and conditions that are not known: false.
  bool isDecidedByShapes(const RuleCase &one) const;

private:
  using Choice = llvm::function_ref<unsigned(unsigned count)>;
  bool fillShapes(RuleCase &result, Choice choose, bool isRelated);
  bool fillAttributes(RuleCase &result, Choice choose, bool isSampled);
  Shape shapeOf(const RuleValue &value, Choice choose, bool isRelated,
                const Shape &base);
  llvm::ArrayRef<int64_t> sizesOf(llvm::StringRef name) const;
  double count() const;
  double combinations() const;
  std::vector<mlir::Attribute> valuesOf(unsigned attribute) const;
  llvm::ArrayRef<DataType> castTypes(unsigned parameter) const;
  bool isMoved(unsigned typeClass) const;
  bool isDrawn(unsigned value, const RuleCase &one) const;
  bool keepsShapes() const;

  const RewriteRule &rule;
  std::vector<bool> nodes; ///< of the pattern and of the replacement
  mlir::MLIRContext &context;
  int64_t most;
  Random random;
  std::vector<bool> given;
  bool keptShapes = false;       ///< keepsShapes()
  std::vector<unsigned> classes; ///< with given values
  std::vector<std::vector<DataType>> allTypes;
  std::vector<std::vector<mlir::Attribute>> attributes;
  llvm::StringMap<int64_t> dims;
  llvm::StringMap<Shape> runs;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_RULEPROOF_INTERNAL_RULECASES_H
