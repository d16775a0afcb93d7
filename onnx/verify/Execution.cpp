//===- Execution.cpp - One run of a graph ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/internal/Execution.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/verify/RandomTensor.h"
#include "onnxfold/onnx/verify/internal/InlineCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/xxhash.h"

using namespace onnxfold;
using namespace mlir;

bool Obstacle::hasRefused() const {
  return reason.code == ReasonCode::Undefined ||
         reason.code == ReasonCode::Invalid ||
         reason.code == ReasonCode::Inconsistent ||
         reason.code == ReasonCode::TripLimit;
}

bool Execution::hasRefused() const {
  return llvm::any_of(obstacles, std::mem_fn(&Obstacle::hasRefused));
}

SmallVector<Value> onnxfold::valuesReadBy(Operation *op, Block &block) {
  SmallVector<Value> values(op->getOperands());
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (operand.getParentBlock() == &block)
          values.push_back(operand);
    });
  return values;
}

bool onnxfold::cannotBeRun(ReasonCode code) {
  return code == ReasonCode::NotDeterministic || code == ReasonCode::NoKernel ||
         code == ReasonCode::UnknownVersion;
}

namespace {

class Run {
public:
  Run(FunctionOpInterface graph, ArrayRef<FoldedValue> inputs,
      const ExecutionOptions &options)
      : options(options), block(graph.getFunctionBody().front()),
        evaluation(graph, optionsFor(graph, inputs)) {}

  Execution execute();

private:
  EvaluationOptions optionsFor(FunctionOpInterface graph,
                               ArrayRef<FoldedValue> inputs);
  void findLastReaders();
  void visit(Operation *op);
  bool isObstacle(Operation *op) const;
  Reason reasonOf(Operation *op) const;
  void note(Operation *op);
  bool saturate(Operation *op);
  void standIn(Operation *op);
  void moveSum(Operation *op);
  SmallVector<FoldedValue, 1> makeUp(Operation *op);
  Shape shapeLike(const ValueState &state, const Elements &like);
  Blame blameFor(Value value) const;

  const ExecutionOptions &options;
  Block &block;
  UsedLimits used;
  bool wasExhausted = false;
  Evaluation evaluation;
  Execution result;
  llvm::DenseMap<Operation *, SmallVector<Value, 2>> lastRead;
};

} // namespace

static ValueState stateOf(const FoldedValue &value, DimExprs &exprs) {
  ValueState state;
  state.value = value.tensor;
  state.sequence = value.sequence;
  state.isNothing = value.isNothing;
  if (!value.tensor)
    return state;
  state.type = value.tensor.type();
  state.shape.emplace();
  for (int64_t size : value.tensor.shape())
    state.shape->push_back(exprs.constant(size));
  return state;
}

EvaluationOptions Run::optionsFor(FunctionOpInterface graph,
                                  ArrayRef<FoldedValue> inputs) {
  EvaluationOptions result = onnxEvaluationOptions();
  auto byType = result.stateOfArgument;
  result.stateOfArgument = [graph, inputs, byType](BlockArgument argument,
                                                   DimExprs &exprs) {
    bool isInput = argument.getOwner()->getParentOp() == graph;
    return isInput ? stateOf(inputs[argument.getArgNumber()], exprs)
                   : byType(argument, exprs);
  };
  result.limits = options.limits;
  result.used = &used;
  result.policy = [](Operation *) -> Reason {
    return {}; // all is computed
  };
  result.refinesTypes = true;
  result.step = options.step;
  return result;
}

/// The operation of the graph that a reader, perhaps in a body, belongs to.
static Operation *inBlock(Operation *op, Block &block) {
  return block.findAncestorOpInBlock(*op);
}

void Run::findLastReaders() {
  auto note = [&](Value value, Operation *maker) {
    Operation *last = maker;
    for (Operation *user : value.getUsers()) {
      Operation *reader = inBlock(user, block);
      if (!reader || reader == block.getTerminator())
        return;
      if (!last || last->isBeforeInBlock(reader))
        last = reader;
    }
    if (last)
      lastRead[last].push_back(value);
  };
  for (BlockArgument argument : block.getArguments())
    note(argument, nullptr);
  for (Operation &op : block)
    for (Value value : op.getResults())
      note(value, &op);
}

