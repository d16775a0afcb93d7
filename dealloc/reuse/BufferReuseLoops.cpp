//===- BufferReuseLoops.cpp - Buffers that go around loops ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Double buffering: each iteration allocates a buffer and frees another of the
// same type. It takes one that the iteration before left, instead:
//
//   for iter_args(%a = %init) {          %first = alloc
//     %n = alloc                         for iter_args(%a = %init, %n = %first)
//     ...                          ->      ...
//     dealloc %a                           yield %n, %a
//     yield %n                           dealloc (second result)
//   }
//
// It does not matter where %n ends up and where %a is from: as many buffers are
// taken as are given.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dealloc/ir/internal/Views.h"
#include "onnxfold/dealloc/reuse/internal/BufferReuseSteps.h"
#include "onnxfold/dealloc/reuse/internal/BufferUses.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace onnxfold::deallocation {

namespace {

using Exchanges = LoopExchanges::Region;

Exchanges findBlockExchanges(Block &block, KnownAlignments &known) {
  llvm::MapVector<Type, SmallVector<memref::DeallocOp>> given;
  for (auto dealloc : block.getOps<memref::DeallocOp>()) {
    auto alloc =
        viewSource(dealloc.getMemref()).getDefiningOp<memref::AllocOp>();
    if (!alloc || alloc->getBlock() != &block)
      given[dealloc.getMemref().getType()].push_back(dealloc);
  }
  Exchanges exchanges;
  if (given.empty())
    return exchanges;
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    auto &candidates = given[alloc.getType()];
    if (!alloc.getType().hasStaticShape() || !alloc.getSymbolOperands().empty())
      continue;
    auto suits = [&](memref::DeallocOp dealloc) {
      return !alignmentOf(alloc) ||
             knownAlignment(dealloc.getMemref(), &known) >= alignmentOf(alloc);
    };
    // From the back, so that a loop of thousands erases in constant time.
    auto found = llvm::find_if(llvm::reverse(candidates), suits);
    if (found == candidates.rend())
      continue;
    // A buffer that dies here is hoisted.
    if (asLocalBuffer(alloc))
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

/// Appends an argument and a yielded value per spare buffer; exchanges use
/// theirs, other regions pass them through.
void passSpares(Block &block, ArrayRef<Type> spares, Exchanges &exchanges) {
  Operation *terminator = block.getTerminator();
  llvm::DenseMap<Type, unsigned> next;
  for (Type type : spares) {
    Value spare = block.addArgument(type, terminator->getLoc());
    Value left = spare;
    auto found = exchanges.find(type);
    unsigned index = next[type]++;
    if (found != exchanges.end() && index < found->second.size()) {
      Exchange &exchange = found->second[index];
      left = exchange.given.getMemref();
      exchange.taken.replaceAllUsesWith(spare);
      exchange.taken->erase();
      exchange.given->erase();
    }
    terminator->insertOperands(terminator->getNumOperands(), left);
  }
}

} // namespace

bool LoopExchanges::empty() const {
  return llvm::all_of(regions,
                      [](const Region &region) { return region.empty(); });
}

bool LoopExchanges::takes(memref::AllocOp alloc) const {
  return llvm::any_of(regions, [&](const Region &region) {
    auto found = alloc ? region.find(alloc.getType()) : region.end();
    return found != region.end() &&
           llvm::any_of(found->second, [&](const Exchange &exchange) {
             return exchange.taken == alloc;
           });
  });
}

SmallVector<Type> LoopExchanges::spareTypes() const {
  llvm::MapVector<Type, size_t> counts;
  for (const Region &region : regions)
    for (const auto &[type, exchanges] : region)
      counts[type] = std::max(counts[type], exchanges.size());
  SmallVector<Type> types;
  for (auto [type, count] : counts)
    types.append(count, type);
  return types;
}

/// What a region of a loop leaves the other one takes: takers that ask for more
/// alignment than any of them has get none.
static void dropUnaligned(LoopExchanges &exchanges, KnownAlignments &known) {
  llvm::DenseMap<Type, int64_t> least;
  for (Exchanges &region : exchanges.regions)
    for (auto &[type, list] : region)
      for (Exchange &exchange : list) {
        int64_t alignment = knownAlignment(exchange.given.getMemref(), &known);
        auto [found, isNew] = least.try_emplace(type, alignment);
        found->second = std::min(found->second, alignment);
      }
  for (Exchanges &region : exchanges.regions) {
    for (auto &[type, list] : region)
      llvm::erase_if(list, [&, asked = least.lookup(type)](Exchange exchange) {
        return alignmentOf(exchange.taken) > asked;
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
  SmallVector<Type> types = exchanges.spareTypes();
  OpBuilder builder(loop);
  SmallVector<Value> first;
  llvm::DenseMap<Type, unsigned> next;
  for (Type type : types) {
    auto spare = memref::AllocOp::create(builder, loop->getLoc(),
                                         cast<MemRefType>(type));
    unsigned index = next[type]++;
    for (Exchanges &region : exchanges.regions)
      if (auto found = region.find(type);
          found != region.end() && index < found->second.size())
        raiseAlignment(spare, alignmentOf(found->second[index].taken));
    setHoistedBytes(spare, *bytesOf(spare.getType()) + alignmentOf(spare));
    first.push_back(spare);
  }
  Operation *result = appendOperands(loop, first);
  for (auto [region, inRegion] :
       llvm::zip(result->getRegions(), exchanges.regions))
    passSpares(region.front(), types, inRegion);
  builder.setInsertionPointAfter(result);
  for (Value left : result->getResults().take_back(types.size()))
    memref::DeallocOp::create(builder, result->getLoc(), left);
  return result;
}

namespace {

/// How a loop hands values on: result j is argument exitOf[j] of the first
/// region, argument i of which comes around from argument backOf[i] of it (or
/// of the operand); -1 where another value comes.
struct Wiring {
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

Wiring wiringOf(Operation *loop) {
  Wiring wiring{loop->getOperands(), {}, {}};
  if (auto op = dyn_cast<scf::ForOp>(loop)) {
    wiring.inits = op.getInitArgs();
    for (auto [index, value] : llvm::enumerate(op.getYieldedValues())) {
      wiring.backOf.push_back(argumentIndex(value, op.getBody(), 1));
      wiring.exitOf.push_back(index);
    }
    return wiring;
  }
  auto op = cast<scf::WhileOp>(loop);
  for (Value value : op.getConditionOp().getArgs())
    wiring.exitOf.push_back(argumentIndex(value, op.getBeforeBody(), 0));
  for (Value value : op.getYieldOp().getResults()) {
    int passed = argumentIndex(value, op.getAfterBody(), 0);
    wiring.backOf.push_back(passed < 0 ? -1 : wiring.exitOf[passed]);
  }
  return wiring;
}

/// The dealloc that is the only use of a result, in the block of the loop.
memref::DeallocOp onlyDealloc(Value result) {
  if (!result.hasOneUse())
    return nullptr;
  auto dealloc = dyn_cast<memref::DeallocOp>(*result.user_begin());
  return dealloc && dealloc->getBlock() == result.getParentBlock() ? dealloc
                                                                   : nullptr;
}

/// Deallocs of the results of one cycle of slots become those of its operands,
/// where the last of them stood: which result is which operand is not known.
void redirect(const Wiring &wiring, ArrayRef<unsigned> cycle,
              ArrayRef<memref::DeallocOp> deallocs) {
  Operation *last = deallocs.front();
  for (memref::DeallocOp dealloc : deallocs)
    if (last->isBeforeInBlock(dealloc))
      last = dealloc;
  OpBuilder builder(last);
  for (unsigned slot : cycle)
    memref::DeallocOp::create(builder, last->getLoc(), wiring.inits[slot]);
  for (memref::DeallocOp dealloc : deallocs)
    dealloc->erase();
}

} // namespace

void simplifyLoop(Operation *loop) {
  if (!isa<scf::ForOp, scf::WhileOp>(loop))
    return;
  Wiring wiring = wiringOf(loop);
  unsigned slots = wiring.backOf.size();
  // The only result that an argument leaves by, or -2 if there are more.
  SmallVector<int> exits(slots, -1);
  for (auto [result, slot] : llvm::enumerate(wiring.exitOf))
    if (slot >= 0)
      exits[slot] = exits[slot] == -1 ? int(result) : -2;
  SmallVector<int> state(slots);
  for (unsigned start = 0; start < slots; ++start) {
    SmallVector<unsigned> cycle;
    SmallVector<memref::DeallocOp> deallocs;
    bool closed = !state[start];
    for (int slot = start; closed; slot = wiring.backOf[slot]) {
      if (slot < 0 || (state[slot] && unsigned(slot) != start)) {
        closed = false;
        break;
      }
      if (state[slot])
        break; // around once
      state[slot] = 1;
      memref::DeallocOp dealloc =
          exits[slot] >= 0 ? onlyDealloc(loop->getResult(exits[slot]))
                           : nullptr;
      closed = bool(dealloc);
      cycle.push_back(slot);
      deallocs.push_back(dealloc);
    }
    if (closed)
      redirect(wiring, cycle, deallocs);
  }
}

} // namespace onnxfold::deallocation
