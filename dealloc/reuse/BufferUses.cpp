//===- BufferUses.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/BufferUses.h"

#include "onnxfold/dealloc/ir/Dialect.h"
#include "onnxfold/dealloc/ir/internal/Views.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace onnxfold::deallocation {

namespace {

constexpr unsigned maxUsers = 10000;

/// Whether a value may refer to a buffer, which only numbers and their
/// aggregates cannot: an unknown type may be a pointer or an async token.
bool mayPoint(Type type) {
  return !isa<IntegerType, IndexType, FloatType, ComplexType, VectorType,
              TensorType, NoneType, FunctionType>(type);
}

class UseCollector {
public:
  /// Collecting ends when `owner`, if given, proves to be no local buffer.
  explicit UseCollector(memref::AllocOp owner = nullptr) : owner(owner) {}

  BufferUses collect(Value buffer) {
    add(buffer);
    // Breadth first, because the use that makes the list incomplete is mostly
    // near the buffer, even if its views pass through a long chain.
    for (size_t next = 0; next < found.size() && uses.complete; ++next) {
      for (OpOperand &use : found[next].getUses()) {
        visit(use);
        if (!uses.complete)
          break;
      }
      if (uses.users.size() > maxUsers)
        uses.complete = false;
    }
    return std::move(uses);
  }

private:
  void add(Value value) {
    if (seen.insert(value).second)
      found.push_back(value);
  }

  /// Whether an operation is in the block of the owner or in a region there.
  bool isInBlock(Operation *op) {
    return !owner || owner->getBlock()->findAncestorOpInBlock(*op);
  }

  /// Whether a dealloc may be the only one of a local buffer: it must free the
  /// buffer itself, not a value that may be another one.
  bool isOnlyDealloc(memref::DeallocOp dealloc) {
    return !owner ||
           (uses.deallocs.empty() && dealloc->getBlock() == owner->getBlock() &&
            viewSource(dealloc.getMemref()) == owner.getResult());
  }

  void visit(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
      uses.complete = isOnlyDealloc(dealloc);
      uses.deallocs.push_back(dealloc);
      return;
    }
    uses.users.push_back(op);
    if (passesOwnership(op) || stores(use) || !isInBlock(op)) {
      uses.complete = false;
      return;
    }
    if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
      return followEntry(branch, use.get());
    if (auto branch = dyn_cast<BranchOpInterface>(op)) {
      if (auto argument =
              branch.getSuccessorBlockArgument(use.getOperandNumber()))
        add(*argument);
      return;
    }
    if (op->hasTrait<OpTrait::IsTerminator>())
      return followTerminator(use);
    followResults(op, use.get());
  }

  static bool passesOwnership(Operation *op) {
    if (isa<OwnOp>(op))
      return !op->use_empty();
    return isa<RetainOp, FreeOp, memref::ReallocOp>(op);
  }

  static bool stores(OpOperand &use) {
    // The stored value is operand 0 of both.
    Operation *op = use.getOwner();
    return use.getOperandNumber() == 0 &&
           (isa<memref::StoreOp>(op) ||
            op->getName().getStringRef() == "llvm.store");
  }

  void flow(OperandRange operands, ValueRange inputs, Value value) {
    for (auto [operand, input] : llvm::zip(operands, inputs))
      if (operand == value)
        add(input);
  }

  void followEntry(RegionBranchOpInterface branch, Value value) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(RegionBranchPoint::parent(), successors);
    for (RegionSuccessor &successor : successors)
      flow(branch.getEntrySuccessorOperands(successor),
           successor.getSuccessorInputs(), value);
  }

  void followTerminator(OpOperand &use) {
    Operation *op = use.getOwner(), *parent = op->getParentOp();
    if (isa<FunctionOpInterface>(parent))
      return; // the terminator is one of the users
    auto terminator = dyn_cast<RegionBranchTerminatorOpInterface>(op);
    if (!terminator || !isa<RegionBranchOpInterface>(parent)) {
      uses.complete = false;
      return;
    }
    SmallVector<Attribute> constants(op->getNumOperands());
    SmallVector<RegionSuccessor> successors;
    terminator.getSuccessorRegions(constants, successors);
    for (RegionSuccessor &successor : successors)
      flow(terminator.getSuccessorOperands(successor),
           successor.getSuccessorInputs(), use.get());
  }

  void followResults(Operation *op, Value value) {
    if (isa<memref::AllocOp, memref::AllocaOp, bufferization::CloneOp>(op))
      return; // a new buffer
    // Arithmetic on an address may give the address of the buffer again.
    bool isAddress =
        !mayPoint(value.getType()) ||
        isa<memref::ExtractAlignedPointerAsIndexOp, GetBufferOp>(op);
    for (Value result : op->getResults())
      if (isAddress || mayPoint(result.getType()))
        add(result);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        if (mayPoint(argument.getType()))
          add(argument);
  }

  memref::AllocOp owner;
  BufferUses uses;
  SmallVector<Value> found;
  llvm::SmallDenseSet<Value, 8> seen;
};

} // namespace

BufferUses collectUses(Value buffer) { return UseCollector().collect(buffer); }