bool Run::isObstacle(Operation *op) const {
  Operator onnxOp = Operator::from(op);
  if (!onnxOp || onnxOp.domain() == "onnx-fold") // Keep, which is no node
    return false;
  switch (evaluation.reason(op).code) {
  case ReasonCode::None:
  case ReasonCode::Constant:
  case ReasonCode::NoTensor:
    return false;
  case ReasonCode::InputNotConstant:
    return llvm::all_of(valuesReadBy(op, block), [&](Value operand) {
      const ValueState &state = evaluation.state(operand);
      return state.absent || state.known();
    });
  default:
    return true;
  }
}

/// A node that breaks the standard by itself is like one that nobody knows:
/// other inputs do not help.
Reason Run::reasonOf(Operation *op) const {
  const Reason &reason = evaluation.reason(op);
  const FoldingInterface *dialect = FoldingInterface::of(op);
  bool isBroken =
      reason.code == ReasonCode::Invalid && dialect && dialect->mustBeKept(op);
  return isBroken ? notFolded(ReasonCode::NoKernel, reason.text) : reason;
}

/// "Relu 'name'", by the name of its first output if it has none itself. That
/// of an inlined operator follows the key of the call.
static std::string describe(Operator op) {
  StringRef name = nodeLabel(op);
  if (op.domain() == "onnx-fold")
    return ("initializer '" + name + "'").str();
  if (!op.node())
    name = name.substr(name.rfind(inlinedNameMark) + 1);
  return (op.opType() + " '" + name + "'").str();
}

/// Operators by their names in the model, not those of operations.
static std::string forPeople(StringRef text) {
  StringRef body = "in its body, ";
  if (!text.consume_front((body + "onnx.").str()))
    return text.str();
  return (body + text).str();
}

std::string onnxfold::keyOf(Operator op) {
  std::optional<int64_t> ordinal = op.node();
  std::string which =
      ordinal ? "#" + std::to_string(*ordinal) : op.outputName(0).str();
  return (op.opType() + " " + which).str();
}

void Run::note(Operation *op) {
  Operator onnxOp = Operator::from(op);
  Obstacle obstacle;
  obstacle.name = describe(onnxOp);
  obstacle.key = keyOf(onnxOp);
  obstacle.reason = reasonOf(op);
  obstacle.isOfBodies = op->getNumRegions() != 0;
  obstacle.reason.text = forPeople(obstacle.reason.text);
  for (Value operand : op->getOperands())
    obstacle.inputs.push_back(evaluation.state(operand).known());
  if (options.stopsAt && obstacle.hasRefused() && options.stopsAt(obstacle))
    result.stoppedAt = op;
  result.obstacles.push_back(std::move(obstacle));
}

/// A Cast of numbers that an integer type cannot hold. True if it is one.
bool Run::saturate(Operation *op) {
  Operator onnxOp = Operator::from(op);
  if (!options.saturates ||
      evaluation.reason(op).code != ReasonCode::Undefined ||
      !(onnxOp.is("Cast") || onnxOp.is("CastLike")))
    return false;
  const Elements &x = evaluation.state(op->getOperand(0)).value;
  DataType type = evaluation.state(op->getResult(0)).type;
  if (!x || !isFloat(x.type()) || !isInteger(type))
    return false;
  std::vector<double> values = ops::cast(x, DataType::Float64).values<double>();
  double least = isSigned(type) ? -std::exp2(bitWidth(type) - 1) : 0;
  double beyond = std::exp2(bitWidth(type) - isSigned(type));
  for (double &value : values)
    value = std::isnan(value) ? 0
            : value < least   ? least
            : value >= beyond ? std::fmin(beyond - 1, std::nextafter(beyond, 0))
                              : value;
  evaluation.assume(
      op->getResult(0),
      ops::cast(Elements::fromValues<double>(x.shape(), values), type));
  return true;
}

/// Results of an operator that nobody can run.
void Run::standIn(Operation *op) {
  std::string key = keyOf(Operator::from(op));
  SmallVector<FoldedValue, 1> values =
      options.given ? options.given->lookup(key) : makeUp(op);
  if (values.size() != op->getNumResults())
    return;
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    evaluation.assume(result, value);
  result.standIns[key] = std::move(values);
}

void Run::moveSum(Operation *operation) {
  Operator onnxOp = Operator::from(operation);
  if (!onnxOp || !onnxOp.isAny({"MatMul", "Gemm", "Conv", "ConvTranspose"}))
    return;
  Value result = operation->getResult(0);
  const Elements &sum = evaluation.state(result).value;
  if (sum && isFloat(sum.type()))
    evaluation.assume(result, options.movesSum(sum));
}

