//===- Svm.h - Kernels of support vector machines in DML --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   LINEAR   x . v                    POLY     (gamma * x . v + coef0)^degree
//   RBF      exp(-gamma * |x - v|^2)  SIGMOID  tanh(gamma * x . v + coef0)
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_SVM_H
#define ONNXFOLD_DML_SUPPORT_SVM_H

#include "onnxfold/dml/support/Scores.h"

namespace onnxfold::dml {

/// The kernel of each row of x and each vector: rows x count. Null if
/// kernel_type or kernel_params are not known.
Expr svmKernel(LoweringContext &cx, const View &x,
               llvm::ArrayRef<float> vectors, int64_t count);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_SVM_H
