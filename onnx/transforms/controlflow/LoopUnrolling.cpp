//===- LoopUnrolling.cpp - Loops with a small known trip count ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/controlflow/LoopUnrolling.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/onnx/transforms/controlflow/SequenceLoops.h"
#include "onnxfold/onnx/transforms/rewrite/CarriedAnnotations.h"
#include "onnxfold/onnx/transforms/rewrite/internal/BodyCopy.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The one element of a constant, or null.
static Elements oneOf(const Evaluation &evaluation, Value value,
                      DataType type) {
  const ValueState &state = evaluation.state(value);
  return state.isConstant() && state.type == type && state.value.size() == 1
             ? state.value
             : Elements();
}

static bool isTrue(const Evaluation &evaluation, Value value) {
  Elements condition = oneOf(evaluation, value, DataType::Bool);
  return condition && condition.values<bool>().front();
}

namespace {

/// One Loop.
class Unroller {
public:
  Unroller(Operator op, Block &body, Evaluation &evaluation, NodeBuilder &nodes)
      : op(op), body(body), evaluation(evaluation), nodes(nodes),
        numCarried(op.numInputs() - 2), copies(op, evaluation, nodes) {}

  bool goesOn() const;
  std::string refusal(bool isSingle,
                      llvm::function_ref<bool(Operation *)> isErased);
  llvm::SmallVector<Operation *>
  run(uint64_t count, llvm::function_ref<bool(Operation *)> isErased);

private:
  Elements scalarLike(unsigned argument, const Elements &value) const;
  Value number(unsigned argument, const Elements &value);
  bool isInvariant(Operation *inner) const;
  void liftConstants();
  void stateType(Value given, Type carried);
  void copy(Operation *inner, StringRef suffix,
            llvm::function_ref<bool(Operation *)> isErased);
  void iterate(uint64_t i, llvm::function_ref<bool(Operation *)> isErased);
  Value stack(ArrayRef<Value> slices);

  Operator op;
  Block &body;
  Evaluation &evaluation;
  NodeBuilder &nodes;
  unsigned numCarried;
  BodyCopy copies;                           ///< `values`: of the iteration
  llvm::SmallPtrSet<Value, 8> changing;      ///< of the body: per iteration
  llvm::SmallPtrSet<Operation *, 16> once;   ///< those of the body made already
  llvm::SmallPtrSet<Operation *, 4> unknown; ///< they run in each iteration
  std::vector<llvm::SmallVector<Value>> scans;
};

} // namespace

/// The condition that a body returns, whatever copies it.
static Value conditionOf(Block &body) {
  Value condition = body.back().getOperand(0);
  for (Operation *maker = condition.getDefiningOp(); maker;
       maker = condition.getDefiningOp()) {
    Operator copy = Operator::from(maker);
    if (!copy || !copy.is("Identity"))
      break;
    condition = copy->getOperand(0);
  }
  return condition;
}

/// The body says that there is another iteration: true, or what it was told.
bool Unroller::goesOn() const {
  Value condition = conditionOf(body);
  return condition == body.getArgument(1) || isTrue(evaluation, condition);
}

/// Functions that it calls count, too.
static bool isRandom(Operation *op, const SymbolTable *functions) {
  return holds(op, functions, [](Operation *inner) {
    Operator node = Operator::from(inner);
    return !(node && node.isCustom()) && inner->getNumRegions() == 0 &&
           !isMemoryEffectFree(inner);
  });
}

/// Why the body cannot be written as new nodes; empty if it can. Notes what has
/// to run in each iteration. `isSingle`: there is one.
std::string Unroller::refusal(bool isSingle,
                              llvm::function_ref<bool(Operation *)> isErased) {
  for (Operation &inner : body.without_terminator()) {
    if (isErased(&inner))
      continue;
    if (std::string why = whyNotCopied(&inner, evaluation); !why.empty())
      return why;
    if (!isSingle && isRandom(&inner, evaluation.functions()))
      return (inner.getName().getStringRef() + " in its body is random").str();
    if (holdsUnknown(&inner, evaluation.functions()))
      unknown.insert(&inner);
  }
  return "";
}

