//===- RandomMatrices.cpp - Matrix products -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/elements/ops/MatMul.h"
#include <cfloat>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Sums of products with the error that double may have, or integers that wrap.
namespace {
struct Products {
  DataType type;
  std::vector<Bound> bounds;
  AnyTensor expected;

  Products(DataType type, ShapeRef shape)
      : type(type), expected{type, Shape(shape), {}} {}

  struct Term {
    Cell a, b;
  };
  void push(llvm::ArrayRef<Term> terms, const Cell *c = nullptr,
            double alpha = 1, double beta = 0);
  void add(Case &c, const std::string &what, const Elements &actual) {
    if (isInteger(type))
      c.add(what, actual, expected);
    else
      c.addWithin(what, actual, type, expected.shape, bounds);
  }
};
} // namespace

namespace {
/// A sum of products of doubles.
struct FloatSum {
  long double sum = 0, magnitude = 0;

  void add(long double product) {
    sum += product;
    if (std::isfinite(product))
      magnitude += std::fabs(product);
  }
  void scale(double factor) {
    sum *= factor;
    magnitude *= std::max(1.0, std::fabs(factor)); // may overflow before
  }
  Bound bound(int64_t terms) const {
    if (magnitude > DBL_MAX / 2)
      return {sum, NAN};
    // Products may vanish below the range of double.
    return {sum, std::isfinite(sum)
                     ? (terms + 4) * (magnitude * 0x1p-53L + 0x1p-1074L)
                     : 0};
  }
};

struct ComplexNumber {
  long double real, imaginary;

  ComplexNumber(DataType type, const Cell &cell) {
    if (type == DataType::Complex64) {
      auto z = valueOf<std::complex<float>>(cell);
      real = z.real();
      imaginary = z.imag();
    } else if (type == DataType::Complex128) {
      auto z = valueOf<std::complex<double>>(cell);
      real = z.real();
      imaginary = z.imag();
    } else {
      real = wideOf(type, cell);
      imaginary = 0;
    }
  }
  bool isFinite() const {
    return std::isfinite(real) && std::isfinite(imaginary);
  }
};
} // namespace

void Products::push(llvm::ArrayRef<Term> terms, const Cell *c, double alpha,
                    double beta) {
  if (isInteger(type)) {
    unsigned __int128 sum = 0;
    for (const Term &t : terms)
      sum += (unsigned __int128)integerOf(type, t.a) *
             (unsigned __int128)integerOf(type, t.b);
    sum *= (unsigned __int128)Integer(alpha);
    if (c)
      sum += (unsigned __int128)integerOf(type, *c) *
             (unsigned __int128)Integer(beta);
    expected.cells.push_back(integerCell(type, Integer(sum)));
    return;
  }
  FloatSum real, imaginary;
  bool isFinite = true;
  for (const Term &t : terms) {
    ComplexNumber a(type, t.a), b(type, t.b);
    isFinite &= a.isFinite() && b.isFinite();
    real.add(a.real * b.real);
    if (!isComplex(type))
      continue;
    real.add(-a.imaginary * b.imaginary);
    imaginary.add(a.real * b.imaginary);
    imaginary.add(a.imaginary * b.real);
  }
  real.scale(alpha);
  imaginary.scale(alpha);
  if (c) {
    ComplexNumber addend(type, *c);
    isFinite &= addend.isFinite();
    real.add(addend.real * beta);
    imaginary.add(addend.imaginary * beta);
  }
  int64_t count = 2 * terms.size();
  bounds.push_back(real.bound(count));
  if (!isComplex(type))
    return;
  bounds.push_back(imaginary.bound(count));
  // Which part gets which infinity or NaN is nobody's rule.
  if (!isFinite)
    bounds.back().slack = bounds[bounds.size() - 2].slack = NAN;
}

/// The shape of a right operand: a vector, a matrix, or batches that broadcast
/// with those of a.
static Shape rightShapeFor(Case &c, ShapeRef a) {
  Shape shape = {a.back()};
  int64_t cols = c.random.integer(0, 5);
  if (c.chance(20))
    return shape;
  shape.push_back(cols);
  int64_t batches = std::max<int64_t>(0, int64_t(a.size()) - 2);
  for (int64_t d = 0; d < batches && c.chance(60); ++d) {
    int64_t n = a[batches - 1 - d];
    shape.insert(shape.begin(), c.chance(30) ? 1
                                : n == 1     ? c.random.integer(0, 3)
                                             : n);
  }
  return shape;
}

