//===- Decomposition.cpp - Operators taken apart by their bodies ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/Decomposition.h"
#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/ShapeInference.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "onnxfold/onnx/transforms/cleanup/internal/KnownInputs.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// A search computes sizes, bounds and other small values.
static constexpr uint64_t mostPartBytes = 1 << 16, mostPartWork = 1 << 24;
/// By which constants may grow, where a node of several is left.
static constexpr int64_t mostGrowth = 256;

Decomposition::Decomposition(const llvm::StringSet<> &disabled)
    : disabled(disabled) {
  this->disabled.insert(
      decompose); // of what is in a body only the whole counts
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

bool Decomposition::mayHaveBody(Operator op) {
  auto [entry, isNew] = haveBodies.try_emplace(
      {op->getName().getAsOpaquePointer(), op.since()}, false);
  if (isNew) {
    const onnx::OpSchema *schema = op.schema();
    entry->second =
        schema && isDeterministic(op.domain(), op.opType()) &&
        (schema->HasFunction() || schema->HasContextDependentFunction());
  }
  return entry->second;
}

/// The opsets for which there may be a body, the best one first. That of an
/// earlier opset says the same in words of that time.
static SmallVector<int64_t> opsetsOfBodies(Operator op, int64_t opset) {
  SmallVector<int64_t> opsets = {opset};
  const onnx::OpSchema &schema = *op.schema();
  for (const std::vector<int> &list :
       {schema.function_opset_versions(),
        schema.context_dependent_function_opset_versions()})
    for (int version : llvm::reverse(list))
      if (version < opset)
        opsets.push_back(version);
  return opsets;
}

/// The body for these inputs; no end if there is none.
static SchemaBody bodyOf(Operator op, const KnownInputs &inputs,
                         int64_t opset) {
  std::vector<onnx::TypeProto> types(op.numInputs());
  SmallVector<InferenceInput, 4> known(op.numInputs());
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    if (!op.hasInput(i))
      continue;
    auto type = int32_t(inputs.typeOf(i));
    if (std::optional<Shape> shape = inputs.shapeOf(i)) {
      for (int64_t &size : *shape)
        size = size < 0 ? ShapedType::kDynamic : size;
      makeTensorTypeProto(type, *shape, types[i]);
    } else {
      types[i].mutable_tensor_type()->set_elem_type(type);
    }
    known[i].type = &types[i];
  }
  for (int64_t candidate : opsetsOfBodies(op, opset)) {
    auto proto = functionBody(op, known, candidate);
    if (proto && *proto)
      return SchemaBody::import(op, **proto, candidate, inputs.arguments());
    if (!proto)
      llvm::consumeError(proto.takeError());
  }
  return {};
}

static EvaluationOptions optionsFor(const SchemaBody &body,
                                    const KnownInputs &inputs) {
  EvaluationOptions options;
  options.refinesTypes = true; // of a module of its own
  options.limits.maxResultBytes = mostPartBytes;
  options.limits.maxWork = mostPartWork;
  options.stateOfArgument = inputs.statesOf(body.block().getParentOp());
  return options;
}

//===----------------------------------------------------------------------===//
// Exactness
//===----------------------------------------------------------------------===//

/// Elements of the result are elements of inputs, or numbers of dimensions.
static bool movesData(Operator op) {
  static const llvm::StringSet<> names = {
      "Identity",  "Reshape",        "Flatten",      "Squeeze",
      "Unsqueeze", "Expand",         "Transpose",    "Slice",
      "Split",     "Concat",         "Pad",          "Tile",
      "Gather",    "GatherElements", "GatherND",     "Where",
      "Shape",     "Size",           "DepthToSpace", "SpaceToDepth",
      "Trilu",     "Compress",       "If",           "Loop"};
  return op.domain().empty() && names.contains(op.opType());
}

/// Whoever computes it gets the same bits. (That of If and Loop is what is in
/// their bodies.)
static bool isExact(Operator op, const Evaluation &evaluation) {
  if (movesData(op))
    return true;
  if (!isDeterministic(op.domain(), op.opType()))
    return false;
  auto isWhole = [&](Value value) {
    DataType type = evaluation.state(value).type;
    return isAbsent(value) || type == DataType::Bool || isInteger(type);
  };
  return llvm::all_of(op->getOperands(), isWhole) &&
         llvm::all_of(op->getResults(), isWhole);
}

