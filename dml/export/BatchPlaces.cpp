//===- BatchPlaces.cpp - Samples that are found by their number -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Transformers read the mask of a sample by the sample's number: at
// number * tokens + token of the flat mask, or at (number, token). Such a place
// is one in the same sample, if it grows from each sample to the next by what a
// sample takes, and lies in the first sample for the first one.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/internal/FrontRule.h"
#include "onnxfold/dml/export/internal/Makers.h"
#include "onnxfold/dml/support/Probe.h"
#include <algorithm>

using namespace onnxfold;
using namespace onnxfold::dml;
using namespace mlir;

/// The only element of a constant.
static std::optional<int64_t> numberOf(Value value, BatchFront &graph) {
  std::optional<Shape> list = graph.ints(value);
  return list && list->size() == 1 ? std::optional((*list)[0]) : std::nullopt;
}

/// By how much every element grows from a sample to the next, whatever the
/// sample has; nothing if that is not known.
static std::optional<int64_t> stepOf(Value value, BatchFront &graph) {
  std::optional<SampledTensor> known = graph.tensor(value);
  if (!known)
    return std::nullopt;
  if (!known->samples)
    return 0;
  Operator op = makerOf(value);
  if (!op)
    return std::nullopt;
  if (op.is("Range"))
    return numberOf(op.input(0), graph) ? numberOf(op.input(2), graph)
                                        : std::nullopt;
  // Other types do not have the numbers of all samples.
  bool isWide = op.is("Cast") && op.getInt("to", 0) == int64_t(DataType::Int64);
  if (isWide ||
      op.isAny({"Expand", "Identity", "Reshape", "Squeeze", "Unsqueeze"}))
    return stepOf(op.input(0), graph);
  if (!op.isAny({"Add", "Mul", "Sub"}))
    return std::nullopt;
  std::optional<int64_t> a = stepOf(op.input(0), graph),
                         b = stepOf(op.input(1), graph);
  if (!a || !b)
    return std::nullopt;
  if (op.is("Add"))
    return *a + *b;
  if (op.is("Sub"))
    return *a - *b;
  std::optional<int64_t> factor = numberOf(op.input(*a == 0 ? 0 : 1), graph);
  if (!factor)
    return std::nullopt;
  return *factor * (*a == 0 ? *b : *a);
}

/// What Shape gives for a batch of one sample.
static Elements sizesOfFirst(Operator op, BatchFront &graph) {
  std::optional<SampledTensor> known = graph.tensor(op.input(0));
  if (!known)
    return {};
  auto bound = [&](StringRef name, int64_t byDefault) {
    int64_t at = op.getInt(name, byDefault);
    return std::clamp<int64_t>(at < 0 ? at + known->rank() : at, 0,
                               known->rank());
  };
  int64_t start = bound("start", 0), end = bound("end", known->rank());
  ArrayRef<int64_t> dims = ArrayRef<int64_t>(known->dims)
                               .slice(start, std::max(end - start, int64_t(0)));
  return Elements::fromValues<int64_t>({int64_t(dims.size())}, dims);
}

/// The value of the first sample, for a batch of one; null if it is not known
/// before a run.
static Elements valueOfFirst(Value value, BatchFront &graph) {
  if (Elements constant = constantOf(value))
    return constant;
  Operator op = makerOf(value);
  if (!op || op->getNumRegions() != 0)
    return {};
  if (op.is("Shape"))
    return sizesOfFirst(op, graph);
  if (op.is("Range")) {
    std::optional<SampledTensor> known = graph.tensor(value);
    std::optional<int64_t> start = numberOf(op.input(0), graph);
    bool isOfSamples = known && known->samples && known->samples->areRows();
    return start && isOfSamples ? Elements::fromValues<int64_t>({1}, {*start})
                                : Elements();
  }
  if (!op.isAny({"Add", "Cast", "Concat", "Expand", "Identity", "Mul",
                 "Reshape", "Squeeze", "Sub", "Unsqueeze"}))
    return {};
  std::vector<Elements> inputs;
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    inputs.push_back(op.hasInput(i) ? valueOfFirst(op.input(i), graph)
                                    : Elements());
    if (op.hasInput(i) && !inputs.back())
      return {};
  }
  ReasonOr<Elements> made = probed(op, inputs);
  return made ? *made : Elements();
}

/// Places of the first sample as a constant, if they are below `size`, and grow
/// by `step` from a sample to the next. `dims`: theirs.
static Value placesInSample(Value index, int64_t step, int64_t size,
                            Shape &dims, BatchFront &graph) {
  if (stepOf(index, graph) != step)
    return {};
  Elements first = valueOfFirst(index, graph);
  if (!first || first.type() != DataType::Int64)
    return {};
  SmallVector<int64_t> places = first.ints();
  if (!llvm::all_of(places, [=](int64_t at) { return at >= 0 && at < size; }))
    return {};
  dims = Shape(first.shape());
  return graph.node("Reshape", {graph.constant(places), graph.constant(dims)});
}

