//===- Determinant.cpp - Determinants of matrices -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Right-looking LU in blocks of columns: a panel is factored column by column,
// and the rest of the matrix gets one product (MatMul.h) for each panel.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Determinant.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/elements/ops/MatMul.h"
#include <algorithm>
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Columns of a panel.
static constexpr int64_t panelCols = 32;

namespace {

/// One matrix of m * m doubles, which is overwritten by its factors.
class Factorisation {
public:
  Factorisation(double *matrix, int64_t m) : matrix(matrix), m(m) {
    for (int64_t begin = 0; begin < m; begin += panelCols) {
      int64_t end = std::min(begin + panelCols, m);
      for (int64_t k = begin; k < end; ++k)
        eliminate(k, end);
      updateRest(begin, end);
    }
  }

  /// The product of the pivots, as mantissa and exponent so that only the result
  /// can overflow.
  double determinant() const {
    double product = isOdd ? -1 : 1;
    int64_t exponent = 0;
    for (int64_t k = 0; k < m; ++k) {
      if (at(k, k) == 0)
        return 0;
      int bits = 0;
      product = std::frexp(product * at(k, k), &bits);
      exponent += bits;
    }
    if (isNan(product)) // which one depends on the order of operands
      return std::numeric_limits<double>::quiet_NaN();
    // Beyond these bounds the result is an infinity or 0 anyway.
    return std::ldexp(product, std::clamp<int64_t>(exponent, -5000, 5000));
  }

private:
  double &at(int64_t row, int64_t col) const { return matrix[row * m + col]; }

  /// Column k, with columns up to `end` of the rows below.
  void eliminate(int64_t k, int64_t end) {
    int64_t best = k;
    for (int64_t row = k + 1; row < m; ++row)
      if (std::fabs(at(row, k)) > std::fabs(at(best, k)))
        best = row;
    if (best != k) {
      std::swap_ranges(&at(k, 0), &at(k, 0) + m, &at(best, 0));
      isOdd = !isOdd;
    }
    if (at(k, k) == 0)
      return; // nothing but zeros: the determinant is 0
    for (int64_t row = k + 1; row < m; ++row) {
      double factor = at(row, k) /= at(k, k);
      for (int64_t col = k + 1; col < end; ++col)
        at(row, col) -= factor * at(k, col);
    }
  }

  /// The columns right of a panel: first its own rows, then all below.
  void updateRest(int64_t begin, int64_t end) {
    if (end == m)
      return;
    for (int64_t k = begin; k < end; ++k)
      for (int64_t row = k + 1; row < end; ++row)
        for (int64_t col = end; col < m; ++col)
          at(row, col) -= at(row, k) * at(k, col);
    int64_t depth = end - begin, rows = m - end;
    factors.resize(rows * depth);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t k = 0; k < depth; ++k)
        factors[row * depth + k] = -at(end + row, begin + k);
    multiplyAdd(&at(end, end), m, {factors.data(), rows, depth, depth},
                {&at(begin, end), depth, rows, m});
  }

  double *matrix;
  int64_t m;
  bool isOdd = false; // number of exchanged rows
  std::vector<double> factors;
};

} // namespace

Elements ops::determinants(const Elements &x) {
  if (!x)
    return {};
  assert(x.type() == DataType::Float64 && x.rank() >= 2);
  int64_t m = x.dim(x.rank() - 1);
  assert(x.dim(x.rank() - 2) == m);
  Shape shape(x.shape().drop_back(2));
  return Elements::deferred(
      DataType::Float64, shape, {x}, [x, m, n = numElements(shape)](char *out) {
        Elements::Reader reader(x);
        auto *results = reinterpret_cast<double *>(out);
        int64_t grain = std::max<int64_t>(1, (1 << 16) / (m * m * m + 1));
        parallelFor(n, grain, [&](int64_t begin, int64_t end) {
          std::vector<double> matrix(m * m);
          for (int64_t i = begin; i < end; ++i) {
            reader.read(i * m * m, m * m, matrix.data());
            results[i] = Factorisation(matrix.data(), m).determinant();
          }
        });
      });
}
