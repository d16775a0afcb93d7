//===- InferenceCheck.cpp - What ONNX's inference says of a graph ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/InferenceCheck.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnx/shape_inference/implementation.h"

using namespace onnxfold;
using namespace mlir;

/// Inference looks at the elements of shapes, axes and scales.
static constexpr int64_t mostElementsLookedAt = 1024;

//===----------------------------------------------------------------------===//
// What the file declares
//===----------------------------------------------------------------------===//

static std::optional<onnx::ValueInfoProto> readInfo(const ModelIndex &index,
                                                    const MessageSpan &span) {
  constexpr uint64_t mostBytes = 1 << 20; // as the importer has it
  ByteRange range = span.contents();
  onnx::ValueInfoProto proto;
  if (range.size() > mostBytes)
    return std::nullopt;
  std::string bytes(range.size(), '\0');
  if (llvm::Error error =
          index.file()->read(range.begin, {bytes.data(), bytes.size()})) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  if (!proto.ParseFromString(bytes))
    return std::nullopt;
  return proto;
}

DeclaredTypes DeclaredTypes::read(const ModelIndex &index) {
  DeclaredTypes result;
  auto add = [&](const MessageSpan &span) {
    std::optional<onnx::ValueInfoProto> info = readInfo(index, span);
    if (!info || !info->has_type())
      return;
    auto [place, isNew] = result.types.try_emplace(info->name(), info->type());
    if (!isNew &&
        place->second.SerializeAsString() != info->type().SerializeAsString())
      place->second.Clear();
  };
  for (const GraphIndex &graph : index.graphs) {
    for (const NamedSpan &output : graph.outputs) {
      add(output.span);
      result.outputs.insert(output.name);
    }
    for (const MessageSpan &span : graph.valueInfos)
      add(span);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

void InferenceCheck::run(ModuleOp module) {
  Block &block = mainBlock(module);
  for (BlockArgument argument : block.getArguments())
    toTypeProto(argument.getType(), knownOf(argument).type);
  inferBlock(block);
}

void InferenceCheck::run(ModuleOp module, const FoldPlan &plan,
                         const Evaluation &evaluation) {
  this->plan = &plan;
  this->evaluation = &evaluation;
  run(module);
}

bool InferenceCheck::fails(bool isDeclared) const {
  return llvm::any_of(found, [&](const Failure &failure) {
    return failure.isDeclared == isDeclared;
  });
}

bool InferenceCheck::isFolded(Operation *op) const {
  return plan && plan->action(op) == FoldPlan::Action::Folded;
}

void InferenceCheck::noteConstant(Value value, const Elements &elements) {
  if (!elements)
    return;
  Known &made = knownOf(value);
  int32_t type = int32_t(elements.type());
  onnx::TypeProto known;
  makeTensorTypeProto(type, elements.shape(), known);
  if (declared.outputs.contains(valueName(value)))
    note(value, known);
  made.type = std::move(known);
  if (elements.size() > mostElementsLookedAt ||
      elements.type() == DataType::String)
    return;
  onnx::TensorProto &data = made.data.emplace();
  data.set_data_type(type);
  for (int64_t size : elements.shape())
    data.add_dims(size);
  data.mutable_raw_data()->resize(elements.bytes());
  elements.read(0, elements.size(), data.mutable_raw_data()->data());
}

/// Merges what is inferred with what is declared, as the checker does.
void InferenceCheck::note(Value value, const onnx::TypeProto &inferred) {
  StringRef name = valueName(value);
  auto stated = declared.types.find(name);
  onnx::TypeProto type;
  bool holds = keepsValueInfo || declared.outputs.contains(name);
  if (stated != declared.types.end() && !name.empty() && holds)
    type = stated->second;
  try {
    onnx::shape_inference::checkShapesAndTypes(inferred, type);
    if (type.value_case() == onnx::TypeProto::VALUE_NOT_SET)
      type = inferred;
    else if (inferred.value_case() != onnx::TypeProto::VALUE_NOT_SET)
      onnx::shape_inference::mergeShapesAndTypes(inferred, &type);
  } catch (const std::exception &exception) {
    found.push_back(
        {value.getDefiningOp(), exception.what(), /*isDeclared=*/true});
  }
  knownOf(value).type = std::move(type);
}

InferredTypes
InferenceCheck::inferGraph(Region &graph,
                           ArrayRef<const onnx::TypeProto *> types,
                           ArrayRef<const onnx::TensorProto *> data) {
  InferredTypes result;
  if (graph.empty() || graph.front().empty())
    return result;
  for (auto [i, argument] : llvm::enumerate(graph.getArguments())) {
    Known &made = knownOf(argument);
    made = {};
    if (i < types.size() && types[i])
      made.type = *types[i];
    else
      toTypeProto(argument.getType(), made.type);
    if (i < data.size() && data[i])
      made.data = *data[i];
  }
  inferBlock(graph.front());
  for (Value value : graph.front().back().getOperands())
    result.push_back(knownOf(value).type);
  return result;
}

void InferenceCheck::inferNode(Operator op) {
  SmallVector<InferenceInput> inputs(op->getNumOperands());
  SmallVector<char> wasRead(op->getNumOperands(), 0);
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto place = known.find(operand.getAsOpaquePointer());
    if (place == known.end() ||
        place->second.type.value_case() == onnx::TypeProto::VALUE_NOT_SET)
      continue;
    inputs[i].type = &place->second.type;
    inputs[i].data = place->second.data ? &*place->second.data : nullptr;
    inputs[i].wasRead = &wasRead[i];
  }
  auto ofGraph = [&](Region &graph, ArrayRef<const onnx::TypeProto *> types,
                     ArrayRef<const onnx::TensorProto *> data)
      -> llvm::Expected<InferredTypes> {
    return inferGraph(graph, types, data);
  };
  llvm::Expected<InferredTypes> inferred = inferTypes(op, inputs, ofGraph);
  for (auto [i, isRead] : llvm::enumerate(wasRead))
    if (isRead)
      read.insert({op.getOperation(), unsigned(i)});
  if (!inferred)
    found.push_back({op.getOperation(), llvm::toString(inferred.takeError()),
                     /*isDeclared=*/false});
  onnx::TypeProto unknown;
  for (auto [i, value] : llvm::enumerate(op->getResults()))
    note(value, inferred && i < inferred->size() ? (*inferred)[i] : unknown);
}

void InferenceCheck::inferBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    for (Value value : op.getResults())
      if (StringRef name = valueName(value); !name.empty())
        operators[name] = Operator::from(&op)
                              ? Operator::from(&op).opType().str()
                              : std::string();
    if (isFolded(&op)) {
      for (Value value : op.getResults())
        if (const ValueState &state = evaluation->state(value);
            state.isConstant())
          noteConstant(value, state.value);
      continue;
    }
    if (plan && plan->action(&op) == FoldPlan::Action::Removed)
      continue;
    if (auto constant = dyn_cast<OnnxConstantOp>(op))
      noteConstant(constant, elementsOf(constant.getValue()));
    else if (Operator node = Operator::from(&op))
      inferNode(node);
  }
}

