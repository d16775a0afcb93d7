//===- Svm.cpp - Support vector machines ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Svm.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Math.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using llvm::ArrayRef;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Kernel functions
//===----------------------------------------------------------------------===//

ReasonOr<SvmKernel> onnxfold::svmKernelOf(FoldContext &cx) {
  SvmKernel kernel;
  std::string text = cx.string("kernel_type").value_or("LINEAR");
  auto function = llvm::StringSwitch<std::optional<SvmFunction>>(text)
                      .Case("LINEAR", SvmFunction::Linear)
                      .Case("POLY", SvmFunction::Poly)
                      .Case("RBF", SvmFunction::Rbf)
                      .Case("SIGMOID", SvmFunction::Sigmoid)
                      .Default(std::nullopt);
  auto parameters = cx.reals("kernel_params");
  if (!function)
    return invalid("attribute 'kernel_type' is '" + text +
                   "', expected LINEAR, POLY, RBF or SIGMOID");
  if (parameters && !parameters->empty() && parameters->size() != 3)
    return invalid("attribute 'kernel_params' has " +
                   Twine(parameters->size()) + " elements, expected 3");
  kernel.function = *function;
  if (parameters && !parameters->empty()) {
    kernel.gamma = (*parameters)[0];
    kernel.coef0 = (*parameters)[1];
    kernel.degree = (*parameters)[2];
  }
  if (kernel.function == SvmFunction::Poly &&
      kernel.degree != std::trunc(kernel.degree))
    return undefined("the degree of the polynomial is not a whole number");
  return kernel;
}

/// |x - v|^2 of each row of x and each vector.
static void squaredDistances(const FeatureMatrix &x, const double *vectors,
                             Scores &out) {
  ElementsArray<double> rows(x.values);
  parallelFor(out.rows, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      for (int64_t j = 0; j < out.columns; ++j) {
        const double *a = rows.data() + i * x.columns;
        const double *b = vectors + j * x.columns;
        double sum = 0;
        for (int64_t k = 0; k < x.columns; ++k)
          sum += (a[k] - b[k]) * (a[k] - b[k]);
        out.row(i)[j] = sum;
      }
  });
}

/// The function of what stands in `values`: products or distances.
static void applyFunction(const SvmKernel &kernel,
                          std::vector<double> &values) {
  if (kernel.function == SvmFunction::Linear)
    return;
  bool isRbf = kernel.function == SvmFunction::Rbf;
  for (double &v : values)
    v = isRbf ? -kernel.gamma * v : kernel.gamma * v + kernel.coef0;
  if (isRbf) {
    wide::exp(values.data(), values.size());
  } else if (kernel.function == SvmFunction::Sigmoid) {
    wide::tanh(values.data(), values.size());
  } else {
    std::vector<double> degrees(values.size(), kernel.degree);
    wide::pow(values.data(), degrees.data(), values.size());
  }
}

ReasonOr<Scores> onnxfold::kernelValues(FoldContext &cx,
                                        const SvmKernel &kernel,
                                        const FeatureMatrix &x,
                                        ArrayRef<float> vectors,
                                        int64_t count) {
  ReasonOr<Scores> result = makeScores(cx, DataType::Float64, x.rows, count);
  if (!result)
    return result;
  if (Reason limit = cx.checkWork(double(x.rows) * count * x.columns))
    return limit;
  if (checkedNumElements({count, x.columns}) != int64_t(vectors.size()))
    return invalid(Twine(vectors.size()) + " coefficients for " + Twine(count) +
                   " vectors of " + Twine(x.columns) + " features");
  Elements wide = cast(Elements::fromValues<float>({count, x.columns}, vectors),
                       DataType::Float64);
  if (kernel.function == SvmFunction::Rbf)
    squaredDistances(x, ElementsArray<double>(wide).data(), *result);
  else
    matmul(x.values, wide.transpose({1, 0})).read(result->values.data());
  applyFunction(kernel, result->values);
  return result;
}

//===----------------------------------------------------------------------===//
// Pairs of classes
//===----------------------------------------------------------------------===//