/// Results have what their types leave open from the first operand: whatever
/// the operator gives, both modules get the same.
SmallVector<FoldedValue, 1> Run::makeUp(Operation *op) {
  if (!cannotBeRun(reasonOf(op).code))
    return {};
  Elements like;
  for (Value operand : op->getOperands())
    if (!like)
      like = evaluation.state(operand).known().tensor;
  SmallVector<FoldedValue, 1> values;
  for (Value result : op->getResults()) {
    const ValueState &state = evaluation.state(result);
    Shape shape = shapeLike(state, like);
    DataType type = state.type != DataType::Undefined ? state.type
                    : like                            ? like.type()
                                                      : DataType::Float32;
    std::optional<int64_t> count = checkedNumElements(shape);
    if (!count || uint64_t(*count) * std::max(8u, byteWidth(type)) >
                      options.limits.maxResultBytes)
      return {};
    std::string key =
        keyOf(Operator::from(op)) + " " + std::to_string(values.size());
    Random random(options.seed ^ llvm::xxh3_64bits(key));
    Draw draw;
    if (!isFloat(type)) // an index into anything that is not empty
      draw.usual = {0, 0};
    values.push_back(randomTensor(type, shape, draw, random));
  }
  return values;
}

/// The shape that is known of a result; what is not is that of another tensor.
Shape Run::shapeLike(const ValueState &state, const Elements &like) {
  if (!state.shape)
    return like ? Shape(like.shape()) : Shape{2, 3};
  Shape shape;
  bool isOfRank = like && like.rank() == int64_t(state.shape->size());
  for (auto [i, d] : llvm::enumerate(*state.shape))
    shape.push_back(
        evaluation.exprs().valueOf(d).value_or(isOfRank ? like.dim(i) : 2));
  return shape;
}

void Run::visit(Operation *op) {
  if (op->getBlock() != &block)
    return;
  used.iterations = 0; // each loop has the limit for itself
  bool isExhausted = result.stoppedAt ||
                     used.work > double(options.limits.maxWork) ||
                     (options.isCancelled && options.isCancelled());
  result.numVisited += !result.stoppedAt;
  ++result.numOperators;
  if (isObstacle(op) && !wasExhausted && !saturate(op)) {
    note(op);
    standIn(op);
  }
  if (options.movesSum)
    moveSum(op);
  // A run that is exhausted computes nothing more that depends on the inputs.
  wasExhausted |= isExhausted;
  if (isExhausted)
    for (Value result : op->getResults())
      evaluation.assume(result, {});
  auto dead = lastRead.find(op);
  if (dead == lastRead.end())
    return;
  for (Value value : dead->second)
    evaluation.assume(value, {});
}

/// Why a value is not known: the operator that it depends on.
Blame Run::blameFor(Value value) const {
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (Operation *op = value.getDefiningOp()) {
    if (!seen.insert(op).second)
      break;
    const Reason reason = reasonOf(op);
    SmallVector<Value> read = valuesReadBy(op, block);
    auto unknown = llvm::find_if(read, [&](Value operand) {
      const ValueState &state = evaluation.state(operand);
      Operation *maker = operand.getDefiningOp();
      return maker && !state.absent && evaluation.reason(maker);
    });
    if (reason.code != ReasonCode::InputNotConstant || unknown == read.end()) {
      Operator onnxOp = Operator::from(op);
      if (!onnxOp)
        return {reason, ""};
      return {notFolded(reason.code, "depends on " + describe(onnxOp) + ": " +
                                         forPeople(reason.text)),
              keyOf(onnxOp)};
    }
    value = *unknown;
  }
  return {notFolded(ReasonCode::InputNotConstant, "is not known"), ""};
}

Execution Run::execute() {
  findLastReaders();
  evaluation.run([this](Operation *op) { visit(op); });
  result.work = used.work;
  for (Value value : block.getTerminator()->getOperands()) {
    result.outputs.push_back(evaluation.state(value).known());
    result.blames.push_back(result.outputs.back() ? Blame() : blameFor(value));
  }
  return std::move(result);
}

Execution onnxfold::execute(FunctionOpInterface graph,
                            ArrayRef<FoldedValue> inputs,
                            const ExecutionOptions &options) {
  return Run(graph, inputs, options).execute();
}
