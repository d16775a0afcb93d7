//===- ShapeRules.cpp - Rules of operators that move elements -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// See SampleRules.cpp. Row-major order is what counts for a Reshape: the samples
// stay together if as many elements are before them as in the operand.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/batch/internal/SampleRule.h"

using namespace onnxfold;
using namespace mlir;

std::string onnxfold::ruleOfTranspose(SampleRule &rule) {
  std::optional<int64_t> rank = rule.rank(0);
  if (!rank)
    return rule.unknownShape(0);
  BatchAxis at = *rule.at(0);
  auto perm = rule.op.getInts("perm");
  for (int64_t axis = 0; axis < *rank; ++axis)
    if ((perm ? (*perm)[axis] : *rank - 1 - axis) == at.axis) {
      rule.give(0, {axis, at.factor});
      return "";
    }
  return rule.mixes("has a wrong permutation");
}

/// The number of elements; nothing if a size is not known.
static std::optional<int64_t> product(ShapeRef sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) {
    if (size < 0)
      return std::nullopt;
    count *= size;
  }
  return count;
}

/// The axis of the result of a Reshape that has the samples first.
static std::optional<BatchAxis> axisAfter(ShapeRef before, ShapeRef after,
                                          BatchAxis at, int64_t batch) {
  std::optional<int64_t> outer = product(before.take_front(at.axis));
  std::optional<int64_t> inner = product(before.drop_front(at.axis + 1));
  for (int64_t axis = 0; outer && axis < int64_t(after.size()); ++axis) {
    if (product(after.take_front(axis)) != outer)
      continue;
    int64_t size = after[axis];
    bool isWhole = size > 0 && size % batch == 0;
    // Before unknown sizes only the same size is known to be the samples.
    if (isWhole && size == batch * at.factor)
      return BatchAxis{axis, at.factor};
    if (isWhole && inner && product(after.drop_front(axis + 1)))
      return BatchAxis{axis, size / batch};
  }
  return std::nullopt;
}

/// -1 stands for the samples, and what was -1 is a number now.
static std::string openTarget(SampleRule &rule, ShapeRef after, BatchAxis at,
                              BatchAxis then) {
  std::optional<Shape> target = rule.flow.knownInts(rule.op.input(1));
  if (!target || target->size() != after.size())
    return rule.mixes("has a target that is not known");
  bool keepsZero = rule.op.getInt("allowzero", 0) != 0;
  auto copiesSamples = [&](int64_t axis) {
    return axis == at.axis && !keepsZero && (*target)[axis] == 0;
  };
  int64_t &size = (*target)[then.axis];
  bool copiesElsewhere = then.axis != at.axis &&
                         at.axis < int64_t(after.size()) &&
                         copiesSamples(at.axis);
  if ((size == -1 && !copiesElsewhere) ||
      (then == at && copiesSamples(at.axis)))
    return "";
  bool isOpen = false;
  for (int64_t axis = 0; axis < int64_t(after.size()); ++axis) {
    int64_t &other = (*target)[axis];
    if (axis == then.axis || (other != -1 && !copiesSamples(axis)))
      continue;
    isOpen |= after[axis] < 0;
    if (after[axis] >= 0)
      other = after[axis];
  }
  bool isEmpty = llvm::is_contained(after, 0);
  if (!isOpen && !isEmpty)
    size = -1;
  else if (!keepsZero && then == at)
    size = 0;
  else
    return rule.mixes("has a target with two open sizes");
  rule.flow.setInts(rule.op, 1, *target);
  return "";
}

std::string onnxfold::ruleOfReshape(SampleRule &rule) {
  std::optional<Shape> before = rule.flow.shapeOf(rule.op.input(0));
  std::optional<Shape> after = rule.flow.shapeOf(rule.op->getResult(0));
  if (!before || !after)
    return rule.unknownShape(0);
  if (!rule.op.hasInput(1) || rule.at(1))
    return rule.mixes("has its target in an attribute (opset 5 has it in an "
                      "input: " +
                      setting("target-opset") + ")");
  BatchAxis at = *rule.at(0);
  std::optional<BatchAxis> then =
      axisAfter(*before, *after, at, rule.flow.size());
  if (!then)
    return rule.mixes("does not keep the samples together");
  std::string why = openTarget(rule, *after, at, *then);
  if (why.empty())
    rule.give(0, *then);
  return why;
}

