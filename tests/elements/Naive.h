//===- Naive.h - Tensors computed index by index ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The reference that the tests of elements/ compare with: a list of values and
// a shape, without strides, blocks or laziness; and random shapes. A test names
// its seed in every failure: `Random random(seed)` opens a trace.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_ELEMENTS_NAIVE_H
#define ONNXFOLD_TESTS_ELEMENTS_NAIVE_H

#include "onnxfold/elements/Elements.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace onnxfold {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr float floatInfinity = std::numeric_limits<float>::infinity();

/// The values of a tensor in row-major order.
template <class T> struct Naive {
  Shape shape;
  std::vector<T> values;

  int64_t at(ShapeRef index) const {
    int64_t number = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      number = number * shape[d] + index[d];
    return number;
  }
  const T &operator()(ShapeRef index) const { return values[at(index)]; }

  /// The tensor whose element at `index` is f(index).
  static Naive make(ShapeRef shape, std::function<T(ShapeRef)> f) {
    Naive result{Shape(shape), {}};
    int64_t size = numElements(shape);
    Shape index(shape.size(), 0);
    for (int64_t i = 0; i < size; ++i) {
      result.values.push_back(f(index));
      for (size_t d = shape.size(); d-- > 0;) {
        if (++index[d] < shape[d])
          break;
        index[d] = 0;
      }
    }
    return result;
  }

  Elements elements() const {
    return Elements::fromValues<T>(shape, llvm::ArrayRef<T>(values));
  }
};

class Random {
public:
  explicit Random(unsigned seed)
      : engine(seed),
        trace(__FILE__, __LINE__, "seed " + std::to_string(seed)) {}

  /// From [low, high].
  int64_t integer(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }
  double real(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  Shape shape(int64_t rank, int64_t least, int64_t most) {
    Shape result;
    for (int64_t d = 0; d < rank; ++d)
      result.push_back(integer(least, most));
    return result;
  }
  Shape permutation(int64_t rank) {
    Shape perm;
    for (int64_t d = 0; d < rank; ++d)
      perm.push_back(d);
    std::shuffle(perm.begin(), perm.end(), engine);
    return perm;
  }

  std::mt19937_64 engine;

private:
  testing::ScopedTrace trace;
};

template <class T> llvm::StringRef bytesInMemory(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof(T)};
}

/// Equal values, shape and type; NaN equals NaN, 0 differs from -0.
template <class T>
void expectEqual(const Elements &actual, const Naive<T> &expected) {
  ASSERT_TRUE(bool(actual));
  ASSERT_EQ(actual.type(), dataTypeOf<T>);
  ASSERT_EQ(toString(actual.shape()), toString(expected.shape));
  if constexpr (std::is_same_v<T, llvm::StringRef>) {
    ASSERT_EQ(actual.values<T>(), expected.values);
  } else {
    ElementsArray<T> array(actual);
    for (int64_t i = 0; i < array.size(); ++i) {
      T value = array[i], wanted = expected.values[i];
      if (value != value && wanted != wanted)
        continue;
      ASSERT_TRUE(bytesInMemory(value) == bytesInMemory(wanted))
          << "element " << i << " of " << array.size() << ": "
          << testing::PrintToString(value) << ", expected "
          << testing::PrintToString(wanted);
    }
  }
}

template <class T>
void expectValues(const Elements &actual, ShapeRef shape,
                  std::vector<T> expected) {
  expectEqual(actual, Naive<T>{Shape(shape), std::move(expected)});
}

/// 0, 1, 2, ... of the shape, each wrapped to T.
template <class T> Naive<T> counting(ShapeRef shape) {
  int64_t next = 0;
  return Naive<T>::make(shape, [&](ShapeRef) { return T(next++); });
}

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_ELEMENTS_NAIVE_H
