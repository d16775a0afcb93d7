//===- MatMul.cpp - Matrix products ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Floats: Eigen multiplies blocks that are widened to double when they are
// packed, so that memory beyond the operands and the result stays below two
// megabytes a thread. Blocks of k are added in order. Eigen is compiled for
// SSE2 or Advanced SIMD, both without fused multiplications, runs in one thread
// and gets fixed cache sizes: its sums have the same tree on every machine.
//
//===----------------------------------------------------------------------===//

#define EIGEN_DONT_PARALLELIZE
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/widenum/Dispatch.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <complex>
#include <cstring>

// Eigen names fused instructions on aarch64, which no flag takes apart, and has
// other panels with them. Here products are rounded before they are added, and
// panels are those of SSE2.
#if defined(__aarch64__)
#include <arm_neon.h>
#define vfmaq_f64(c, a, b) vaddq_f64(c, vmulq_f64(a, b))
#define vfmaq_n_f64(c, a, b) vaddq_f64(c, vmulq_n_f64(a, b))
#define vfmaq_laneq_f64(c, a, b, i) vaddq_f64(c, vmulq_laneq_f64(a, b, i))
#define EIGEN_FUNCTORS_PLUGIN "onnxfold/elements/ops/EigenPanels.inc"
#endif
#include <Eigen/Core>
#undef vfmaq_f64
#undef vfmaq_n_f64
#undef vfmaq_laneq_f64

using namespace onnxfold;
using namespace onnxfold::ops;

/// Sides of the blocks: all of them together fit the L2 cache.
static constexpr int64_t blockRows = 128, blockCols = 256, blockDepth = 128;

/// Eigen would ask the processor, and sum in blocks that fit it.
static void fixCacheSizes() {
  static const bool done = [] {
    Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 2 << 20);
    return true;
  }();
  (void)done;
}

void ops::multiplyAdd(double *sums, int64_t pitch, const MatrixOfDoubles &a,
                      const MatrixOfDoubles &b) {
  using Matrix =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Operand = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>;
  using Result = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;
  assert(a.cols == b.rows);
  fixCacheSizes();
  Operand left(a.data, a.rows, a.cols, Eigen::OuterStride<>(a.pitch));
  Operand right(b.data, b.rows, b.cols, Eigen::OuterStride<>(b.pitch));
  Result(sums, a.rows, b.cols, Eigen::OuterStride<>(pitch)).noalias() +=
      left * right;
}

namespace {

/// batches x [rows, depth] * [depth, cols], all contiguous, plus an optional
/// C of the result's shape.
struct Product {
  Elements a, b, c;
  DataType type;
  int64_t batches, rows, cols, depth;
  double alpha = 1, beta = 0;

  void runFloat(char *out) const;
  template <class T> void runInOrder(char *out) const;
};

/// The blocks of one thread.
class FloatTile {
public:
  FloatTile(const Product &product, const char *a, const char *b,
            const Elements::Reader *c)
      : p(product), a(a), b(b), c(c), width(byteWidth(p.type)),
        memory(llvm::makeIntrusiveRefCnt<HeapBuffer>(
            (blockRows * blockCols + blockRows * blockDepth +
             blockDepth * blockCols + 2 * blockCols) *
            sizeof(double))) {
    sums = reinterpret_cast<double *>(memory->data());
    left = sums + blockRows * blockCols;
    right = left + blockRows * blockDepth;
    row = right + blockDepth * blockCols;
    rowC = row + blockCols;
  }

  /// Rows from `row0` and columns from `col0` of one batch.
  void run(int64_t batch, int64_t row0, int64_t col0, char *out) {
    int64_t rows = std::min(blockRows, p.rows - row0);
    int64_t cols = std::min(blockCols, p.cols - col0);
    std::fill_n(sums, rows * cols, 0.0);
    for (int64_t k = 0; k < p.depth; k += blockDepth) {
      int64_t depth = std::min(blockDepth, p.depth - k);
      widen(a, (batch * p.rows + row0) * p.depth + k, p.depth, rows, depth,
            left);
      widen(b, (batch * p.depth + k) * p.cols + col0, p.cols, depth, cols,
            right);
      multiplyAdd(sums, cols, {left, rows, depth, depth},
                  {right, depth, cols, cols});
    }
    for (int64_t i = 0; i < rows; ++i)
      writeRow(((batch * p.rows + row0 + i) * p.cols) + col0, sums + i * cols,
               cols, out);
  }

private:
  /// `rows` rows of `count` elements, `pitch` apart, as doubles without gaps.
  void widen(const char *from, int64_t first, int64_t pitch, int64_t rows,
             int64_t count, double *to) const {
    for (int64_t i = 0; i < rows; ++i)
      convertBlockToDouble(p.type, from + (first + i * pitch) * width,
                           to + i * count, count);
  }

