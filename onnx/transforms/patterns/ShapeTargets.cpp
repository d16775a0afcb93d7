//===- ShapeTargets.cpp - Shapes that are constant after all --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/ShapeTargets.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace onnxfold;
using namespace mlir;

/// The elements of a list that is known in part; nothing if it is a constant.
static std::optional<std::vector<DimExpr>>
symbolsOf(Value list, const Evaluation &evaluation) {
  if (!list)
    return std::nullopt;
  const ValueState &state = evaluation.state(list);
  if (!state.isSymbolic() || state.value.rank() != 1)
    return std::nullopt;
  return state.value.values<DimExpr>();
}

/// A dimension that is never 0.
static bool isNeverEmpty(DimExpr size, const DimExprs &exprs) {
  return exprs.rangeOf(size).least > 0;
}

/// The number that a rest of a Reshape is, and that can be written instead of
/// it, so that size #`computed` becomes the rest: x.view(b, -1, h, d). If that
/// size is 0 the rest is refused before and after, unless the 0 is a copy.
static std::optional<int64_t> numberOfRest(Operator reshape, size_t asked,
                                           size_t computed, DimExpr size,
                                           const Evaluation &evaluation,
                                           bool assumeNoneEmpty) {
  const DimExprs &exprs = evaluation.exprs();
  const auto &given = evaluation.state(reshape.input(0)).shape;
  const auto &made = evaluation.state(reshape->getResult(0)).shape;
  bool mayCopy = reshape.getInt("allowzero", 0) == 0 &&
                 !isNeverEmpty(size, exprs) &&
                 (!given || computed < given->size());
  if (!made || asked >= made->size() || exprs.rangeOf(size).least < 0 ||
      (mayCopy && !assumeNoneEmpty))
    return std::nullopt;
  std::optional<int64_t> rest = exprs.valueOf((*made)[asked]);
  return rest && *rest > 0 ? rest : std::nullopt;
}

std::optional<ConstantList>
onnxfold::constantReshapeTarget(Operator reshape, const Evaluation &evaluation,
                                bool assumeNoneEmpty) {
  const DimExprs &exprs = evaluation.exprs();
  auto target = symbolsOf(reshape.input(1), evaluation);
  if (reshape.since() < 5 || !target)
    return std::nullopt;
  const auto &given = evaluation.state(reshape.input(0)).shape;
  bool zeroCopies = reshape.getInt("allowzero", 0) == 0;
  ConstantList result;
  std::optional<size_t> asked, computed; // the rest, and what may become it
  bool mayBeEmpty = false;
  for (auto [i, size] : llvm::enumerate(*target)) {
    std::optional<int64_t> value = exprs.valueOf(size);
    bool hasPlace = given && i < given->size();
    bool isCopy = hasPlace && !value && (*given)[i] == size;
    if (value == 0 && !zeroCopies)
      return std::nullopt; // no number says so without allowzero
    if (isCopy || value == 0) {
      result.push_back(0);
      mayBeEmpty |= !hasPlace || !isNeverEmpty((*given)[i], exprs);
      continue;
    }
    result.push_back(value.value_or(-1));
    if (value && *value != -1)
      continue;
    std::optional<size_t> &rest = value ? asked : computed;
    if (rest)
      return std::nullopt;
    rest = i;
  }
  // A rest that is asked for already is refused in the same cases.
  if (computed && !asked && mayBeEmpty && !assumeNoneEmpty)
    return std::nullopt;
  if (!asked || !computed)
    return result;
  auto number = numberOfRest(reshape, *asked, *computed, (*target)[*computed],
                             evaluation, assumeNoneEmpty);
  if (!number)
    return std::nullopt;
  result[*asked] = *number;
  return result;
}

std::optional<ConstantList>
onnxfold::constantExpandTarget(Operator expand, const Evaluation &evaluation) {
  const DimExprs &exprs = evaluation.exprs();
  auto target = symbolsOf(expand.input(1), evaluation);
  const auto &given = evaluation.state(expand.input(0)).shape;
  if (!target || !given)
    return std::nullopt;
  ConstantList result;
  for (auto [i, size] : llvm::enumerate(*target)) {
    size_t fromEnd = target->size() - i;
    bool isThere =
        fromEnd <= given->size() && (*given)[given->size() - fromEnd] == size;
    std::optional<int64_t> value = exprs.valueOf(size);
    if (!value && !isThere)
      return std::nullopt;
    result.push_back(value.value_or(1));
  }
  return result;
}

/// The integers of an optional input; nothing if they are not known.
static std::optional<ConstantList> constantsOf(Value list, size_t count,
                                               bool isAxes,
                                               const Evaluation &evaluation) {
  ConstantList result;
  if (!list) {
    for (size_t i = 0; i < count; ++i)
      result.push_back(isAxes ? i : 1);
    return result;
  }
  const ValueState &state = evaluation.state(list);
  if (!state.isConstant() || !isInteger(state.type) ||
      state.value.size() != int64_t(count))
    return std::nullopt;
  return ConstantList(state.value.ints());
}

std::optional<ConstantList>
onnxfold::constantSliceEnds(Operator slice, const Evaluation &evaluation) {
  const DimExprs &exprs = evaluation.exprs();
  if (slice.since() < 10)
    return std::nullopt;
  auto ends = symbolsOf(slice.input(2), evaluation);
  const auto &given = evaluation.state(slice.input(0)).shape;
  if (!ends || !given)
    return std::nullopt;
  auto axes = constantsOf(slice.input(3), ends->size(), true, evaluation);
  auto steps = constantsOf(slice.input(4), ends->size(), false, evaluation);
  if (!axes || !steps)
    return std::nullopt;
  ConstantList result;
  for (auto [i, end] : llvm::enumerate(*ends)) {
    int64_t axis = (*axes)[i];
    axis += axis < 0 ? given->size() : 0;
    if (std::optional<int64_t> value = exprs.valueOf(end)) {
      result.push_back(*value);
      continue;
    }
    if (axis < 0 || axis >= int64_t(given->size()) || (*steps)[i] <= 0)
      return std::nullopt;
    DimExpr size = (*given)[axis];
    if (end != size && exprs.rangeOf(end).least < exprs.rangeOf(size).most)
      return std::nullopt;
    // The largest number of a narrower type does as well.
    bool isNarrow = evaluation.state(slice.input(2)).type == DataType::Int32;
    result.push_back(isNarrow ? std::numeric_limits<int32_t>::max()
                              : std::numeric_limits<int64_t>::max());
  }
  return result;
}
