//===- SequenceLists.cpp - The tensors of sequences -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/SequenceLists.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace onnxfold;
using namespace mlir;

/// Longer lists, and chains of more producers, are not followed: each reader
/// follows its chain anew.
static constexpr size_t mostTensors = 1024, mostProducers = 256;

bool SequenceList::areValues() const {
  return llvm::all_of(
      items, [](const SequenceItem &item) { return bool(item.tensor); });
}

SmallVector<Value> SequenceList::values() const {
  return llvm::map_to_vector(
      items, [](const SequenceItem &item) { return item.tensor; });
}

/// A producer whose attributes are known, or null.
static Operator knownProducer(Value value) {
  Operation *op = value ? value.getDefiningOp() : nullptr;
  Operator made = op ? Operator::from(op) : Operator();
  return made && !made.isCustom() && !made.hasReferences() ? made : Operator();
}

std::optional<int64_t>
onnxfold::constantPosition(Operator op, unsigned i, int64_t count, int64_t end,
                           const Evaluation &evaluation) {
  const ValueState &state = evaluation.state(op.input(i));
  if (!state.isConstant() || !isInteger(state.type) || state.value.size() != 1)
    return std::nullopt;
  int64_t given = state.value.ints()[0];
  int64_t position = given < 0 ? given + end : given;
  return position >= 0 && position < count ? std::optional(position)
                                           : std::nullopt;
}

std::optional<int64_t> onnxfold::positionIn(Operator op, int64_t length,
                                            const Evaluation &evaluation) {
  bool inserts = op.is("SequenceInsert");
  unsigned input = inserts ? 2 : 1;
  int64_t count = inserts ? length + 1 : length;
  if (op.hasInput(input))
    return constantPosition(op, input, count, length, evaluation);
  bool isOptional = inserts || op.is("SequenceErase");
  return isOptional && count > 0 ? std::optional(count - 1) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Parts of a tensor
//===----------------------------------------------------------------------===//

/// The size of each part, the last of which may be smaller.
static SmallVector<int64_t> partsOfSize(int64_t dim, int64_t size) {
  SmallVector<int64_t> sizes(dim / size, size);
  if (dim % size != 0)
    sizes.push_back(dim % size);
  return sizes;
}

std::optional<SequenceParts> onnxfold::cutsOf(Operator split,
                                              const Evaluation &evaluation) {
  const auto &shape = evaluation.state(split.input(0)).shape;
  if (!shape)
    return std::nullopt;
  int64_t rank = shape->size(), axis = split.getInt("axis", 0);
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return std::nullopt;
  std::optional<int64_t> dim = evaluation.exprs().valueOf((*shape)[axis]);
  if (!split.hasInput(1)) {
    if (!dim || *dim > int64_t(mostTensors))
      return std::nullopt;
    return SequenceParts{axis, partsOfSize(*dim, 1),
                         split.getInt("keepdims", 1) != 0, true};
  }
  const ValueState &given = evaluation.state(split.input(1));
  if (!given.isConstant() || !isInteger(given.type) || given.value.rank() > 1 ||
      given.value.size() > int64_t(mostTensors))
    return std::nullopt;
  SmallVector<int64_t> sizes = given.value.ints();
  if (given.value.rank() == 0) {
    if (!dim || sizes[0] <= 0 || *dim / sizes[0] > int64_t(mostTensors))
      return std::nullopt;
    return SequenceParts{axis, partsOfSize(*dim, sizes[0]), true, true};
  }
  if (llvm::any_of(sizes, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  int64_t sum = 0;
  for (int64_t size : sizes)
    if (llvm::AddOverflow(sum, size, sum))
      return std::nullopt;
  if (dim && sum != *dim)
    return std::nullopt;
  return SequenceParts{axis, sizes, true, dim.has_value()};
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// A list that is not made of another one.
static std::optional<SequenceList> firstList(Operator maker,
                                             const Evaluation &evaluation) {
  SequenceList list;
  if (maker.is("SequenceEmpty")) {
    constexpr int64_t asFloat = 1;
    list.type = DataType(maker.getInt("dtype", asFloat));
    return list;
  }
  if (maker.is("SequenceConstruct")) {
    if (maker.numInputs() == 0 || maker.numInputs() > mostTensors)
      return std::nullopt;
    list.type = evaluation.state(maker.input(0)).type;
    for (Value tensor : maker->getOperands()) {
      if (evaluation.state(tensor).type != list.type)
        return std::nullopt;
      list.items.push_back({tensor});
    }
    return list;
  }
  std::optional<SequenceParts> parts = cutsOf(maker, evaluation);
  if (!parts || !parts->isChecked)
    return std::nullopt;
  list.type = evaluation.state(maker.input(0)).type;
  for (size_t i = 0; i < parts->sizes.size(); ++i)
    list.items.push_back({Value(), maker.getOperation(), int64_t(i)});
  return list;
}

/// Applies a SequenceInsert or a SequenceErase to a list; false if it may
/// fail.
static bool changeList(Operator op, SequenceList &list,
                       const Evaluation &evaluation) {
  auto position = positionIn(op, list.items.size(), evaluation);
  if (!position)
    return false;
  if (op.is("SequenceErase")) {
    list.items.erase(list.items.begin() + *position);
    return true;
  }
  Value tensor = op.input(1);
  if (!tensor || evaluation.state(tensor).type != list.type ||
      list.items.size() >= mostTensors)
    return false;
  list.items.insert(list.items.begin() + *position, SequenceItem{tensor});
  return true;
}

std::optional<SequenceList> onnxfold::tensorsOf(Value sequence,
                                                const Evaluation &evaluation) {
  Block *around = sequence ? sequence.getParentBlock() : nullptr;
  SmallVector<Operator> changes; // the last one first
  bool isLocal = true;
  while (true) {
    Operator maker = knownProducer(sequence);
    if (!maker || maker.numInputs() > mostTensors ||
        changes.size() > mostProducers)
      return std::nullopt;
    isLocal &= maker->getBlock() == around;
    if (maker.isAny(
            {"SequenceEmpty", "SequenceConstruct", "SplitToSequence"})) {
      std::optional<SequenceList> list = firstList(maker, evaluation);
      if (!list || list->type == DataType::Undefined ||
          !llvm::all_of(llvm::reverse(changes), [&](Operator op) {
            return changeList(op, *list, evaluation);
          }))
        return std::nullopt;
      list->block = isLocal ? around : nullptr;
      return list;
    }
    if (maker.isAny({"SequenceInsert", "SequenceErase"}))
      changes.push_back(maker);
    else if (!maker.is("Identity"))
      return std::nullopt;
    sequence = maker.input(0);
  }
}

std::optional<int64_t> onnxfold::numTensorsOf(Value sequence,
                                              const Evaluation &evaluation) {
  if (auto list = tensorsOf(sequence, evaluation))
    return list->items.size();
  Operator maker = knownProducer(sequence);
  if (!maker || !maker.is("If"))
    return std::nullopt;
  unsigned result = cast<OpResult>(sequence).getResultNumber();
  std::optional<int64_t> count;
  for (Region &branch : maker->getRegions()) {
    Operation &end = branch.front().back();
    auto given = result < end.getNumOperands()
                     ? numTensorsOf(end.getOperand(result), evaluation)
                     : std::nullopt;
    if (!given || (count && count != given))
      return std::nullopt;
    count = given;
  }
  return count;
}
