//===- Range.cpp - Constant kernel of onnx.Range --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// start + i * delta while it lies before `limit`. Spec: onnx Range, versions
// 11, 27 (f16 and bf16, by default computed as f32: `stash_type`). Each
// element is the product and the sum rounded once, not a running sum. delta 0
// is undefined: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// The number of elements is known whatever the symbols are: [s, s + 1, s + 2].
static FoldResult rangeOfSymbols(FoldContext &cx) {
  DimExprs &exprs = cx.exprs();
  DimExpr ends[3];
  for (unsigned i = 0; i < 3; ++i) {
    if (cx.input(i).type() != DataType::Opaque || cx.input(i).size() != 1 ||
        !isInteger(cx.inputType(i)))
      return notFolded(ReasonCode::InputNotConstant,
                       "input #" + llvm::Twine(i) + " is not constant");
    ends[i] = cx.input(i).value<DimExpr>(0);
  }
  auto [start, limit, delta] = ends;
  std::optional<int64_t> step = exprs.valueOf(delta);
  std::optional<int64_t> length = exprs.valueOf(exprs.subtract(limit, start));
  if (!step || *step == 0 || !length || cx.resultType() == DataType::UInt64)
    return notFolded(ReasonCode::InputNotConstant,
                     "the number of elements is not known");
  std::optional<int64_t> count =
      rangeCount(WideNum::widen(int64_t(0)), WideNum::widen(*length),
                 WideNum::widen(*step));
  constexpr int64_t most = 4096;
  if (!count || *count > most)
    return notFolded(ReasonCode::InputNotConstant,
                     "input #0 is known in part only");
  std::vector<DimExpr> values;
  for (DimExpr next = start; int64_t(values.size()) < *count;
       next = exprs.add(next, delta))
    values.push_back(exprs.wrap(next, cx.inputType(0)));
  return Elements::fromValues<DimExpr>({*count},
                                       llvm::ArrayRef<DimExpr>(values));
}

static FoldResult foldRange(FoldContext &cx) {
  if (cx.isSymbolic())
    return rangeOfSymbols(cx);
  for (unsigned i = 0; i < 3; ++i)
    if (Reason several = checkOneElement(cx, i))
      return several;
  DataType type = cx.input(0).type();
  int64_t stash = cx.integer("stash_type").value_or(1);
  bool narrow = isFloat(type) && bitWidth(type) < 32;
  if (narrow && stash != 1 && stash != 11)
    return invalid("attribute 'stash_type' is " + llvm::Twine(stash) +
                   ", expected 1 (f32) or 11 (f64)");
  WideNum start = cx.input(0).number(), delta = cx.input(2).number();
  std::optional<int64_t> count = rangeCount(start, cx.input(1).number(), delta);
  if (!count)
    return undefined("the number of elements is not defined for these inputs");
  if (Reason large = cx.checkResult(type, {*count}))
    return large;
  if (narrow && stash == 1)
    return cast(range(DataType::Float32, start, delta, *count), type);
  return range(type, start, delta, *count);
}

namespace onnxfold {
void registerRange(KernelRegistry &registry) {
  registry.add("Range", {11, 27}, foldRange).movesSymbols();
}
} // namespace onnxfold