//===----------------------------------------------------------------------===//
// What it depends on
//===----------------------------------------------------------------------===//

static StringRef nameOfNode(Operation *op) {
  for (Value value : op->getResults())
    if (StringRef name = valueName(value); !name.empty())
      return name;
  return {};
}

/// Adds nodes with what folds above them.
void InferenceCheck::addFolded(Operation *op, llvm::StringSet<> &names) const {
  SmallVector<Operation *> open = {op};
  while (!open.empty()) {
    Operation *next = open.pop_back_val();
    StringRef name = nameOfNode(next);
    if (isa<OnnxConstantOp>(next) || name.empty() || !names.insert(name).second)
      continue;
    for (Value value : valuesReadBy(*next))
      if (Operation *above = value.getDefiningOp())
        if (plan->action(above) != FoldPlan::Action::Kept)
          open.push_back(above);
  }
}

void InferenceCheck::addCauses(const Failure &failure,
                               const InferenceCheck &before,
                               llvm::StringSet<> &names) const {
  DenseSet<Operation *> seen;
  SmallVector<Operation *> open = {failure.op};
  names.insert(nameOfNode(failure.op));
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    if (!seen.insert(op).second)
      continue;
    auto asBefore = before.operators.find(nameOfNode(op));
    Operator node = Operator::from(op);
    if (!node || asBefore == before.operators.end() ||
        asBefore->second != node.opType())
      names.insert(nameOfNode(op)); // it was rewritten
    for (auto [i, value] : llvm::enumerate(op->getOperands())) {
      Operation *above = value.getDefiningOp();
      if (!above)
        continue;
      bool isRead = op == failure.op || read.contains({op, unsigned(i)});
      if (isRead && isa<OnnxConstantOp>(above) &&
          !before.operators.contains(nameOfNode(above)))
        names.insert(nameOfNode(op)); // a rewrite made the constant
      if (!isFolded(above))
        open.push_back(above);
      else if (isRead)
        addFolded(above, names);
    }
    for (Value value : valuesReadBy(*op))
      if (Operation *above = value.getDefiningOp(); above && !isFolded(above))
        open.push_back(above);
  }
}
