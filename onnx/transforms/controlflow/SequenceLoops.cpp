//===- SequenceLoops.cpp - Loops that build or read sequences -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/controlflow/SequenceLoops.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/rewrite/SequenceLists.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// The nodes of one Loop, now and as a chain of copies.
class LoopEstimate {
public:
  LoopEstimate(Operator loop, uint64_t count, const Evaluation &evaluation,
               llvm::function_ref<bool(Operation *)> isErased)
      : loop(loop), body(loop.getGraph("body")->front()), count(count),
        evaluation(evaluation), isErased(isErased) {}

  bool losesSequences();

private:
  /// A sequence at one place of the body.
  struct List {
    DataType type;
    int64_t length = 0; ///< before the first iteration
    int64_t grows = 0;  ///< in this iteration, until here
  };
  using Values = llvm::SmallPtrSet<Value, 16>;

  bool hasTypeOfList(Value value) const {
    return isa<OnnxSequenceType>(value.getType());
  }
  bool isKnown(Value value) const;
  bool findKnown(const Values &arguments);
  void findConstants();
  bool startLists();
  bool takeOutside(Value sequence);
  void findNeeded();
  bool addNode(Operator node);
  bool addToList(Operator node);
  bool addReaders();

  Operator loop;
  Block &body;
  uint64_t count;
  const Evaluation &evaluation;
  llvm::function_ref<bool(Operation *)> isErased;
  Values known;    ///< constants, once the iteration is
  Values changing; ///< not the same in all iterations
  llvm::SmallPtrSet<Operation *, 16> needed; ///< for what the body returns
  llvm::DenseMap<Value, List> lists;
  uint64_t before = 1, once = 0, each = 0, after = 0;
};

} // namespace

bool LoopEstimate::isKnown(Value value) const {
  const ValueState &state = evaluation.state(value);
  return state.absent || state.isConstant() || known.contains(value);
}

/// Finds the values that are known if these arguments are. False if the body
/// returns something else for one of them.
bool LoopEstimate::findKnown(const Values &arguments) {
  known = arguments;
  for (Operation &op : body.without_terminator()) {
    Operator node = Operator::from(&op);
    if (node && !node.isCustom() && !node.hasReferences() &&
        op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
        llvm::none_of(op.getResultTypes(), llvm::IsaPred<OnnxSequenceType>) &&
        llvm::all_of(op.getOperands(), [&](Value v) { return isKnown(v); }))
      known.insert(op.result_begin(), op.result_end());
  }
  return llvm::all_of(arguments, [&](Value argument) {
    unsigned i = cast<BlockArgument>(argument).getArgNumber();
    return i < 2 || isKnown(body.back().getOperand(i - 1));
  });
}

/// The number of the iteration, and what is counted beside it.
void LoopEstimate::findConstants() {
  Values arguments;
  for (BlockArgument argument : body.getArguments()) {
    unsigned i = argument.getArgNumber();
    bool isCarried = i >= 2;
    if (!isCarried || evaluation.state(loop.input(i)).isConstant())
      arguments.insert(argument);
    if (i == 0 || (isCarried && body.back().getOperand(i - 1) != argument))
      changing.insert(argument);
  }
  while (!findKnown(arguments)) {
    Values left;
    for (Value argument : arguments) {
      unsigned i = cast<BlockArgument>(argument).getArgNumber();
      if (i < 2 || isKnown(body.back().getOperand(i - 1)))
        left.insert(argument);
    }
    arguments = left;
  }
}

/// The others are erased, now or in the end.
void LoopEstimate::findNeeded() {
  needed.insert(&body.back());
  for (Operation &op : llvm::reverse(body.without_terminator()))
    if (!isErased(&op) && llvm::any_of(op.getUsers(), [&](Operation *reader) {
          return needed.contains(body.findAncestorOpInBlock(*reader));
        }))
      needed.insert(&op);
}

/// The sequences before the loop.
bool LoopEstimate::startLists() {
  for (BlockArgument argument : body.getArguments().drop_front(2)) {
    if (!hasTypeOfList(argument))
      continue;
    Value first = loop.input(argument.getArgNumber());
    auto list = tensorsOf(first, evaluation);
    if (!list || !list->areValues())
      return false;
    lists[argument] = {list->type, int64_t(list->items.size())};
    before += llvm::none_of(first.getUsers(), [&](Operation *reader) {
      return reader != loop.getOperation() && !isErased(reader);
    });
  }
  return true;
}