/// A constant of the rank that an argument of the body has.
Elements Unroller::scalarLike(unsigned argument, const Elements &value) const {
  auto type = dyn_cast<RankedTensorType>(body.getArgument(argument).getType());
  return value.reshape(type && type.getRank() == 1 ? Shape{1} : Shape{});
}

Value Unroller::number(unsigned argument, const Elements &value) {
  Value constant = nodes.constant(scalarLike(argument, value));
  nodes.settle();
  copies.addMade(constant);
  return constant;
}

/// The same in every iteration, with what its bodies read.
bool Unroller::isInvariant(Operation *inner) const {
  if (unknown.contains(inner))
    return false;
  WalkResult walk = inner->walk([&](Operation *op) {
    bool changes = llvm::any_of(op->getOperands(), [&](Value operand) {
      return changing.contains(operand);
    });
    return changes ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !walk.wasInterrupted();
}

/// Constants in bodies of the body stand in front of what has these, so that
/// they are copied once. Not those that a body gives: it has to make them; nor
/// those of graphs of custom operators, which may look at them.
void Unroller::liftConstants() {
  llvm::SmallVector<OnnxConstantOp> constants;
  body.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (Operator node = Operator::from(op); node && node.isCustom())
      return WalkResult::skip();
    auto constant = dyn_cast<OnnxConstantOp>(op);
    if (constant && constant->getBlock() != &body &&
        llvm::none_of(constant->getUsers(), [](Operation *reader) {
          return reader->hasTrait<OpTrait::IsTerminator>();
        }))
      constants.push_back(constant);
    return WalkResult::advance();
  });
  for (OnnxConstantOp constant : constants)
    constant->moveBefore(body.findAncestorOpInBlock(*constant));
}

/// A custom operator's result has the type that the body states for it. (Its
/// shape may be another in each iteration.)
void Unroller::stateType(Value given, Type carried) {
  Operator maker = Operator::from(given.getDefiningOp());
  if (!maker || !maker.isCustom() || !isa<OnnxUnknownType>(given.getType()))
    return;
  auto tensor = dyn_cast<TensorType>(carried);
  given.setType(tensor ? UnrankedTensorType::get(tensor.getElementType())
                       : carried);
}

/// One operation of the body, which reads the values of this iteration.
void Unroller::copy(Operation *inner, StringRef suffix,
                    llvm::function_ref<bool(Operation *)> isErased) {
  if (isInvariant(inner)) {
    if (!once.insert(inner).second)
      return;
    suffix = "";
  } else {
    changing.insert(inner->result_begin(), inner->result_end());
  }
  copies.add(inner, suffix, isErased);
}

void Unroller::iterate(uint64_t i,
                       llvm::function_ref<bool(Operation *)> isErased) {
  if (Value given = body.getArgument(0); !given.use_empty())
    copies.values.map(given,
                      number(0, Elements::splat<int64_t>({}, int64_t(i))));
  std::string suffix = ("_" + llvm::Twine(i)).str();
  for (Operation &inner : body.without_terminator())
    if (!isErased(&inner) && (!inner.use_empty() || unknown.contains(&inner)))
      copy(&inner, suffix, isErased);
  llvm::SmallVector<Value> given;
  for (Value value : body.back().getOperands().drop_front())
    given.push_back(copies.values.lookupOrDefault(value));
  for (unsigned k = 0; k < numCarried; ++k) {
    stateType(given[k], body.getArgument(2 + k).getType());
    copies.values.map(body.getArgument(2 + k), given[k]);
  }
  for (unsigned k = 0; k < scans.size(); ++k)
    scans[k].push_back(given[numCarried + k]);
}

