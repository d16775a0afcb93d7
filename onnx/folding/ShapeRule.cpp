//===- ShapeRule.cpp - A shape rule at one operator -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/internal/ShapeRule.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::StringRef;

/// The attribute of the node, or its default: one number, or a list.
static AttributeDefault integersOf(Operator op, StringRef name,
                                   const AttributeDefault &byDefault) {
  if (std::optional<int64_t> number = op.getInt(name))
    return llvm::SmallVector<int64_t>{*number};
  if (auto list = op.getInts(name))
    return llvm::SmallVector<int64_t>(list->begin(), list->end());
  return byDefault;
}

FormMatch::FormMatch(Operator op, ArrayRef<const ValueState *> operands,
                     const AttributeDefaults &attributes, DimExprs &exprs)
    : op(op), operands(operands), attributes(attributes), exprs(exprs) {
  for (const auto &attribute : attributes) {
    AttributeDefault value =
        integersOf(op, attribute.getKey(), attribute.getValue());
    if (!value)
      continue;
    SymbolicShape list;
    for (int64_t number : *value)
      list.push_back(exprs.constant(number));
    if (list.size() == 1)
      dims[attribute.getKey()] = list.front();
    runs[attribute.getKey()] = {list};
  }
}

const ValueState *FormMatch::operandOf(StringRef name) const {
  const auto *found = llvm::find_if(
      inputs, [&](const ValuePattern &input) { return input.name == name; });
  size_t index = found - inputs.begin();
  return index < operands.size() && !operands[index]->absent ? operands[index]
                                                             : nullptr;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

FormFit FormMatch::match(const ShapeRule &rule) {
  inputs = rule.inputs;
  FormFit fit = FormFit::Yes;
  for (const ValuePattern &pattern : rule.inputs) {
    const ValueState *state = operandOf(pattern.name);
    FormFit next = state                ? matchInput(pattern, *state)
                   : pattern.isOptional ? FormFit::Yes
                                        : FormFit::No;
    fit = std::min(fit, next);
    if (fit == FormFit::No)
      return fit;
  }
  for (const FormCondition &condition : rule.conditions)
    fit = std::min(fit, test(condition));
  return fit;
}

FormFit FormMatch::matchInput(const ValuePattern &pattern,
                              const ValueState &state) {
  if (!pattern.type.empty() && state.type != DataType::Undefined) {
    DataType fixed = elementTypeOfName(pattern.type);
    if (fixed != DataType::Undefined && fixed != state.type)
      return FormFit::No;
    types.try_emplace(pattern.type, state.type);
  }
  if (!pattern.shape)
    return FormFit::Yes;
  if (state.shape)
    return matchShape(*pattern.shape, *state.shape);
  bindUnknown(*pattern.shape);
  return FormFit::Unknown;
}

/// The input is there, but its shape is not known.
void FormMatch::bindUnknown(ArrayRef<ShapeItem> items) {
  for (const ShapeItem &item : items) {
    if (item.kind == ShapeItem::Run)
      runs.try_emplace(item.names.front());
    else if (item.term.kind == DimTerm::Name && !dims.contains(item.term.name))
      dims[item.term.name] = exprs.freshDimension();
  }
}

FormFit FormMatch::matchShape(ArrayRef<ShapeItem> items,
                              const SymbolicShape &shape) {
  const auto *run = llvm::find_if(
      items, [](const ShapeItem &item) { return item.kind == ShapeItem::Run; });
  size_t before = run - items.begin();
  bool hasRun = run != items.end();
  size_t after = hasRun ? items.size() - before - 1 : 0;
  if (hasRun ? shape.size() < before + after : shape.size() != items.size())
    return FormFit::No;
  ArrayRef<DimExpr> all = shape;
  for (size_t i = 0; i < before; ++i)
    if (matchDimension(items[i], all[i]) == FormFit::No)
      return FormFit::No;
  for (size_t i = 0; i < after; ++i)
    if (matchDimension(items[before + 1 + i], all[all.size() - after + i]) ==
        FormFit::No)
      return FormFit::No;
  return hasRun ? matchRun(run->names.front(),
                           all.slice(before, all.size() - before - after))
                : FormFit::Yes;
}

FormFit FormMatch::matchDimension(const ShapeItem &item, DimExpr dim) {
  std::optional<int64_t> size = exprs.valueOf(dim);
  if (item.term.kind == DimTerm::Number)
    return size && *size != item.term.number ? FormFit::No : FormFit::Yes;
  if (item.term.kind != DimTerm::Name)
    return FormFit::Yes;
  auto [known, isNew] = dims.try_emplace(item.term.name, dim);
  if (isNew)
    return FormFit::Yes;
  // Two dimensions are equal at run time; the more exactly known one stands.
  std::optional<int64_t> other = exprs.valueOf(known->second);
  if (size && other && *size != *other)
    return FormFit::No;
  if (size)
    known->second = dim;
  return FormFit::Yes;
}

FormFit FormMatch::matchRun(StringRef name, ArrayRef<DimExpr> given) {
  Run &run = runs[name];
  if (!run.dims) {
    run.dims.emplace(given);
    return FormFit::Yes;
  }
  if (run.dims->size() != given.size())
    return FormFit::No;
  for (auto [known, dim] : llvm::zip_equal(*run.dims, given)) {
    std::optional<int64_t> a = exprs.valueOf(known), b = exprs.valueOf(dim);
    if (a && b && *a != *b)
      return FormFit::No;
    if (b)
      known = dim;
  }
  return FormFit::Yes;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

FormFit FormMatch::test(const FormCondition &condition) {
  auto fitOf = [](bool truth) { return truth ? FormFit::Yes : FormFit::No; };
  if (condition.kind == FormCondition::Has)
    return fitOf(operandOf(condition.name));
  if (condition.kind == FormCondition::HasNot)
    return fitOf(!operandOf(condition.name));
  std::optional<DimExpr> left = evaluate(condition.left),
                         right = evaluate(condition.right);
  if (!left || !right) // what is not bound equals nothing
    return fitOf(condition.kind == FormCondition::Unequal);
  DimExpr truth = condition.kind == FormCondition::Equal ||
                          condition.kind == FormCondition::Unequal
                      ? exprs.equal(*left, *right)
                  : condition.kind == FormCondition::Less
                      ? exprs.less(*left, *right)
                      : exprs.logicalNot(exprs.less(*right, *left));
  std::optional<int64_t> known = exprs.valueOf(truth);
  if (!known)
    return FormFit::Unknown;
  return fitOf((*known != 0) != (condition.kind == FormCondition::Unequal));
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

std::optional<SymbolicShape> FormMatch::runOf(StringRef name) const {
  auto found = runs.find(name);
  return found == runs.end() ? std::nullopt : found->second.dims;
}

std::optional<DimExpr> FormMatch::evaluateElement(const DimTerm &term) {
  if (!runs.contains(term.name))
    return std::nullopt;
  std::optional<SymbolicShape> run = runOf(term.name);
  std::optional<DimExpr> place = evaluate(term.operands.front());
  std::optional<int64_t> index = place ? exprs.valueOf(*place) : std::nullopt;
  if (!run || !index)
    return exprs.freshDimension();
  *index += *index < 0 ? run->size() : 0;
  if (*index < 0 || *index >= int64_t(run->size()))
    return std::nullopt;
  return (*run)[*index];
}

/// An element of an input; the first one, if none is named.
std::optional<DimExpr> FormMatch::evaluateValue(const DimTerm &term) {
  const ValueState *state = operandOf(term.name);
  if (!state)
    return std::nullopt;
  std::optional<SymbolicShape> elements = elementsAsSymbols(*state, exprs);
  int64_t index = 0;
  if (!term.operands.empty()) {
    std::optional<DimExpr> place = evaluate(term.operands.front());
    index = place ? exprs.valueOf(*place).value_or(-1) : -1;
  }
  if (!elements || index < 0 || index >= int64_t(elements->size()))
    return exprs.fresh();
  return (*elements)[index];
}

std::optional<DimExpr> FormMatch::evaluate(const DimTerm &term) {
  switch (term.kind) {
  case DimTerm::Unknown:
    return exprs.freshDimension();
  case DimTerm::Number:
    return exprs.constant(term.number);
  case DimTerm::Element:
    return evaluateElement(term);
  case DimTerm::Value:
    return evaluateValue(term);
  case DimTerm::Rank: {
    if (!runs.contains(term.name))
      return std::nullopt;
    std::optional<SymbolicShape> run = runOf(term.name);
    return run ? exprs.constant(run->size()) : exprs.freshDimension();
  }
  case DimTerm::Name: {
    auto found = dims.find(term.name);
    return found == dims.end() ? std::nullopt : std::optional(found->second);
  }
  case DimTerm::OrElse: {
    std::optional<DimExpr> first = evaluate(term.operands[0]);
    return first ? first : evaluate(term.operands[1]);
  }
  default:
    break;
  }
  std::optional<DimExpr> a = evaluate(term.operands[0]),
                         b = evaluate(term.operands[1]);
  if (!a || !b)
    return std::nullopt;
  switch (term.kind) {
  case DimTerm::Add:
    return exprs.add(*a, *b);
  case DimTerm::Subtract:
    return exprs.subtract(*a, *b);
  case DimTerm::Multiply:
    return exprs.multiply(*a, *b);
  case DimTerm::Minimum:
    return exprs.minimum(*a, *b);
  case DimTerm::Maximum:
    return exprs.maximum(*a, *b);
  default: // Divide, of sizes
    std::optional<int64_t> divisor = exprs.valueOf(*b);
    if (!divisor)
      return exprs.freshDimension();
    return *divisor > 0 ? std::optional(exprs.divideDown(*a, *divisor))
                        : std::nullopt;
  }
}

/// False if it is not even known how many dimensions there are.
bool FormMatch::append(const ShapeItem &item, SymbolicShape &shape) {
  if (item.kind == ShapeItem::Dimension) {
    std::optional<DimExpr> dim = evaluate(item.term);
    if (!dim && item.term.kind == DimTerm::Name)
      dim = dims[item.term.name] = exprs.freshDimension(); // one and the same
    shape.push_back(dim ? *dim : exprs.freshDimension());
    return true;
  }
  std::optional<SymbolicShape> all = runOf(item.names.front());
  if (!all)
    return false;
  if (item.kind == ShapeItem::Slice) {
    int64_t rank = all->size(), ends[2] = {0, rank};
    for (auto [end, term] :
         {std::pair{&ends[0], &item.begin}, std::pair{&ends[1], &item.end}}) {
      if (!*term)
        continue;
      std::optional<DimExpr> place = evaluate(**term);
      std::optional<int64_t> index =
          place ? exprs.valueOf(*place) : std::nullopt;
      if (!index || *index < -rank || *index > rank)
        return false;
      *end = *index < 0 ? *index + rank : *index;
    }
    if (ends[0] < ends[1])
      shape.append(all->begin() + ends[0], all->begin() + ends[1]);
    return true;
  }
  for (StringRef name : ArrayRef(item.names).drop_front()) {
    std::optional<SymbolicShape> other = runOf(name);
    if (!other)
      return false;
    all = broadcastShapes(*all, *other, exprs);
  }
  shape.append(all->begin(), all->end());
  return true;
}

std::optional<SymbolicShape>
FormMatch::evaluateItems(ArrayRef<ShapeItem> items) {
  SymbolicShape shape;
  for (const ShapeItem &item : items)
    if (!append(item, shape))
      return std::nullopt;
  // The operator fails on a size below zero.
  bool isWrong = llvm::any_of(
      shape, [&](DimExpr dim) { return exprs.rangeOf(dim).most < 0; });
  return isWrong ? std::nullopt : std::optional(shape);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

DataType FormMatch::typeOf(StringRef type) const {
  if (DataType fixed = elementTypeOfName(type); fixed != DataType::Undefined)
    return fixed;
  if (type.consume_front("type(") && type.consume_back(")")) {
    auto found = dims.find(type);
    std::optional<int64_t> number =
        found == dims.end() ? std::nullopt : exprs.valueOf(found->second);
    bool isType = number && *number > 0 &&
                  *number < int64_t(DataType::Opaque) &&
                  typeClass(DataType(*number)) != TypeClass::None;
    return isType ? DataType(*number) : DataType::Undefined;
  }
  return types.lookup(type);
}

void FormMatch::inferTypes(const ShapeRule &rule,
                           MutableArrayRef<ValueState> results) {
  for (auto [pattern, result] : llvm::zip(rule.results, results))
    if (!pattern.type.empty())
      result.type = typeOf(pattern.type);
}

void FormMatch::infer(const ShapeRule &rule,
                      MutableArrayRef<ValueState> results) {
  inferTypes(rule, results);
  for (auto [pattern, result] : llvm::zip(rule.results, results))
    if (pattern.shape)
      result.shape = evaluateItems(*pattern.shape);
}

llvm::SmallVector<unsigned>
FormMatch::likeOperands(const LikeOperator &like) const {
  llvm::SmallVector<unsigned> result;
  for (const LikeOperator::Input &input : like.inputs) {
    const auto *found = llvm::find_if(inputs, [&](const ValuePattern &pattern) {
      return pattern.name == input.name;
    });
    unsigned index = found - inputs.begin();
    result.push_back(index);
    for (unsigned next = index + input.step;
         input.step != 0 && next < operands.size(); next += input.step)
      result.push_back(next);
  }
  return result;
}
