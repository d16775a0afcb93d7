//===- BatchShapeRules.cpp - Shapes of tensors with the batch in front ----===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/internal/FrontRule.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using namespace mlir;

/// Where the samples of the same elements are in a tensor of another shape, one
/// of whose dimensions is open.
bool dml::frontReinterpretation(FrontRule &rule) {
  auto type =
      dyn_cast<RankedTensorType>(rule.graph.typeOf(rule.op->getResult(0)));
  if (!rule.isFirstAlone() || !type)
    return false;
  const SampledTensor &x = rule.first();
  ArrayRef<int64_t> dims = x.dims, shape = type.getShape();
  auto open = llvm::find(shape, ShapedType::kDynamic);
  if (open == shape.end() || llvm::count(shape, ShapedType::kDynamic) != 1)
    return false;
  SamplePlace samples{open - shape.begin()};
  int64_t before = countOf(dims.take_front(rule.at())) * x.samples->before,
          after = countOf(dims.drop_front(rule.at() + 1)) * x.samples->after,
          outer = countOf(shape.take_front(samples.axis)),
          inner = countOf(shape.drop_front(samples.axis + 1));
  if (outer == 0 || inner == 0 || before % outer != 0 || after % inner != 0)
    return false; // a dimension has a part of the samples
  samples.before = before / outer;
  samples.after = after / inner;
  Shape made(shape);
  made[samples.axis] = samples.each();
  rule.graph.give(rule.op, 0,
                  rule.graph.shaped(rule.graph.front(rule.op.input(0)), made),
                  {samples, made});
  return true;
}

bool dml::frontTranspose(FrontRule &rule) {
  SmallVector<int64_t> perm, moved = {0};
  if (auto given = rule.op.getInts("perm"))
    perm = *given;
  else
    perm = llvm::to_vector(
        llvm::reverse(llvm::seq<int64_t>(0, rule.first().rank())));
  for (int64_t axis : perm)
    moved.push_back(axis + 1);
  SamplePlace samples = *rule.first().samples;
  SampledTensor made;
  for (auto [i, axis] : llvm::enumerate(perm)) {
    made.dims.push_back(rule.first().dims[axis]);
    if (axis == rule.at())
      samples.axis = i;
  }
  made.samples = samples;
  Operator copied = rule.graph.copy(rule.op, rule.frontInputs(),
                                    rule.graph.attribute("perm", moved));
  rule.graph.give(rule.op, 0, copied->getResult(0), made);
  return true;
}

/// The one dimension of a result that is open, if it is the batch.
static std::optional<SamplePlace> openSamples(FrontRule &rule) {
  Value result = rule.op->getResult(0);
  std::optional<SampledTensor> made = rule.graph.tensor(result);
  return made ? made->samples : std::nullopt;
}

/// Expand and ConstantOfShape: of values that are the same for all samples, or
/// have the samples where the result has them.
bool dml::frontExpand(FrontRule &rule) {
  std::optional<SamplePlace> samples = openSamples(rule);
  bool isExpand = rule.op.is("Expand");
  if (!samples || (isExpand && rule.hasSamples(1)))
    return false;
  Shape dims = *rule.resultDims(0, *samples);
  SmallVector<Value> inputs(rule.op->getOperands());
  if (isExpand && rule.hasSamples(0)) {
    if (rule.first().rank() - rule.at() !=
            int64_t(dims.size()) - samples->axis ||
        rule.first().samples->each() != 1)
      return false;
    inputs[0] = rule.graph.front(inputs[0], dims.size());
    Shape all = {1}; // of each sample
    llvm::append_range(all, dims);
    inputs[1] = rule.graph.constant(all);
  } else if (isExpand) {
    int64_t own = rule.first().rank() - (int64_t(dims.size()) - samples->axis);
    if (own >= 0 && rule.first().dims[own] != 1)
      return false; // another value for each sample
    inputs[1] = rule.graph.sizesWithBatch({}, 1, dims);
  } else {
    inputs[0] = rule.graph.sizesWithBatch({}, 1, dims);
  }
  return frontGiveAll(rule, rule.graph.copy(rule.op, inputs), *samples);
}

bool dml::frontShape(FrontRule &rule) {
  const SampledTensor &x = rule.first();
  int64_t rank = x.rank(), start = rule.op.getInt("start", 0),
          end = rule.op.getInt("end", rank);
  start = std::clamp<int64_t>(start < 0 ? start + rank : start, 0, rank);
  end = std::clamp<int64_t>(end < 0 ? end + rank : end, 0, rank);
  if (rule.at() < start || rule.at() >= end)
    return false; // it is a constant
  ArrayRef<int64_t> dims = x.dims;
  rule.graph.replace(rule.op, 0,
                     rule.graph.sizesWithBatch(
                         dims.slice(start, rule.at() - start),
                         x.samples->each(),
                         dims.slice(rule.at() + 1, end - rule.at() - 1)));
  return true;
}
