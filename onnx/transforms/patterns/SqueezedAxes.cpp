//===- SqueezedAxes.cpp - Axes of size 1 that go and come back ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x.squeeze(0).unsqueeze(-1) moves an axis of size 1, and x[:, 0].unsqueeze(1)
// keeps the axis along which it takes an element.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/ConstantTypes.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

static bool isKnownOne(const CleanUpContext &cx, DimExpr size) {
  return cx.knownValues().exprs().valueOf(size) == 1;
}

/// The axes of `longer` that are not in `shorter`, all of them of size 1;
/// nothing if `shorter` is not what is left.
static std::optional<SmallVector<int64_t>>
onesBeside(const CleanUpContext &cx, ArrayRef<DimExpr> longer,
           ArrayRef<DimExpr> shorter) {
  SmallVector<int64_t> axes;
  size_t next = 0;
  for (auto [axis, size] : llvm::enumerate(longer)) {
    if (next < shorter.size() && shorter[next] == size)
      ++next;
    else if (isKnownOne(cx, size))
      axes.push_back(axis);
    else
      return std::nullopt;
  }
  return next == shorter.size() ? std::optional(axes) : std::nullopt;
}

/// The target of a Reshape of x to a shape of as many elements: an open size is
/// copied, or is the rest beside numbers.
static std::optional<SmallVector<int64_t>>
targetOfView(const CleanUpContext &cx, ArrayRef<DimExpr> given,
             ArrayRef<DimExpr> made) {
  SmallVector<int64_t> target;
  bool hasCopies = false;
  for (auto [i, size] : llvm::enumerate(made)) {
    auto known = cx.knownValues().exprs().valueOf(size);
    bool isCopy = !known && i < given.size() && given[i] == size;
    if (known == 0)
      return std::nullopt;
    target.push_back(isCopy ? 0 : known.value_or(-1));
    hasCopies |= isCopy;
  }
  auto rests = llvm::count(target, -1);
  bool fits = rests == 0 || (rests == 1 && !hasCopies);
  return fits ? std::optional(target) : std::nullopt;
}

/// All that the Squeeze drops is known to be of size 1: it cannot fail.
static bool dropsOnes(const CleanUpContext &cx, Operator squeeze) {
  const auto &given = cx.knownValues().state(squeeze.input(0)).shape;
  const auto &made = cx.knownValues().state(squeeze->getResult(0)).shape;
  return given && made && onesBeside(cx, *given, *made);
}

Value patterns::matchSqueezeView(const CleanUpContext &cx) {
  constexpr int copiesZeros = 5; // since then a size of 0 copies a dimension
  Operator squeeze =
      cx.op.is("Unsqueeze") ? cx.producer(0, "Squeeze") : Operator();
  const auto &made = cx.knownValues().state(cx.op->getResult(0)).shape;
  if (!squeeze || !made || !dropsOnes(cx, squeeze) ||
      !mayStateIntegers(cx.op.getOperation()) || !cx.nodes.sinceOf("Squeeze") ||
      cx.nodes.sinceOf("Reshape").value_or(0) < copiesZeros)
    return {};
  Value x = squeeze.input(0);
  const auto &given = cx.knownValues().state(x).shape;
  for (bool drops : {true, false}) {
    auto axes =
        drops ? onesBeside(cx, *given, *made) : onesBeside(cx, *made, *given);
    if (axes && !axes->empty())
      return cx.isOnlyReader(0)
                 ? patterns::withAxes(cx,
                                      drops ? OperatorName("Squeeze")
                                            : OperatorName("Unsqueeze"),
                                      x, *axes)
                 : Value();
  }
  auto target = targetOfView(cx, *given, *made);
  if (!target || !cx.isOnlyReader(0))
    return {};
  return cx.nodes.create("Reshape", {x, cx.nodes.integers(*target)});
}

/// The only axis of a Squeeze or an Unsqueeze is the one along which the Gather
/// takes.
static bool isAlongGather(const CleanUpContext &cx, Operator gather) {
  auto axes = patterns::squeezedAxes(cx, cx.op);
  const auto &shape = cx.knownValues().state(gather.input(0)).shape;
  int64_t axis = gather.getInt("axis", 0);
  axis += axis < 0 && shape ? int64_t(shape->size()) : 0;
  return axes && shape && axes->size() == shape->size() && axes->count() == 1 &&
         axis == axes->find_first();
}

Value patterns::matchGatherView(const CleanUpContext &cx) {
  Operator gather = cx.producer(0, "Gather");
  Elements index = gather ? cx.constantOf(gather.input(1)) : Elements();
  int64_t rank = cx.op.is("Squeeze") ? 1 : 0;
  if (!index || index.rank() != rank || index.size() != 1 ||
      !mayStateIntegers(cx.op.getOperation()) || !cx.nodes.sinceOf("Gather") ||
      !isAlongGather(cx, gather) || !cx.isOnlyReader(0))
    return {};
  Value other =
      cx.nodes.constant(index.reshape(rank == 1 ? Shape{} : Shape{1}));
  return cx.nodes.create("Gather", {gather.input(0), other},
                         gather->getAttrs());
}
