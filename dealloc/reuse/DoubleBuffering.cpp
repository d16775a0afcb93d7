//===- DoubleBuffering.cpp - Loop-carried buffers -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Double buffering: an iteration that allocates a buffer which is live-out, and
// frees a live-in one of its type, takes that of the previous iteration:
//
//   for iter_args(%a = %init) {          %first = alloc
//     %n = alloc                         for iter_args(%a = %init, %n = %first)
//     ...                          ->      ...
//     dealloc %a                           yield %n, %a
//     yield %n                           dealloc (second result)
//   }
//
// Neither where %n is passed on nor where %a comes from matters: an iteration
// frees as many buffers of the type as it allocates.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dealloc/reuse/internal/BufferUses.h"
#include "onnxfold/dealloc/reuse/internal/Steps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace onnxfold::deallocation {

namespace {

using Exchanges = LoopExchanges::Region;

/// Whether an allocation can be made before the loop.
bool hasInvariantSize(memref::AllocOp alloc) {
  return alloc.getType().hasStaticShape() && alloc.getSymbolOperands().empty();
}

/// Whether the buffer that is freed is as aligned as the allocation asks.
bool isAlignedEnough(memref::AllocOp alloc, memref::DeallocOp dealloc,
                     KnownAlignments &known) {
  return !alignmentOf(alloc) ||
         knownAlignment(dealloc.getMemref(), &known) >= alignmentOf(alloc);
}

/// Whether a buffer is live at the end of the iteration; others are hoisted.
bool isLiveOut(memref::AllocOp alloc) { return !asLocalBuffer(alloc); }

Exchanges findBlockExchanges(Block &block, KnownAlignments &known) {
  llvm::MapVector<Type, SmallVector<memref::DeallocOp>> freed;
  for (auto dealloc : block.getOps<memref::DeallocOp>())
    if (freesLiveIn(dealloc))
      freed[dealloc.getMemref().getType()].push_back(dealloc);
  Exchanges exchanges;
  if (freed.empty())
    return exchanges;
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    auto &candidates = freed[alloc.getType()];
    if (!hasInvariantSize(alloc))
      continue;
    // A search from the back erases in constant time in loops of thousands.
    auto found = llvm::find_if(llvm::reverse(candidates),
                               [&](memref::DeallocOp dealloc) {
                                 return isAlignedEnough(alloc, dealloc, known);
                               });
    if (found == candidates.rend() || !isLiveOut(alloc))
      continue;
    exchanges[alloc.getType()].push_back({alloc, *found});
    candidates.erase(std::next(found).base());
  }
  return exchanges;
}

/// The same loop with more operands and as many more results; its blocks are
/// the old ones, without arguments or yields for them yet.
Operation *appendOperands(Operation *loop, ValueRange more) {
  OperationState state(loop->getLoc(), loop->getName());
  state.addOperands(loop->getOperands());
  state.addOperands(more);
  state.addTypes(loop->getResultTypes());
  state.addTypes(more.getTypes());
  state.attributes = loop->getDiscardableAttrDictionary();
  state.propertiesAttr = loop->getPropertiesAsAttribute();
  for (unsigned i = 0; i < loop->getNumRegions(); ++i)
    state.addRegion();
  OpBuilder builder(loop);
  Operation *result = builder.create(state);
  for (auto [from, to] : llvm::zip(loop->getRegions(), result->getRegions()))
    to.takeBody(from);
  loop->replaceAllUsesWith(result->getResults().drop_back(more.size()));
  loop->erase();
  return result;
}

