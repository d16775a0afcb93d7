//===- StringSplit.cpp - Constant kernel of onnx.StringSplit --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The parts of each element between delimiters, filled up with empty strings to
// the largest number of parts, and their numbers. Spec: onnx StringSplit,
// version 20. Whitespace is Unicode's; ONNX Runtime knows the space alone, so
// an element with other whitespace is kept. By the text it is removed at the
// end also where `maxsplit` leaves a rest (not so in the reference evaluator).
// An empty element has no words, but one part between delimiters (none in ONNX
// Runtime: it is kept).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/StringText.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Why the reference evaluator and ONNX Runtime may divide the text otherwise.
static llvm::StringRef disputeOver(llvm::StringRef text,
                                   llvm::StringRef delimiter) {
  if (!delimiter.empty())
    return text.empty()
               ? "is empty: it has one part, or none as in ONNX Runtime"
               : "";
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    bool isWhole = false;
    forEachPiece(word, "", /*most=*/-1,
                 [&](llvm::StringRef piece) { isWhole = piece == word; });
    if (!isWhole)
      return "has whitespace that is none in ONNX Runtime, which knows the "
             "space alone";
  }
  return "";
}

static FoldResult foldStringSplit(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (x.type() != DataType::String)
    return Elements();
  std::string delimiter = cx.string("delimiter").value_or("");
  int64_t most = cx.integer("maxsplit").value_or(-1);
  if (auto large = cx.checkResult(DataType::Int64, x.shape()))
    return large;
  int64_t characters = characterCount(x);
  if (auto large = cx.checkWork(double(characters), 100))
    return large;
  if (auto large = cx.checkText(characters))
    return large;
  ElementsArray<llvm::StringRef> texts(x);
  for (int64_t i = 0; i < x.size() && !mustDecide(cx); ++i)
    if (llvm::StringRef why = disputeOver(texts[i], delimiter); !why.empty())
      return undefined("element " + toString(indexOf(i, x.shape())) + " " +
                       why);
  int64_t longest = 0;
  Elements counts = Elements::build<int64_t>(
      x.shape(), [&](llvm::MutableArrayRef<int64_t> out) {
        for (int64_t i = 0; i < x.size(); ++i) {
          out[i] = 0;
          forEachPiece(texts[i], delimiter, most,
                       [&](llvm::StringRef) { ++out[i]; });
          longest = std::max(longest, out[i]);
        }
      });

  Shape shape(x.shape());
  shape.push_back(longest);
  if (auto large = cx.checkResult(DataType::String, shape))
    return large;
  std::vector<llvm::StringRef> parts(x.size() * longest);
  for (int64_t i = 0; i < x.size(); ++i) {
    llvm::StringRef *next = parts.data() + i * longest;
    forEachPiece(texts[i], delimiter, most,
                 [&](llvm::StringRef part) { *next++ = part; });
  }
  return llvm::SmallVector<Elements, 1>{Elements::fromStrings(shape, parts),
                                        counts};
}

namespace onnxfold {
void registerStringSplit(KernelRegistry &registry) {
  registry.add("StringSplit", {20}, foldStringSplit);
}
} // namespace onnxfold