/// The slices of a scan output along a new first dimension.
Value Unroller::stack(ArrayRef<Value> slices) {
  constexpr int axesAreInput = 13;
  nodes.begin(op.getOperation());
  bool isAttribute = nodes.sinceOf("Unsqueeze").value_or(0) < axesAreInput;
  Value axes =
      isAttribute ? Value() : nodes.integers(llvm::ArrayRef<int64_t>{0});
  if (axes)
    copies.addMade(axes);
  llvm::SmallVector<Value> rows;
  for (Value slice : slices) {
    Value row =
        isAttribute
            ? nodes.create("Unsqueeze", {slice},
                           nodes.attribute("axes", llvm::ArrayRef<int64_t>{0}))
            : nodes.create("Unsqueeze", {slice, axes});
    copies.addMade(row);
    rows.push_back(row);
  }
  if (rows.size() == 1)
    return rows[0];
  Value whole =
      nodes.create("Concat", rows, nodes.attribute("axis", int64_t(0)));
  copies.addMade(whole);
  return whole;
}

llvm::SmallVector<Operation *>
Unroller::run(uint64_t count, llvm::function_ref<bool(Operation *)> isErased) {
  nodes.begin(op.getOperation());
  changing.insert(body.getArgument(0));
  for (unsigned k = 0; k < numCarried; ++k)
    if (body.back().getOperand(1 + k) != body.getArgument(2 + k))
      changing.insert(body.getArgument(2 + k));
  if (Value told = body.getArgument(1); !told.use_empty())
    copies.values.map(told, number(1, Elements::splat<bool>({}, true)));
  for (unsigned k = 0; k < numCarried; ++k)
    copies.values.map(body.getArgument(2 + k), op.input(2 + k));
  scans.resize(body.back().getNumOperands() - 1 - numCarried);
  liftConstants();
  for (uint64_t i = 0; i < count; ++i)
    iterate(i, isErased);
  for (unsigned k = 0; k < op.numOutputs(); ++k) {
    if (op->getResult(k).use_empty() || (k >= numCarried && count == 0))
      continue; // the readers of an empty scan output are erased
    if (k >= numCarried)
      copies.giveMade(k, stack(scans[k - numCarried]));
    else
      copies.giveResult(k, copies.values.lookup(body.getArgument(2 + k)));
  }
  return copies.take();
}

/// The body returns a condition that is false in each iteration.
static bool endsAtOnce(Operator op, const Evaluation &evaluation) {
  Region *region = op.getGraph("body");
  if (!region || !region->hasOneBlock() || region->front().empty() ||
      region->front().back().getNumOperands() == 0)
    return false;
  Elements condition =
      oneOf(evaluation, conditionOf(region->front()), DataType::Bool);
  return condition && !condition.values<bool>().front();
}

/// How often the body runs, if that is known.
static std::optional<uint64_t> tripCount(Operator op,
                                         const Evaluation &evaluation) {
  if (!op.is("Loop") || op.numInputs() < 2 ||
      (op.hasInput(1) && !isTrue(evaluation, op.input(1))))
    return std::nullopt;
  Elements count = op.hasInput(0)
                       ? oneOf(evaluation, op.input(0), DataType::Int64)
                       : Elements();
  if (op.hasInput(0) && !count)
    return std::nullopt;
  int64_t most = count ? std::max<int64_t>(0, count.ints()[0])
                       : std::numeric_limits<int64_t>::max();
  if (most > 1 && endsAtOnce(op, evaluation))
    return 1;
  return count ? std::optional<uint64_t>(most) : std::nullopt;
}

/// The body can be written in place of the loop.
static bool fitsLoop(Operator op, Block &body) {
  unsigned given = body.getNumArguments();
  bool fits = given == op.numInputs() && !body.empty() &&
              body.back().getNumOperands() + 1 >= given &&
              body.back().getNumOperands() >= op.numOutputs() + 1;
  for (unsigned i = 2; i < given; ++i)
    fits = fits && op.hasInput(i);
  return fits;
}

