//===- RegexFullMatch.cpp - Constant kernel of onnx.RegexFullMatch --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Whether a pattern matches a whole element. Spec: onnx RegexFullMatch, version
// 20. By RE2, whose syntax the text names; its time is linear in pattern and
// text, and its memory is limited.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/BuildKept.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/StringText.h"
#include "llvm/Support/JSON.h"
#include <re2/re2.h>

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldRegexFullMatch(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (x.type() != DataType::String)
    return Elements();
  std::optional<std::string> pattern = cx.string("pattern");
  if (!pattern)
    return invalid("there is no attribute 'pattern'");
  re2::RE2::Options options;
  options.set_log_errors(false);
  re2::RE2 regex(*pattern, options);
  if (!regex.ok())
    return invalid("attribute 'pattern' is not an RE2 pattern: " +
                   regex.error());
  if (auto large = cx.checkResult(DataType::Bool, x.shape()))
    return large;
  // At worst every byte is compared with every step of the pattern.
  double steps = double(characterCount(x)) + double(x.size());
  if (auto large = cx.checkWork(steps * regex.ProgramSize(), 100))
    return large;
  ElementsArray<llvm::StringRef> texts(x);
  for (int64_t i = 0; i < x.size(); ++i)
    if (!llvm::json::isUTF8(texts[i]))
      return invalid("element " + llvm::Twine(i) + " is not UTF-8");
  return buildKept<bool>(x.shape(), [&](llvm::MutableArrayRef<bool> out) {
    parallelFor(x.size(), 256, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        out[i] = re2::RE2::FullMatch({texts[i].data(), texts[i].size()}, regex);
    });
  });
}

namespace onnxfold {
void registerRegexFullMatch(KernelRegistry &registry) {
  registry.add("RegexFullMatch", {20}, foldRegexFullMatch);
}
} // namespace onnxfold
