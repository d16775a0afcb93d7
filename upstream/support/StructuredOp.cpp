//===- StructuredOp.cpp - Operations of linalg that are loop nests --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/StructuredOp.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/upstream/support/Combine.h"
#include "onnxfold/upstream/support/LoopNest.h"
#include "onnxfold/upstream/support/TensorBody.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace onnxfold;
using namespace onnxfold::upstream;
using namespace mlir;

namespace {

class StructuredFold {
public:
  StructuredFold(FoldContext &cx, linalg::LinalgOp op, LoopNest nest)
      : cx(cx), op(op), block(*op.getBlock()), nest(std::move(nest)),
        maps(op.getIndexingMapsArray()) {}

  FoldResult run();

private:
  /// An output is number `operand` of the operands.
  unsigned operandOf(unsigned output) const {
    return op.getNumDpsInputs() + output;
  }
  BlockArgument accumulatorOf(unsigned output) const {
    return op.getMatchingBlockArgument(&op->getOpOperand(operandOf(output)));
  }
  Value yieldedOf(unsigned output) const {
    return block.getTerminator()->getOperand(output);
  }
  std::optional<Combination> combinationOf(unsigned output) const {
    return upstream::combinationOf(yieldedOf(output), accumulatorOf(output));
  }
  bool needsOrder() const;
  void setInputs(TensorBody &body, const LoopNest &loops) const;
  ReasonOr<Elements> reduced(const TensorBody &body, unsigned output,
                             const Combination &combination) const;
  Shape reducedLoops(unsigned output) const;
  ReasonOr<Elements> arranged(Elements value, unsigned output) const;
  FoldResult runAtOnce() const;
  FoldResult runInOrder() const;
  Reason step(ShapeRef point, MutableArrayRef<Elements> accumulators) const;

  FoldContext &cx;
  mutable linalg::LinalgOp op; // a handle, whose methods are not const
  Block &block;
  LoopNest nest;
  SmallVector<AffineMap> maps;
};

} // namespace

/// The loops that an output does not depend on.
Shape StructuredFold::reducedLoops(unsigned output) const {
  Shape loops;
  for (size_t loop = 0; loop < nest.numLoops(); ++loop)
    if (!nest.accesses[operandOf(output)].dependsOn(loop))
      loops.push_back(loop);
  return loops;
}

/// Some result is what a body makes of the accumulator in a way of its own:
/// then points of the reductions are run one after the other.
bool StructuredFold::needsOrder() const {
  for (unsigned output = 0; output < op.getNumDpsInits(); ++output)
    for (int64_t loop : reducedLoops(output))
      if (nest.sizes[loop] != 1 && !combinationOf(output))
        return true;
  return false;
}

void StructuredFold::setInputs(TensorBody &body, const LoopNest &loops) const {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    unsigned number = operand->getOperandNumber();
    if (isKnown(cx, number))
      body.set(op.getMatchingBlockArgument(operand),
               loops.view(cx.input(number), number));
  }
}

/// A tensor over the loops as the output's indices have it.
ReasonOr<Elements> StructuredFold::arranged(Elements value,
                                            unsigned output) const {
  AffineMap map = maps[operandOf(output)];
  const AffineAccess &access = nest.accesses[operandOf(output)];
  Shape order, shape;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    bool isUnit = expr == getAffineConstantExpr(0, map.getContext());
    if (!isUnit && (!dim || llvm::is_contained(order, dim.getPosition())))
      return notFolded(ReasonCode::NoKernel,
                       "result #" + Twine(output) +
                           " is not written in the order of the loops");
    if (dim)
      order.push_back(dim.getPosition());
    shape.push_back(dim ? nest.sizes[dim.getPosition()] : 1);
  }
  for (int64_t loop : reducedLoops(output)) {
    if (value.dim(loop) != 1)
      return notFolded(ReasonCode::NoKernel, "elements of result #" +
                                                 Twine(output) +
                                                 " are written more than once");
    order.push_back(loop);
  }
  value = value.expand(
      nest.shapeOf([&](size_t loop) { return access.dependsOn(loop); }));
  return value.transpose(order).reshape(shape);
}

ReasonOr<Elements>
StructuredFold::reduced(const TensorBody &body, unsigned output,
                        const Combination &combination) const {
  unsigned number = operandOf(output);
  Elements init = nest.view(cx.input(number), number);
  Shape loops = reducedLoops(output), counts;
  for (int64_t loop : loops)
    counts.push_back(nest.sizes[loop]);
  if (numElements(counts) == 0)
    return init;
  auto overLoops = [&](Elements x) {
    Shape shape(x.shape());
    for (auto [loop, count] : llvm::zip_equal(loops, counts))
      shape[loop] = count;
    return x.expand(shape);
  };
  SmallVector<Elements> factors;
  for (Value factor : combination.factors) {
    ReasonOr<Elements> value = body.of(factor);
    if (!value)
      return value.reason();
    factors.push_back(overLoops(*value));
  }
  Elements result = factors.size() == 2
                        ? sumOfProducts(factors[0], factors[1], loops, init)
                        : combined(combination.op, factors[0], loops, init);
  if (!result)
    return notFolded(ReasonCode::UnsupportedType,
                     "no kernel for this element type");
  return result;
}

