//===- Analysis.cpp - Which values are the same in every run --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/Analysis.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/PostOrderIterator.h"

namespace onnxfold {

using namespace mlir;

ConstantAnalysis::ConstantAnalysis(FunctionOpInterface function,
                                   ArrayRef<ConstantTier> argumentTiers) {
  for (auto [argument, tier] :
       llvm::zip_equal(function.getArguments(), argumentTiers))
    if (tier != ConstantTier::Variable)
      tiers[argument] = tier;
  scanRegion(function.getFunctionBody(), /*isFunctionBody=*/true);
}

SmallVector<Value> ConstantAnalysis::usesOf(Operation *op) {
  SmallVector<Value> uses(op->getOperands());
  if (op->getNumRegions() == 0)
    return uses;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::append_range(uses, captured);
  return uses;
}

/// Blocks that are never reached are not scanned: their values are variable.
void ConstantAnalysis::scanRegion(Region &region, bool isFunctionBody) {
  if (region.empty())
    return;
  if (region.hasOneBlock())
    return scanBlock(region.front(), isFunctionBody);
  llvm::ReversePostOrderTraversal<Region *> order(&region);
  for (Block *block : order)
    scanBlock(*block, isFunctionBody && block->isEntryBlock());
}

/// May the run end in an operation, so that what follows it is not reached?
/// Calls, for example, have effects that are unknown, or on no value.
static bool mayNotReturn(Operation *op) {
  if (isMemoryEffectFree(op) || isa<bufferization::ToTensorOp>(op))
    return false;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return !effects ||
         llvm::any_of(*effects,
                      [](const MemoryEffects::EffectInstance &effect) {
                        return !effect.getValue();
                      });
}

void ConstantAnalysis::scanBlock(Block &block, bool everyRunGetsHere) {
  for (Operation &op : block) {
    scanned.push_back(classify(&op, everyRunGetsHere));
    ConstantTier tier = scanned.back().tier;
    if (tier != ConstantTier::Variable) {
      for (Value result : op.getResults())
        tiers[result] = tier;
      continue;
    }
    if (!op.hasTrait<OpTrait::IsIsolatedFromAbove>())
      for (Region &region : op.getRegions())
        scanRegion(region, /*isFunctionBody=*/false);
    everyRunGetsHere = everyRunGetsHere && !mayNotReturn(&op);
  }
}

/// A constant memref keeps its content, so that reading it is no effect.
bool ConstantAnalysis::onlyReadsConstants(Operation *op) const {
  if (isMemoryEffectFree(op))
    return true;
  if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op))
    return !toTensor.getWritable();
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return effects &&
         llvm::all_of(
             *effects, [&](const MemoryEffects::EffectInstance &effect) {
               return isa<MemoryEffects::Read>(effect.getEffect()) &&
                      effect.getValue() &&
                      tierOf(effect.getValue()) != ConstantTier::Variable;
             });
}

/// Operations without operands depend on what surrounds them (the number of a
/// thread), unless they are literals, or have no content, or belong to an
/// operation around them. No interface tells the latter two.
static bool dependsOnSurroundings(Operation *op, Operation *whole) {
  if (op->getNumOperands() != 0 || op->hasTrait<OpTrait::ConstantLike>() ||
      isa<tensor::EmptyOp>(op))
    return false;
  if (op == whole)
    return op->getNumRegions() == 0;
  return op->getNumRegions() == 0 && !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<linalg::IndexOp>(op);
}

/// The operation, or one inside of it, that depends on what surrounds it.
static Operation *surroundingsIn(Operation *whole) {
  Operation *culprit = nullptr;
  whole->walk([&](Operation *op) {
    if (!dependsOnSurroundings(op, whole))
      return WalkResult::advance();
    culprit = op;
    return WalkResult::interrupt();
  });
  return culprit;
}

/// A memref with an initial value that nobody may change.
bool ConstantAnalysis::isConstantGlobal(Operation *op) const {
  auto read = dyn_cast<memref::GetGlobalOp>(op);
  if (!read)
    return false;
  auto global = symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
      read, read.getNameAttr());
  return global && global.getConstant() && !global.isExternal() &&
         !global.isUninitialized();
}

ConstantAnalysis::Classified
ConstantAnalysis::classify(Operation *op, bool everyRunGetsHere) const {
  Classified variable(op, ConstantTier::Variable);
  if (op->getNumResults() == 0) {
    variable.cause = Cause::NoResults;
    return variable;
  }
  if (op->hasTrait<OpTrait::ConstantLike>())
    return Classified(op, ConstantTier::CompileTime);
  if (isConstantGlobal(op)) // its symbol is in the compiled program only
    return Classified(op, ConstantTier::Runtime);
  ConstantTier tier = ConstantTier::CompileTime;
  for (bool isCaptured : {false, true}) // operands first: they take no walk
    for (Value value :
         isCaptured ? usesOf(op) : SmallVector<Value>(op->getOperands())) {
      tier = std::max(tier, tierOf(value));
      if (tier == ConstantTier::Variable) {
        variable.cause = Cause::Operand;
        variable.value = value;
        return variable;
      }
    }
  if (!onlyReadsConstants(op)) {
    variable.cause = Cause::Effects;
    return variable;
  }
  if (Operation *culprit = surroundingsIn(op)) {
    variable.cause = Cause::Surroundings;
    variable.culprit = culprit;
    return variable;
  }
  if (isSpeculatable(op) || isa<bufferization::ToTensorOp>(op))
    return Classified(op, tier);
  if (everyRunGetsHere)
    return Classified(op, std::max(tier, ConstantTier::Runtime));
  variable.cause = Cause::Conditional;
  return variable;
}

} // namespace onnxfold