/// Appends an argument and a yielded value per added buffer; a region without
/// an exchange for it passes it through.
void passAdded(Block &block, ArrayRef<Type> added, Exchanges &exchanges) {
  Operation *terminator = block.getTerminator();
  llvm::DenseMap<Type, unsigned> next;
  for (Type type : added) {
    Value argument = block.addArgument(type, terminator->getLoc());
    Value yielded = argument;
    auto found = exchanges.find(type);
    unsigned index = next[type]++;
    if (found != exchanges.end() && index < found->second.size()) {
      Exchange &exchange = found->second[index];
      yielded = exchange.dealloc.getMemref();
      exchange.alloc.replaceAllUsesWith(argument);
      exchange.alloc->erase();
      exchange.dealloc->erase();
    }
    terminator->insertOperands(terminator->getNumOperands(), yielded);
  }
}

} // namespace

bool LoopExchanges::empty() const {
  return llvm::all_of(regions,
                      [](const Region &region) { return region.empty(); });
}

bool LoopExchanges::contains(memref::AllocOp alloc) const {
  return llvm::any_of(regions, [&](const Region &region) {
    auto found = alloc ? region.find(alloc.getType()) : region.end();
    return found != region.end() &&
           llvm::any_of(found->second, [&](const Exchange &exchange) {
             return exchange.alloc == alloc;
           });
  });
}

SmallVector<Type> LoopExchanges::addedTypes() const {
  llvm::MapVector<Type, size_t> counts;
  for (const Region &region : regions)
    for (const auto &[type, exchanges] : region)
      counts[type] = std::max(counts[type], exchanges.size());
  SmallVector<Type> types;
  for (auto [type, count] : counts)
    types.append(count, type);
  return types;
}

/// A region of a while loop takes the buffers that the other one frees: drops
/// exchanges that ask for more alignment than all of them have.
static void dropUnaligned(LoopExchanges &exchanges, KnownAlignments &known) {
  llvm::DenseMap<Type, int64_t> least;
  for (Exchanges &region : exchanges.regions)
    for (auto &[type, list] : region)
      for (Exchange &exchange : list) {
        int64_t alignment =
            knownAlignment(exchange.dealloc.getMemref(), &known);
        auto [found, isNew] = least.try_emplace(type, alignment);
        found->second = std::min(found->second, alignment);
      }
  for (Exchanges &region : exchanges.regions) {
    for (auto &[type, list] : region)
      llvm::erase_if(list, [&, asked = least.lookup(type)](Exchange exchange) {
        return alignmentOf(exchange.alloc) > asked;
      });
    region.remove_if([](auto &entry) { return entry.second.empty(); });
  }
}

LoopExchanges findExchanges(Operation *loop, KnownAlignments &known) {
  LoopExchanges exchanges;
  if (isa<scf::ForOp, scf::WhileOp>(loop))
    for (Region &region : loop->getRegions())
      exchanges.regions.push_back(findBlockExchanges(region.front(), known));
  if (exchanges.regions.size() > 1)
    dropUnaligned(exchanges, known);
  return exchanges;
}

Operation *doubleBuffer(Operation *loop, LoopExchanges &exchanges) {
  SmallVector<Type> types = exchanges.addedTypes();
  OpBuilder builder(loop);
  SmallVector<Value> first;
  llvm::DenseMap<Type, unsigned> next;
  for (Type type : types) {
    auto alloc = memref::AllocOp::create(builder, loop->getLoc(),
                                         cast<MemRefType>(type));
    unsigned index = next[type]++;
    for (Exchanges &region : exchanges.regions)
      if (auto found = region.find(type);
          found != region.end() && index < found->second.size())
        raiseAlignment(alloc, alignmentOf(found->second[index].alloc));
    setHoistedBytes(alloc, *bytesOf(alloc.getType()) + alignmentOf(alloc));
    first.push_back(alloc);
  }
  Operation *result = appendOperands(loop, first);
  for (auto [region, inRegion] :
       llvm::zip(result->getRegions(), exchanges.regions))
    passAdded(region.front(), types, inRegion);
  builder.setInsertionPointAfter(result);
  for (Value last : result->getResults().take_back(types.size()))
    memref::DeallocOp::create(builder, result->getLoc(), last);
  return result;
}

