//===- Linear.cpp - Constant kernels of factors and solutions -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Of stacks of matrices, in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/stablehlo/ir/Fields.h"
#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

static double conjugate(double x) { return x; }
static Complex conjugate(Complex x) { return std::conj(x); }

/// f(T()), where T is the type in which elements of `type` are computed; null
/// for types of other numbers than these.
template <class F> static FoldResult inWideType(DataType type, F f) {
  if (isComplex(type))
    return f(Complex());
  return typeClass(type) == TypeClass::Float ? f(double())
                                             : FoldResult(Elements());
}

template <class T> static std::vector<T> wideValues(const Elements &x) {
  return ops::cast(x, dataTypeOf<T>).template values<T>();
}

template <class T>
static Elements narrowValues(const std::vector<T> &values, const Elements &x) {
  return ops::cast(Elements::fromValues<T>(x.shape(), values), x.type());
}

/// A reason unless the last two dimensions are equal.
static Reason checkSquare(const Elements &x) {
  int64_t rank = x.rank();
  if (rank >= 2 && x.dim(rank - 1) == x.dim(rank - 2))
    return {};
  return invalid("shape " + toString(x.shape()) + " is not of square matrices");
}

//===----------------------------------------------------------------------===//
// cholesky
//===----------------------------------------------------------------------===//

template <class T> static bool isHermitian(const T *a, int64_t n) {
  for (int64_t row = 0; row < n; ++row)
    for (int64_t col = 0; col <= row; ++col)
      if (a[row * n + col] != conjugate(a[col * n + row]))
        return false;
  return true;
}

/// Replaces a matrix by its lower factor L, where it is L times the adjoint of
/// L; false if it is not positive definite.
template <class T> static bool factorLower(T *a, int64_t n) {
  for (int64_t col = 0; col < n; ++col) {
    double pivot = std::real(a[col * n + col]);
    for (int64_t k = 0; k < col; ++k)
      pivot -= std::norm(a[col * n + k]);
    if (!(pivot > 0) || std::isinf(pivot))
      return false;
    double root = std::sqrt(pivot);
    a[col * n + col] = root;
    for (int64_t row = col + 1; row < n; ++row) {
      T rest = a[row * n + col];
      for (int64_t k = 0; k < col; ++k)
        rest -= a[row * n + k] * conjugate(a[col * n + k]);
      a[row * n + col] = rest / root;
      a[col * n + row] = 0;
    }
  }
  return true;
}

/// Makes the upper factor of the lower one. Its diagonal stays real and its
/// other triangle 0, where conjugates would have the imaginary part -0.
template <class T> static void adjoin(T *a, int64_t n) {
  for (int64_t row = 0; row < n; ++row)
    for (int64_t col = 0; col < row; ++col) {
      a[col * n + row] = conjugate(a[row * n + col]);
      a[row * n + col] = 0;
    }
}

/// The factor in one triangle, and zeros in the other one.
static FoldResult foldCholesky(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (Reason wrong = checkSquare(x))
    return wrong;
  int64_t n = x.dim(x.rank() - 1);
  if (Reason much = cx.checkWork(double(x.size()) * double(n)))
    return much;
  bool isLower = cx.integer("lower").value_or(0) != 0;
  return inWideType(x.type(), [&]<class T>(T) -> FoldResult {
    std::vector<T> values = wideValues<T>(x);
    for (int64_t first = 0; first < x.size(); first += n * n) {
      T *matrix = values.data() + first;
      if (!isHermitian(matrix, n) || !factorLower(matrix, n))
        return undefined("a matrix is not Hermitian and positive definite");
      if (!isLower)
        adjoin(matrix, n);
    }
    return narrowValues(values, x);
  });
}

//===----------------------------------------------------------------------===//
// triangular_solve
//===----------------------------------------------------------------------===//

