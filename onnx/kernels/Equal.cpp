//===- Equal.cpp - Constant kernel of onnx.Equal --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// z = x == y, broadcast. Spec: onnx Equal, versions 1 (attributes `broadcast`
// and `axis`), 7 (numpy broadcasting), 11 (all numeric types), 13, 19
// (strings).
// NaN equals nothing, 0 equals -0; strings are equal byte by byte.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/StringText.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// A few long strings that are compared again and again cost as much as
/// many.
static Reason checkText(FoldContext &cx, const Elements &x) {
  constexpr double unitsOfCharacter = 2;
  if (x.type() != DataType::String)
    return {};
  return cx.checkWork(double(characterCount(x)), unitsOfCharacter);
}

static FoldResult foldEqual(FoldContext &cx) {
  if (cx.isSymbolic())
    return foldElementwise(cx, SymbolOp::Equal);
  return foldBinary(
      cx, [&](const Elements &x, const Elements &y) -> FoldResult {
        if (Reason much = checkText(cx, x))
          return much;
        auto equal = [](auto a, auto b) { return a == b; };
        if (x.type() == DataType::Bool)
          return zipAs<bool, bool, bool>(x, y, equal);
        if (x.type() == DataType::String)
          return zipAs<bool, llvm::StringRef, llvm::StringRef>(x, y, equal);
        return zipTo<bool>(x, y, equal);
      });
}

namespace onnxfold {
void registerEqual(KernelRegistry &registry) {
  registry.add("Equal", {1, 7, 11, 13, 19}, foldEqual).movesSymbols();
}
} // namespace onnxfold