namespace {

/// The permutation by which a loop carries values: result j is argument
/// exitOf[j] of the first region, and argument i of the next iteration is
/// argument backOf[i] of this one; -1 if it is another value.
struct CarriedPermutation {
  OperandRange inits;
  SmallVector<int> exitOf, backOf;
};

int argumentIndex(Value value, Block *block, unsigned skipped) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != block ||
      argument.getArgNumber() < skipped)
    return -1;
  return argument.getArgNumber() - skipped;
}

CarriedPermutation permutationOf(Operation *loop) {
  CarriedPermutation permutation{loop->getOperands(), {}, {}};
  if (auto op = dyn_cast<scf::ForOp>(loop)) {
    permutation.inits = op.getInitArgs();
    for (auto [index, value] : llvm::enumerate(op.getYieldedValues())) {
      permutation.backOf.push_back(argumentIndex(value, op.getBody(), 1));
      permutation.exitOf.push_back(index);
    }
    return permutation;
  }
  auto op = cast<scf::WhileOp>(loop);
  for (Value value : op.getConditionOp().getArgs())
    permutation.exitOf.push_back(argumentIndex(value, op.getBeforeBody(), 0));
  for (Value value : op.getYieldOp().getResults()) {
    int passed = argumentIndex(value, op.getAfterBody(), 0);
    permutation.backOf.push_back(passed < 0 ? -1 : permutation.exitOf[passed]);
  }
  return permutation;
}

/// The dealloc that is the only use of a result, in the block of the loop.
memref::DeallocOp onlyDealloc(Value result) {
  if (!result.hasOneUse())
    return nullptr;
  auto dealloc = dyn_cast<memref::DeallocOp>(*result.user_begin());
  return dealloc && dealloc->getBlock() == result.getParentBlock() ? dealloc
                                                                   : nullptr;
}

/// Deallocs of the results of one cycle of the permutation become those of its
/// operands, at the last of them: which result is which operand depends on the
/// trip count.
void forwardCycle(const CarriedPermutation &permutation,
                  ArrayRef<unsigned> cycle,
                  ArrayRef<memref::DeallocOp> deallocs) {
  Operation *last = deallocs.front();
  for (memref::DeallocOp dealloc : deallocs)
    if (last->isBeforeInBlock(dealloc))
      last = dealloc;
  OpBuilder builder(last);
  for (unsigned position : cycle)
    memref::DeallocOp::create(builder, last->getLoc(),
                              permutation.inits[position]);
  for (memref::DeallocOp dealloc : deallocs)
    dealloc->erase();
}

} // namespace

void forwardDeallocs(Operation *loop) {
  if (!isa<scf::ForOp, scf::WhileOp>(loop))
    return;
  CarriedPermutation permutation = permutationOf(loop);
  unsigned count = permutation.backOf.size();
  // The only result that an argument becomes, -1 if none, -2 if several.
  SmallVector<int> exits(count, -1);
  for (auto [result, position] : llvm::enumerate(permutation.exitOf))
    if (position >= 0)
      exits[position] = exits[position] == -1 ? int(result) : -2;
  SmallVector<bool> visited(count);
  for (unsigned start = 0; start < count; ++start) {
    SmallVector<unsigned> cycle;
    SmallVector<memref::DeallocOp> deallocs;
    bool closed = !visited[start];
    for (int position = start; closed;
         position = permutation.backOf[position]) {
      if (position < 0 || (visited[position] && unsigned(position) != start)) {
        closed = false;
        break;
      }
      if (visited[position])
        break; // a full cycle
      visited[position] = true;
      memref::DeallocOp dealloc =
          exits[position] >= 0 ? onlyDealloc(loop->getResult(exits[position]))
                               : nullptr;
      closed = bool(dealloc);
      cycle.push_back(position);
      deallocs.push_back(dealloc);
    }
    if (closed)
      forwardCycle(permutation, cycle, deallocs);
  }
}

} // namespace onnxfold::deallocation