/// Places in each sample that the sample itself has, such as that of its last
/// step, where the model adds the number of the sample times `size`. One that
/// is in a sample before becomes one that is out of range.
static Value ownPlaces(Value index, int64_t size, Shape &dims,
                       BatchFront &graph) {
  Operator sum = makerOf(index);
  for (unsigned i : {0u, 1u}) {
    if (!sum || !sum.is("Add"))
      continue;
    Value mine = sum.input(1 - i);
    std::optional<SampledTensor> own = graph.tensor(mine);
    Shape offsets;
    Value first = placesInSample(sum.input(i), size, size, offsets, graph);
    if (!first || countOf(offsets) != 1 || !own || !own->samples ||
        own->samples->each() != 1 || own->rank() < int64_t(offsets.size()))
      continue;
    dims = own->dims;
    Value place = graph.node("Add", {graph.front(mine), first});
    Value isBefore = graph.node("Less", {place, graph.constant({0})});
    return graph.node("Where", {isBefore, graph.constant({size}), place});
  }
  return {};
}

/// Of a tensor whose dimension 0 has `size` rows of each sample.
static bool gatherOwnPlaces(FrontRule &rule, int64_t size) {
  const SampledTensor &x = rule.first(), &index = *rule.inputs[1];
  constexpr int64_t hasElements = 11;
  if (x.samples->axis != 0 || rule.op.since() < hasElements)
    return false;
  Shape made;
  Value places = ownPlaces(rule.op.input(1), size, made, rule.graph);
  if (!places || made != index.dims)
    return false;
  ArrayRef<int64_t> rest = ArrayRef<int64_t>(x.dims).drop_front();
  int64_t each = countOf(made), inner = countOf(rest);
  Value rows =
      rule.graph.shaped(rule.graph.front(rule.op.input(0)), {size, inner});
  Value all =
      rule.graph.node("Expand", {rule.graph.shaped(places, {each, 1}),
                                 rule.graph.constant({1, each, inner})});
  Value found = rule.graph.node("GatherElements", {rows, all},
                                rule.graph.attribute("axis", int64_t(1)));
  llvm::append_range(made, rest);
  rule.graph.give(rule.op, 0, rule.graph.shaped(found, made),
                  {SamplePlace{index.samples->axis}, made});
  return true;
}

bool dml::frontGatherOfSamples(FrontRule &rule) {
  const SampledTensor &x = rule.first(), &index = *rule.inputs[1];
  int64_t axis = rule.op.getInt("axis", 0);
  if ((axis < 0 ? axis + x.rank() : axis) != x.samples->axis ||
      x.samples->before != 1 || !index.samples || index.samples->each() != 1)
    return false;
  Shape dims;
  int64_t size = x.samples->after;
  Value places = placesInSample(rule.op.input(1), size, size, dims, rule.graph);
  if (!places)
    return gatherOwnPlaces(rule, size);
  if (dims != index.dims)
    return false;
  Value found =
      rule.graph.node("Gather", {rule.graph.front(rule.op.input(0)), places},
                      rule.graph.attribute("axis", x.samples->axis + 1));
  Shape made(ArrayRef<int64_t>(x.dims).take_front(x.samples->axis));
  llvm::append_range(made, dims);
  llvm::append_range(made,
                     ArrayRef<int64_t>(x.dims).drop_front(x.samples->axis + 1));
  rule.graph.give(rule.op, 0, found,
                  {SamplePlace{x.samples->axis + index.samples->axis}, made});
  return true;
}

/// At (number of the sample, place in it).
bool dml::frontGatherND(FrontRule &rule) {
  const SampledTensor &x = rule.first(), &index = *rule.inputs[1];
  Operator pair = makerOf(rule.op.input(1));
  if (rule.op.getInt("batch_dims", 0) != 0 || !x.samples ||
      !x.samples->areRows() || x.rank() < 2 || !index.samples ||
      index.samples->each() != 1 || !pair || !pair.is("Concat") ||
      pair.numInputs() != 2 || index.dims.back() != 2)
    return false;
  int64_t axis = pair.getInt("axis", 0);
  if (axis != -1 && axis != index.rank() - 1)
    return false;
  Shape dims, numbers;
  Value places = placesInSample(pair.input(1), 0, x.dims[1], dims, rule.graph);
  if (!places || !placesInSample(pair.input(0), 1, 1, numbers, rule.graph) ||
      dims != numbers || dims.back() != 1)
    return false;
  Value found =
      rule.graph.node("Gather", {rule.graph.front(rule.op.input(0)), places},
                      rule.graph.attribute("axis", int64_t(2)));
  Shape made(ArrayRef<int64_t>(dims).drop_back());
  llvm::append_range(made, ArrayRef<int64_t>(x.dims).drop_front(2));
  rule.graph.give(rule.op, 0, rule.graph.shaped(found, made),
                  {SamplePlace{index.samples->axis}, made});
  return true;
}
