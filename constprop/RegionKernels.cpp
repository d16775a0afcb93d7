//===- RegionKernels.cpp - Regions that MLIR's interfaces describe --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/DefaultFolding.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// RegionBranchOpInterface
//===----------------------------------------------------------------------===//

static bool isWhole(DataType type) {
  return isInteger(type) || type == DataType::Bool;
}

/// Small integers as attributes, by which the interface chooses a region.
static SmallVector<Attribute, 4> conditions(OperandRange operands,
                                            ArrayRef<FoldedValue> values) {
  SmallVector<Attribute, 4> attributes;
  for (auto [operand, value] : llvm::zip_equal(operands, values)) {
    Type type = operand.getType();
    const Elements &tensor = value.tensor;
    bool isNumber = isa<IntegerType, IndexType>(type) && tensor &&
                    tensor.rank() == 0 && isWhole(tensor.type());
    attributes.push_back(
        isNumber ? Builder(type.getContext())
                       .getIntegerAttr(type, tensor.number().to<int64_t>())
                 : Attribute());
  }
  return attributes;
}

/// The values of those operands.
static SmallVector<FoldedValue, 1> pick(OperandRange forwarded,
                                        ArrayRef<FoldedValue> values) {
  if (forwarded.empty())
    return {};
  ArrayRef<FoldedValue> picked =
      values.slice(forwarded.getBeginOperandIndex(), forwarded.size());
  return {picked.begin(), picked.end()};
}

/// Runs one region after the other, as long as there is one successor, until
/// that is the operation itself. An iteration ends at a branch back to the same
/// region or to an earlier one: `scf.while` enters two in each.
static FoldResult runRegions(FoldContext &cx) {
  auto op = cast<RegionBranchOpInterface>(cx.operation());
  SmallVector<FoldedValue, 1> values;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    values.push_back(cx.anyInput(i));
  RegionBranchPoint point = RegionBranchPoint::parent();
  SmallVector<RegionSuccessor, 2> next;
  op.getEntrySuccessorRegions(conditions(op->getOperands(), values), next);
  Region *region = nullptr; // the last one
  uint64_t iterations = 0;
  while (next.size() == 1) {
    RegionSuccessor to = next.front();
    values = pick(op.getSuccessorOperands(point, to), values);
    if (to.isParent() && values.size() != op->getNumResults())
      return notFolded(ReasonCode::ControlFlow,
                       "has a result that no region gives");
    if (to.isParent())
      return values;
    Region *last = std::exchange(region, to.getSuccessor());
    bool isBack = last && region->getRegionNumber() <= last->getRegionNumber();
    if (Reason tooMany = cx.checkTripCount(iterations += isBack))
      return tooMany;
    // A region without arguments carries nothing to the next iteration.
    FoldResult given =
        values.empty() ? cx.runBranch(*region) : cx.runBody(*region, values);
    if (!given)
      return given;
    Operation &end = region->front().back();
    auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(end);
    if (!terminator)
      return notFolded(ReasonCode::ControlFlow,
                       "its body ends with " + end.getName().getStringRef());
    values.assign(given.values().begin(), given.values().end());
    next.clear();
    terminator.getSuccessorRegions(conditions(end.getOperands(), values), next);
    point = RegionBranchPoint(terminator);
  }
  return notFolded(ReasonCode::ControlFlow,
                   "which of its regions runs is not known");
}

//===----------------------------------------------------------------------===//
// LoopLikeOpInterface
//===----------------------------------------------------------------------===//

namespace {

/// A loop with one body of one block, whose results are its loop-carried
/// values.
struct CarriedLoop {
  LoopLikeOpInterface op;
  Block *body;
  Block::BlockArgListType arguments;
  OperandRange inits;
  MutableArrayRef<OpOperand> yields; // of the body's terminator
};

} // namespace

