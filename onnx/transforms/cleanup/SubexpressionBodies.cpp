//===- SubexpressionBodies.cpp - Bodies that do the same ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/cleanup/Subexpressions.h"
#include "onnxfold/onnx/transforms/functions/PureCalls.h"
#include "onnxfold/onnx/transforms/rewrite/RewriteSession.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

bool Subexpressions::isComparable(Operation *op) {
  Operator node = Operator::from(op);
  if (!node || node.hasReferences())
    return false;
  if (node.isCustom())
    return host.isPureCall(op);
  return op->getNumRegions() == 0 ? isMemoryEffectFree(op)
                                  : bodiesOf(op).isComparable;
}

/// Bodies are numbered once: an operation that is moved takes them with it, and
/// they are numbered without what is around it.
const Subexpressions::Bodies &Subexpressions::bodiesOf(Operation *op) {
  if (auto it = known.find(op); it != known.end())
    return *it->second;
  auto bodies = std::make_unique<Bodies>();
  Numbers numbers;
  for (Region &region : op->getRegions())
    bodies->isComparable = bodies->isComparable && region.hasOneBlock() &&
                           hash(region.front(), *bodies, numbers);
  return *(known[op] = std::move(bodies));
}

/// Operations that a body does not compute: constants, also those that folding
/// makes, and erased ones.
bool Subexpressions::isLeftOut(Operation *op) const {
  return isa<OnnxConstantOp, OnnxAbsentOp>(op) || host.isErased(op) ||
         evaluation.isFoldable(op);
}

/// A node of a body that nothing in it needs may be unused: its users were
/// erased, or it never had any.
bool Subexpressions::mayBeUnneeded(Operation *op) {
  const FoldingInterface *dialect = FoldingInterface::of(op);
  if (!dialect || !dialect->isRemovable(op, evaluation.functions()) ||
      !evaluation.mayChange(op))
    return false;
  return !op->use_empty() ||
         (isComparable(op) && !mayFail(evaluation.reason(op)));
}

/// Operations that compute what the block yields, in its order. False if one of
/// them, or another one that must be kept, is not comparable.
bool Subexpressions::findNeeded(Block &block,
                                SmallVectorImpl<Operation *> &needed) {
  llvm::DenseSet<Value> read;
  for (Operation &op : llvm::reverse(block)) {
    bool isEnd = op.hasTrait<OpTrait::IsTerminator>();
    if (!isEnd && isLeftOut(&op))
      continue;
    bool isNeeded = isEnd || llvm::any_of(op.getResults(), [&](Value result) {
                      return read.contains(result) &&
                             !evaluation.state(result).isConstant();
                    });
    if (!isNeeded && mayBeUnneeded(&op))
      continue;
    if (!isEnd && (!isComparable(&op) || !evaluation.mayChange(&op)))
      return false;
    read.insert(op.operand_begin(), op.operand_end());
    if (op.getNumRegions() != 0)
      read.insert_range(bodiesOf(&op).captured);
    needed.push_back(&op);
  }
  std::reverse(needed.begin(), needed.end());
  return true;
}

/// The first elements of large constants count: thousands of bodies may differ
/// in nothing else.
static llvm::hash_code hashOfConstant(const Elements &value) {
  constexpr int64_t most = 16;
  Shape zeros(value.rank(), 0), ones(value.rank(), 1), sizes = ones;
  ShapeRef shape = value.shape();
  llvm::hash_code hash = llvm::hash_combine(
      value.type(), llvm::hash_combine_range(shape.begin(), shape.end()));
  if (value.size() == 0)
    return hash;
  if (!sizes.empty())
    sizes.back() = std::min(shape.back(), most);
  return llvm::hash_combine(
      hash, ops::contentHash(value.slice(zeros, sizes, ones)).low);
}

/// A value that something in the bodies reads.
llvm::hash_code Subexpressions::hashInside(Value value, Bodies &bodies,
                                           Numbers &numbers) const {
  if (isAbsent(value))
    return 0;
  auto [number, isNew] = numbers.try_emplace(value);
  if (!isNew)
    return number->second;
  const ValueState &state = evaluation.state(value);
  if (state.isConstant())
    return number->second = hashOfConstant(state.value);
  number->second = llvm::hash_combine("captured", bodies.captured.size());
  bodies.captured.push_back(value);
  return number->second;
}

