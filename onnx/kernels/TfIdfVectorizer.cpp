//===- TfIdfVectorizer.cpp - Constant kernel of onnx.TfIdfVectorizer ------===//
// SPDX-License-Identifier: Apache-2.0
//
// How often each n-gram of a pool is in x [C], or in the rows of x [N, C], at
// column ngram_indexes[i]; mode IDF: whether it is. Spec: onnx TfIdfVectorizer,
// version 9. weights[i] belongs to n-gram i, as the text and ONNX Runtime have
// it (the reference evaluator takes it for column i). Of two n-grams in one
// column IDF does not say whether they count once: kept.
// In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/BuildKept.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/kernels/support/NGrams.h"
#include "llvm/ADT/DenseSet.h"

using namespace onnxfold;

/// Attributes `mode` and `weights`.
static Reason checkMode(FoldContext &cx, const NGrams &grams) {
  std::string mode = cx.string("mode").value_or("");
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF")
    return invalid("attribute 'mode' is '" + mode +
                   "', expected TF, IDF or TFIDF");
  auto weights = cx.reals("weights").value_or(llvm::SmallVector<float>());
  if (!weights.empty() && weights.size() != grams.columns().size())
    return invalid("there are " + llvm::Twine(weights.size()) +
                   " weights, expected " + llvm::Twine(grams.columns().size()));
  llvm::DenseSet<int64_t> seen;
  if (mode == "IDF")
    for (int64_t i = 0; i < grams.size(); ++i)
      if (!seen.insert(grams.columns()[i]).second)
        return undefined("two n-grams have column " +
                         llvm::Twine(grams.columns()[i]));
  return {};
}

static FoldResult foldTfIdfVectorizer(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<NGrams> grams = NGrams::read(cx);
  if (!grams)
    return grams.reason();
  if (Reason wrong = checkMode(cx, *grams))
    return wrong;
  bool isPoolType =
      grams->isOfStrings() ? x.type() == DataType::String : isInteger(x.type());
  if (!isPoolType || x.rank() < 1 || x.rank() > 2 ||
      (x.rank() == 2 && x.dim(0) == 0))
    return invalid("the input has type " + name(x.type()) + " and shape " +
                   toString(x.shape()) +
                   ", expected the type of the pool and [C] or [N, C]");
  int64_t length = x.shape().back(), rows = x.rank() == 2 ? x.dim(0) : 1;
  int64_t width = *llvm::max_element(grams->columns()) + 1;
  Shape shape(x.shape());
  shape.back() = width;
  for (auto limit : {cx.checkResult(DataType::Float64, shape),
                     cx.checkResult(DataType::Int64, x.shape()),
                     cx.checkWork(double(rows) * (grams->work(length) +
                                                  double(grams->size())))})
    if (limit)
      return limit;

  bool truncates = cx.string("mode") == "IDF",
       scales = cx.string("mode") != "TF";
  auto weights = cx.reals("weights").value_or(llvm::SmallVector<float>());
  std::vector<int64_t> tokens = grams->tokensOf(x);
  return buildKept<float>(shape, [&](llvm::MutableArrayRef<float> out) {
    parallelFor(rows, 16, [&](int64_t begin, int64_t end) {
      std::vector<int64_t> counts(grams->size());
      std::vector<double> sums(width);
      for (int64_t row = begin; row < end; ++row) {
        counts.assign(counts.size(), 0);
        sums.assign(sums.size(), 0);
        grams->count(tokens.data() + row * length, length, counts.data());
        for (int64_t i = 0; i < grams->size(); ++i) {
          double n = truncates ? counts[i] > 0 : double(counts[i]);
          double weight = scales && !weights.empty() ? weights[i] : 1;
          sums[grams->columns()[i]] += n == 0 ? 0 : n * weight;
        }
        std::copy(sums.begin(), sums.end(), out.begin() + row * width);
      }
    });
  });
}

namespace onnxfold {
void registerTfIdfVectorizer(KernelRegistry &registry) {
  registry.add("TfIdfVectorizer", {9}, foldTfIdfVectorizer);
}
} // namespace onnxfold
