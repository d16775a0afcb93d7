//===- Math.cpp - Transcendental functions on blocks of doubles -----------===//

#include "onnxfold/elements/Math.h"
#include "onnxfold/elements/MathTables.h"
#include <algorithm>
#include <cmath>

using namespace onnxfold;
using detail::MathTable;

static const MathTable &table() {
  static const MathTable &chosen =
      __builtin_cpu_supports("avx512f") ? detail::mathTableAvx512
      : __builtin_cpu_supports("avx")   ? detail::mathTableAvx
                                        : detail::mathTableSse2;
  return chosen;
}

#define ONNXFOLD_MATH(name, accuracy)                                          \
  void wide::name(double *values, size_t count) {                              \
    table().name(values, count);                                               \
  }
#include "onnxfold/elements/MathFunctions.def"

void wide::pow(double *x, const double *y, size_t count) {
  table().pow(x, y, count);
}

/// Values that are worked on at a time; a block on the stack.
static constexpr size_t piece = 256;

void wide::sigmoid(double *values, size_t count) {
  for (size_t first = 0; first < count; first += piece) {
    double *x = values + first, e[piece];
    size_t n = std::min(piece, count - first);
    for (size_t i = 0; i < n; ++i)
      e[i] = -std::fabs(x[i]);
    exp(e, n);
    // exp(x) / (1 + exp(x)) below 0, where exp(-x) may overflow.
    for (size_t i = 0; i < n; ++i)
      x[i] = (x[i] < 0 ? e[i] : 1.0) / (1 + e[i]);
  }
}

void wide::softplus(double *values, size_t count) {
  for (size_t first = 0; first < count; first += piece) {
    double *x = values + first, e[piece];
    size_t n = std::min(piece, count - first);
    for (size_t i = 0; i < n; ++i)
      e[i] = -std::fabs(x[i]);
    exp(e, n);
    log1p(e, n);
    // log(1 + exp(x)) = x + log(1 + exp(-x))
    for (size_t i = 0; i < n; ++i)
      x[i] = (x[i] > 0 ? x[i] : 0.0) + e[i];
  }
}
