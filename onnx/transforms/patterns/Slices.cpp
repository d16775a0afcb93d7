//===- Slices.cpp - Slices of slices, and joins of joins ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// The elements that a Slice with constant bounds takes along an axis.
struct Range {
  int64_t axis, start, end, step;
};
using Ranges = SmallVector<Range, 4>;

} // namespace

/// One for each axis that it cuts, in its order.
static std::optional<Ranges> rangesOf(const CleanUpContext &cx, Operator op) {
  constexpr int asInputs = 10;
  const auto &shape = cx.knownValues().state(op.input(0)).shape;
  if (!op.is("Slice") || op.since() < asInputs || !shape)
    return std::nullopt;
  SmallVector<int64_t> lists[4];
  for (unsigned i = 0; i < 4; ++i) {
    Elements list = cx.constantOf(op.input(i + 1));
    if (!list && (i < 2 || op.hasInput(i + 1)))
      return std::nullopt;
    if (list)
      lists[i] = list.ints();
    else
      for (size_t at = 0; at < lists[0].size(); ++at)
        lists[i].push_back(i == 2 ? at : 1);
    if (lists[i].size() != lists[0].size())
      return std::nullopt;
  }
  Ranges ranges;
  llvm::BitVector axes(shape->size());
  for (auto [start, end, axis, step] :
       llvm::zip(lists[0], lists[1], lists[2], lists[3])) {
    int64_t at = axis + (axis < 0 ? shape->size() : 0);
    if (at < 0 || at >= int64_t(shape->size()) || axes.test(at) || step == 0)
      return std::nullopt;
    axes.set(at);
    ranges.push_back({at, start, end, step});
  }
  return ranges;
}

/// A Slice that takes these.
static Value sliceOf(const CleanUpContext &cx, Value x, const Ranges &ranges) {
  auto list = [&](int64_t Range::*member) {
    return cx.nodes.integers(llvm::map_to_vector(
        ranges, [&](const Range &range) { return range.*member; }));
  };
  SmallVector<Value, 5> inputs{x, list(&Range::start), list(&Range::end),
                               list(&Range::axis)};
  if (llvm::any_of(ranges, [](const Range &range) { return range.step != 1; }))
    inputs.push_back(list(&Range::step));
  return cx.nodes.create("Slice", inputs);
}

//===----------------------------------------------------------------------===//
// A Slice of a Slice
//===----------------------------------------------------------------------===//

/// Dimensions are smaller (DimExprs.h).
static bool isToTheEnd(int64_t end) {
  return end >= std::numeric_limits<int32_t>::max();
}

/// `outer` of what `inner` takes of a dimension of a known size.
static Range composeKnown(const Range &inner, const Range &outer,
                          int64_t size) {
  SliceRange first = sliceRange(size, inner.start, inner.end, inner.step);
  SliceRange then = sliceRange(first.size, outer.start, outer.end, outer.step);
  if (then.size == 0)
    return {inner.axis, 0, 0, 1};
  int64_t step = then.size == 1 ? 1 : first.step * then.step;
  int64_t start = first.start + then.start * first.step;
  int64_t end = start + (then.size - 1) * step + (step > 0 ? 1 : -1);
  // The place before the first: -1 would be the last.
  constexpr int64_t beforeAll = std::numeric_limits<int64_t>::min();
  return {inner.axis, start, end < 0 ? beforeAll : end, step};
}

