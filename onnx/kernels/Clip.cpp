//===- Clip.cpp - Constant kernel of onnx.Clip ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// min(max(x, lower), upper): the upper bound wins where they cross. Spec: onnx
// Clip, versions 1, 6 (bounds are attributes), 11 (inputs), 12 (integers), 13.
// NaN in x gives NaN; a bound that is NaN is kept. A bound that is not given
// does not limit: infinities are kept. Version 6 alone gives its attributes the default
// -FLT_MAX and FLT_MAX, to which infinities (and larger f64) are clipped.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/symbolic/SymbolicFloats.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// A bound in the type of x; null if there is none.
static Elements boundOf(FoldContext &cx, llvm::StringRef name, unsigned input,
                        float byDefault) {
  if (cx.version() >= 11)
    return cx.hasInput(input) ? cx.input(input) : Elements();
  std::optional<float> value = cx.real(name);
  if (!value && cx.version() == 6)
    value = byDefault;
  return value ? Elements::splat(cx.input(0).type(), {}, WideNum::widen(*value))
               : Elements();
}

static FoldResult clipSymbols(FoldContext &cx) {
  const Elements &x = cx.input(0);
  DataType type = cx.inputType(0);
  std::vector<DimExpr> list = x.values<DimExpr>();
  for (unsigned i : {1, 2}) {
    if (!cx.hasInput(i))
      continue;
    if (x.type() != DataType::Opaque || type == DataType::UInt64 ||
        cx.input(i).type() != DataType::Opaque || cx.inputType(i) != type ||
        cx.input(i).rank() != 0)
      return notFolded(ReasonCode::InputNotConstant,
                       "inputs are known in part only");
    auto bound = cx.input(i).value<DimExpr>(0);
    auto limit = [&](auto &&numbers, DimExpr v) {
      return i == 1 ? numbers.maximum(v, bound) : numbers.minimum(v, bound);
    };
    for (DimExpr &v : list)
      v = isFloat(type) ? limit(SymbolicFloats(cx.exprs(), type), v)
                        : limit(cx.exprs(), v);
  }
  return Elements::fromValues<DimExpr>(x.shape(),
                                       llvm::ArrayRef<DimExpr>(list));
}

static FoldResult foldClip(FoldContext &cx) {
  if (cx.isSymbolic())
    return clipSymbols(cx);
  constexpr float most = std::numeric_limits<float>::max();
  const Elements &x = cx.input(0);
  Elements lower = boundOf(cx, "min", 1, -most);
  Elements upper = boundOf(cx, "max", 2, most);
  for (const Elements &bound : {lower, upper})
    if (bound &&
        (bound.type() != x.type() ||
         (bound.rank() != 0 && !(mustDecide(cx) && bound.size() == 1))))
      return invalid("a bound is " + name(bound.type()) +
                     toString(bound.shape()) + ", expected a scalar " +
                     name(x.type()));
  for (const Elements &bound : {lower, upper})
    if (bound && isFloat(bound.type()) && !mustDecide(cx) &&
        isNan(bound.number().to<double>()))
      return undefined(
          "a bound is NaN, of which runtimes do not make the same");
  return clip(x, lower, upper);
}

namespace onnxfold {
void registerClip(KernelRegistry &registry) {
  registry.add("Clip", {1, 6}, foldClip);
  registry.add("Clip", {11, 12, 13}, foldClip).movesSymbols();
}
} // namespace onnxfold
