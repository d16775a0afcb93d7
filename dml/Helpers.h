//===- Helpers.h - Functions of DML that lowerings call ---------*- C++ -*-===//
//
// What takes a loop is a function in the script, written only if it is called.
// All of them move values without arithmetic, so NaN and infinities pass: a
// product with a table of zeros and ones would turn 0 * Inf into NaN.
//
//   swap_inner(X, a, b, c)     (a, b, c) -> (a, c, b); result a x (c*b)
//   repeat_inner(X, a, n, d)   (a, 1, d) -> (a, n, d); result a x (n*d)
//   take_inner(X, index, a, k, d)
//                              (a, k, d) -> (a, m, d) of the m columns of the
//                              row `index`, counted from 0, negative from the
//                              end; result a x (m*d)
//   matmul_batched(A, B, n, m, k, p)
//                              n products of m x k and k x p; result
//                              (n*m) x p
//
//   conv2d_grouped(X, W, groups, c, h, w, f, kh, kw, sh, sw, ph, pw, size)
//
// X is read row by row, whatever its size as a matrix. Thread safety: pure.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_HELPERS_H
#define ONNXFOLD_DML_HELPERS_H

#include "onnxfold/dml/Syntax.h"

namespace onnxfold::dml {

/// REQUIRES: one of the names above.
Function helperFunction(llvm::StringRef name);

/// All of their names: no variable may have one.
llvm::ArrayRef<llvm::StringRef> helperNames();

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_HELPERS_H