namespace {

/// The triangle of `a` that is read, as it is or transposed, and its side. A
/// diagonal that is said to be of ones is not read, as in XLA: the factors of a
/// matrix share one array.
struct Triangle {
  bool isLeft, isLower, isUnit, isTransposed, isConjugate;
};

/// M y = c, where M is a triangle with y and c on its right: x and b are
/// transposed if a is on their right.
template <class T> class Substitution {
public:
  Substitution(const Triangle &triangle, const T *a, T *b, int64_t n,
               int64_t count)
      : triangle(triangle), a(a), b(b), n(n), count(count),
        swaps(triangle.isLeft == triangle.isTransposed) {}

  /// False if the matrix is singular.
  bool run() const {
    bool isForward = triangle.isLower != swaps;
    for (int64_t step = 0; step < n; ++step) {
      int64_t row = isForward ? step : n - 1 - step;
      T pivot = triangle.isUnit ? T(1) : at(row, row);
      if (pivot == T(0))
        return false;
      for (int64_t i = 0; i < count; ++i) {
        T rest = value(row, i);
        for (int64_t k = 0; k < step; ++k) {
          int64_t col = isForward ? k : n - 1 - k;
          rest -= at(row, col) * value(col, i);
        }
        value(row, i) = rest / pivot;
      }
    }
    return true;
  }

private:
  T at(int64_t row, int64_t col) const {
    T x = swaps ? a[col * n + row] : a[row * n + col];
    return triangle.isConjugate ? conjugate(x) : x;
  }
  T &value(int64_t row, int64_t i) const {
    return triangle.isLeft ? b[row * count + i] : b[i * n + row];
  }

  Triangle triangle;
  const T *a;
  T *b;
  int64_t n, count;
  bool swaps; // M is the transpose of a
};

} // namespace

static ReasonOr<Triangle> triangleOf(FoldContext &cx) {
  auto isSet = [&](llvm::StringRef name) {
    return cx.integer(name).value_or(0) != 0;
  };
  llvm::StringRef how = wordOf(cx.operation()->getAttr("transpose_a"));
  if (how != "NO_TRANSPOSE" && how != "TRANSPOSE" && how != "ADJOINT")
    return invalid("'transpose_a' is '" + how + "'");
  return Triangle{isSet("left_side"), isSet("lower"), isSet("unit_diagonal"),
                  how != "NO_TRANSPOSE", how == "ADJOINT"};
}

static Reason checkFit(const Elements &a, const Elements &b, bool isLeft) {
  if (Reason wrong = checkSquare(a))
    return wrong;
  int64_t rank = a.rank();
  if (b.type() == a.type() && b.rank() == rank &&
      b.shape().drop_back(2) == a.shape().drop_back(2) &&
      b.dim(isLeft ? rank - 2 : rank - 1) == a.dim(rank - 1))
    return {};
  return invalid("shapes " + toString(a.shape()) + " and " +
                 toString(b.shape()) + " do not fit");
}

static FoldResult foldTriangularSolve(FoldContext &cx) {
  const Elements &a = cx.input(0), &b = cx.input(1);
  ReasonOr<Triangle> triangle = triangleOf(cx);
  if (!triangle)
    return triangle.reason();
  if (Reason wrong = checkFit(a, b, triangle->isLeft))
    return wrong;
  int64_t n = a.dim(a.rank() - 1);
  if (b.size() == 0)
    return b;
  if (Reason much = cx.checkWork(double(b.size()) * double(n)))
    return much;
  return inWideType(a.type(), [&]<class T>(T) -> FoldResult {
    std::vector<T> matrices = wideValues<T>(a), values = wideValues<T>(b);
    int64_t stack = a.size() / (n * n), count = b.size() / stack / n;
    for (int64_t i = 0; i < stack; ++i)
      if (!Substitution<T>(*triangle, matrices.data() + i * n * n,
                           values.data() + i * n * count, n, count)
               .run())
        return undefined("a matrix is singular");
    return narrowValues(values, b);
  });
}

namespace onnxfold::hlo {
void registerLinear(KernelRegistry &registry) {
  registry.add("cholesky", {1}, counted<foldCholesky, 1>);
  registry.add("triangular_solve", {1}, counted<foldTriangularSolve, 2>);
}
} // namespace onnxfold::hlo
