//===- Features.cpp - Lowerings of features in ai.onnx.ml -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows are samples.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/dml/support/Scores.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

/// 1 where x > threshold, 0 elsewhere (NaN too).
static Lowered lowerBinarizer(LoweringContext &cx) {
  double threshold = cx.op().getFloat("threshold", 0);
  cx.define(0, Expr::binary(">", cx.matrix(0), threshold));
  return Lowered::done();
}

/// All inputs side by side; one with more columns than inputdimensions says is
/// cut off, one with fewer gets columns of zeros.
static Lowered lowerFeatureVectorizer(LoweringContext &cx) {
  auto widths = cx.op().getInts("inputdimensions");
  if (widths && widths->size() != cx.numInputs())
    return Lowered::refused("inputdimensions is not one size for each input");
  std::vector<Argument> parts;
  int64_t total = 0;
  Size rows = cx.natural(0).rows;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    View x = cx.natural(i);
    if (cx.input(i).rank() > 2 || x.columns.perBatch || x.rows != rows)
      return Lowered::refused("the inputs are not matrices of the same rows");
    int64_t width = widths ? (*widths)[i] : x.columns.count;
    if (width < x.columns.count)
      parts.push_back(x.expr.slice({}, {}, 1, width));
    else
      parts.push_back(x.expr);
    if (width > x.columns.count)
      parts.push_back(cx.filled(0, rows, {width - x.columns.count}));
    total += width;
  }
  Expr all = parts.size() == 1 ? parts[0].value : call("cbind", parts);
  cx.define(0, View{all, rows, {total}});
  return Lowered::done();
}

/// Elements that equal one value (NaN too) are replaced: everywhere by the same
/// value, or by one for each column.
static Lowered lowerImputer(LoweringContext &cx) {
  View x = featuresOf(cx);
  std::vector<float> values;
  double replaced;
  if (isFloat(cx.result().type)) {
    auto list = cx.op().getFloats("imputed_value_floats");
    if (list)
      values.assign(list->begin(), list->end());
    replaced = cx.op().getFloat("replaced_value_float", 0);
  } else {
    auto list = cx.op().getInts("imputed_value_int64s");
    if (list)
      values.assign(list->begin(), list->end());
    if (list && llvm::any_of(*list, [](int64_t v) { return v != float(v); }))
      return Lowered::refused("an imputed value is too large");
    replaced = cx.op().getInt("replaced_value_int64", 0);
  }
  int64_t count = values.size();
  bool fits =
      count == 1 || (cx.input(0).rank() == 2 && x.columns.count == count);
  if (count == 0 || !fits)
    return Lowered::refused("the imputed values do not fit the input");
  Expr value = double(values[0]);
  if (count != 1) {
    Expr row = listMatrix(cx, "imputed", values, 1, count);
    value = cx.filled(1, x.rows, {}).times(row);
  }
  Expr isReplaced = std::isnan(replaced) ? call("isNaN", {x.expr})
                                         : Expr::binary("==", x.expr, replaced);
  cx.define(0, choice(isReplaced, value, x.expr));
  return Lowered::done();
}

static size_t countLabels(Operator classifier) {
  if (auto texts = classifier.getStrings("classlabels_strings");
      texts && !texts->empty())
    return texts->size();
  auto numbers = classifier.getInts("classlabels_ints");
  return numbers ? numbers->size() : 0;
}

/// The coefficients of one class are those of the other one with another sign,
/// so that logistic functions of both scores have the sum 1.
static bool hasOppositeScores(Operator classifier) {
  auto weights = classifier.getFloats("coefficients"),
       offsets = classifier.getFloats("intercepts");
  if (!weights || !offsets || offsets->empty() || offsets->size() > 2)
    return false;
  if (offsets->size() == 1) // a score s of two classes stands for -s and s
    return countLabels(classifier) == 2;
  size_t half = weights->size() / 2;
  for (size_t i = 0; i < half; ++i)
    if ((*weights)[i] != -(*weights)[half + i])
      return false;
  return (*offsets)[0] == -(*offsets)[1];
}

/// Scores whose rows have the sum 1 but for the rounding of doubles, or are NaN:
/// those that a classifier made so.
static bool areProbabilities(mlir::Value value) {
  Operator maker = value.getDefiningOp() ? Operator::from(value.getDefiningOp())
                                         : Operator();
  if (!maker || maker.domain() != "ai.onnx.ml" ||
      !maker.opType().ends_with("Classifier") || value != maker->getResult(1))
    return false;
  llvm::StringRef kind = maker.getString("post_transform", "NONE");
  return kind == "SOFTMAX" ||
         (kind == "LOGISTIC" && maker.opType() == "LinearClassifier" &&
          hasOppositeScores(maker));
}

/// Rows divided by their largest element (MAX), the sum of their magnitudes
/// (L1), or their length (L2); where that is 0, by nothing.
static Lowered lowerNormalizer(LoweringContext &cx) {
  View x = featuresOf(cx);
  llvm::StringRef norm = cx.op().getString("norm", "MAX");
  if (cx.input(0).rank() > 2 || x.columns.perBatch)
    return Lowered::refused("the input is not a matrix of known columns");
  if (norm == "L1" && areProbabilities(cx.op().input(0))) {
    cx.define(0, x);
    return Lowered::done();
  }
  Expr divisor = norm == "MAX" ? call("rowMaxs", {x.expr})
                 : norm == "L1"
                     ? call("rowSums", {call("abs", {x.expr})})
                     : call("sqrt", {call("rowSums", {power(x.expr, 2)})});
  divisor = cx.local("norm", divisor);
  cx.define(0, x.expr / choice(Expr::binary("==", divisor, 0), 1, divisor));
  return Lowered::done();
}

/// (x - offset) * scale, each one number or one for each column.
static Lowered lowerScaler(LoweringContext &cx) {
  View x = featuresOf(cx);
  auto offset = cx.op().getFloats("offset"), scale = cx.op().getFloats("scale");
  if (!offset || !scale || offset->size() != scale->size() || offset->empty() ||
      cx.input(0).rank() > 2)
    return Lowered::refused("offset and scale do not fit the input");
  int64_t count = offset->size();
  if (count != 1 && (x.columns.perBatch || x.columns.count != count))
    return Lowered::refused("offset and scale do not fit the input");
  if (llvm::is_contained(*scale, 0.0f))
    return Lowered::refused("a scale is 0, and SystemDS takes the product of "
                            "zero and NaN or infinity for 0");
  auto factor = [&](llvm::StringRef name, llvm::ArrayRef<float> values) {
    return count == 1 ? Expr(double(values[0]))
                      : listMatrix(cx, name, values, 1, count);
  };
  Expr moved = cx.asCompared(x.expr - factor("offset", *offset));
  cx.define(0, moved * factor("scale", *scale));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerFeaturesLowering(LoweringRegistry &registry) {
  // Gather along the last axis, by indices that are taken as one list.
  registry.add("ai.onnx.ml.ArrayFeatureExtractor", {1},
               [](LoweringContext &cx) {
                 return gatherAlong(cx, cx.input(0).rank() - 1);
               });
  registry.add("ai.onnx.ml.Binarizer", {1}, lowerBinarizer);
  registry.add("ai.onnx.ml.FeatureVectorizer", {1}, lowerFeatureVectorizer);
  registry.add("ai.onnx.ml.Imputer", {1}, lowerImputer);
  registry.add("ai.onnx.ml.Normalizer", {1}, lowerNormalizer);
  registry.add("ai.onnx.ml.Scaler", {1}, lowerScaler);
}
} // namespace onnxfold::dml
