//===- WordLists.cpp - Which strings a tensor may have --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/internal/WordLists.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using namespace mlir;

/// Moves cells of the first input, which the other ones place.
static bool movesCells(Operator op) {
  return op.isAny({"Expand", "Flatten", "Gather", "Identity", "Reshape",
                   "Slice", "Split", "Squeeze", "Tile", "Transpose",
                   "Unsqueeze"}) ||
         (op.domain() == "ai.onnx.ml" &&
          op.opType() == "ArrayFeatureExtractor");
}

static bool isOfMl(Operator op, StringRef end) {
  return op.domain() == "ai.onnx.ml" && op.opType().ends_with(end);
}

bool dml::handlesWords(Operator op) {
  return movesCells(op) ||
         op.isAny({"Concat", "Equal", "Shape", "Size", "Where"}) ||
         isOfMl(op, "Encoder") || isOfMl(op, "Classifier");
}

WordLists::WordLists(Block &graph, const KnownTypes &types) : types(types) {
  for (Value argument : graph.getArguments())
    if (isString(argument))
      lists[listOf(argument)].isOpen = true;
  for (Operation &op : graph) {
    auto isOfStrings = [&](Value value) { return isString(value); };
    if (isa<OnnxConstantOp>(op)) {
      addConstant(op.getResult(0));
    } else if (llvm::any_of(op.getOperands(), isOfStrings) ||
               llvm::any_of(op.getResults(), isOfStrings)) {
      if (Operator node = Operator::from(&op))
        visit(node);
    }
  }
}

bool WordLists::isString(Value value) const {
  auto type =
      dyn_cast_or_null<ShapedType>(value ? types.typeOf(value) : Type());
  return type && toDataType(type.getElementType()) == DataType::String;
}

size_t WordLists::listOf(Value value) {
  auto [it, isNew] = numbers.try_emplace(value, lists.size());
  if (isNew)
    lists.push_back({lists.size()});
  size_t at = it->second;
  while (lists[at].parent != at)
    at = lists[at].parent;
  return it->second = at;
}

void WordLists::join(Value a, Value b) {
  if (!isString(a) || !isString(b))
    return;
  size_t first = listOf(a), second = listOf(b);
  if (first == second)
    return;
  List &kept = lists[first], &gone = lists[second];
  for (const std::string &word : gone.words)
    kept.add(word);
  kept.isOpen |= gone.isOpen;
  gone = {first};
}

void WordLists::add(Value value, ArrayRef<StringRef> words) {
  if (!isString(value))
    return;
  List &list = lists[listOf(value)];
  for (StringRef word : words)
    list.add(word);
}

void WordLists::addConstant(Value value) {
  if (!isString(value))
    return;
  Elements texts =
      fromAttribute(value.getDefiningOp<OnnxConstantOp>().getValue());
  add(value, llvm::to_vector(texts.values<StringRef>()));
}

void WordLists::visit(Operator op) {
  auto list = [&](StringRef name) {
    return op.getStrings(name).value_or(SmallVector<StringRef>());
  };
  Value result = op->getNumResults() ? Value(op->getResult(0)) : Value();
  if (movesCells(op))
    for (Value moved : op->getResults())
      join(op.input(0), moved);
  if (op.isAny({"Concat", "Where"}))
    for (Value operand : op->getOperands())
      join(operand, result);
  if (op.is("Equal"))
    join(op.input(0), op.input(1));
  if (isOfMl(op, "Encoder")) {
    add(op.input(0), list("cats_strings"));
    add(op.input(0), list("keys_strings"));
    if (auto values = op.getStrings("values_strings")) {
      add(result, *values);
      add(result, op.getString("default_string", "_Unused"));
    }
  }
  if (isOfMl(op, "Classifier"))
    add(result, list("classlabels_strings"));
}

ArrayRef<std::string> WordLists::of(Value value) {
  return isString(value) ? ArrayRef(lists[listOf(value)].words)
                         : ArrayRef<std::string>();
}

std::optional<int64_t> WordLists::numberOf(Value value, StringRef word) {
  if (!isString(value))
    return std::nullopt;
  const llvm::StringMap<int64_t> &numbers = lists[listOf(value)].numbers;
  auto found = numbers.find(word);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

bool WordLists::areOpen(Value value) {
  return isString(value) && lists[listOf(value)].isOpen;
}
