//===- RandomTensor.h - Numbers that are the same everywhere ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A generator, and tensors of its numbers. What differs on some numbers only (a
// bound, the sign of zero, NaN, an overflow) shows if these numbers occur: so
// there are several kinds of tensors, from the usual numbers of models to the
// limits of types.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_RANDOMTENSOR_H
#define ONNXFOLD_ONNX_VERIFY_RANDOMTENSOR_H

#include "onnxfold/elements/Elements.h"
#include <cmath>

namespace onnxfold {

struct ModelNumbers;

struct NumberRange {
  double least, most;
};

/// A SplitMix64 generator: it is small, and the same on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
  /// A number in [0, 1).
  double real() { return double(next() >> 11) * 0x1p-53; }
  double real(NumberRange range) {
    return range.least + real() * (range.most - range.least);
  }
  /// An integer in [least, most].
  int64_t integer(NumberRange range) {
    double count = std::floor(range.most) - std::ceil(range.least) + 1;
    return int64_t(std::ceil(range.least)) +
           (count > 1 ? int64_t(real() * count) : 0);
  }
  /// A number in [0, count).
  unsigned below(unsigned count) { return next() % count; }

private:
  uint64_t state;
};

/// The kind of numbers that a tensor holds.
enum class Numbers {
  Usual,    // those of `usual`
  Moderate, // of both signs, up to 10, both zeros, the model's and neighbours
  Sparse,   // zeros and a few others
  Wide,     // of all magnitudes
  Special,  // infinities, NaN, limits of the type, among moderate ones
  Same,     // one number, of any of these kinds
};

struct Draw {
  Numbers numbers = Numbers::Usual;
  NumberRange usual = {-1, 1};
  /// The tensor holds `usual` numbers only, whatever `numbers` says, as indices
  /// do; with `wraps` also the negative numbers of the same elements.
  bool isBound = false, wraps = false;
  unsigned round = 0; // which number of Numbers::Same
  const ModelNumbers *model = nullptr;
};

/// A random tensor of any type but Opaque.
Elements randomTensor(DataType type, ShapeRef shape, const Draw &draw,
                      Random &random);

/// Each number is one unit in the last place away, up or down; null if the
/// tensor has no such neighbours (it holds no floats).
Elements movedByOneUnit(const Elements &value, Random &random);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_RANDOMTENSOR_H