static std::optional<CarriedLoop> carriedLoopOf(Operation *op) {
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return std::nullopt;
  SmallVector<Region *> regions = loop.getLoopRegions();
  auto yields = loop.getYieldedValuesMutable();
  if (regions.size() != 1 || !regions[0]->hasOneBlock() ||
      regions[0]->front().empty() || op->getNumRegions() != 1 || !yields)
    return std::nullopt;
  CarriedLoop carried{loop, &regions[0]->front(), loop.getRegionIterArgs(),
                      loop.getInits(), *yields};
  auto ofBody = [&](BlockArgument argument) {
    return argument.getOwner() == carried.body;
  };
  auto ofEnd = [&](OpOperand &yield) {
    return yield.getOwner() == &carried.body->back();
  };
  size_t n = op->getNumResults();
  if (carried.arguments.size() != n || carried.inits.size() != n ||
      yields->size() != n || !llvm::all_of(carried.arguments, ofBody) ||
      !llvm::all_of(*yields, ofEnd))
    return std::nullopt;
  return carried;
}

/// A bound or a step: an attribute, or the value of an operand.
static std::optional<int64_t>
numberOf(Operation *op, std::optional<OpFoldResult> given,
         llvm::function_ref<const Elements *(unsigned)> input) {
  if (!given)
    return std::nullopt;
  if (auto attribute =
          dyn_cast_if_present<IntegerAttr>(dyn_cast<Attribute>(*given)))
    return attribute.getInt();
  auto operand = llvm::find(op->getOperands(), dyn_cast<Value>(*given));
  if (operand == op->operand_end())
    return std::nullopt;
  const Elements *value = input(operand.getIndex());
  if (!value || !*value || value->rank() != 0 || !isWhole(value->type()))
    return std::nullopt;
  return value->number().to<int64_t>();
}

namespace {

struct Bounds {
  int64_t lower, upper, step;
  uint64_t tripCount() const {
    return lower < upper ? (uint64_t(upper - lower) - 1) / step + 1 : 0;
  }
};

} // namespace

/// Nothing where they are not known, or may mean other numbers: the interface
/// does not say whether bounds are signed.
static std::optional<Bounds>
boundsOf(LoopLikeOpInterface loop,
         llvm::function_ref<const Elements *(unsigned)> input) {
  auto lower = numberOf(loop, loop.getSingleLowerBound(), input);
  auto upper = numberOf(loop, loop.getSingleUpperBound(), input);
  auto step = numberOf(loop, loop.getSingleStep(), input);
  if (!lower || !upper || !step || *lower < 0 || *upper < 0 || *step <= 0)
    return std::nullopt;
  return Bounds{*lower, *upper, *step};
}

static FoldResult runLoop(FoldContext &cx) {
  std::optional<CarriedLoop> loop = carriedLoopOf(cx.operation());
  std::optional<Value> variable = loop->op.getSingleInductionVar();
  auto counter = dyn_cast<BlockArgument>(*variable);
  auto bounds = boundsOf(loop->op, [&](unsigned i) { return &cx.input(i); });
  if (!bounds || loop->body->getNumArguments() != loop->arguments.size() + 1)
    return notFolded(ReasonCode::ControlFlow,
                     "its bounds are not known, or negative");
  if (Reason tooMany = cx.checkTripCount(bounds->tripCount()))
    return tooMany;
  SmallVector<FoldedValue, 1> carried;
  for (OpOperand &init : loop->op.getInitsMutable())
    carried.push_back(cx.anyInput(init.getOperandNumber()));
  DataType type = toDataType(counter.getType());
  uint64_t left = bounds->tripCount();
  for (int64_t i = bounds->lower; left != 0; --left, i += bounds->step) {
    SmallVector<FoldedValue, 2> arguments(loop->body->getNumArguments());
    arguments[counter.getArgNumber()] =
        ops::cast(Elements::splat<int64_t>({}, i), type);
    for (auto [argument, value] : llvm::zip_equal(loop->arguments, carried))
      arguments[argument.getArgNumber()] = value;
    FoldResult given = cx.runBody(*loop->body->getParent(), arguments);
    if (!given)
      return given;
    for (auto [value, yield] : llvm::zip_equal(carried, loop->yields))
      value = given.values()[yield.getOperandNumber()];
  }
  return carried;
}

const Kernel *onnxfold::regionKernelOf(Operation *op) {
  auto make = [](FoldFunction function) {
    Kernel kernel;
    kernel.function = function;
    kernel.takesSequences();
    return kernel;
  };
  static const Kernel loop = make(runLoop), regions = make(runRegions);
  if (auto carried = carriedLoopOf(op))
    if (auto variable = carried->op.getSingleInductionVar())
      return isa<BlockArgument>(*variable) ? &loop : nullptr;
  return isa<RegionBranchOpInterface>(op) ? &regions : nullptr;
}