std::string onnxfold::ruleOfFlatten(SampleRule &rule) {
  std::optional<Shape> shape = rule.flow.shapeOf(rule.op.input(0));
  std::optional<int64_t> axis = rule.axis("axis", 1);
  if (!shape || !axis)
    return rule.unknownShape(0);
  BatchAxis at = *rule.at(0);
  bool isRow = at.axis < *axis;
  int64_t first = isRow ? 0 : *axis;
  int64_t last = isRow ? *axis : int64_t(shape->size());
  std::optional<int64_t> outer =
      product(ShapeRef(*shape).slice(first, at.axis - first));
  std::optional<int64_t> inner =
      product(ShapeRef(*shape).slice(at.axis + 1, last - at.axis - 1));
  if (outer != 1 || !inner)
    return rule.mixes("does not keep the samples together");
  rule.give(0, {isRow ? 0 : 1, at.factor * *inner});
  return "";
}

std::string onnxfold::ruleOfSqueeze(SampleRule &rule) {
  std::optional<int64_t> rank = rule.rank(0);
  std::optional<Shape> axes = rule.ints("axes", 1);
  if (!rank || !axes || axes->empty())
    return rule.mixes("has axes that are not known, or takes all of size 1");
  BatchAxis at = *rule.at(0);
  int64_t before = 0;
  for (int64_t axis : *axes) {
    axis = axis < 0 ? axis + *rank : axis;
    if (axis == at.axis)
      return rule.mixes("takes away the dimension of the samples");
    before += axis < at.axis;
  }
  rule.give(0, {at.axis - before, at.factor});
  return "";
}

std::string onnxfold::ruleOfUnsqueeze(SampleRule &rule) {
  std::optional<int64_t> rank = rule.rank(0);
  std::optional<Shape> axes = rule.ints("axes", 1);
  if (!rank || !axes)
    return rule.mixes("has axes that are not known");
  int64_t after = *rank + axes->size();
  for (int64_t &axis : *axes)
    axis = axis < 0 ? axis + after : axis;
  llvm::sort(*axes);
  BatchAxis at = *rule.at(0);
  for (int64_t axis : *axes)
    at.axis += axis <= at.axis;
  rule.give(0, at);
  return "";
}

/// Size 1 of a target leaves that of the operand.
std::string onnxfold::ruleOfExpand(SampleRule &rule) {
  std::optional<Shape> shape = rule.flow.shapeOf(rule.op.input(0));
  std::optional<Shape> target = rule.flow.knownInts(rule.op.input(1));
  if (!shape || !target)
    return rule.mixes("has a shape that is not known");
  BatchAxis at = *rule.at(0);
  int64_t fromRight = int64_t(shape->size()) - at.axis;
  int64_t place = int64_t(target->size()) - fromRight;
  if (place >= 0 && (*target)[place] != 1) {
    if ((*target)[place] != rule.flow.size() * at.factor)
      return rule.mixes("repeats along the samples");
    (*target)[place] = 1;
    rule.flow.setInts(rule.op, 1, *target);
  }
  int64_t rank = std::max(shape->size(), target->size());
  rule.give(0, {rank - fromRight, at.factor});
  return "";
}

std::string onnxfold::ruleOfTile(SampleRule &rule) {
  std::optional<Shape> repeats = rule.op.since() < 6
                                     ? std::nullopt
                                     : rule.flow.knownInts(rule.op.input(1));
  BatchAxis at = *rule.at(0);
  if (!repeats || at.axis >= int64_t(repeats->size()))
    return rule.mixes("has repeats that are not known");
  if ((*repeats)[at.axis] != 1)
    return rule.mixes("repeats along the samples");
  rule.give(0, at);
  return "";
}

