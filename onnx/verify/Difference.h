//===- Difference.h - How far two values are apart --------------*- C++ -*-===//
//
// Compares two values element by element and says where they differ most.
//
//   if (std::optional<Difference> d = difference(before, after, {}))
//     llvm::errs() << d->text(); // "at [0, 3]: 1.5 and 1.25 (...)"
//
// A distance is counted in units in the last place of the values' own type: how
// many numbers of that type lie between the two. Of integers it is their
// difference. NaN is equal to NaN only, 0 and -0 are one unit apart.
// Pure functions, safe from several threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_DIFFERENCE_H
#define ONNXFOLD_ONNX_VERIFY_DIFFERENCE_H

#include "onnxfold/constprop/FoldResult.h"

namespace onnxfold {

/// How far apart two tensors may be.
struct Tolerance {
  /// Bit for bit.
  static Tolerance exact() { return {}; }

  /// Floats: of the largest finite value of the tensor.
  double relative = 0;
  /// Floats: of the range of the tensor's values. For quantised models: one
  /// step of 8 bits is 1 / 255.
  double ofRange = 0;
  /// Integers.
  double steps = 0;

  bool isExact() const { return relative == 0 && ofRange == 0 && steps == 0; }
};

struct Difference {
  /// Where values cannot be compared: "the types are f32[2] and f32[3]".
  std::string reason;
  /// Else where they are furthest apart, in units in the last place where they
  /// have to be equal, else by their values; what they are there, and how far,
  /// in units in the last place (infinite for NaN and for text).
  Shape index;
  std::string before, after;
  double ulps = 0;
  int64_t count = 0, size = 0; // elements that differ, and in all
  bool isWithin = false;       // the tolerance, all of them

  /// "at [0, 3]: 1.5 and 1.25 (2097152 ulp; 2 of 8 elements differ)"
  std::string text() const;
};

/// Nothing if the values are equal. Sequences are compared tensor by tensor,
/// and the index of the tensor comes first.
std::optional<Difference> difference(const FoldedValue &before,
                                     const FoldedValue &after,
                                     const Tolerance &tolerance);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_DIFFERENCE_H