/// So many operations are those of the largest models, half a gigabyte.
static constexpr uint64_t mostUnrolledNodes = 1 << 17;

/// Operations of a body, with those in its bodies.
static uint64_t countOperations(Block &body) {
  uint64_t count = 0;
  body.walk([&](Operation *) { ++count; });
  return count;
}

static ResultRange scansOf(Operator op, unsigned numCarried) {
  return op->getResults().drop_front(
      std::min<size_t>(op->getNumResults(), numCarried));
}

/// By an operation that is not erased, nor in a body of an erased one.
static bool isScanRead(Operator op, ResultRange scans,
                       llvm::function_ref<bool(Operation *)> isErased) {
  Operation *around = op->getParentOp();
  return llvm::any_of(scans.getUsers(), [&](Operation *reader) {
    while (reader != around && !isErased(reader))
      reader = reader->getParentOp();
    return reader == around;
  });
}

bool LoopUnrolling::fitsNow(const Evaluation &evaluation,
                            llvm::function_ref<bool(Operation *)> isErased) {
  bool fits = llvm::any_of(kept, [&](const Scanned &one) {
    return !isErased(one.loop.getOperation()) &&
           !isScanRead(one.loop, one.scans, isErased);
  });
  for (auto [loop, count] : tooLong)
    if (!isErased(loop.getOperation()) &&
        losesSequences(loop, count, evaluation, isErased))
      fits |= fitting.insert(loop.getOperation()).second;
  return fits;
}

/// REQUIRES: fitsLoop().
bool LoopUnrolling::takes(Operator op, uint64_t count,
                          const Evaluation &evaluation,
                          llvm::function_ref<bool(Operation *)> isErased) {
  if (count <= most || (count == 1 && takesSingle)) {
    lastReason = most != 0 ? unrolledLoop : singleIteration;
    return true;
  }
  lastReason = sequenceLoop;
  if (!takesSequences || count < 2)
    return false;
  bool fits = fitting.contains(op.getOperation()) ||
              losesSequences(op, count, evaluation, isErased);
  if (!fits)
    tooLong.push_back({op, count});
  return fits;
}

std::optional<llvm::SmallVector<Operation *>>
LoopUnrolling::run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
                   llvm::function_ref<bool(Operation *)> isErased) {
  std::optional<uint64_t> count = tripCount(op, evaluation);
  Region *region = count ? op.getGraph("body") : nullptr;
  if (!region || !region->hasOneBlock())
    return std::nullopt;
  Block &body = region->front();
  nodes.begin(op.getOperation());
  bool fits = fitsLoop(op, body) && nodes.knowsOpset() &&
              takes(op, *count, evaluation, isErased);
  Unroller unroller(op, body, evaluation, nodes);
  if (!fits || (*count != 1 && !unroller.goesOn()))
    return std::nullopt;
  ResultRange scans = scansOf(op, body.getNumArguments() - 2);
  if (*count == 0 && isScanRead(op, scans, isErased)) {
    kept.push_back({op, scans});
    return std::nullopt;
  }
  std::string why = whyNotInlined(op.getOperation());
  if (why.empty())
    why = unroller.refusal(*count == 1, isErased);
  uint64_t size = countOperations(body);
  if (why.empty() && *count != 0 &&
      size > (mostUnrolledNodes - unrolled) / *count)
    why = "with its " + std::to_string(*count) + " iterations of " +
          std::to_string(size) +
          " operations, those that unrolling makes would be more than " +
          std::to_string(mostUnrolledNodes);
  if (!why.empty()) {
    if (*count <= most && noted.insert(op.getOperation()).second)
      refused.push_back("loop '" + printableName(nodeLabel(op)) +
                        "' is not unrolled: " + why);
    return std::nullopt;
  }
  unrolled += *count * size;
  return unroller.run(*count, isErased);
}
