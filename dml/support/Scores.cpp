//===- Scores.cpp - Common part of classifiers and regressors -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Scores.h"
#include "onnxfold/dml/support/Text.h"

using namespace onnxfold;
using namespace onnxfold::dml;

View dml::featuresOf(LoweringContext &cx) { return cx.natural(0); }

Expr dml::listMatrix(LoweringContext &cx, llvm::StringRef name,
                     llvm::ArrayRef<float> values, int64_t rows,
                     int64_t columns) {
  std::vector<double> wide(values.begin(), values.end());
  return cx.constantMatrix(
      name, Elements::fromValues<double>({rows, columns}, wide), rows, columns);
}

Expr dml::plusRow(LoweringContext &cx, Expr scores, llvm::StringRef name,
                  const std::vector<double> &values) {
  int64_t count = values.size();
  if (llvm::all_of(values, [](double v) { return v == 0; }))
    return scores;
  return scores +
         cx.constantMatrix(
             name, Elements::fromValues<double>({1, count}, values), 1, count);
}

Expr dml::transformed(LoweringContext &cx, Expr scores, llvm::StringRef kind) {
  if (kind == "NONE")
    return scores;
  if (kind == "LOGISTIC")
    return call("sigmoid", {scores});
  if (kind != "SOFTMAX")
    return {};
  Expr x = cx.local("scores", scores);
  Expr e = cx.local("e", call("exp", {x - call("rowMaxs", {x})}));
  return e / call("rowSums", {e});
}

Lowered dml::defineRegression(LoweringContext &cx, View scores,
                              llvm::StringRef transform) {
  if (scores.columns == Size{} && transform != "NONE")
    return Lowered::refused("runtimes do not transform a single score");
  scores.expr = transformed(cx, scores.expr, transform);
  if (!scores.expr)
    return Lowered::refused("post_transform is " + transform);
  cx.define(0, scores);
  return Lowered::done();
}

std::optional<Shape> dml::labelsOf(LoweringContext &cx, llvm::StringRef name) {
  auto labels = cx.op().getInts(name);
  if (labels && !labels->empty())
    return Shape(std::move(*labels));
  auto texts = cx.op().getStrings("classlabels_strings");
  if (!texts || texts->empty())
    return std::nullopt;
  Shape numbers;
  for (llvm::StringRef text : *texts)
    numbers.push_back(cx.numberOfWord(text));
  return numbers;
}

void dml::defineLabels(LoweringContext &cx, Expr numbers, Size rows,
                       llvm::ArrayRef<int64_t> labels) {
  bool areNumbers = true;
  for (size_t i = 0; i < labels.size(); ++i)
    areNumbers &= labels[i] == int64_t(i);
  if (!areNumbers) {
    numbers = cx.local("class_number", numbers);
    Expr all = call("t", {call("seq", {0, int64_t(labels.size()) - 1, 1})});
    Expr isClass = call("outer", {numbers, all, Expr::text("==")});
    numbers = isClass.times(call("t", {rowText(labels)}));
  }
  cx.define(0, View{numbers, rows, {}});
}

void dml::defineTopLabels(LoweringContext &cx, const View &scores,
                          llvm::ArrayRef<int64_t> labels) {
  // rowIndexMax takes the last of equal ones and counts from 1.
  Expr x = cx.local("votes", scores.expr);
  Expr mirrored =
      cx.local("mirrored", call("t", {call("rev", {call("t", {x})})}));
  Expr number = Expr(scores.columns.count) - call("rowIndexMax", {mirrored});
  defineLabels(cx, number, scores.rows, labels);
}

Lowered dml::defineClasses(LoweringContext &cx, View scores,
                           llvm::ArrayRef<int64_t> labels) {
  Expr x = cx.local("scores", scores.expr);
  if (cx.isUsed(0))
    defineTopLabels(cx, {x, scores.rows, scores.columns}, labels);
  if (!cx.isUsed(1))
    return Lowered::done();
  llvm::StringRef kind = cx.op().getString("post_transform", "NONE");
  Expr result = transformed(cx, x, kind);
  if (!result)
    return Lowered::refused("post_transform is " + kind);
  cx.define(1, View{result, scores.rows, scores.columns});
  return Lowered::done();
}