/// The body of a Clip without bounds is its input; runtimes clip infinities of
/// floats to the largest numbers.
static bool agreesWithRuntimes(Operator op, const KnownInputs &inputs) {
  return !op.is("Clip") || isInteger(inputs.typeOf(0));
}

static bool isExact(const SchemaBody &body, const KnownInputs &inputs) {
  Evaluation evaluation(*body.module, optionsFor(body, inputs));
  evaluation.run();
  auto check = [&](Operation *inner) {
    Operator op = Operator::from(inner);
    return !op || inner == body.end || isExact(op, evaluation)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  };
  return !body.block().getParentOp()->walk(check).wasInterrupted();
}

//===----------------------------------------------------------------------===//
// What is left
//===----------------------------------------------------------------------===//

/// Nodes of a body that was cleaned up.
static SmallVector<Operation *> nodesOf(const SchemaBody &body) {
  SmallVector<Operation *> nodes;
  for (Operation &op : body.block().without_terminator())
    if (&op != body.end && !isa<OnnxConstantOp, OnnxAbsentOp>(op))
      nodes.push_back(&op);
  return nodes;
}

/// Evaluates a body and cleans it up. False if something in it fails for these
/// inputs.
static bool cleanUpBody(const SchemaBody &body, const KnownInputs &inputs,
                        const llvm::StringSet<> &disabled) {
  CleanUp cleanUp(/*level=*/1, disabled);
  std::optional<Evaluation> evaluation;
  do
    evaluation.emplace(*body.module, optionsFor(body, inputs));
  while (cleanUp.run(*evaluation));
  std::unique_ptr<FoldPlan> plan = cleanUp.plan();
  bool mayRun = cleanUp.problem().empty();
  for (Operation *op : nodesOf(body))
    if (plan->action(op) == FoldPlan::Action::Kept &&
        !cleanUp.session().isErased(op))
      mayRun &= evaluation->reason(op).code == ReasonCode::InputNotConstant ||
                evaluation->reason(op).code == ReasonCode::ControlFlow;
  plan->apply();
  return mayRun;
}

/// Two versions of an operator that only differ in the types that they take:
/// then a node that is exact means the same in both.
static bool areAlike(const onnx::OpSchema &a, const onnx::OpSchema &b) {
  auto areSame = [](const auto &x, const auto &y) {
    return x.GetName() == y.GetName() && x.GetOption() == y.GetOption();
  };
  auto haveSame = [](const auto &x, const auto &y) {
    return x.first == y.first && x.second.required == y.second.required &&
           x.second.default_value.SerializeAsString() ==
               y.second.default_value.SerializeAsString();
  };
  return llvm::equal(a.inputs(), b.inputs(), areSame) &&
         llvm::equal(a.outputs(), b.outputs(), areSame) &&
         llvm::equal(a.attributes(), b.attributes(), haveSame);
}

/// The node of a body can stand in the model, which may have a later opset.
static bool fitsOpset(Operator node, int64_t opset) {
  std::optional<int> since = resolveSince("", node.opType(), opset);
  if (!since || *since == node.since())
    return since.has_value();
  const onnx::OpSchema *now = schemaSince("", node.opType(), *since);
  return now && node.schema() && areAlike(*node.schema(), *now);
}

Decomposition::Kind
Decomposition::classify(Operator op, const KnownInputs &inputs, int64_t opset) {
  if (!agreesWithRuntimes(op, inputs))
    return {};
  ++searches;
  SchemaBody body = bodyOf(op, inputs, opset);
  if (!body.end) // some are only made for known sizes
    return {/*mayBeExact=*/true, ~0u};
  if (!isExact(body, inputs) || !cleanUpBody(body, inputs, disabled))
    return {};
  return {/*mayBeExact=*/true, unsigned(nodesOf(body).size())};
}

/// Bytes of a constant that is there, or that is only known.
static int64_t bytesOf(const Elements &value) {
  return value ? packedBytes(value.type(), value.size()) : 0;
}

Decomposition::Outcome Decomposition::search(Operator op,
                                             const KnownInputs &inputs,
                                             int64_t opset, const Kind &kind) {
  ++searches;
  Outcome found;
  SchemaBody body = bodyOf(op, inputs, opset);
  // Another body may be made if more is known.
  if (!body.end || !isExact(body, inputs) ||
      !cleanUpBody(body, inputs, disabled))
    return found;
  SmallVector<Operation *> nodes = nodesOf(body);
  Value result = body.end->getOperand(0);
  bool isPart = nodes.size() == 1 && kind.nodes > 1 &&
                result.getDefiningOp() == nodes[0] &&
                nodes[0]->getNumResults() == 1 &&
                nodes[0]->getNumRegions() == 0 &&
                fitsOpset(Operator::from(nodes[0]), opset);
  if (!nodes.empty() && !isPart)
    return found;
  for (Operation &inner : body.block())
    if (auto constant = dyn_cast<OnnxConstantOp>(inner))
      found.bytes += bytesOf(fromAttribute(constant.getValue()));
  found.body = std::move(body);
  return found;
}

