//===- Svm.h - Support vector machines --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What SVMClassifier and SVMRegressor share: the kernel functions
//
//   LINEAR   x . v                    POLY     (gamma * x . v + coef0)^degree
//   RBF      exp(-gamma * |x - v|^2)  SIGMOID  tanh(gamma * x . v + coef0)
//
// and probabilities of several classes. The specification only names the
// kernels; the formulas are those of LIBSVM, from which these models come.
// Everything is computed in double.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_SVM_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_SVM_H

#include "onnxfold/onnx/kernels/support/Scores.h"

namespace onnxfold {

enum class SvmFunction : uint8_t { Linear, Poly, Rbf, Sigmoid };

/// Attributes `kernel_type` and `kernel_params`. A degree that is not a whole
/// number is undefined, because runtimes do not agree on it.
struct SvmKernel {
  SvmFunction function = SvmFunction::Linear;
  double gamma = 0, coef0 = 0, degree = 0;
};
ReasonOr<SvmKernel> svmKernelOf(FoldContext &cx);

/// The kernel of each row of x and each of `count` vectors: [rows, count].
/// A reason if `vectors` are not of the size of x's rows, or the limits
/// forbid it.
ReasonOr<Scores> kernelValues(FoldContext &cx, const SvmKernel &kernel,
                              const FeatureMatrix &x,
                              llvm::ArrayRef<float> vectors, int64_t count);

/// The result of the votes between each pair of classes i < j, in the order (0,
/// 1), (0, 2), ... (1, 2), ...: LIBSVM's decision values, and the number of
/// pairs that each class won.
struct SvmVotes {
  Scores decisions; // [rows, pairs]
  Scores won;       // [rows, classes]
};
struct SvmPairs {
  llvm::ArrayRef<int64_t> perClass;   // the number of vectors of each class
  llvm::ArrayRef<float> coefficients; // [classes - 1, vectors]
  llvm::ArrayRef<float> rho;          // one for each pair
};
SvmVotes decidePairs(const Scores &kernels, const SvmPairs &pairs);

/// Probabilities of classes from the decisions of their pairs, by logistic
/// functions with coefficients a and b and the coupling of Wu, Lin and Weng
/// (2004, second method), as LIBSVM has them: at most 100 iterations, or as
/// many as classes, until all errors are below 0.005 / classes.
Scores probabilities(Scores &decisions, int64_t classes,
                     llvm::ArrayRef<float> a, llvm::ArrayRef<float> b);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_SVM_H