/// All samples, in their order: a later end than any is written for them.
static std::string sliceSamples(SampleRule &rule, size_t place, Shape starts,
                                Shape ends, const Shape &steps) {
  BatchAxis at = *rule.at(0);
  int64_t whole = rule.flow.size() * at.factor;
  constexpr int64_t farEnd = std::numeric_limits<int32_t>::max();
  bool isWhole = (starts[place] == 0 || starts[place] == -whole) &&
                 ends[place] >= whole &&
                 (place >= steps.size() || steps[place] == 1);
  if (!isWhole)
    return rule.mixes("takes a part of the samples");
  if ((starts[place] != 0 || ends[place] < farEnd) && rule.op.since() < 10)
    return rule.mixes("has its ends in attributes (opset 10 has them in "
                      "inputs: " +
                      setting("target-opset") + ")");
  if (ends[place] < farEnd) {
    ends[place] = farEnd;
    rule.flow.setInts(rule.op, 2, ends);
  }
  if (starts[place] != 0) {
    starts[place] = 0;
    rule.flow.setInts(rule.op, 1, starts);
  }
  return "";
}

std::string onnxfold::ruleOfSlice(SampleRule &rule) {
  bool isOld = rule.op.since() < 10;
  auto list = [&](StringRef name, unsigned i) {
    return rule.ints(name, isOld ? ~0u : i);
  };
  std::optional<Shape> starts = list("starts", 1), ends = list("ends", 2);
  std::optional<Shape> axes = list("axes", 3), steps = list("steps", 4);
  std::optional<int64_t> rank = rule.rank(0);
  if (!axes || !rank)
    return rule.mixes("has axes that are not known");
  size_t count = axes->size();
  if (axes->empty()) {
    if (!starts)
      return rule.mixes("has axes that are not known");
    for (count = 0; count < starts->size(); ++count)
      axes->push_back(count);
  }
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + *rank : (*axes)[i];
    if (axis != rule.at(0)->axis)
      continue;
    if (!starts || !ends || !steps || i >= starts->size() || i >= ends->size())
      return rule.mixes("has ends that are not known");
    if (std::string why = sliceSamples(rule, i, *starts, *ends, *steps);
        !why.empty())
      return why;
  }
  rule.give(0, *rule.at(0));
  return "";
}

std::string onnxfold::ruleOfPad(SampleRule &rule) {
  std::optional<int64_t> rank = rule.rank(0);
  std::optional<Shape> pads =
      rule.ints(rule.op.since() < 2 ? "paddings" : "pads", 1);
  bool hasAxes = rule.op.since() >= 18 && rule.op.hasInput(3);
  std::optional<Shape> axes = hasAxes ? rule.ints("axes", 3) : Shape();
  if (!rank || !pads || !axes || rule.at(2))
    return rule.mixes("has pads that are not known");
  size_t count = hasAxes ? axes->size() : *rank;
  if (pads->size() != 2 * count)
    return rule.mixes("has pads that are not known");
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = hasAxes ? (*axes)[i] : int64_t(i);
    axis = axis < 0 ? axis + *rank : axis;
    if (axis == rule.at(0)->axis && ((*pads)[i] || (*pads)[i + count]))
      return rule.mixes("adds to the samples");
  }
  rule.give(0, *rule.at(0));
  return "";
}

std::string onnxfold::ruleOfGather(SampleRule &rule) {
  std::optional<int64_t> axis = rule.axis("axis", 0), indices = rule.rank(1);
  std::optional<BatchAxis> data = rule.at(0), places = rule.at(1);
  if (!axis || !indices)
    return rule.unknownShape(0);
  if (data && places)
    return rule.mixes("may take an element of another sample");
  if (places) {
    rule.give(0, {*axis + places->axis, places->factor});
    return "";
  }
  if (data->axis == *axis)
    return rule.mixes("takes a part of the samples");
  rule.give(0, {data->axis < *axis ? data->axis : data->axis - 1 + *indices,
                data->factor});
  return "";
}

