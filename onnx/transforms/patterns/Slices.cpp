//===- Slices.cpp - Slices of slices, and joins of joins ------------------===//

#include "onnxfold/onnx/transforms/CleanUpPatterns.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// What a Slice with constant bounds takes.
struct Bounds {
  SmallVector<int64_t> starts, ends, axes, steps;
};

} // namespace

static std::optional<Bounds> boundsOf(const CleanUpContext &cx, Operator op) {
  constexpr int asInputs = 10;
  const auto &shape = cx.facts().fact(op.input(0)).shape;
  if (!op.is("Slice") || op.since() < asInputs || !shape)
    return std::nullopt;
  Elements lists[4];
  for (unsigned i = 0; i < 4; ++i) {
    lists[i] = cx.constantOf(op.input(i + 1));
    if (!lists[i] && (i < 2 || op.hasInput(i + 1)))
      return std::nullopt;
  }
  Bounds bounds{lists[0].ints(), lists[1].ints(), {}, {}};
  size_t count = bounds.starts.size();
  bounds.axes = lists[2] ? lists[2].ints()
                         : llvm::to_vector(llvm::seq<int64_t>(0, count));
  bounds.steps = lists[3] ? lists[3].ints() : SmallVector<int64_t>(count, 1);
  if (bounds.ends.size() != count || bounds.axes.size() != count ||
      bounds.steps.size() != count)
    return std::nullopt;
  for (int64_t &axis : bounds.axes) {
    axis += axis < 0 ? shape->size() : 0;
    if (axis < 0 || axis >= int64_t(shape->size()))
      return std::nullopt;
  }
  return bounds;
}

Value patterns::matchSliceChain(const CleanUpContext &cx) {
  Operator first = cx.op.is("Slice") ? cx.producer(0, "Slice") : Operator();
  if (!first || !cx.nodes.sinceOf("Slice"))
    return {};
  auto inner = boundsOf(cx, first);
  auto outer = inner ? boundsOf(cx, cx.op) : std::nullopt;
  if (!outer ||
      llvm::any_of(outer->axes,
                   [&](int64_t axis) {
                     return llvm::is_contained(inner->axes, axis);
                   }) ||
      !cx.isOnlyReader(0))
    return {};
  inner->starts.append(outer->starts);
  inner->ends.append(outer->ends);
  inner->axes.append(outer->axes);
  inner->steps.append(outer->steps);
  NodeBuilder &nodes = cx.nodes;
  SmallVector<Value, 5> inputs{first.input(0), nodes.integers(inner->starts),
                               nodes.integers(inner->ends),
                               nodes.integers(inner->axes)};
  if (llvm::any_of(inner->steps, [](int64_t step) { return step != 1; }))
    inputs.push_back(nodes.integers(inner->steps));
  return nodes.create("Slice", inputs);
}

/// The axis of a Concat, counted from 0.
static std::optional<int64_t> axisOf(const CleanUpContext &cx, Operator op) {
  int64_t axis = op.getInt("axis", 1);
  if (axis >= 0)
    return axis;
  const auto &shape = cx.facts().fact(op->getResult(0)).shape;
  return shape ? std::optional<int64_t>(axis + shape->size()) : std::nullopt;
}

Value patterns::matchConcatChain(const CleanUpContext &cx) {
  // Of a chain of n every node would be made anew with all that is before it.
  constexpr unsigned mostInner = 32;
  if (!cx.op.is("Concat") || !cx.nodes.sinceOf("Concat"))
    return {};
  auto axis = axisOf(cx, cx.op);
  SmallVector<Value> parts;
  bool changes = false;
  for (unsigned i = 0; axis && i < cx.op.numInputs(); ++i) {
    Operator inner = cx.producer(i, "Concat");
    if (inner && inner.numInputs() <= mostInner && axisOf(cx, inner) == axis &&
        cx.isOnlyReader(i)) {
      llvm::append_range(parts, inner->getOperands());
      changes = true;
    } else {
      parts.push_back(cx.op->getOperand(i));
    }
  }
  return changes ? cx.nodes.create("Concat", parts, cx.op->getAttrs())
                 : Value();
}
