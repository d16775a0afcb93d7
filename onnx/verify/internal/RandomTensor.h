//===- RandomTensor.h - Numbers that are the same everywhere ----*- C++ -*-===//
//
// A generator, and tensors of its numbers.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_RANDOMTENSOR_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_RANDOMTENSOR_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/verify/internal/IndexRanges.h"
#include <cmath>

namespace onnxfold {

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

private:
  uint64_t state;
};

/// A random tensor of any type but Opaque. Strings and complex numbers ignore
/// the range.
Elements randomTensor(DataType type, ShapeRef shape, NumberRange range,
                      Random &random);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_RANDOMTENSOR_H
