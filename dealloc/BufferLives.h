//===- BufferLives.h - When buffers of a block live, and their memory -----===//
//
// Of this folder only. A block is a line of time: every operation is a time,
// and every region of a loop or branch that runs its regions one after the
// other is one.
//
// Three numbers are followed. *Needed* is at least what a block needs as it
// stands: memory that a result may bring from a region or a call counts until
// it is freed in the block, else until the block's end, and the buffers that a
// loop carries count as if they were new. *Sure* is that without the results.
// *Held* is at most what
// upstream's deallocation needs, which frees at the end of blocks.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_BUFFERLIVES_H
#define ONNXFOLD_DEALLOC_BUFFERLIVES_H

#include "onnxfold/dealloc/BufferUses.h"
#include "onnxfold/dealloc/IntervalPacking.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <map>
#include <vector>

namespace onnxfold::deallocation {

struct Memory {
  Amount needed, sure, held;
};

/// Memory of functions, callees before callers.
class CallMemory {
public:
  explicit CallMemory(mlir::ModuleOp module);

  /// The most that a buffer of a type can need in this module, where some are
  /// aligned.
  Amount amountOf(mlir::Type type) const;

  void set(mlir::FunctionOpInterface function, Memory memory) {
    functions[function] = memory;
  }
  /// nullopt for a function that is not known: it is called indirectly, or is
  /// not done because of recursion. Declarations need nothing.
  std::optional<Memory> of(mlir::CallOpInterface call);

private:
  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Operation *, Memory> functions;
  int64_t alignment = 0;
};

/// What an interval stands for.
struct Buffer {
  mlir::memref::AllocOp alloc;          // null for one that is only freed here
  mlir::memref::DeallocOp dealloc;      // null for one that escapes
  mlir::Operation *lastUse = nullptr;   // in its block
  mlir::Operation *hoistOver = nullptr; // where it comes out of a region
};

struct Life {
  Interval interval;
  Buffer buffer;
};

llvm::SmallVector<Interval> intervalsOf(llvm::ArrayRef<Life> lives);

/// The lives of a block's own buffers, and what else it needs by time.
struct Lives {
  std::vector<Life> lives;
  std::vector<Amount> others;  // what its regions and calls need
  std::vector<Amount> sure;    // what they need surely
  std::vector<Amount> results; // what results bring
  std::vector<bool> unknown;   // calls of functions that are not known
  llvm::SmallVector<std::pair<mlir::Operation *, unsigned>> regionOps;

  /// All of it without the buffers of the block.
  std::vector<Amount> background() const;
  Amount peak() const { return peakOf(intervalsOf(lives), background()); }
  Amount surePeak() const { return peakOf(intervalsOf(lives), sure); }
};

/// The numbers of one function.
class BlockMemory {
public:
  BlockMemory(mlir::FunctionOpInterface function, CallMemory &calls);

  /// Of the function as it was when this object was made.
  Amount held(mlir::Block *block) const { return heldOf.lookup(block); }
  /// What the block of a loop may need while it runs. Upstream frees carried
  /// buffers, too, only at its end.
  Amount limit(mlir::Block &block) const {
    return held(&block) + carried(block);
  }
  /// Whether a function that is not known is called anywhere in it.
  bool callsUnknown(mlir::Region &region) const;

  Lives livesOf(mlir::Block &block);
  /// livesOf of blocks inside is asked for only after this has been set.
  void setNeeded(mlir::Block &block, Amount amount) {
    neededOf[&block] = amount;
  }
  void setSure(mlir::Block &block, Amount amount) { sureOf[&block] = amount; }
  /// The buffers that a loop hands to a block: the same all the time.
  Amount carried(mlir::Block &block) const;
  Memory ofFunction();
  KnownAlignments &alignments() { return knownAlignments; }

private:
  Amount heldIn(mlir::Block &block);
  void addTimes(Lives &lives, mlir::Operation &op);
  void addBuffers(Lives &lives, mlir::Block &block);
  void addResults(Lives &lives, mlir::Block &block);
  Interval intervalOf(mlir::MemRefType type, mlir::ValueRange sizes,
                      unsigned start, unsigned end, int64_t alignment);

  mlir::FunctionOpInterface function;
  CallMemory &calls;
  llvm::DenseMap<mlir::Block *, Amount> heldOf, neededOf, sureOf;
  llvm::DenseMap<mlir::Block *, bool> unknownIn;
  llvm::DenseMap<mlir::Operation *, unsigned> lastTimes;
  KnownAlignments knownAlignments;
  // Numbers of types with their dynamic sizes, and of memory spaces.
  std::map<std::pair<const void *, std::vector<void *>>, unsigned> kinds;
  std::map<const void *, unsigned> spaces;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_BUFFERLIVES_H