  void writeRow(int64_t first, double *sum, int64_t cols, char *out) {
    if (p.alpha != 1)
      for (int64_t j = 0; j < cols; ++j)
        sum[j] *= p.alpha;
    if (c) {
      const void *values = c->view(first, cols, rowC);
      convertBlockToDouble(p.type, values, row, cols);
      for (int64_t j = 0; j < cols; ++j)
        sum[j] += p.beta * row[j];
    }
    // The place in a block decides which of two NaNs a sum has: all become one.
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (int64_t j = 0; j < cols; ++j)
      sum[j] = isNan(sum[j]) ? nan : sum[j];
    convertBlockFromDouble(p.type, out + first * width, sum, cols);
  }

  const Product &p;
  const char *a, *b;
  const Elements::Reader *c;
  int64_t width;
  llvm::IntrusiveRefCntPtr<HeapBuffer> memory;
  double *sums, *left, *right, *row, *rowC;
};

} // namespace

void Product::runFloat(char *out) const {
  ElementsBytes left(a), right(b);
  std::optional<Elements::Reader> addend;
  if (c)
    addend.emplace(c);
  int64_t rowBlocks = llvm::divideCeil(rows, blockRows);
  int64_t colBlocks = llvm::divideCeil(cols, blockCols);
  // Small products are handed out many at a time.
  int64_t work = std::min(rows, blockRows) * std::min(cols, blockCols) *
                 std::max<int64_t>(1, depth);
  parallelFor(batches * rowBlocks * colBlocks,
              std::max<int64_t>(1, (1 << 18) / work),
              [&](int64_t begin, int64_t end) {
                FloatTile tile(*this, left.data(), right.data(),
                               addend ? &*addend : nullptr);
                for (int64_t i = begin; i < end; ++i)
                  tile.run(i / colBlocks / rowBlocks,
                           i / colBlocks % rowBlocks * blockRows,
                           i % colBlocks * blockCols, out);
              });
}

//===----------------------------------------------------------------------===//
// Integers and complex numbers
//===----------------------------------------------------------------------===//

/// Complex numbers are summed in double; the parts one by one, because C++'s
/// product looks for infinities among NaNs.
template <class T>
using SumOf =
    std::conditional_t<std::is_integral_v<T>, T, std::complex<double>>;