/// False if the block is not comparable.
bool Subexpressions::hash(Block &block, Bodies &bodies, Numbers &numbers) {
  SmallVector<Operation *> needed;
  if (!findNeeded(block, needed))
    return false;
  for (BlockArgument argument : block.getArguments())
    numbers[argument] = llvm::hash_combine("argument", argument.getArgNumber());
  for (Operation *op : needed) {
    llvm::hash_code hash = llvm::hash_combine(
        op->getName(), op->getDiscardableAttrDictionary(),
        op->getName().hashOpProperties(op->getPropertiesStorage()));
    auto add = [&](Value value) {
      hash = llvm::hash_combine(hash, hashInside(value, bodies, numbers));
    };
    llvm::for_each(op->getOperands(), add);
    if (op->getNumRegions() != 0) {
      const Bodies &inner = bodiesOf(op);
      hash = llvm::hash_combine(hash, inner.hash);
      llvm::for_each(inner.captured, add);
    }
    for (OpResult result : op->getResults())
      numbers[result] = llvm::hash_combine(hash, result.getResultNumber());
    if (op->hasTrait<OpTrait::IsTerminator>())
      bodies.hash = llvm::hash_combine(bodies.hash, hash);
  }
  return true;
}

namespace {

/// Two operations whose bodies are compared from what they give upwards.
class Comparison {
public:
  Comparison(const Evaluation &evaluation, Operation *a, Operation *b)
      : evaluation(evaluation), a(a), b(b) {}

  bool run() {
    if (!addBodies(a, b))
      return false;
    while (!waiting.empty()) {
      auto [x, y] = waiting.pop_back_val();
      if (!check(x, y))
        return false;
    }
    return true;
  }

private:
  void expect(ValueRange x, ValueRange y) {
    for (auto [left, right] : llvm::zip_equal(x, y))
      waiting.push_back({left, right});
  }
  bool addBodies(Operation *x, Operation *y);
  bool check(Value x, Value y);

  const Evaluation &evaluation;
  Operation *a, *b;
  llvm::DenseMap<Value, Value> partners; ///< of what is in the bodies of `a`
  SmallVector<std::pair<Value, Value>> waiting;
};

} // namespace

/// No stated type tells anything of what an If gives. Where nothing is
/// iterated, runtimes make tensors of the shape that a body states.
static bool haveEqualTypes(Operation *op, TypeRange x, TypeRange y) {
  return x.size() == y.size() &&
         (Operator::from(op).is("If") || llvm::equal(x, y));
}

bool Comparison::addBodies(Operation *x, Operation *y) {
  for (auto [left, right] : llvm::zip_equal(x->getRegions(), y->getRegions())) {
    Operation &gives = left.front().back(), &given = right.front().back();
    if (!haveEqualTypes(x, left.getArgumentTypes(), right.getArgumentTypes()) ||
        !haveEqualTypes(x, gives.getOperandTypes(), given.getOperandTypes()))
      return false;
    for (auto [inner, other] :
         llvm::zip_equal(left.getArguments(), right.getArguments()))
      partners[inner] = other;
    expect(gives.getOperands(), given.getOperands());
  }
  return true;
}

/// Two values are taken for partners at first; what they stand for is looked at
/// later.
bool Comparison::check(Value x, Value y) {
  // Read from outside both, or nothing that is read.
  if (x == y || (isAbsent(x) && isAbsent(y)))
    return true;
  if (auto partner = partners.find(x); partner != partners.end())
    return partner->second == y;
  const ValueState &left = evaluation.state(x), &right = evaluation.state(y);
  if (left.isConstant() || right.isConstant())
    return left.isConstant() && right.isConstant() &&
           left.value.identicalTo(right.value);
  auto made = dyn_cast<OpResult>(x), other = dyn_cast<OpResult>(y);
  if (!made || !other || made.getResultNumber() != other.getResultNumber())
    return false;
  Operation *p = made.getOwner(), *q = other.getOwner();
  if (!a->isProperAncestor(p) || !b->isProperAncestor(q) ||
      !isSameOperator(p, q) || p->getNumOperands() != q->getNumOperands())
    return false;
  for (auto [result, equal] : llvm::zip_equal(p->getResults(), q->getResults()))
    partners[result] = equal;
  expect(p->getOperands(), q->getOperands());
  return addBodies(p, q);
}

bool Subexpressions::haveEqualBodies(Operation *a, Operation *b) const {
  return Comparison(evaluation, a, b).run();
}
