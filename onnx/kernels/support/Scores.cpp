//===- Scores.cpp - What classifiers and regressors share -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Scores.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/KeyIndex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <numbers>

using namespace onnxfold;
using namespace onnxfold::ops;
using llvm::Twine;

/// Scores that one thread transforms at least.
static constexpr int64_t scoreGrain = 1 << 14;

//===----------------------------------------------------------------------===//
// Features and scores
//===----------------------------------------------------------------------===//

ReasonOr<FeatureMatrix> onnxfold::featuresOf(FoldContext &cx, bool vectorToo) {
  Elements x = cx.input(0);
  if (x.rank() == 1 && vectorToo)
    x = x.unsqueeze({0});
  if (x.rank() != 2 || !isNumeric(x.type()))
    return invalid("input #0 has shape " + toString(cx.input(0).shape()) +
                   " and type " + name(x.type()) +
                   ", expected rows of features");
  return FeatureMatrix{cast(x, DataType::Float64), x.dim(0), x.dim(1)};
}

Elements Scores::toTensor(DataType type) const {
  return cast(Elements::fromValues<double>({rows, columns}, values), type);
}

ReasonOr<Scores> onnxfold::makeScores(FoldContext &cx, DataType type,
                                      int64_t rows, int64_t columns) {
  if (Reason limit = cx.checkResult(type, {rows, columns}))
    return limit;
  return Scores{std::vector<double>(rows * columns), rows, columns};
}

ReasonOr<Scores> onnxfold::linearScores(FoldContext &cx, const FeatureMatrix &x,
                                        int64_t columns) {
  auto coefficients = cx.reals("coefficients");
  auto intercepts = cx.reals("intercepts");
  ReasonOr<Scores> result = makeScores(cx, DataType::Float32, x.rows, columns);
  if (!result)
    return result;
  if (Reason limit = cx.checkWork(double(x.rows) * columns * x.columns))
    return limit;
  std::optional<int64_t> count = checkedNumElements({columns, x.columns});
  if (!count || !coefficients || int64_t(coefficients->size()) != *count ||
      (intercepts && int64_t(intercepts->size()) != columns))
    return invalid("attributes 'coefficients' and 'intercepts' are not those "
                   "of " +
                   Twine(columns) + " scores of " + Twine(x.columns) +
                   " features");
  auto wide = [](Shape shape, llvm::ArrayRef<float> values) {
    return cast(Elements::fromValues<float>(shape, values), DataType::Float64);
  };
  Elements offset = intercepts ? wide({columns}, *intercepts) : Elements();
  gemm(x.values, wide({columns, x.columns}, *coefficients), offset,
       {.transB = true})
      .read(result->values.data());
  return result;
}

Scores onnxfold::twoScores(const Scores &single) {
  Scores both;
  both.rows = single.rows;
  both.columns = 2;
  for (double s : single.values)
    both.values.insert(both.values.end(), {-s, s});
  return both;
}

//===----------------------------------------------------------------------===//
// post_transform
//===----------------------------------------------------------------------===//

ReasonOr<Transform> onnxfold::postTransformOf(FoldContext &cx) {
  std::string text = cx.string("post_transform").value_or("NONE");
  auto kind = llvm::StringSwitch<std::optional<Transform>>(text)
                  .Case("NONE", Transform::None)
                  .Case("SOFTMAX", Transform::Softmax)
                  .Case("LOGISTIC", Transform::Logistic)
                  .Case("SOFTMAX_ZERO", Transform::SoftmaxZero)
                  .Case("PROBIT", Transform::Probit)
                  .Default(std::nullopt);
  if (kind)
    return *kind;
  return invalid("attribute 'post_transform' is '" + text +
                 "', expected NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO, PROBIT");
}

/// Scores of this magnitude and less are zeros of SOFTMAX_ZERO.
static bool isZeroScore(double v) { return std::fabs(v) <= 1e-7; }

static void softmaxRow(llvm::MutableArrayRef<double> row, bool keepZeros) {
  if (row.empty())
    return;
  double largest = *llvm::max_element(row), sum = 0;
  double scale = -largest;
  wide::exp(&scale, 1);
  llvm::SmallVector<double> powers(row);
  for (double &v : powers)
    v -= largest;
  wide::exp(powers.data(), powers.size());
  for (auto [v, power] : llvm::zip_equal(row, powers)) {
    v = keepZeros && isZeroScore(v) ? v * scale : power;
    sum += v;
  }
  for (double &v : row)
    v /= sum;
}