std::optional<int64_t> bytesOf(MemRefType type) {
  if (!type.hasStaticShape())
    return std::nullopt;
  Type element = type.getElementType();
  int64_t count = type.getNumElements();
  if (auto vector = dyn_cast<VectorType>(element)) {
    if (vector.isScalable())
      return std::nullopt;
    // LLVM pads vectors to a power of two.
    count *= llvm::PowerOf2Ceil(vector.getNumElements());
    element = vector.getElementType();
  }
  if (auto complex = dyn_cast<ComplexType>(element)) {
    count *= 2;
    element = complex.getElementType();
  }
  if (element.isIndex())
    return count * 8;
  if (!element.isIntOrFloat())
    return std::nullopt;
  int64_t bytes =
      llvm::PowerOf2Ceil(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
  return count * bytes;
}

bool freesLiveIn(memref::DeallocOp dealloc) {
  auto alloc = viewSource(dealloc.getMemref()).getDefiningOp<memref::AllocOp>();
  return !alloc || alloc->getBlock() != dealloc->getBlock();
}

int64_t alignmentOf(memref::AllocOp alloc) {
  return alloc.getAlignment().value_or(0);
}

void raiseAlignment(memref::AllocOp alloc, int64_t alignment) {
  if (alignment > alignmentOf(alloc))
    alloc.setAlignment(alignment);
}

namespace {

/// Appends the values that `value` may be, or returns false if they are not
/// known. The alignment of a view with an offset is not known.
bool appendOrigins(Value value, SmallVectorImpl<Value> &origins) {
  if (Operation *op = value.getDefiningOp()) {
    if (isa<memref::CastOp, memref::MemorySpaceCastOp, memref::CollapseShapeOp,
            memref::ExpandShapeOp>(op)) {
      origins.push_back(op->getOperand(0));
      return true;
    }
    if (isa<arith::SelectOp>(op)) {
      origins.append({op->getOperand(1), op->getOperand(2)});
      return true;
    }
  }
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *owner =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  auto branch = dyn_cast_or_null<RegionBranchOpInterface>(owner);
  if (!branch || (argument && !argument.getOwner()->isEntryBlock()))
    return false;
  bool found = false;
  auto collect = [&](RegionBranchPoint point) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    for (RegionSuccessor &successor : successors) {
      ValueRange inputs = successor.getSuccessorInputs();
      auto position = llvm::find(inputs, value);
      if (position == inputs.end())
        continue;
      Operation *from = point.getTerminatorPredecessorOrNull();
      OperandRange operands =
          from ? cast<RegionBranchTerminatorOpInterface>(from)
                     .getSuccessorOperands(successor)
               : branch.getEntrySuccessorOperands(successor);
      origins.push_back(operands[position - inputs.begin()]);
      found = true;
    }
  };
  collect(RegionBranchPoint::parent());
  for (Region &region : owner->getRegions())
    for (Block &block : region)
      if (auto terminator = dyn_cast_or_null<RegionBranchTerminatorOpInterface>(
              block.empty() ? nullptr : &block.back()))
        collect(RegionBranchPoint(terminator));
  return found;
}

} // namespace

/// The attribute `llvm.align` of an argument of a function, or 0.
static int64_t argumentAlignment(BlockArgument argument,
                                 FunctionOpInterface function) {
  auto attribute = function.getArgAttrOfType<IntegerAttr>(
      argument.getArgNumber(), "llvm.align");
  return attribute && argument.getOwner()->isEntryBlock() ? attribute.getInt()
                                                          : 0;
}

/// The least alignment of the allocations that `value` may be.
static int64_t leastAlignment(Value value, KnownAlignments *known) {
  llvm::SmallDenseSet<Value> seen{value};
  SmallVector<Value> worklist{value};
  std::optional<int64_t> least;
  // Breadth first, because one without alignment is mostly near.
  for (size_t next = 0; next < worklist.size() && least != 0; ++next) {
    Value current = worklist[next];
    std::optional<int64_t> alignment;
    if (auto alloc = current.getDefiningOp<memref::AllocOp>())
      alignment = alignmentOf(alloc);
    else if (auto found =
                 known ? known->find(current) : KnownAlignments::iterator();
             known && found != known->end())
      alignment = found->second;
    if (alignment) {
      least = std::min(least.value_or(*alignment), *alignment);
      continue;
    }
    SmallVector<Value> origins;
    if (seen.size() > 256 || !appendOrigins(current, origins))
      return 0;
    for (Value origin : origins)
      if (seen.insert(origin).second)
        worklist.push_back(origin);
  }
  return least.value_or(0);
}

int64_t knownAlignment(Value value, KnownAlignments *known) {
  if (auto alloc = value.getDefiningOp<memref::AllocOp>())
    return alignmentOf(alloc);
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto function =
            dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return argumentAlignment(argument, function);
  int64_t least = leastAlignment(value, known);
  Operation *op = value.getDefiningOp();
  if (known && (!op || (isSequential(op) && !isSequentialLoop(op))))
    known->try_emplace(value, least);
  return least;
}

bool isSequential(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp,
             scf::ExecuteRegionOp, affine::AffineForOp, affine::AffineIfOp,
             memref::AllocaScopeOp>(op);
}

bool isSequentialLoop(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, affine::AffineForOp>(op);
}

std::optional<LocalBuffer> asLocalBuffer(memref::AllocOp alloc) {
  BufferUses uses = UseCollector(alloc).collect(alloc);
  if (!uses.complete || uses.deallocs.empty())
    return std::nullopt;
  Block *block = alloc->getBlock();
  LocalBuffer local{alloc, uses.deallocs[0], alloc};
  for (Operation *user : uses.users) {
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    if (!inBlock->isBeforeInBlock(local.dealloc))
      return std::nullopt;
    if (local.lastUse->isBeforeInBlock(inBlock))
      local.lastUse = inBlock;
  }
  return local;
}

} // namespace onnxfold::deallocation
