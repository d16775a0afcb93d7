//===- StringNormalizer.cpp - Constant kernel of onnx.StringNormalizer ----===//
// SPDX-License-Identifier: Apache-2.0
//
// The elements that are no stop words, in lower or upper case; one empty string
// if there are none. Spec: onnx StringNormalizer, version 10. What the case of
// letters beyond ASCII is depends on the environment: kept, unless nobody asks.
// (The reference evaluator also removes accents, empty elements and stop words
// within elements, of which the text says nothing.)
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/StringText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// These languages have an i without a dot, or keep its dot.
static bool hasOwnLetters(llvm::StringRef locale) {
  return locale.starts_with_insensitive("tr") ||
         locale.starts_with_insensitive("az") ||
         locale.starts_with_insensitive("lt");
}

/// A reason if the case of a letter depends on the environment.
template <class Texts> static Reason checkAscii(const Texts &texts) {
  for (llvm::StringRef text : texts)
    if (!llvm::isASCII(text))
      return undefined("the case of letters beyond ASCII depends on the "
                       "environment");
  return {};
}

static FoldResult foldStringNormalizer(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (x.type() != DataType::String)
    return Elements();
  if (x.size() == 0 || x.rank() < 1 || x.rank() > 2 ||
      (x.rank() == 2 && x.dim(0) != 1))
    return invalid("the input has shape " + toString(x.shape()) +
                   ", expected [C] or [1, C] with C > 0");
  std::string action = cx.string("case_change_action").value_or("NONE");
  bool lower = action == "LOWER", upper = action == "UPPER";
  if (!lower && !upper && action != "NONE")
    return invalid("attribute 'case_change_action' is '" + action +
                   "', expected LOWER, UPPER or NONE");
  bool sensitive = cx.integer("is_case_sensitive").value_or(0) != 0;
  auto stopwords = cx.strings("stopwords").value_or(std::vector<std::string>());
  if (auto large = cx.checkResult(DataType::String, x.shape()))
    return large;
  if (auto large = cx.checkText(characterCount(x)))
    return large;
  ElementsArray<llvm::StringRef> texts(x);
  if (lower || upper || (!sensitive && !stopwords.empty())) {
    if (hasOwnLetters(cx.string("locale").value_or("")))
      return undefined("the case of letters depends on the locale");
    if (auto beyond = checkAscii(texts))
      return beyond;
    if (auto beyond = checkAscii(stopwords))
      return beyond;
  }

  llvm::StringSet<> stops;
  for (llvm::StringRef word : stopwords)
    stops.insert(sensitive ? word.str() : word.lower());
  std::vector<std::string> kept;
  for (llvm::StringRef text : texts)
    if (stops.empty() || !stops.contains(sensitive ? text.str() : text.lower()))
      kept.push_back(lower ? text.lower() : upper ? text.upper() : text.str());
  if (kept.empty())
    kept.emplace_back();
  Shape shape(x.rank(), 1);
  shape.back() = kept.size();
  return Elements::fromStrings(
      shape, std::vector<llvm::StringRef>(kept.begin(), kept.end()));
}

namespace onnxfold {
void registerStringNormalizer(KernelRegistry &registry) {
  registry.add("StringNormalizer", {10}, foldStringNormalizer);
}
} // namespace onnxfold