std::string onnxfold::ruleOfGatherElements(SampleRule &rule) {
  if (rule.at(0) != rule.at(1) || rule.axis("axis", 0) == rule.at(0)->axis)
    return rule.mixes("may take an element of another sample");
  rule.give(0, *rule.at(0));
  return "";
}

std::string onnxfold::ruleOfGatherND(SampleRule &rule) {
  std::optional<BatchAxis> data = rule.at(0), places = rule.at(1);
  std::optional<int64_t> indices = rule.rank(1);
  int64_t batch = rule.op.getInt("batch_dims", 0);
  if (!indices)
    return rule.unknownShape(1);
  bool isOwn = data && data == places && data->axis < batch;
  bool isOfAll = !data && places && batch == 0 && places->axis < *indices - 1;
  if (!isOwn && !isOfAll)
    return rule.mixes("may take an element of another sample");
  rule.give(0, *places);
  return "";
}

std::string onnxfold::ruleOfScatterElements(SampleRule &rule) {
  BatchAxis at = *rule.at(0);
  if (rule.at(1) != at || rule.at(2) != at || rule.axis("axis", 0) == at.axis ||
      !rule.rank(0))
    return rule.mixes("may change an element of another sample");
  rule.give(0, at);
  return "";
}

std::string onnxfold::ruleOfOneHot(SampleRule &rule) {
  std::optional<int64_t> rank = rule.rank(0);
  if (!rank || rule.at(1) || rule.at(2))
    return rule.mixes("has indices of unknown rank, or samples in an input "
                      "other than #0");
  int64_t axis = rule.op.getInt("axis", -1);
  axis = axis < 0 ? axis + *rank + 1 : axis;
  BatchAxis at = *rule.at(0);
  rule.give(0, {at.axis + (axis <= at.axis), at.factor});
  return "";
}

/// The sizes are relative: scales stay, and sizes get that of the batch.
std::string onnxfold::ruleOfResize(SampleRule &rule) {
  std::optional<Shape> before = rule.flow.shapeOf(rule.op.input(0));
  std::optional<Shape> after = rule.flow.shapeOf(rule.op->getResult(0));
  BatchAxis at = *rule.at(0);
  auto mode = rule.op.getString("coordinate_transformation_mode", "");
  if (!before || !after || rule.op.has("axes") ||
      mode == "tf_crop_and_resize" || mode == "tf_half_pixel_for_nn")
    return rule.mixes("has a shape that is not known, axes, a region, or "
                      "coordinates that move in a dimension that stays");
  if ((*before)[at.axis] < 0 || (*before)[at.axis] != (*after)[at.axis])
    return rule.mixes("scales along the samples");
  bool isUpsample = rule.op.is("Upsample");
  unsigned scales = isUpsample || rule.op.since() < 11 ? 1 : 2;
  for (unsigned i = 1; i < rule.op.numInputs(); ++i)
    if (rule.at(i))
      return rule.mixes("reads samples in input #" + Twine(i));
  if (rule.op.hasInput(scales) || isUpsample) {
    Elements known = rule.op.hasInput(scales)
                         ? rule.flow.known(rule.op.input(scales))
                         : Elements();
    if (rule.op.hasInput(scales) && !known)
      return rule.mixes("has scales that are not known");
    if (known && known.size() != 0) {
      if (known.size() != int64_t(before->size()) ||
          !(known.number(at.axis) == WideNum::widen(1.0f)))
        return rule.mixes("scales along the samples");
      rule.give(0, at);
      return "";
    }
  }
  std::optional<Shape> sizes = rule.op.hasInput(3)
                                   ? rule.flow.knownInts(rule.op.input(3))
                                   : std::nullopt;
  if (!sizes || sizes->size() != before->size() || at.factor != 1)
    return rule.mixes("has scales or sizes that are not known");
  if (rule.op.getString("keep_aspect_ratio_policy", "stretch") != "stretch")
    return rule.mixes("keeps an aspect ratio");
  rule.flow.setOperand(rule.op, 3,
                       rule.flow.sizesWithBatch(rule.op, *sizes, at.axis));
  rule.give(0, at);
  return "";
}