//===----------------------------------------------------------------------===//
// In the model
//===----------------------------------------------------------------------===//

/// The operands of the operator, by the number of their argument.
static SmallVector<Value, 4> givenTo(const SchemaBody &body, Operator op,
                                     const KnownInputs &inputs) {
  SmallVector<Value, 4> given(body.block().getNumArguments());
  for (auto [i, number] : llvm::enumerate(inputs.arguments()))
    if (number)
      given[*number] = op.input(i);
  return given;
}

/// Constants that only the operator reads are erased, except those that its
/// replacement reads.
bool Decomposition::fitsBudget(const CleanUpContext &cx, const Outcome &found,
                               ArrayRef<Value> given,
                               std::optional<int64_t> most) {
  int64_t growth = found.bytes, more = growth;
  for (auto [argument, value] :
       llvm::zip_equal(found.body.block().getArguments(), given)) {
    Elements constant = growth == 0 ? Elements() : cx.constantOf(value);
    if (!constant || !argument.use_empty() || !cx.isReadOnce(value))
      continue;
    more -= bytesOf(constant);
    Operation *maker = value.getDefiningOp(); // others are not in the model yet
    if (maker && cx.knownValues().isConstant(maker))
      growth -= bytesOf(constant);
  }
  if (more > mostGrowth)
    return false;
  bool isTooLarge = growth > 0 && most && growth > *most;
  limited |= isTooLarge;
  if (isTooLarge)
    return false;
  made += found.bytes;
  bytesAdded += growth;
  return true;
}

/// The value in front of the operator that stands for one of a body.
static Value valueOf(Value value, ArrayRef<Value> given, NodeBuilder &nodes) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return given[argument.getArgNumber()];
  if (auto constant = value.getDefiningOp<OnnxConstantOp>())
    return nodes.constant(fromAttribute(constant.getValue()));
  if (isAbsent(value))
    return nodes.absent();
  Operator node = Operator::from(value.getDefiningOp());
  SmallVector<Value, 6> inputs;
  for (Value operand : node->getOperands())
    inputs.push_back(valueOf(operand, given, nodes));
  return nodes.create(node.name(), inputs,
                      node->getDiscardableAttrDictionary().getValue());
}

Value Decomposition::run(const CleanUpContext &cx,
                         std::optional<int64_t> most) {
  Operator op = cx.op;
  if (op->getNumRegions() != 0 || !mayHaveBody(op))
    return {};
  int64_t opset =
      importedOpset(op.getOperation(), "").value_or(latestOpset(""));
  KnownInputs inputs(op, cx.knownValues());
  if (!inputs.areTyped())
    return {};
  Key key = {int64_t(op->getName().getAsOpaquePointer()), op.since(), opset,
             int64_t(op->getDiscardableAttrDictionary().getAsOpaquePointer())};
  for (Value result : op->getResults())
    key.push_back(isAbsent(result));
  llvm::append_range(key, inputs.key(/*withSizes=*/false));
  auto [kind, isNewKind] = kinds.try_emplace(key);
  if (isNewKind)
    kind->second = classify(op, inputs.withoutSizes(), opset);
  if (!kind->second.mayBeExact)
    return {};
  llvm::append_range(key, inputs.key(/*withSizes=*/true));
  auto [found, isNew] = outcomes.try_emplace(key);
  if (isNew)
    found->second = search(op, inputs, opset, kind->second);
  const Outcome &outcome = found->second;
  if (!outcome.body.end)
    return {};
  SmallVector<Value, 4> given = givenTo(outcome.body, op, inputs);
  if (!fitsBudget(cx, outcome, given, most))
    return {};
  Value value = valueOf(outcome.body.end->getOperand(0), given, cx.nodes);
  // A constant has no place for the names that the operator had.
  return value.getDefiningOp<OnnxConstantOp>() &&
                 !llvm::is_contained(given, value)
             ? cx.nodes.create("Identity", value)
             : value;
}