/// [batches, rows, columns], also where an operand is a vector.
static Shape productShape(ShapeRef a, ShapeRef b) {
  int64_t batchesA = std::max<int64_t>(0, int64_t(a.size()) - 2);
  int64_t batchesB = std::max<int64_t>(0, int64_t(b.size()) - 2);
  Shape result;
  for (int64_t d = std::max(batchesA, batchesB); d > 0; --d) {
    int64_t m = d <= batchesA ? a[batchesA - d] : 1;
    int64_t n = d <= batchesB ? b[batchesB - d] : 1;
    result.push_back(m == 1 ? n : m);
  }
  result.push_back(a.size() > 1 ? a[a.size() - 2] : 1);
  result.push_back(b.size() > 1 ? b.back() : 1);
  return result;
}

static bool matmulOf(Case &c) {
  Pair a = c.operand(anyType, 1);
  DataType type = a.naive.type;
  int64_t depth = a.naive.shape.back();
  Shape shape = rightShapeFor(c, a.naive.shape);
  Shape result = productShape(a.naive.shape, shape);
  size_t lead = result.size() - 2;
  if (!c.fits(result) || numElements(result) * (depth + 1) > 40 * c.room())
    return false;
  Pair b = c.fresh(type, shape);
  Elements actual = matmul(a.actual, b.actual);
  std::string what = "matmul";
  if (!isArithmetic(type) && !isComplex(type)) {
    c.expectNull(what, actual);
    return true;
  }
  auto at = [&](const AnyTensor &x, ShapeRef i, int64_t row, int64_t col) {
    int64_t batches = std::max<int64_t>(0, x.rank() - 2);
    Shape index(i.slice(lead - batches, batches));
    for (int64_t d = 0; d < batches; ++d)
      if (x.shape[d] == 1)
        index[d] = 0;
    if (x.rank() > 1)
      index.push_back(row);
    index.push_back(x.rank() > 1 || &x == &a.naive ? col : row);
    return x.at(index);
  };
  Products products(type, result);
  forEachIndex(result, [&](ShapeRef i) {
    std::vector<Products::Term> terms;
    for (int64_t k = 0; k < depth; ++k)
      terms.push_back(
          {at(a.naive, i, i[lead], k), at(b.naive, i, k, i[lead + 1])});
    products.push(terms);
  });
  Shape &final = products.expected.shape;
  if (shape.size() == 1)
    final.pop_back();
  if (a.naive.rank() == 1)
    final.erase(final.begin() + lead);
  c.expectSame("matmulShape",
               matmulShape(a.naive.shape, shape).value_or(Shape{-1}), final);
  products.add(c, what, actual);
  return true;
}

static bool gemmOf(Case &c) {
  DataType type = c.type(
      [](DataType type) { return isArithmetic(type) || isComplex(type); });
  int64_t rows = c.random.integer(0, 9), cols = c.random.integer(0, 9);
  int64_t depth = c.random.integer(0, 9);
  GemmOptions o;
  o.transA = c.chance(50);
  o.transB = c.chance(50);
  o.alpha = c.chance(50) ? 1 : double(c.random.integer(-3, 3));
  o.beta = c.chance(50) ? 1 : double(c.random.integer(-3, 3));
  if (!isInteger(type) && c.chance(30))
    o.alpha = 0.3f;
  Pair a = c.fresh(type, o.transA ? Shape{depth, rows} : Shape{rows, depth});
  Pair b = c.fresh(type, o.transB ? Shape{cols, depth} : Shape{depth, cols});
  Pair addend;
  if (c.chance(70)) {
    Shape shape = {c.chance(50) ? 1 : rows, c.chance(50) ? 1 : cols};
    if (shape[0] == 1)
      shape.erase(shape.begin(), shape.begin() + c.random.integer(0, 1));
    addend = c.fresh(type, shape);
  }
  Products products(type, {rows, cols});
  forEachIndex({rows, cols}, [&](ShapeRef i) {
    std::vector<Products::Term> terms;
    for (int64_t k = 0; k < depth; ++k)
      terms.push_back({a.naive.at(o.transA ? Shape{k, i[0]} : Shape{i[0], k}),
                       b.naive.at(o.transB ? Shape{i[1], k} : Shape{k, i[1]})});
    const Cell *cell = nullptr;
    if (addend.actual) {
      Shape at(i.take_back(addend.naive.rank()));
      for (int64_t d = 0; d < addend.naive.rank(); ++d)
        at[d] = addend.naive.shape[d] == 1 ? 0 : at[d];
      cell = &addend.naive.at(at);
    }
    products.push(terms, cell, o.alpha, o.beta);
  });
  products.add(c, "gemm", gemm(a.actual, b.actual, addend.actual, o));
  return true;
}

void onnxfold::addMatrixOperations(OperationList &list) {
  list.insert(list.end(), {{"matmul", matmulOf}, {"gemm", gemmOf}});
}
