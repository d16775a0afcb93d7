//===- SVMClassifier.cpp - Constant kernel of onnx.ml.SVMClassifier -------===//
// SPDX-License-Identifier: Apache-2.0
//
// With support vectors each pair of classes is decided by their kernel values
// (support/Svm.h), and the class that wins most pairs is chosen. The scores are
// the decisions (of two classes -s and s), or probabilities if `prob_a` is
// there. Without support vectors the scores are x times the coefficients of
// each class, plus rho[0]. Then post_transform. Spec: onnx.ml SVMClassifier,
// version 1. In double, rounded once to f32.
//
// The text says none of this; it is what ONNX Runtime and the reference
// evaluator agree on. Where they do not, the result is undefined.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Svm.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using llvm::Twine;

namespace {
struct Model {
  Elements labels;
  SvmKernel kernel;
  llvm::SmallVector<float> vectors, coefficients, rho, a, b;
  Shape perClass;
  Transform transform;
};
} // namespace

/// LIBLINEAR: a score for each class.
static FoldResult foldLinear(FoldContext &cx, const FeatureMatrix &x,
                             Model &m) {
  m.kernel.function = SvmFunction::Linear;
  ReasonOr<Scores> scores =
      kernelValues(cx, m.kernel, x, m.coefficients, m.labels.size());
  if (!scores)
    return scores.reason();
  for (double &v : scores->values)
    v += m.rho[0];
  // Runtimes choose the second of two classes also where the first has the
  // larger score, but not all do.
  bool positive = llvm::all_of(m.coefficients, [](float v) { return v >= 0; });
  auto chosen = topClasses(*scores);
  for (int64_t i = 0; chosen && m.labels.size() == 2 && i < x.rows; ++i) {
    double largest = scores->row(i)[(*chosen)[i]];
    if ((*chosen)[i] == 0 && (positive ? largest >= 0.5 : largest > 0))
      return undefined("which of two classes is chosen in row " + Twine(i) +
                       " depends on the runtime");
  }
  return classify(m.labels, std::move(chosen), std::move(*scores), m.transform);
}

/// Says what is wrong with the sizes of attributes.
static Reason checkPairs(const Model &m, int64_t vectors) {
  int64_t classes = m.labels.size(), pairs = classes * (classes - 1) / 2;
  auto counts = checkedNumElements({classes - 1, vectors});
  if (int64_t(m.perClass.size()) != classes || int64_t(m.rho.size()) != pairs ||
      !counts || int64_t(m.coefficients.size()) != *counts ||
      m.a.size() != m.b.size() ||
      (!m.a.empty() && int64_t(m.a.size()) != pairs))
    return invalid("attributes 'vectors_per_class', 'coefficients', 'rho', "
                   "'prob_a' and 'prob_b' are not of the sizes that " +
                   Twine(classes) + " classes and " + Twine(vectors) +
                   " vectors need");
  return {};
}

/// The one decision between two classes, without probabilities.
static FoldResult classifyTwo(const Model &m, SvmVotes votes) {
  if (llvm::all_of(m.coefficients, [](float v) { return v >= 0; }))
    return undefined("which of two classes is chosen depends on the runtime "
                     "where no coefficient is negative");
  if (m.transform != Transform::None && m.transform != Transform::Logistic)
    return undefined("the scores of two classes depend on the runtime for "
                     "transforms other than LOGISTIC");
  return classify(m.labels, topClasses(votes.won), twoScores(votes.decisions),
                  m.transform);
}

static FoldResult foldPairs(FoldContext &cx, const FeatureMatrix &x, Model &m,
                            int64_t vectors) {
  if (auto wrong = checkPairs(m, vectors))
    return wrong;
  ReasonOr<Scores> kernels = kernelValues(cx, m.kernel, x, m.vectors, vectors);
  if (!kernels)
    return kernels.reason();
  double classes = m.labels.size();
  double each = vectors + (m.a.empty() ? 1 : 100 * classes);
  if (auto limit = cx.checkWork(x.rows * classes * each))
    return limit;
  if (auto limit =
          cx.checkResult(DataType::Float64, {x.rows, int64_t(m.rho.size())}))
    return limit;
  SvmVotes votes = decidePairs(*kernels, {m.perClass, m.coefficients, m.rho});
  if (llvm::any_of(votes.decisions.values, [](double v) { return v != v; }))
    return undefined("a score is NaN");
  if (!m.a.empty())
    return classify(m.labels, topClasses(votes.won),
                    probabilities(votes.decisions, m.labels.size(), m.a, m.b),
                    m.transform);
  if (m.labels.size() == 2)
    return classifyTwo(m, std::move(votes));
  auto chosen = topClasses(votes.won);
  return classify(m.labels, std::move(chosen), std::move(votes.decisions),
                  m.transform);
}

static FoldResult foldSVMClassifier(FoldContext &cx) {
  ReasonOr<FeatureMatrix> x = featuresOf(cx);
  ReasonOr<Elements> labels = classLabelsOf(cx, "classlabels_ints");
  ReasonOr<SvmKernel> kernel = svmKernelOf(cx);
  ReasonOr<Transform> transform = postTransformOf(cx);
  for (const Reason &wrong :
       {x.reason(), labels.reason(), kernel.reason(), transform.reason()})
    if (wrong)
      return wrong;
  auto reals = [&](llvm::StringRef name) {
    return cx.reals(name).value_or(llvm::SmallVector<float>());
  };
  Model m = {*labels,
             *kernel,
             reals("support_vectors"),
             reals("coefficients"),
             reals("rho"),
             reals("prob_a"),
             reals("prob_b"),
             cx.ints("vectors_per_class").value_or(Shape()),
             *transform};
  if (m.labels.size() < 2 || m.rho.empty())
    return undefined("fewer than two classes, or no 'rho'");
  int64_t vectors = 0;
  for (int64_t count : m.perClass)
    if (count < 0 || llvm::AddOverflow(vectors, count, vectors))
      return invalid("attribute 'vectors_per_class' is " +
                     toString(m.perClass));
  return vectors > 0 ? foldPairs(cx, *x, m, vectors) : foldLinear(cx, *x, m);
}

namespace onnxfold {
void registerSVMClassifier(KernelRegistry &registry) {
  registry.add("ml.SVMClassifier", {1}, foldSVMClassifier);
}
} // namespace onnxfold