template <class T> static T times(T a, T b) { return multiply(a, b); }
static std::complex<double> times(std::complex<double> a,
                                  std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

/// alpha * sum: not a product of complex numbers.
template <class S> static S scaled(double factor, S sum) {
  if constexpr (std::is_integral_v<S>)
    return multiply(S(int64_t(factor)), sum);
  else
    return factor * sum;
}

/// sums += factor * from
template <class S, class T>
static void addMultiple(S *__restrict sums, S factor, const T *__restrict from,
                        int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    sums[i] = add(sums[i], times(factor, S(from[i])));
}

template <class V> static bool visitInOrder(DataType type, V &&visitor) {
  if (type == DataType::Complex64)
    visitor(TypeTag<std::complex<float>>{});
  else if (type == DataType::Complex128)
    visitor(TypeTag<std::complex<double>>{});
  else
    return visitInteger(type, visitor);
  return true;
}

template <class T> void Product::runInOrder(char *out) const {
  using S = SumOf<T>;
  ElementsArray<T> left(a), right(b);
  std::optional<ElementsArray<T>> addend;
  if (c)
    addend.emplace(c);
  T *to = reinterpret_cast<T *>(out);
  parallelFor(
      batches * rows, std::max<int64_t>(1, (1 << 18) / (cols * (depth + 1))),
      [&](int64_t begin, int64_t end) {
        std::vector<S> sums(cols);
        for (int64_t row = begin; row < end; ++row) {
          std::fill(sums.begin(), sums.end(), S(0));
          const T *from = right.data() + row / rows * depth * cols;
          for (int64_t k = 0; k < depth; ++k)
            addMultiple(sums.data(), S(left[row * depth + k]), from + k * cols,
                        cols);
          for (int64_t j = 0; j < cols; ++j) {
            S sum = scaled(alpha, sums[j]);
            if (addend)
              sum = add(sum, scaled(beta, S((*addend)[row * cols + j])));
            to[row * cols + j] = T(sum);
          }
        }
      });
}

/// The product as a tensor of `shape`; null if the type has none.
static Elements deferProduct(Product product, ShapeRef shape) {
  bool isFloat = typeClass(product.type) == TypeClass::Float;
  if (!isFloat && !visitInOrder(product.type, [](auto) {}))
    return {};
  llvm::SmallVector<Elements, 3> operands = {product.a, product.b};
  if (product.c)
    operands.push_back(product.c);
  return Elements::deferred(
      product.type, shape, operands, [product, isFloat](char *out) {
        if (product.batches * product.rows * product.cols == 0)
          return;
        if (isFloat)
          return product.runFloat(out);
        visitInOrder(product.type, [&](auto tag) {
          product.runInOrder<typename decltype(tag)::type>(out);
        });
      });
}

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

std::optional<Shape> ops::matmulShape(ShapeRef a, ShapeRef b) {
  if (a.empty() || b.empty())
    return std::nullopt;
  int64_t depth = b.size() == 1 ? b[0] : b[b.size() - 2];
  if (a.back() != depth)
    return std::nullopt;
  auto batchOf = [](ShapeRef s) {
    return s.drop_back(std::min<size_t>(2, s.size()));
  };
  std::optional<Shape> shape = broadcastShapes(batchOf(a), batchOf(b));
  if (!shape)
    return std::nullopt;
  if (a.size() > 1)
    shape->push_back(a[a.size() - 2]);
  if (b.size() > 1)
    shape->push_back(b.back());
  return shape;
}

Elements ops::matmul(const Elements &a, const Elements &b) {
  if (!a || !b)
    return {};
  std::optional<Shape> shape = matmulShape(a.shape(), b.shape());
  assert(shape && a.type() == b.type());
  if (Elements r = inWide({a, b}, [&](auto e) { return matmul(e[0], e[1]); }))
    return r;
  Elements left = a.rank() == 1 ? a.unsqueeze({0}) : a;
  Elements right = b.rank() == 1 ? b.unsqueeze({1}) : b;
  Shape batch =
      *broadcastShapes(left.shape().drop_back(2), right.shape().drop_back(2));
  Product p;
  p.type = a.type();
  p.batches = numElements(batch);
  p.rows = left.dim(left.rank() - 2);
  p.depth = left.dim(left.rank() - 1);
  p.cols = right.dim(right.rank() - 1);
  auto expanded = [&](const Elements &x) {
    Shape full(batch);
    full.append(x.shape().end() - 2, x.shape().end());
    return x.expand(full);
  };
  if (numElements(right.shape().drop_back(2)) == 1) {
    // One matrix B: all batches of A are rows of one product.
    p.rows *= p.batches;
    p.batches = 1;
    p.a = expanded(left);
    p.b = right;
  } else {
    p.a = expanded(left);
    p.b = expanded(right);
  }
  return deferProduct(std::move(p), *shape);
}

Elements ops::gemm(const Elements &a, const Elements &b, const Elements &c,
                   const GemmOptions &options) {
  if (!a || !b)
    return {};
  assert(a.rank() == 2 && b.rank() == 2 && a.type() == b.type());
  if (Elements r = inWide(
          {a, b, c}, [&](auto e) { return gemm(e[0], e[1], e[2], options); }))
    return r;
  Product p;
  p.a = options.transA ? a.transpose({1, 0}) : a;
  p.b = options.transB ? b.transpose({1, 0}) : b;
  p.type = a.type();
  p.batches = 1;
  p.rows = p.a.dim(0);
  p.depth = p.a.dim(1);
  p.cols = p.b.dim(1);
  assert(p.b.dim(0) == p.depth);
  p.alpha = options.alpha;
  if (c) {
    assert(c.type() == a.type());
    p.beta = options.beta;
    p.c = c.expand({p.rows, p.cols});
  }
  return deferProduct(std::move(p), {p.rows, p.cols});
}
