//===- BufferLives.h - When buffers of a block live, and their memory -----===//
// SPDX-License-Identifier: Apache-2.0
//
// A block is a sequence of times: each operation is one time, and so is each
// region of a loop or branch that runs its regions one after the other.
//
// Two numbers are compared. *Needed* is an upper bound of the memory that the
// block needs in its current form: memory that a region or a call may return as
// a result counts until it is freed in the block, otherwise until the end of
// the block, and the buffers that a loop carries count as if they were new.
// *Held* is a lower bound of the memory that upstream's deallocation needs,
// which frees at the end of blocks. Both are counted from the entry of the
// block.
//
// The held memory depends on the operations that are known to run when the
// block runs:
//   sure      it and nothing in it but what always runs
//   certain   also its loops and the functions that it calls
//   all       also its branches: true of a loop or a function as a whole, where
//             each is taken sometimes, but not of one iteration
// The last two bounds hold for programs in which every block runs.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERLIVES_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERLIVES_H

#include "onnxfold/dealloc/reuse/internal/BufferUses.h"
#include "onnxfold/dealloc/reuse/internal/IntervalPacking.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <map>
#include <vector>

namespace onnxfold::deallocation {

/// A lower bound of the memory that upstream holds.
struct Held {
  Amount sure, certain, all;
};

struct Memory {
  Amount needed;
  Held held;
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
  /// nullopt if it is not known, because the function is called indirectly or
  /// is recursive. Declarations need no memory.
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

/// The larger of two amounts. If sizes are not known, the choice is a guess,
/// but the result must be one of the two: the largest known part of one and the
/// largest unknown part of the other may never be alive together.
Amount fullest(Amount a, Amount b);

llvm::SmallVector<Interval> intervalsOf(llvm::ArrayRef<Life> lives);

/// Whether it frees what was not allocated in its block.
bool freesFromOutside(mlir::memref::DeallocOp dealloc);

/// The lives of a block's own buffers, and what else it needs by time.
struct Lives {
  std::vector<Life> lives;
  std::vector<Amount> others;  // what its regions and calls need
  std::vector<Amount> results; // what results bring
  std::vector<bool> unknown;   // calls of functions that are not known
  llvm::SmallVector<std::pair<mlir::Operation *, unsigned>> regionOps;

  /// All of it without the buffers of the block.
  std::vector<Amount> background() const;
  Amount peak() const { return peakOf(intervalsOf(lives), background()); }
};

/// The numbers of one function.
class BlockMemory {
public:
  BlockMemory(mlir::FunctionOpInterface function, CallMemory &calls);

  /// Of the function as it was when this object was made, like the limits.
  Held held(mlir::Block &block) const { return heldOf.lookup(&block); }
  /// What a block may need in each run of it where everything runs, and in any
  /// case. What comes in is there in upstream's program, too.
  Amount certainLimit(mlir::Block &block) const {
    return held(block).certain + broughtIn(block);
  }
  Amount sureLimit(mlir::Block &block) const {
    return held(block).sure + broughtIn(block);
  }
  Amount broughtIn(mlir::Block &block) const {
    return carriedAtFirst.lookup(&block);
  }
  /// What the loop or the function that a block is the body of may need.
  Amount wholeLimit(mlir::Block &block) const;
  /// The larger of what a block may need as a body and by itself.
  Amount limit(mlir::Block &block) const;
  /// Whether a function that is not known is called anywhere in it.
  bool callsUnknown(mlir::Region &region) const;

  /// Whether what runs in an operation of the block may free memory that it did
  /// not allocate.
  bool freesInside(mlir::Block &block) const {
    return freeing.contains(&block);
  }
  /// The most that a buffer of a type can need.
  Amount amountOf(mlir::Type type) const { return calls.amountOf(type); }

  Lives livesOf(mlir::Block &block);
  /// livesOf of blocks inside is asked for only after this has been set.
  void setNeeded(mlir::Block &block, Amount amount) {
    neededOf[&block] = amount;
  }
  /// The buffers that a loop hands to a block: the same all the time.
  Amount carried(mlir::Block &block) const;
  Memory ofFunction();
  KnownAlignments &alignments() { return knownAlignments; }

private:
  Held heldIn(mlir::Block &block);
  Held heldBy(mlir::Operation &op, bool &unknown);
  bool mayFreeInside(mlir::Operation &op) const;
  void addTimes(Lives &lives, mlir::Operation &op);
  void addBuffers(Lives &lives, mlir::Block &block);
  void addResults(Lives &lives, mlir::Block &block);
  Interval intervalOf(mlir::MemRefType type, mlir::ValueRange sizes,
                      unsigned start, unsigned end, int64_t alignment);

  mlir::FunctionOpInterface function;
  CallMemory &calls;
  llvm::DenseMap<mlir::Block *, Held> heldOf;
  llvm::DenseMap<mlir::Block *, Amount> neededOf, carriedAtFirst;
  llvm::DenseMap<mlir::Block *, bool> unknownIn;
  llvm::SmallPtrSet<mlir::Block *, 4> freeing;
  llvm::DenseMap<mlir::Operation *, unsigned> lastTimes;
  KnownAlignments knownAlignments;
  // Numbers of types with their dynamic sizes, and of memory spaces.
  std::map<std::pair<const void *, std::vector<void *>>, unsigned> kinds;
  std::map<const void *, unsigned> spaces;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_BUFFERLIVES_H