/// Winitzki's formula with a = 0.147, times the root of 2.
static void probit(llvm::MutableArrayRef<double> values) {
  llvm::SmallVector<double> logs;
  for (double p : values)
    logs.push_back((1 - (2 * p - 1)) * (1 + (2 * p - 1)));
  wide::log(logs.data(), logs.size());
  for (auto [p, log] : llvm::zip_equal(values, logs)) {
    double v = 2 / (std::numbers::pi * 0.147) + 0.5 * log;
    double root = std::sqrt(std::sqrt(v * v - log / 0.147) - v);
    p = std::numbers::sqrt2 * (2 * p - 1 < 0 ? -root : root);
  }
}

/// A reason if a row is outside of what the transform is defined for.
static Reason checkTransform(Transform kind, Scores &scores) {
  for (int64_t i = 0; i < scores.rows; ++i) {
    llvm::ArrayRef<double> row = scores.row(i);
    if (kind == Transform::Probit &&
        !llvm::all_of(row, [](double p) { return p > 0 && p < 1; }))
      return undefined("PROBIT of a score outside of (0, 1) in row " +
                       Twine(i));
    if (kind == Transform::SoftmaxZero && llvm::all_of(row, isZeroScore))
      return undefined("SOFTMAX_ZERO of zeros in row " + Twine(i));
  }
  return {};
}

Reason onnxfold::transformScores(Transform kind, Scores &scores) {
  if (Reason outside = checkTransform(kind, scores))
    return outside;
  int64_t rows =
      std::max<int64_t>(1, scoreGrain / std::max<int64_t>(1, scores.columns));
  parallelFor(scores.rows, rows, [&](int64_t begin, int64_t end) {
    llvm::MutableArrayRef<double> part(scores.values.data() +
                                           begin * scores.columns,
                                       (end - begin) * scores.columns);
    if (kind == Transform::Logistic)
      wide::sigmoid(part.data(), part.size());
    else if (kind == Transform::Probit)
      probit(part);
    else if (kind != Transform::None)
      for (int64_t i = begin; i < end; ++i)
        softmaxRow(scores.row(i), kind == Transform::SoftmaxZero);
  });
  return {};
}

FoldResult onnxfold::regress(Scores scores, Transform kind, DataType type) {
  if (scores.columns == 1 && kind != Transform::None &&
      kind != Transform::Probit)
    return undefined("runtimes do not transform a single score");
  if (auto outside = transformScores(kind, scores))
    return outside;
  return scores.toTensor(type);
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

ReasonOr<Elements> onnxfold::classLabelsOf(FoldContext &cx,
                                           llvm::StringRef integers) {
  auto texts = cx.strings("classlabels_strings");
  auto numbers = cx.ints(integers);
  bool hasTexts = texts && !texts->empty();
  if (hasTexts == (numbers && !numbers->empty()))
    return invalid("attributes 'classlabels_strings' and '" + integers +
                   "': one of them is expected");
  return hasTexts ? tensorOf(*texts) : tensorOf(*numbers);
}

std::optional<std::vector<int64_t>> onnxfold::topClasses(Scores &scores) {
  std::vector<int64_t> result(scores.rows);
  for (int64_t i = 0; i < scores.rows; ++i) {
    llvm::ArrayRef<double> row = scores.row(i);
    if (llvm::any_of(row, [](double v) { return v != v; }))
      return std::nullopt;
    result[i] = llvm::max_element(row) - row.begin();
  }
  return result;
}

FoldResult onnxfold::classify(const Elements &labels,
                              std::optional<std::vector<int64_t>> chosen,
                              Scores scores, Transform kind) {
  if (!chosen)
    return undefined("a score is NaN");
  if (auto outside = transformScores(kind, scores))
    return outside;
  return llvm::SmallVector<Elements, 1>{gather(labels, tensorOf(*chosen), 0),
                                        scores.toTensor(DataType::Float32)};
}

FoldResult onnxfold::classifyByScores(const Elements &labels, Scores scores,
                                      Transform kind) {
  std::optional<std::vector<int64_t>> chosen = topClasses(scores);
  // The others are monotone; rounding could only make scores equal.
  if (kind == Transform::SoftmaxZero || kind == Transform::Probit) {
    Scores after = scores;
    if (auto outside = transformScores(kind, after))
      return outside;
    if (chosen != topClasses(after))
      return undefined("the largest score before the transform is not the "
                       "largest after it");
  }
  return classify(labels, std::move(chosen), std::move(scores), kind);
}