/// The same, of any size. Of two bounds that both count from the start the
/// nearer one holds, and so of two that count from the end; which of one of
/// each is nearer depends on the size. Starts beyond it are empty in both.
static std::optional<Range> composeAny(const Range &inner, const Range &outer) {
  if (inner.start < 0 || outer.start < 0 || inner.step < 0 || outer.step < 0)
    return std::nullopt;
  Range both = inner;
  int64_t ahead;
  if (llvm::MulOverflow(outer.start, inner.step, ahead) ||
      llvm::AddOverflow(inner.start, ahead, both.start) ||
      llvm::MulOverflow(inner.step, outer.step, both.step))
    return std::nullopt;
  if (inner.end >= 0 && outer.end >= 0) {
    // The inner one takes #i where start + i * step < end.
    int64_t end;
    if (!llvm::MulOverflow(outer.end, inner.step, ahead) &&
        !llvm::AddOverflow(inner.start, ahead, end))
      both.end = std::min(inner.end, end);
    return both;
  }
  auto fromEnd = [](int64_t end) { return end < 0 || isToTheEnd(end); };
  if (inner.step != 1 || !fromEnd(inner.end) || !fromEnd(outer.end) ||
      llvm::AddOverflow(std::min<int64_t>(inner.end, 0),
                        std::min<int64_t>(outer.end, 0), both.end))
    return std::nullopt;
  return both;
}

/// Both as one Slice of the first one's input; nothing if there is none.
static std::optional<Ranges> compose(const CleanUpContext &cx, Value x,
                                     const Ranges &inner, const Ranges &outer) {
  const auto &shape = cx.knownValues().state(x).shape;
  Ranges all = inner;
  for (const Range &range : outer) {
    auto same = llvm::find_if(
        all, [&](const Range &other) { return other.axis == range.axis; });
    if (same == all.end()) {
      all.push_back(range);
      continue;
    }
    auto size = cx.knownValues().exprs().valueOf((*shape)[range.axis]);
    auto both =
        size ? composeKnown(*same, range, *size) : composeAny(*same, range);
    if (!both)
      return std::nullopt;
    *same = *both;
  }
  return all;
}

