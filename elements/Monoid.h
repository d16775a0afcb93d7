//===- Monoid.h - The loops of a reduction ----------------------*- C++ -*-===//
//
// What reductions combine, as function pointers over blocks, so that the code
// that walks shapes (Reduce.cpp) exists once. Sums of floats accumulate in
// double, everything else in its own type.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MONOID_H
#define ONNXFOLD_ELEMENTS_MONOID_H

#include "onnxfold/widenum/DataType.h"

namespace onnxfold {

enum class MonoidKind : uint8_t { Sum, Product, Min, Max, SumSquare, L1 };

struct Monoid {
  /// The type of the elements that the loops read.
  DataType elementType = DataType::Undefined;
  /// The type of accumulators; Undefined: there is no such monoid.
  DataType accumulator = DataType::Undefined;

  /// acc[i] = neutral element; what a reduction of nothing gives.
  void (*setNeutral)(void *acc, int64_t count) = nullptr;
  void (*setEmpty)(void *acc, int64_t count) = nullptr;
  /// acc[i] = acc[i] o lift(in[i]).
  void (*accumulate)(void *acc, const void *in, int64_t count) = nullptr;
  /// acc[i] = acc[i] o other[i].
  void (*combine)(void *acc, const void *other, int64_t count) = nullptr;
  /// *acc = the elements combined in 8 interleaved chains, these pairwise.
  void (*fold)(void *acc, const void *in, int64_t count) = nullptr;
};

/// For elements of `type`; f16 and bf16 are to be converted to f32 first.
Monoid monoidOf(MonoidKind kind, DataType type);

/// The sum of doubles in the fixed tree of reductions.
double pairwiseSum(const double *values, int64_t count);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_MONOID_H
