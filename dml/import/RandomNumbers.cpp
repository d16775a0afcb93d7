//===- RandomNumbers.cpp - What SystemDS makes of a seed ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/RandomNumbers.h"
#include <algorithm>
#include <cmath>

using namespace onnxfold::dml;

namespace {

/// The generator that the documentation of java.util.Random specifies.
class JavaRandom {
public:
  explicit JavaRandom(int64_t seed)
      : state((uint64_t(seed) ^ multiplier) & mask) {}

  int32_t integer() { return int32_t(bits(32)); }
  int64_t integer64() {
    uint64_t high = bits(32);
    return int64_t((high << 32) + uint64_t(int64_t(int32_t(bits(32)))));
  }
  double share() {
    uint64_t high = bits(26);
    return double((high << 27) + bits(27)) * 0x1p-53;
  }
  /// Below `bound`.
  int32_t below(int32_t bound) {
    if ((bound & -bound) == bound)
      return int32_t((uint64_t(bound) * bits(31)) >> 31);
    for (;;) {
      int64_t number = bits(31), rest = number % bound;
      if (number - rest + (bound - 1) <= INT32_MAX)
        return int32_t(rest);
    }
  }

private:
  static constexpr uint64_t multiplier = 0x5DEECE66D, mask = (1ull << 48) - 1;
  uint64_t state;

  uint64_t bits(int count) {
    state = (state * multiplier + 11) & mask;
    return state >> (48 - count);
  }
};

/// WELL1024a (Panneton, L'Ecuyer, Matsumoto 2006).
class Well1024 {
public:
  explicit Well1024(int64_t seed) {
    JavaRandom random(seed);
    for (uint32_t &one : state)
      one = uint32_t(random.integer());
  }
  int64_t integer64() {
    uint64_t high = next();
    return int64_t((high << 32) | next());
  }

private:
  uint32_t state[32];
  unsigned place = 0;

  uint32_t at(unsigned offset) const { return state[(place + offset) % 32]; }
  uint32_t next() {
    uint32_t before = at(31), m1 = at(3), m2 = at(24), m3 = at(10);
    uint32_t z1 = at(0) ^ m1 ^ (m1 >> 8);
    uint32_t z2 = m2 ^ (m2 << 19) ^ m3 ^ (m3 << 14);
    state[place] = z1 ^ z2;
    place = (place + 31) % 32;
    return state[place] =
               before ^ (before << 11) ^ z1 ^ (z1 << 7) ^ z2 ^ (z2 << 13);
  }
};

/// Uniform from 0 to 1, or normal by the method of Box and Muller.
class Values {
public:
  Values(int64_t seed, bool isNormal) : random(seed), isNormal(isNormal) {}

  double next() {
    if (!isNormal)
      return random.share();
    isSecond = !isSecond;
    if (isSecond) {
      radius = std::sqrt(-2 * std::log(random.share()));
      angle = 2 * 3.14159265358979323846 * random.share();
      return radius * std::cos(angle);
    }
    return radius * std::sin(angle);
  }

private:
  JavaRandom random;
  bool isNormal, isSecond = false;
  double radius = 0, angle = 0;
};

} // namespace

/// As Java converts it.
static int64_t asLong(double number) {
  if (std::abs(number) < 0x1p63)
    return int64_t(number);
  return number < 0 ? INT64_MIN : INT64_MAX;
}

std::vector<double> onnxfold::dml::seededNumbers(const SeededMatrix &matrix) {
  constexpr int64_t side = 1000;
  std::vector<double> numbers(matrix.rows * matrix.columns);
  Well1024 seeds(matrix.seed);
  double least = matrix.isNormal ? 0 : matrix.least,
         range = matrix.isNormal ? 1 : matrix.most - least;
  for (int64_t row = 0; row < matrix.rows; row += side)
    for (int64_t column = 0; column < matrix.columns; column += side) {
      Values values(seeds.integer64(), matrix.isNormal);
      JavaRandom places(asLong(values.next() * 0x1p63));
      for (int64_t i = row; i < std::min(row + side, matrix.rows); ++i)
        for (int64_t j = column; j < std::min(column + side, matrix.columns);
             ++j)
          if (matrix.share == 1 || places.share() <= matrix.share)
            numbers[i * matrix.columns + j] = least + range * values.next();
    }
  return numbers;
}

std::vector<double> onnxfold::dml::seededSample(int32_t range, int32_t count,
                                                bool mayRepeat, int64_t seed) {
  JavaRandom random(seed);
  std::vector<double> numbers(count);
  if (mayRepeat) {
    for (double &one : numbers) {
      uint64_t number, rest;
      do {
        number = uint64_t(random.integer64()) << 1 >> 1;
        rest = number % range;
      } while (number - rest + (range - 1) > uint64_t(INT64_MAX));
      one = double(rest + 1);
    }
    return numbers;
  }
  for (int32_t i = 0; i < count; ++i)
    numbers[i] = i + 1;
  for (int64_t i = int64_t(count) + 1; i <= range; ++i)
    if (random.below(int32_t(i)) < count)
      numbers[random.below(count)] = double(i);
  for (int32_t i = 0; i + 1 < count; ++i)
    std::swap(numbers[i], numbers[random.below(count - i) + i]);
  return numbers;
}