SvmVotes onnxfold::decidePairs(const Scores &kernels, const SvmPairs &pairs) {
  int64_t classes = pairs.perClass.size(), vectors = kernels.columns;
  llvm::SmallVector<int64_t> first(1, 0);
  for (int64_t count : pairs.perClass)
    first.push_back(first.back() + count);
  SvmVotes result;
  result.decisions.rows = result.won.rows = kernels.rows;
  result.decisions.columns = classes * (classes - 1) / 2;
  result.won.columns = classes;
  result.decisions.values.resize(kernels.rows * result.decisions.columns);
  result.won.values.resize(kernels.rows * classes);
  // The vectors of class i are weighted against class j by a row of their own:
  // as there is none against itself, those of later classes are one less.
  auto sum = [&](int64_t row, int64_t own, int64_t against) {
    const float *weights =
        pairs.coefficients.data() + (against - (against > own)) * vectors;
    const double *values = kernels.values.data() + row * vectors;
    double result = 0;
    for (int64_t k = first[own]; k < first[own + 1]; ++k)
      result += weights[k] * values[k];
    return result;
  };
  parallelFor(kernels.rows, 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      int64_t pair = 0;
      for (int64_t i = 0; i < classes; ++i)
        for (int64_t j = i + 1; j < classes; ++j, ++pair) {
          double decision = sum(row, i, j) + sum(row, j, i) + pairs.rho[pair];
          result.decisions.row(row)[pair] = decision;
          result.won.row(row)[decision > 0 ? i : j] += 1;
        }
    }
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Probabilities
//===----------------------------------------------------------------------===//

namespace {
/// The quadratic form whose minimum under sum(p) = 1 the coupling looks for.
class Coupling {
public:
  /// `r`: the probability of class i against j at [i, j].
  Coupling(int64_t classes, ArrayRef<double> r)
      : classes(classes), q(classes * classes), qp(classes) {
    for (int64_t i = 0; i < classes; ++i)
      for (int64_t j = 0; j < classes; ++j)
        if (i != j) {
          double other = r[j * classes + i];
          q[i * classes + i] += other * other;
          q[i * classes + j] = -other * r[i * classes + j];
        }
  }

  void solve(llvm::MutableArrayRef<double> p) {
    std::fill(p.begin(), p.end(), 1.0 / classes);
    for (int64_t round = 0; round < std::max<int64_t>(100, classes); ++round) {
      double pqp = 0, error = 0;
      for (int64_t i = 0; i < classes; ++i) {
        qp[i] = 0;
        for (int64_t j = 0; j < classes; ++j)
          qp[i] += q[i * classes + j] * p[j];
        pqp += p[i] * qp[i];
      }
      for (double v : qp)
        error = std::max(error, std::fabs(v - pqp));
      if (error < 0.005 / classes)
        return;
      improve(p, pqp);
    }
  }

private:
  void improve(llvm::MutableArrayRef<double> p, double pqp) {
    for (int64_t i = 0; i < classes; ++i) {
      double qii = q[i * classes + i];
      double step = (pqp - qp[i]) / qii, scale = 1 + step;
      p[i] += step;
      pqp = (pqp + step * (step * qii + 2 * qp[i])) / scale / scale;
      for (int64_t j = 0; j < classes; ++j) {
        qp[j] = (qp[j] + step * q[i * classes + j]) / scale;
        p[j] /= scale;
      }
    }
  }

  int64_t classes;
  std::vector<double> q, qp;
};
} // namespace

Scores onnxfold::probabilities(Scores &decisions, int64_t classes,
                               ArrayRef<float> a, ArrayRef<float> b) {
  Scores result;
  result.rows = decisions.rows;
  result.columns = classes;
  result.values.resize(result.rows * classes);
  parallelFor(result.rows, 1, [&](int64_t begin, int64_t end) {
    std::vector<double> r(classes * classes);
    for (int64_t row = begin; row < end; ++row) {
      int64_t pair = 0;
      for (int64_t i = 0; i < classes; ++i)
        for (int64_t j = i + 1; j < classes; ++j, ++pair) {
          double v = -(decisions.row(row)[pair] * a[pair] + b[pair]);
          wide::sigmoid(&v, 1);
          v = std::min(std::max(v, 1e-7), 1 - 1e-7);
          r[i * classes + j] = v;
          r[j * classes + i] = 1 - v;
        }
      Coupling(classes, r).solve(result.row(row));
    }
  });
  return result;
}
