//===- SampleRule.h - What the rules of operators have ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For SampleRules.cpp and ShapeRules.cpp only.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_BATCH_INTERNAL_SAMPLERULE_H
#define ONNXFOLD_ONNX_TRANSFORMS_BATCH_INTERNAL_SAMPLERULE_H

#include "onnxfold/onnx/transforms/batch/internal/SampleFlow.h"

namespace onnxfold {

struct SampleRule {
  Operator op;
  SampleFlow &flow;

  /// The place of the samples in input #i, if it has some.
  std::optional<BatchAxis> at(unsigned i) const {
    return op.hasInput(i) ? flow.axisOf(op.input(i)) : std::nullopt;
  }
  std::optional<int64_t> rank(unsigned i) const {
    return flow.rankOf(op.input(i));
  }
  void give(unsigned result, BatchAxis axis) {
    if (!llvm::isa<mlir::NoneType>(op->getResult(result).getType()))
      flow.set(op->getResult(result), axis);
  }
  /// The inputs that are given.
  llvm::SmallVector<unsigned> given() const {
    llvm::SmallVector<unsigned> all;
    for (unsigned i = 0; i < op.numInputs(); ++i)
      if (op.hasInput(i))
        all.push_back(i);
    return all;
  }
  /// An attribute that counts axes of input #0 from both ends.
  std::optional<int64_t> axis(llvm::StringRef name, int64_t byDefault) const {
    std::optional<int64_t> count = rank(0);
    int64_t value = op.getInt(name, byDefault);
    if (!count)
      return std::nullopt;
    return value < 0 ? value + *count : value;
  }
  /// An attribute, or the input that it became; empty if neither is there,
  /// nothing if the value is not known.
  std::optional<Shape> ints(llvm::StringRef name, unsigned input) const {
    if (auto list = op.getInts(name))
      return Shape(llvm::ArrayRef<int64_t>(*list));
    return op.hasInput(input) ? flow.knownInts(op.input(input))
                              : std::optional(Shape());
  }

  static std::string mixes(const llvm::Twine &why) { return why.str(); }
  static std::string unknownShape(unsigned i) {
    return "has an input #" + std::to_string(i) + " of unknown shape";
  }
};

/// Why an operator does not compute each sample for itself, or "".
using SampleRuleOf = std::string (*)(SampleRule &);

/// An input, and the dimension in which it has the samples.
using InputPlace = std::pair<unsigned, int64_t>;

// Parts of rules.
std::string asInput(SampleRule &rule);
std::string leading(SampleRule &rule);
std::string rows(SampleRule &rule);
std::string withOneScale(SampleRule &rule);
std::string broadcast(SampleRule &rule, llvm::ArrayRef<unsigned> inputs);
std::string concatenate(SampleRule &rule, llvm::ArrayRef<unsigned> inputs);
std::string checkAxis(SampleRule &rule, std::optional<int64_t> axis);
std::string fitShared(SampleRule &rule, unsigned i, int64_t fromRight,
                      BatchAxis axis);
/// These inputs have one part for each sample, or are repeated; no other input
/// has samples.
std::string wantSamples(SampleRule &rule, llvm::ArrayRef<InputPlace> places);
void giveAll(SampleRule &rule, BatchAxis axis);
std::string multiply(SampleRule &rule, unsigned left, unsigned right);
/// Whether the input, if it is there, is one number.
bool isScalar(SampleRule &rule, unsigned i);

/// The rule of an operator of com.microsoft or ai.onnx.ml, or null.
SampleRuleOf ruleOfDomain(llvm::StringRef domain, llvm::StringRef opType);

std::string ruleOfQuantization(SampleRule &rule);
std::string ruleOfLayerNormalization(SampleRule &rule);
std::string ruleOfMatMul(SampleRule &rule);
std::string ruleOfMatMulInteger(SampleRule &rule);
std::string ruleOfQLinearMatMul(SampleRule &rule);
std::string ruleOfGemm(SampleRule &rule);
std::string ruleOfEinsum(SampleRule &rule);
std::string ruleOfAttention(SampleRule &rule);
std::string ruleOfRotaryEmbedding(SampleRule &rule);

std::string ruleOfTranspose(SampleRule &rule);
std::string ruleOfReshape(SampleRule &rule);
std::string ruleOfFlatten(SampleRule &rule);
std::string ruleOfSqueeze(SampleRule &rule);
std::string ruleOfUnsqueeze(SampleRule &rule);
std::string ruleOfExpand(SampleRule &rule);
std::string ruleOfTile(SampleRule &rule);
std::string ruleOfSlice(SampleRule &rule);
std::string ruleOfPad(SampleRule &rule);
std::string ruleOfGather(SampleRule &rule);
std::string ruleOfGatherElements(SampleRule &rule);
std::string ruleOfResize(SampleRule &rule);
std::string ruleOfGatherND(SampleRule &rule);
std::string ruleOfScatterElements(SampleRule &rule);
std::string ruleOfOneHot(SampleRule &rule);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_BATCH_INTERNAL_SAMPLERULE_H