//===----------------------------------------------------------------------===//
// FoldingInterface's defaults
//===----------------------------------------------------------------------===//

ReasonOr<const Kernel *> FoldingInterface::kernelOf(Operation *op,
                                                    int version) const {
  ReasonOr<const Kernel *> own =
      kernels().lookup(op->getName().getStringRef(), version);
  if (!own && op->getNumRegions() != 0)
    if (const Kernel *regions = regionKernelOf(op))
      return regions;
  return own;
}

/// All results can be the inputs of the successor that is `branch` itself; an
/// operation may have more, as async.execute has a token of its own.
static bool givesAllResults(RegionBranchOpInterface branch) {
  auto isPartOf = [&](const RegionSuccessor &successor) {
    return successor.isParent() &&
           successor.getSuccessorInputs().size() != branch->getNumResults();
  };
  SmallVector<RegionSuccessor, 2> successors;
  branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (Region &region : branch->getRegions())
    for (Block &block : region)
      if (block.mightHaveTerminator())
        if (auto end = dyn_cast<RegionBranchTerminatorOpInterface>(
                block.getTerminator()))
          branch.getSuccessorRegions(RegionBranchPoint(end), successors);
  return llvm::none_of(successors, isPartOf);
}

void FoldingInterface::branchesOf(Operation *op, unsigned result,
                                  SmallVectorImpl<Value> &values) const {
  auto branch = dyn_cast<RegionBranchOpInterface>(op);
  if (branch && !branch.hasLoop() && givesAllResults(branch))
    branch.getPredecessorValues(RegionSuccessor(op, op->getResults()), result,
                                values);
}

std::optional<BodyLoop>
FoldingInterface::loopOf(Operation *op, ArrayRef<const ValueState *> operands,
                         DimExprs &exprs, const ValueTypes &) const {
  std::optional<CarriedLoop> loop = carriedLoopOf(op);
  if (!loop)
    return std::nullopt;
  BodyLoop known{loop->body->getParent()};
  for (BlockArgument argument : loop->body->getArguments())
    known.arguments.push_back(
        {stateOfType(argument.getType(), exprs), std::nullopt});
  for (auto [argument, init, yield] : llvm::zip_equal(
           loop->arguments, loop->op.getInitsMutable(), loop->yields))
    known.arguments[argument.getArgNumber()] = {
        *operands[init.getOperandNumber()], yield.getOperandNumber()};
  auto bounds = boundsOf(loop->op, [&](unsigned i) {
    return operands[i]->isConstant() ? &operands[i]->value : nullptr;
  });
  known.runs = bounds && bounds->tripCount() != 0;
  return known;
}

SmallVector<ValueState, 2> FoldingInterface::resultsOfLoop(
    Operation *op, bool /*runs*/, ArrayRef<const ValueState *> /*operands*/,
    ArrayRef<ValueState> last, ArrayRef<ValueState> results,
    DimExprs & /*exprs*/) const {
  SmallVector<ValueState, 2> known(results);
  if (std::optional<CarriedLoop> loop = carriedLoopOf(op))
    for (auto [result, yield] : llvm::zip_equal(known, loop->yields))
      result = last[yield.getOperandNumber()];
  return known;
}

/// An operation that is called through a symbol, with its operands as the
/// arguments of its only region.
OwningOpRef<Operation *>
FoldingInterface::copyOfCallee(Operation *op,
                               const SymbolTable *functions) const {
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call || !functions ||
      call.getArgOperands().size() != op->getNumOperands())
    return nullptr;
  auto symbol = dyn_cast_if_present<FlatSymbolRefAttr>(
      dyn_cast<SymbolRefAttr>(call.getCallableForCallee()));
  Operation *function = symbol ? functions->lookup(symbol.getValue()) : nullptr;
  auto callable = dyn_cast_if_present<CallableOpInterface>(function);
  Region *body = callable ? callable.getCallableRegion() : nullptr;
  bool isCalled = body && body == &function->getRegion(0) &&
                  body->getNumArguments() == op->getNumOperands();
  return isCalled ? function->clone() : nullptr;
}
