//===- StringSplit.cpp - Constant kernel of onnx.StringSplit --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The parts of each element between delimiters, filled up with empty strings to
// the largest number of parts, and their numbers. Spec: onnx StringSplit,
// version 20. Whitespace is Unicode's. By the text it is removed at the end
// also where `maxsplit` leaves a rest (not so in the reference evaluator). An
// empty element has no words, but one part between delimiters.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/StringText.h"

using namespace onnxfold;
using namespace onnxfold::ops;

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
