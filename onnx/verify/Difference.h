//===- Difference.h - How far two values are apart --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares two values element by element and says where they differ most.
//
//   if (std::optional<Difference> d = difference(before, after, {}))
//     llvm::errs() << d->text(); // "at [0, 3]: 1.5 and 1.25 (...)"
//
// A distance is counted in units in the last place of the values' own type: how
// many numbers of that type lie between the two. For integers it is their
// difference. NaN is equal to NaN only; 0 and -0 are one unit apart.
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_DIFFERENCE_H
#define ONNXFOLD_ONNX_VERIFY_DIFFERENCE_H

#include "onnxfold/constprop/FoldResult.h"

namespace onnxfold {

/// How far apart two tensors may be.
struct Tolerance {
  /// Values have to be equal bit for bit.
  static Tolerance exact() { return {}; }

  /// For floats: a part of the largest finite value of the tensor.
  double relative = 0;
  /// For floats: a part of the range of the tensor's values. For quantised
  /// models: one step of 8 bits is 1 / 255.
  double ofRange = 0;
  /// For integers: the largest difference.
  double steps = 0;
  /// For both, beside the others.
  double absolute = 0;

  bool isExact() const {
    return relative == 0 && ofRange == 0 && steps == 0 && absolute == 0;
  }
};

struct Difference {
  /// Why the values cannot be compared, if they cannot: "the types are f32[2]
  /// and f32[3]".
  std::string reason;
  /// The position at which the values are furthest apart, the two elements
  /// there, and their distance in units in the last place (infinite for NaN and
  /// for text). The furthest is found by that distance if the tolerance is
  /// exact, else by the values.
  Shape index;
  std::string before, after;
  double ulps = 0;
  double apart = 0;            // of the two numbers; NaN if one is
  int64_t count = 0, size = 0; // elements that differ, and in all
  bool isWithin = false;       // all elements are within the tolerance

  /// "at [0, 3]: 1.5 and 1.25 (2097152 ulp; 2 of 8 elements differ)"
  std::string text() const;
};

/// Nothing if the values are equal. Sequences are compared tensor by tensor,
/// and the index of the tensor comes first.
std::optional<Difference> difference(const FoldedValue &before,
                                     const FoldedValue &after,
                                     const Tolerance &tolerance);

/// How far the numbers of two values are apart where they are furthest: 0 for
/// equal ones, infinite for NaN beside a number and for other types.
double distance(const FoldedValue &before, const FoldedValue &after);

/// The largest magnitude of the finite numbers of a tensor; 0 for others.
double largestNumber(const FoldedValue &value);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_DIFFERENCE_H
