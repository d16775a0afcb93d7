//===- Subexpressions.cpp - Equal operations ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/Subexpressions.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/OperationSupport.h"

using namespace onnxfold;
using namespace mlir;

Operation *Subexpressions::find(Operation *op, unsigned hash) const {
  auto newest = last.find(hash);
  unsigned place = newest == last.end() ? none : newest->second;
  for (; place != none; place = added[place].before)
    if (isEqual(op, added[place].op))
      return added[place].op;
  return nullptr;
}

Operation *Subexpressions::findOrAdd(Operation *op,
                                     std::optional<unsigned> plain) {
  unsigned hash =
      plain && !symbolsOf(op) && !commutes(op) ? *plain : hashOf(op);
  Operation *equal = find(op, hash);
  if (!equal)
    add(op, hash);
  return equal;
}

void Subexpressions::add(Operation *op, unsigned hash) {
  auto [newest, isNew] = last.try_emplace(hash, none);
  added.push_back({op, hash, newest->second});
  newest->second = added.size() - 1;
}

void Subexpressions::enter(Block *block) {
  while (!blocks.empty() && blocks.back().first != block &&
         !blocks.back().first->getParent()->isAncestor(block->getParent()))
    leave();
  if (blocks.empty() || blocks.back().first != block)
    blocks.push_back({block, added.size()});
}

void Subexpressions::leave() {
  for (; added.size() > blocks.back().second; added.pop_back())
    if (added.back().before == none)
      last.erase(added.back().hash);
    else
      last[added.back().hash] = added.back().before;
  blocks.pop_back();
}

/// The state of the only result if it is known in part.
const ValueState *Subexpressions::symbolsOf(Operation *op) const {
  if (operandsOf || op->getNumResults() != 1)
    return nullptr;
  const ValueState &state = evaluation.state(op->getResult(0));
  return state.isSymbolic() ? &state : nullptr;
}

/// f(x, y) = f(y, x), up to which NaN a NaN is.
bool Subexpressions::commutes(Operation *op) const {
  Operator node = Operator::from(op);
  if (operandsOf || !node || node.isCustom() || node.numInputs() != 2)
    return false;
  // Runtimes give one of the operands for Min and Max of 0 and -0.
  if (node.is("Min") || node.is("Max"))
    return isInteger(evaluation.state(op->getResult(0)).type);
  if (node.is("Sum"))
    return true;
  // Before, the second one alone is broadcast.
  constexpr int broadcastsBoth = 7;
  if (node.isAny({"Add", "Mul", "And", "Or", "Xor", "Equal", "BitwiseAnd",
                  "BitwiseOr", "BitwiseXor"}))
    return node.since() >= broadcastsBoth;
  return false;
}

/// The elements of small constants count, or thousands of nodes that read
/// nothing else (DequantizeLinear) would look alike.
llvm::hash_code Subexpressions::hashOf(Value value) const {
  constexpr int64_t small = 16;
  if (isAbsent(value))
    return 0;
  const ValueState &state = evaluation.state(value);
  if (!state.isConstant())
    return OperationEquivalence::directHashValue(value);
  const Elements &elements = state.value;
  ShapeRef shape = elements.shape();
  if (elements.size() > small || elements.type() == DataType::String) {
    llvm::hash_code hash =
        llvm::hash_combine(elements.type(), llvm::hash_combine_range(shape));
    return elements.size() > small
               ? hash
               : llvm::hash_combine(hash, ops::contentHash(elements).low);
  }
  // Type, shape and elements side by side: most operands of most nodes are
  // small constants, and one hash of them all is made in one step.
  llvm::SmallVector<char, 128> bytes(1, char(elements.type()));
  auto *sizes = reinterpret_cast<const char *>(shape.data());
  bytes.append(sizes, sizes + shape.size() * sizeof(int64_t));
  size_t head = bytes.size();
  bytes.resize_for_overwrite(head + elements.bytes());
  elements.read(bytes.data() + head);
  return llvm::hash_combine_range(bytes);
}

/// Two numbers of 32 bits are keys of no map.
static unsigned asKey(llvm::hash_code hash) { return size_t(hash) >> 33; }

unsigned Subexpressions::hashOf(Operation *op) {
  if (const ValueState *state = symbolsOf(op)) {
    llvm::hash_code hash = llvm::hash_combine(
        state->type, llvm::hash_combine_range(state->value.shape()));
    for (DimExpr symbol : state->value.values<DimExpr>())
      hash = llvm::hash_combine(hash, symbol.id);
    return asKey(hash);
  }
  bool isSymmetric = commutes(op);
  size_t both = 0;
  // One hash of a list takes a fraction of combining its words one by one.
  llvm::SmallVector<size_t, 16> words = {
      size_t(op->getName().getAsOpaquePointer()),
      size_t(op->getDiscardableAttrDictionary().getAsOpaquePointer()),
      size_t(op->getName().hashOpProperties(op->getPropertiesStorage())),
      op->getNumResults()};
  for (Value operand : op->getOperands())
    if (isSymmetric)
      both += hashOf(operand);
    else
      words.push_back(hashOf(operand));
  words.push_back(both);
  if (op->getNumRegions() != 0) {
    const Bodies &bodies = bodiesOf(op);
    words.push_back(bodies.hash);
    for (Value value : bodies.captured)
      words.push_back(hashOf(value));
  }
  return asKey(llvm::hash_combine_range(words));
}

bool Subexpressions::isSame(Value a, Value b) const {
  // Inputs that are not given are values of several operations.
  if (a == b || (isAbsent(a) && isAbsent(b)))
    return true;
  const ValueState &x = evaluation.state(a), &y = evaluation.state(b);
  return x.isConstant() && y.isConstant() && x.value.identicalTo(y.value);
}

bool onnxfold::isSameOperator(Operation *a, Operation *b) {
  auto isMade = [](Value result) { return !isAbsent(result); };
  return a->getName() == b->getName() &&
         a->getDiscardableAttrDictionary() ==
             b->getDiscardableAttrDictionary() &&
         a->getName().compareOpProperties(a->getPropertiesStorage(),
                                          b->getPropertiesStorage()) &&
         a->getNumRegions() == b->getNumRegions() &&
         llvm::equal(llvm::map_range(a->getResults(), isMade),
                     llvm::map_range(b->getResults(), isMade));
}

bool Subexpressions::isEqual(Operation *a, Operation *b) const {
  const ValueState *x = symbolsOf(a), *y = symbolsOf(b);
  if (x && y)
    return haveEqualValues(*x, *y);
  if (!isSameOperator(a, b))
    return false;
  auto areSame = [&](Value x, Value y) { return isSame(x, y); };
  if (operandsOf)
    return llvm::equal(a->getOperands(), operandsOf(b), areSame);
  if (llvm::equal(a->getOperands(), b->getOperands(), areSame))
    return a->getNumRegions() == 0 || haveEqualBodies(a, b);
  if (b->getNumOperands() != 2 || !commutes(b))
    return false;
  return isSame(a->getOperand(0), b->getOperand(1)) &&
         isSame(a->getOperand(1), b->getOperand(0));
}