/// A sequence of the graph around the loop, whose tensors the body reads.
bool LoopEstimate::takeOutside(Value sequence) {
  auto list = tensorsOf(sequence, evaluation);
  if (!list || !llvm::all_of(sequence.getUsers(), [&](Operation *reader) {
        return isErased(reader) || reader == loop.getOperation() ||
               loop->isProperAncestor(reader);
      }))
    return false;
  for (const SequenceItem &item : list->items)
    if (item.split) {
      auto parts = cutsOf(Operator::from(item.split), evaluation);
      each += !parts->keepsAxis; // a Gather
      break;
    }
  lists[sequence] = {list->type, int64_t(list->items.size())};
  return true;
}

/// A node that reads a sequence at a place that every iteration knows.
bool LoopEstimate::addToList(Operator node) {
  Value sequence = node.input(0);
  if (!lists.contains(sequence) &&
      (sequence.getParentBlock() == &body || !takeOutside(sequence)))
    return false;
  List list = lists.lookup(sequence);
  bool inserts = node.is("SequenceInsert");
  unsigned place = inserts ? 2 : 1;
  if (node.is("ConcatFromSequence")) {
    ++each;
    return node.getInt("new_axis", 0) == 0;
  }
  if (node.is("SequenceLength"))
    return true;
  if (node.hasInput(place) && !isKnown(node.input(place)))
    return false;
  if (node.is("SequenceAt"))
    return true;
  if (!inserts && !node.is("SequenceErase") && !node.is("Identity"))
    return false;
  if (inserts && evaluation.state(node.input(1)).type != list.type)
    return false;
  list.grows += inserts ? 1 : node.is("SequenceErase") ? -1 : 0;
  lists[node->getResult(0)] = list;
  return true;
}

/// A node of the body.
bool LoopEstimate::addNode(Operator node) {
  Operation *op = node.getOperation();
  ++before;
  bool changes = llvm::any_of(op->getOperands(), [&](Value operand) {
    return changing.contains(operand);
  });
  if (changes)
    changing.insert(op->result_begin(), op->result_end());
  auto isList = [&](Value value) { return hasTypeOfList(value); };
  if (op->getNumRegions() != 0 || node.isCustom() || node.hasReferences())
    return false;
  if (op->getNumOperands() > 0 && isList(op->getOperand(0)))
    return addToList(node);
  if (llvm::any_of(op->getOperands(), isList) ||
      llvm::any_of(op->getResults(), isList))
    return false;
  if (!isKnown(op->getResult(0)) && !node.is("Identity"))
    ++(changes ? each : once);
  return true;
}

/// The position that a reader takes is evaluated only after the loop.
static bool isPositionLater(Operator reader, const Evaluation &evaluation) {
  Operation *op =
      reader.hasInput(1) ? reader.input(1).getDefiningOp() : nullptr;
  return op && !evaluation.has(op);
}

/// Counts the readers of the results.
bool LoopEstimate::addReaders() {
  unsigned numCarried = body.getNumArguments() - 2;
  for (auto [i, result] : llvm::enumerate(loop->getResults())) {
    if (result.use_empty())
      continue;
    Value given = body.back().getOperand(i + 1);
    if (i >= numCarried) { // an Unsqueeze for each row
      ++each;
      after += count > 1;
      continue;
    }
    if (!hasTypeOfList(result))
      continue;
    auto list = lists.find(given);
    if (list == lists.end())
      return false;
    int64_t length = list->second.length + int64_t(count) * list->second.grows;
    for (Operation *reader : result.getUsers()) {
      Operator node = Operator::from(reader);
      if (isErased(reader))
        continue;
      if (!node || node.isCustom() || reader->getBlock() != loop->getBlock() ||
          !node.isAny({"SequenceAt", "SequenceLength", "ConcatFromSequence"}) ||
          (node.is("SequenceAt") && (isPositionLater(node, evaluation) ||
                                     !positionIn(node, length, evaluation))))
        return false;
      ++before;
      if (node.is("ConcatFromSequence"))
        after += node.getInt("new_axis", 0) == 0 ? 1 : length + 1;
    }
  }
  return true;
}

bool LoopEstimate::losesSequences() {
  findConstants();
  findNeeded();
  if (!startLists())
    return false;
  for (Operation &op : body.without_terminator()) {
    if (!needed.contains(&op) || isa<OnnxConstantOp>(op))
      continue;
    Operator node = Operator::from(&op);
    if (!node || !addNode(node))
      return false;
  }
  return !lists.empty() && addReaders() &&
         once + count * each + after <= before;
}

bool onnxfold::losesSequences(Operator loop, uint64_t count,
                              const Evaluation &evaluation,
                              llvm::function_ref<bool(Operation *)> isErased) {
  constexpr uint64_t most = 256;
  return count <= most &&
         LoopEstimate(loop, count, evaluation, isErased).losesSequences();
}