FoldResult StructuredFold::runAtOnce() const {
  TensorBody body(cx, block, nest.sizes);
  setInputs(body, nest);
  SmallVector<std::optional<Combination>> combinations;
  for (unsigned output = 0; output < op.getNumDpsInits(); ++output) {
    bool isReduced = llvm::any_of(reducedLoops(output), [&](int64_t loop) {
      return nest.sizes[loop] != 1;
    });
    combinations.push_back(isReduced ? combinationOf(output) : std::nullopt);
    unsigned number = operandOf(output);
    if (!combinations.back() && isKnown(cx, number))
      body.set(accumulatorOf(output), nest.view(cx.input(number), number));
  }
  if (Reason fails = body.run())
    return fails;
  SmallVector<Elements, 1> results;
  for (auto [output, combination] : llvm::enumerate(combinations)) {
    ReasonOr<Elements> value = combination ? reduced(body, output, *combination)
                                           : body.of(yieldedOf(output));
    if (value)
      value = arranged(*value, output);
    if (!value)
      return value.reason();
    results.push_back(*value);
  }
  return results;
}

/// Runs the body at one point of the reductions.
Reason StructuredFold::step(ShapeRef point,
                            MutableArrayRef<Elements> accumulators) const {
  LoopNest here = nest.at(point);
  Shape first(point);
  for (size_t loop = 0; loop < nest.numLoops(); ++loop)
    if (!nest.isReduction[loop])
      first[loop] = 0;
  TensorBody body(cx, block, here.sizes, first);
  setInputs(body, here);
  for (auto [output, accumulator] : llvm::enumerate(accumulators))
    if (accumulator)
      body.set(accumulatorOf(output), accumulator);
  if (Reason fails = body.run())
    return fails;
  for (auto [output, accumulator] : llvm::enumerate(accumulators)) {
    ReasonOr<Elements> value = body.of(yieldedOf(output));
    if (!value)
      return value.reason();
    accumulator = value->materialize();
  }
  return {};
}

/// All points of the reductions, one after the other, as the loops run; each on
/// all elements of the results.
FoldResult StructuredFold::runInOrder() const {
  Shape reductions =
      nest.shapeOf([&](size_t loop) { return bool(nest.isReduction[loop]); });
  for (unsigned output = 0; output < op.getNumDpsInits(); ++output)
    for (size_t loop = 0; loop < nest.numLoops(); ++loop)
      if (nest.isReduction[loop] ==
          nest.accesses[operandOf(output)].dependsOn(loop))
        return notFolded(ReasonCode::NoKernel,
                         "its results do not depend on the parallel loops");
  int64_t numPoints = numElements(reductions);
  constexpr double unitsOfOperation = 50'000;
  if (Reason much = cx.checkWork(
          double(numPoints) * block.getOperations().size(), unitsOfOperation))
    return much;
  SmallVector<Elements, 1> accumulators;
  for (unsigned output = 0; output < op.getNumDpsInits(); ++output) {
    unsigned number = operandOf(output);
    accumulators.push_back(
        isKnown(cx, number) ? nest.view(cx.input(number), number) : Elements());
  }
  for (int64_t i = 0; i < numPoints; ++i)
    if (Reason no = step(ops::indexOf(i, reductions), accumulators))
      return no;
  SmallVector<Elements, 1> results;
  for (auto [output, accumulator] : llvm::enumerate(accumulators)) {
    if (!accumulator)
      return notFolded(ReasonCode::InputNotConstant,
                       "input #" + Twine(operandOf(output)) +
                           " is not constant");
    ReasonOr<Elements> value = arranged(accumulator, output);
    if (!value)
      return value.reason();
    results.push_back(*value);
  }
  return results;
}

FoldResult StructuredFold::run() {
  double points = 1;
  for (int64_t size : nest.sizes)
    points *= double(size);
  if (Reason much = cx.checkWork(points * block.getOperations().size()))
    return much;
  return needsOrder() ? runInOrder() : runAtOnce();
}

/// Folding would drop what a body does besides computing values. Assertions are
/// evaluated (TensorBody): torch-mlir writes them for every look-up.
static Reason checkEffects(Block &block) {
  for (Operation &op : block.without_terminator())
    if (!isMemoryEffectFree(&op) && !isa<cf::AssertOp>(op))
      return notFolded(ReasonCode::NoKernel,
                       "its body has a '" + op.getName().getStringRef().str() +
                           "', which may have effects");
  return {};
}

FoldResult upstream::foldStructured(FoldContext &cx) {
  auto op = cast<linalg::LinalgOp>(cx.operation());
  if (!op.hasPureTensorSemantics())
    return notFolded(ReasonCode::NoKernel, "works on memory");
  if (Reason effect = checkEffects(*op.getBlock()))
    return effect;
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    if (op.payloadUsesValueFromOperand(&operand) && !isKnown(cx, number))
      return notFolded(ReasonCode::InputNotConstant,
                       "input #" + Twine(number) + " is not constant");
  }
  ReasonOr<LoopNest> nest = loopNestOf(cx);
  if (!nest)
    return nest.reason();
  return StructuredFold(cx, op, std::move(*nest)).run();
}

void upstream::addStructured(KernelRegistry &registry, StringRef op) {
  registry.add(op, {1}, foldStructured).ignored = ~0u;
}
