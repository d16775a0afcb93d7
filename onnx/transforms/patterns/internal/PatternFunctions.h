//===- PatternFunctions.h - The functions of the patterns -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Each pattern of CleanUps.def is a function in the file of its topic. Queries
// that several patterns share are here or in CleanUpContext. Shapes are
// compared by the symbols of the evaluation: if these are equal, the shapes are
// equal at run time.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_INTERNAL_PATTERNFUNCTIONS_H
#define ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_INTERNAL_PATTERNFUNCTIONS_H

#include "onnxfold/onnx/transforms/rewrite/CleanUpPattern.h"
#include "llvm/ADT/BitVector.h"

namespace onnxfold::patterns {

#define PATTERN(function, name, roots, algebra)                                \
  mlir::Value function(const CleanUpContext &cx);
#define REWRITE(function, name, level, roots, algebra)                         \
  PATTERN(function, name, roots, algebra)
#define INPUTS(function, name, level, roots, algebra)                          \
  InputEdits function(const CleanUpContext &cx);
#define TRANSFORM(constant, name, algebra)
#define RULES(family, name, level)
#include "onnxfold/onnx/transforms/rewrite/CleanUps.def"
#undef RULES
#undef PATTERN
#undef REWRITE
#undef INPUTS
#undef TRANSFORM

/// Input #i if the result has its shape and element type, else null.
mlir::Value inputAlike(const CleanUpContext &cx, unsigned i);

/// The permutation of a Transpose, or nothing if the rank is not known.
std::optional<llvm::SmallVector<int64_t>>
permutationOf(const CleanUpContext &cx, Operator op);
/// The same if it is one of so many axes, each once: others a runtime refuses.
std::optional<llvm::SmallVector<int64_t>>
permutationOfRank(const CleanUpContext &cx, Operator transpose, size_t rank);

/// x if the operator is x + 0, 0 + x or x - -0, all of which are x except for
/// -0 + 0 = 0; else null.
mlir::Value besideZero(const CleanUpContext &cx);

/// The bits of the significand of a float type, the first one included.
int digitsOf(DataType type);

/// One of the addends is so large that a sum with it is rounded to whole numbers
/// or coarser, as in x + 1.5 * 2^23. Such a sum may be there to round, so
/// nothing is moved across it.
bool addsToRound(const Elements &addend);

/// No factor is 0, infinite or beyond what a scale may be, and no product of a
/// small one with the weight, to which it broadcasts, loses bits. `isDiv`: the
/// weight is divided by it.
bool scalesWell(const Elements &weight, const Elements &factors, bool isDiv);

/// A factor of a Gemm (alpha, beta) may be multiplied into a constant.
bool mayMultiply(const CleanUpContext &cx, float factor);

/// value * factor; the value if that is 1. REQUIRES: mayMultiply(factor).
mlir::Value times(const CleanUpContext &cx, mlir::Value value, float factor);

/// The operator returns the elements of input #0 in their order.
bool keepsOrder(Operator op);

/// The axes of a Squeeze or an Unsqueeze as bits of the larger rank; nothing if
/// they are not known or not given.
std::optional<llvm::BitVector> squeezedAxes(const CleanUpContext &cx,
                                            Operator op);

/// A new Squeeze or Unsqueeze of x. REQUIRES: the opset has it.
mlir::Value withAxes(const CleanUpContext &cx, OperatorName type, mlir::Value x,
                     llvm::ArrayRef<int64_t> axes);

} // namespace onnxfold::patterns

#endif // ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_INTERNAL_PATTERNFUNCTIONS_H