Value patterns::matchSliceChain(const CleanUpContext &cx) {
  Operator first = cx.op.is("Slice") ? cx.producer(0, "Slice") : Operator();
  if (!first || !cx.nodes.sinceOf("Slice"))
    return {};
  auto inner = rangesOf(cx, first);
  auto outer = inner ? rangesOf(cx, cx.op) : std::nullopt;
  auto all = outer ? compose(cx, first.input(0), *inner, *outer) : std::nullopt;
  if (!all || !cx.isOnlyReader(0))
    return {};
  return sliceOf(cx, first.input(0), *all);
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

/// The axis of a Concat, counted from 0.
static std::optional<int64_t> axisOf(const CleanUpContext &cx, Operator op) {
  int64_t axis = op.getInt("axis", 1);
  if (axis >= 0)
    return axis;
  const auto &shape = cx.knownValues().state(op->getResult(0)).shape;
  return shape ? std::optional<int64_t>(axis + shape->size()) : std::nullopt;
}

Value patterns::matchConcatChain(const CleanUpContext &cx) {
  // Every node of a chain of n is made anew with all that is before it.
  constexpr unsigned mostInner = 256;
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

namespace {

/// An operand of a Concat, and what lies before it.
struct Part {
  Value value;
  int64_t begin = 0;
  std::optional<int64_t> size;
  bool isLast = false;

  /// Whatever its size is, there is nothing behind the last one.
  bool has(int64_t start, int64_t end) const {
    return start >= begin && start < end &&
           (isLast || (size && end <= begin + *size));
  }
};

} // namespace

/// The operand that all of [start, end) lies in.
static std::optional<Part> partOf(const CleanUpContext &cx, Operator join,
                                  int64_t axis, int64_t start, int64_t end) {
  Part part;
  for (unsigned i = 0; i < join.numInputs() && part.begin <= start; ++i) {
    part.value = join.input(i);
    const auto &shape = cx.knownValues().state(part.value).shape;
    if (!shape || axis >= int64_t(shape->size()))
      return std::nullopt;
    part.size = cx.knownValues().exprs().valueOf((*shape)[axis]);
    part.isLast = i + 1 == join.numInputs();
    if (part.has(start, end))
      return part;
    if (!part.size)
      return std::nullopt;
    part.begin += *part.size;
  }
  return std::nullopt;
}

Value patterns::matchSliceOfConcat(const CleanUpContext &cx) {
  Operator join = cx.op.is("Slice") ? cx.producer(0, "Concat") : Operator();
  auto axis = join ? axisOf(cx, join) : std::nullopt;
  auto ranges = axis ? rangesOf(cx, cx.op) : std::nullopt;
  if (!ranges || ranges->size() != 1 || ranges->front().axis != *axis)
    return {};
  Range range = ranges->front();
  auto part = range.step == 1 ? partOf(cx, join, *axis, range.start, range.end)
                              : std::nullopt;
  if (!part || part->begin != range.start ||
      cx.typeOf(part->value) != cx.typeOf(cx.op->getResult(0)))
    return {};
  bool isAll = (part->size && range.end == part->begin + *part->size) ||
               (part->isLast && isToTheEnd(range.end));
  return isAll ? part->value : Value();
}

/// A Slice of one operand alone.
static Value sliceOfPart(const CleanUpContext &cx, Operator join,
                         int64_t axis) {
  auto ranges = rangesOf(cx, cx.op);
  auto range =
      ranges ? llvm::find_if(*ranges,
                             [&](const Range &one) { return one.axis == axis; })
             : nullptr;
  if (!ranges || range == ranges->end() || range->step < 1)
    return {};
  auto part = partOf(cx, join, axis, range->start, range->end);
  if (!part || !cx.isOnlyReader(0))
    return {};
  range->start -= part->begin;
  if (!isToTheEnd(range->end))
    range->end -= part->begin;
  return sliceOf(cx, part->value, *ranges);
}

/// A Gather of one operand alone.
static Value gatherOfPart(const CleanUpContext &cx, Operator join,
                          int64_t axis) {
  constexpr int64_t most = 4096;
  Elements indices = cx.constant(1);
  const auto &shape = cx.knownValues().state(cx.op.input(0)).shape;
  int64_t along = cx.op.getInt("axis", 0);
  if (!shape || !indices || indices.size() == 0 || indices.size() > most ||
      along + (along < 0 ? int64_t(shape->size()) : 0) != axis)
    return {};
  SmallVector<int64_t> list = indices.ints();
  auto [least, largest] = std::minmax_element(list.begin(), list.end());
  if (*largest == std::numeric_limits<int64_t>::max())
    return {};
  auto part = partOf(cx, join, axis, *least, *largest + 1);
  if (!part || !cx.isOnlyReader(0))
    return {};
  Value places = cx.op.input(1);
  if (part->begin != 0) {
    for (int64_t &index : list)
      index -= part->begin;
    places = cx.nodes.constant(Elements::fromValues<int64_t>(
        indices.shape(), ArrayRef<int64_t>(list)));
  }
  return cx.nodes.create("Gather", {part->value, places}, cx.op->getAttrs());
}

Value patterns::matchPartOfConcat(const CleanUpContext &cx) {
  bool isGather = cx.op.is("Gather");
  if ((!isGather && !cx.op.is("Slice")) || !cx.nodes.sinceOf(cx.op.name()))
    return {};
  Operator join = cx.producer(0, "Concat");
  auto axis = join ? axisOf(cx, join) : std::nullopt;
  if (!axis)
    return {};
  return isGather ? gatherOfPart(cx, join, *axis)
                  : sliceOfPart(cx, join, *axis);
}

Value patterns::matchConcatOfSplit(const CleanUpContext &cx) {
  Operator split = cx.op.is("Concat") ? cx.producer(0, "Split") : Operator();
  if (!split || split.since() < 2 || cx.op.numInputs() != split.numOutputs() ||
      !llvm::equal(cx.op->getOperands(), split->getResults()))
    return {};
  const auto &shape = cx.knownValues().state(split.input(0)).shape;
  auto axis = axisOf(cx, cx.op);
  if (!shape || !axis)
    return {};
  int64_t from = split.getInt("axis", 0);
  return from + (from < 0 ? int64_t(shape->size()) : 0) == *axis
             ? split.input(0)
             : Value();
}
