//===- SVMClassifier.cpp - Lowering of onnx.ml.SVMClassifier -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each pair of classes i < j is decided by the kernel values of their support
// vectors, and the class that wins most pairs is chosen. The scores are the
// decisions, of two classes -s and s, or probabilities if there is `prob_a`.
// Refused: models without support vectors, and what runtimes do not agree on.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Svm.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace {

struct SvmClasses {
  Shape first; ///< support vector of each class, and their number
  llvm::ArrayRef<float> coefficients;
  llvm::SmallVector<float> a, b; ///< of the probabilities of pairs, or empty
  int64_t vectors() const { return first.back(); }
  int64_t classes() const { return int64_t(first.size()) - 1; }
};

} // namespace

/// The weights of all vectors for each pair: those of class i against j stand in
/// row j - 1, those of j against i in row i.
static std::vector<float> pairWeights(const SvmClasses &m) {
  int64_t pairs = m.classes() * (m.classes() - 1) / 2, pair = 0;
  std::vector<float> result(m.vectors() * pairs);
  for (int64_t i = 0; i < m.classes(); ++i)
    for (int64_t j = i + 1; j < m.classes(); ++j, ++pair) {
      for (int64_t k = m.first[i]; k < m.first[i + 1]; ++k)
        result[k * pairs + pair] = m.coefficients[(j - 1) * m.vectors() + k];
      for (int64_t k = m.first[j]; k < m.first[j + 1]; ++k)
        result[k * pairs + pair] = m.coefficients[i * m.vectors() + k];
    }
  return result;
}

/// How many pairs each class has won.
static View wonPairs(LoweringContext &cx, Expr decisions, Size rows,
                     int64_t classes) {
  int64_t pairs = classes * (classes - 1) / 2, pair = 0;
  std::vector<float> first(pairs * classes), second(classes);
  for (int64_t i = 0; i < classes; ++i)
    for (int64_t j = i + 1; j < classes; ++j, ++pair) {
      first[pair * classes + i] = 1;
      first[pair * classes + j] = -1;
      second[j] += 1;
    }
  Expr won = cx.local("won", Expr::binary(">", decisions, 0))
                 .times(listMatrix(cx, "pair_classes", first, pairs, classes)) +
             listMatrix(cx, "pairs_as_second", second, 1, classes);
  return {won, rows, {classes}};
}

/// The scores without post_transform.
static View scoresOf(LoweringContext &cx, const SvmClasses &m, Expr decisions,
                     Size rows) {
  int64_t classes = m.classes(), pairs = m.a.size();
  if (!m.a.empty())
    return {cx.helper("couple_pairs",
                      {decisions, listMatrix(cx, "prob_a", m.a, 1, pairs),
                       listMatrix(cx, "prob_b", m.b, 1, pairs), classes}),
            rows,
            {classes}};
  if (classes == 2)
    return {call("cbind", {-decisions, decisions}), rows, {2}};
  return {decisions, rows, {classes * (classes - 1) / 2}};
}

static Lowered lowerSVMClassifier(LoweringContext &cx) {
  View x = featuresOf(cx);
  std::optional<Shape> labels = labelsOf(cx, "classlabels_ints");
  auto weights = cx.op().getFloats("coefficients"),
       vectors = cx.op().getFloats("support_vectors"),
       rho = cx.op().getFloats("rho");
  auto perClass = cx.op().getInts("vectors_per_class");
  if (!labels)
    return Lowered::refused("there are no labels");
  if (!weights || !vectors || !rho || !perClass)
    return Lowered::refused("there are no support vectors");
  SvmClasses m{
      {0},
      *weights,
      cx.op().getFloats("prob_a").value_or(llvm::SmallVector<float>()),
      cx.op().getFloats("prob_b").value_or(llvm::SmallVector<float>())};
  for (int64_t count : *perClass)
    m.first.push_back(m.first.back() + count);
  int64_t classes = m.classes(), pairs = classes * (classes - 1) / 2;
  if (classes < 2 || int64_t(labels->size()) != classes ||
      int64_t(rho->size()) != pairs || m.a.size() != m.b.size() ||
      (!m.a.empty() && int64_t(m.a.size()) != pairs) ||
      int64_t(weights->size()) != (classes - 1) * m.vectors() ||
      int64_t(vectors->size()) != m.vectors() * x.columns.count)
    return Lowered::refused("the lists of support vectors do not fit together");
  bool isPositive = llvm::all_of(*weights, [](float v) { return v >= 0; });
  llvm::StringRef kind = cx.op().getString("post_transform", "NONE");
  if (classes == 2 && m.a.empty() &&
      (isPositive || (kind != "NONE" && kind != "LOGISTIC")))
    return Lowered::refused("runtimes do not agree on two classes with these "
                            "coefficients and post_transform");
  Expr kernel = svmKernel(cx, x, *vectors, m.vectors());
  if (!kernel)
    return Lowered::refused("the kernel is not known");
  Expr decisions = cx.local(
      "decisions", kernel.times(listMatrix(cx, "pair_weights", pairWeights(m),
                                           m.vectors(), pairs)) +
                       listMatrix(cx, "rho", *rho, 1, pairs));
  if (cx.isUsed(0))
    defineTopLabels(cx, wonPairs(cx, decisions, x.rows, classes), *labels);
  if (!cx.isUsed(1))
    return Lowered::done();
  View scores = scoresOf(cx, m, decisions, x.rows);
  scores.expr = transformed(cx, scores.expr, kind);
  if (!scores.expr)
    return Lowered::refused("post_transform is " + kind);
  cx.define(1, scores);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerSVMClassifierLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.SVMClassifier", {1}, lowerSVMClassifier);
}
} // namespace onnxfold::dml
