//===- MatMul.h - Matrix products -------------------------------*- C++ -*-===//
//
//   Elements c = matmul(a, b);       // numpy.matmul
//   Elements y = gemm(a, b, c, {.alpha = 0.5, .transB = true});
//
// f32 and narrower accumulate in double and round once; f64 accumulates in
// double; integers of 8 to 64 bits wrap in their type. The order of every sum
// is fixed by the shapes, never by the number of threads or the processor.
// Results are deferred; null for other element types.
// Thread safety: pure functions. REQUIRES clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MATMUL_H
#define ONNXFOLD_ELEMENTS_MATMUL_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

/// The shape of numpy.matmul, or nothing where the operands do not fit.
std::optional<Shape> matmulShape(ShapeRef a, ShapeRef b);

/// numpy.matmul: 1-D operands are a row and a column, leading dimensions
/// broadcast. REQUIRES: one element type; matmulShape(a, b).
Elements matmul(const Elements &a, const Elements &b);

struct GemmOptions {
  double alpha = 1, beta = 1;
  bool transA = false, transB = false;
};

/// alpha * A * B + beta * C, A and B of rank 2, transposed first if asked; C
/// (null: none) broadcasts to the result. Floats: all in double, rounded once.
/// REQUIRES: one element type; matching dimensions; for integers, alpha and
/// beta are whole numbers that int64 holds.
Elements gemm(const Elements &a, const Elements &b, const Elements &c,
              const GemmOptions &options);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_MATMUL_H
