//===- SplitSequences.cpp - SplitToSequence as Split ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/SplitSequences.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "onnxfold/onnx/transforms/rewrite/SequenceLists.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

bool SplitSequences::visit(const CleanUpContext &cx) {
  if (cx.op.is("SplitToSequence"))
    seen.push_back(cx.op.getOperation());
  return false;
}

/// The reader will be replaced by what reads a tensor.
bool SplitSequences::readsByPosition(Operation *reader, Value sequence,
                                     Known known) const {
  const Evaluation &evaluation = session.evaluation();
  Operator op = Operator::from(reader);
  if (!op || op.isCustom() || op.hasReferences() || !evaluation.has(reader) ||
      !evaluation.mayChange(reader) || op.input(0) != sequence)
    return false;
  if (op.is("SequenceLength"))
    return known.cannotFail; // the Split would be unused
  if (op.is("ConcatFromSequence"))
    return op.getInt("new_axis", 0) == 0;
  ++known.depth;
  if (op.is("Identity"))
    return isReadByPosition(reader->getResult(0), known);
  if (!op.isAny({"SequenceAt", "SequenceInsert", "SequenceErase"}) ||
      !positionIn(op, known.length, evaluation))
    return false;
  known.length += op.is("SequenceInsert") ? 1 : -1;
  return op.is("SequenceAt") || isReadByPosition(reader->getResult(0), known);
}

bool SplitSequences::isReadByPosition(Value sequence, Known known) const {
  constexpr unsigned mostDepth = 64;
  return known.depth < mostDepth &&
         llvm::all_of(sequence.getUsers(), [&](Operation *reader) {
           return session.isInReplaced(reader) ||
                  readsByPosition(reader, sequence, known);
         });
}

bool SplitSequences::split(Operation *op) {
  constexpr size_t most = 256;
  constexpr int sizesAreInput = 13;
  const Evaluation &evaluation = session.evaluation();
  NodeBuilder &nodes = session.nodes();
  Operator node = Operator::from(op);
  auto parts = cutsOf(node, evaluation);
  if (!parts || !parts->keepsAxis || parts->sizes.empty() ||
      parts->sizes.size() > most || llvm::is_contained(parts->sizes, 0) ||
      evaluation.state(node.input(0)).type == DataType::Undefined ||
      !isReadByPosition(op->getResult(0),
                        {int64_t(parts->sizes.size()), parts->isChecked}))
    return false;
  nodes.begin(op);
  std::optional<int> since =
      nodes.knowsOpset() ? nodes.sinceOf("Split") : std::nullopt;
  if (!since)
    return false;
  SmallVector<NamedAttribute> attributes = {
      nodes.attribute("axis", parts->axis)};
  SmallVector<Value> inputs = {node.input(0)};
  if (*since >= sizesAreInput)
    inputs.push_back(nodes.integers(parts->sizes));
  else
    attributes.push_back(
        nodes.attribute("split", ArrayRef<int64_t>(parts->sizes)));
  Operation *made =
      nodes.createNode("Split", inputs, attributes, parts->sizes.size());
  Value sequence = nodes.create("SequenceConstruct", made->getResults());
  return session.takeOver(op, sequence, splitSequence);
}

bool SplitSequences::finish() {
  bool again = false;
  for (Operation *op : seen)
    if (!session.isInReplaced(op) && !op->use_empty())
      again |= split(op);
  return again;
}

void onnxfold::inferSequenceLength(Operation *op, Evaluation &evaluation) {
  Operator node = Operator::from(op);
  if (!node || node.isCustom() || !node.is("SequenceLength") ||
      !node.hasInput(0) || !evaluation.mayChange(op) ||
      evaluation.state(op->getResult(0)).isConstant())
    return;
  if (auto length = numTensorsOf(node.input(0), evaluation))
    evaluation.giveResults(op, Elements::splat<int64_t>(Shape(), *length));
}
