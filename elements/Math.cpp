//===- Math.cpp - Transcendental functions on blocks of doubles -----------===//

#include "onnxfold/elements/Math.h"
#include "onnxfold/elements/MathTables.h"
#include "onnxfold/widenum/CpuLevel.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace onnxfold;
using detail::MathTable;

static const MathTable &table() {
  switch (cpuLevel()) {
  case CpuLevel::Avx512:
    return detail::mathTableAvx512;
  case CpuLevel::Avx2:
    return detail::mathTableAvx;
  case CpuLevel::Baseline:
    break;
  }
  return detail::mathTableSse2;
}

/// The sign and payload of a NaN are all that the vector widths disagree on.
static void unifyNans(double *values, size_t count) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (size_t i = 0; i < count; ++i)
    values[i] = values[i] != values[i] ? nan : values[i];
}

/// Values that are worked on at a time; a block on the stack.
static constexpr size_t piece = 256;

/// log1p(x), asinh(x) and acosh(x) are log(|x|) + offset for huge arguments,
/// where SLEEF's overflow. Call with the arguments `x` of the results `values`.
static void repairHuge(const double *x, double *values, size_t count,
                       double offset) {
  for (size_t i = 0; i < count; ++i) {
    // Where the result is NaN, the argument was outside the domain.
    if (!(std::fabs(x[i]) >= 0x1p500) || values[i] != values[i])
      continue;
    double y = std::fabs(x[i]);
    table().log(&y, 1);
    values[i] = std::copysign(y + offset, x[i]);
  }
}

static void callRepaired(void (*function)(double *, size_t), double *values,
                         size_t count, double offset) {
  double x[piece];
  for (size_t first = 0; first < count; first += piece) {
    size_t n = std::min(piece, count - first);
    std::copy_n(values + first, n, x);
    function(values + first, n);
    repairHuge(x, values + first, n, offset);
  }
  unifyNans(values, count);
}

static constexpr double logOfTwo = 0x1.62e42fefa39efp-1;

void wide::log1p(double *values, size_t count) {
  callRepaired(table().log1p, values, count, 0);
}
void wide::asinh(double *values, size_t count) {
  callRepaired(table().asinh, values, count, logOfTwo);
}
void wide::acosh(double *values, size_t count) {
  callRepaired(table().acosh, values, count, logOfTwo);
}

/// All others as they are.
#define ONNXFOLD_WIDE(name)                                                    \
  void wide::name(double *values, size_t count) {                              \
    table().name(values, count);                                               \
    unifyNans(values, count);                                                  \
  }
ONNXFOLD_WIDE(exp)
ONNXFOLD_WIDE(expm1)
ONNXFOLD_WIDE(log)
ONNXFOLD_WIDE(erf)
ONNXFOLD_WIDE(erfc)
ONNXFOLD_WIDE(sin)
ONNXFOLD_WIDE(cos)
ONNXFOLD_WIDE(tan)
ONNXFOLD_WIDE(asin)
ONNXFOLD_WIDE(acos)
ONNXFOLD_WIDE(atan)
ONNXFOLD_WIDE(sinh)
ONNXFOLD_WIDE(cosh)
ONNXFOLD_WIDE(tanh)
ONNXFOLD_WIDE(atanh)
#undef ONNXFOLD_WIDE

void wide::pow(double *x, const double *y, size_t count) {
  table().pow(x, y, count);
  unifyNans(x, count);
}

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
