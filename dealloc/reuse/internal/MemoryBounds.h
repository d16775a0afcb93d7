//===- MemoryBounds.h - Peaks of blocks, and those of the baseline --------===//
// SPDX-License-Identifier: Apache-2.0
//
// The baseline is the same program after MLIR's ownership-based deallocation,
// which frees each buffer at the end of its block. Two numbers are compared,
// both counted from the entry of a block:
//
//   peak(b)      an upper bound of what the block needs in its current form.
//                Results of regions and calls count as memory of their own
//                until they are freed in the block, or until its end; so do
//                the loop-carried buffers.
//   baseline(b)  a lower bound of what the baseline needs, which depends on
//                what is known to run whenever the block runs:
//                  straightLine  only the operations that always run
//                  withLoops     also its loops and callees
//                  withBranches  also its branches, each of which is taken in
//                                some iteration or call, but not in each
//
// withLoops and withBranches hold for runs in which every block runs. The
// limit of a block is the largest of its baselines (MemoryBounds::limit).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_MEMORYBOUNDS_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_MEMORYBOUNDS_H

#include "onnxfold/dealloc/reuse/internal/BufferUses.h"
#include "onnxfold/dealloc/reuse/internal/LinearScan.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace onnxfold::deallocation {

/// Lower bounds of the baseline's peak.
struct Baseline {
  Amount straightLine, withLoops, withBranches;
};

struct FunctionMemory {
  Amount peak;
  Baseline baseline;
};

/// Memory of functions, callees before callers.
class CalleeMemory {
public:
  explicit CalleeMemory(mlir::ModuleOp module);

  /// The most that a buffer of a type can take: aligned as the most aligned one
  /// of the module.
  Amount amountOf(mlir::Type type) const;

  void set(mlir::FunctionOpInterface function, FunctionMemory memory) {
    functions[function] = memory;
  }
  /// nullopt for an indirect or recursive call. Declarations need no memory.
  std::optional<FunctionMemory> of(mlir::CallOpInterface call);

private:
  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Operation *, FunctionMemory> functions;
  int64_t alignment = 0;
};

Amount sizeOf(mlir::Type type);

/// The larger of two amounts. The result is one of the two, since the known
/// part of one and the unknown part of the other may never be live together;
/// a dynamic size counts as 4096 bytes.
Amount fullest(Amount a, Amount b);

/// Peaks and baselines of the blocks of one function.
class MemoryBounds {
public:
  MemoryBounds(mlir::FunctionOpInterface function, CalleeMemory &callees);

  /// Baselines and limits are those of the function as it was when this object
  /// was made.
  Baseline baseline(mlir::Block &block) const {
    return baselines.lookup(&block);
  }
  /// The loop-carried buffers that the baseline has as well.
  Amount carriedInBaseline(mlir::Block &block) const {
    return carriedAtFirst.lookup(&block);
  }
  /// The limit of a block in each of its runs, given that every block runs.
  Amount runLimit(mlir::Block &block) const {
    return baseline(block).withLoops + carriedInBaseline(block);
  }
  /// The limit of a block whatever runs.
  Amount straightLineLimit(mlir::Block &block) const {
    return baseline(block).straightLine + carriedInBaseline(block);
  }
  /// The limit of the loop or the function that a block is the body of, or 0.
  Amount bodyLimit(mlir::Block &block) const;
  /// The larger one of runLimit and bodyLimit.
  Amount limit(mlir::Block &block) const;

  Amount peak(mlir::Block &block) const { return peaks.lookup(&block); }
  void setPeak(mlir::Block &block, Amount amount) { peaks[&block] = amount; }
  /// The loop-carried buffers of a block in its current form.
  Amount carried(mlir::Block &block) const;

  bool callsUnknown(mlir::Region &region) const;
  /// Whether an operation of the block may free a buffer that is live-in there.
  bool mayFreeLiveIns(mlir::Block &block) const {
    return freeing.contains(&block);
  }
  std::optional<FunctionMemory> ofCallee(mlir::CallOpInterface call) const {
    return callees.of(call);
  }
  Amount amountOf(mlir::Type type) const { return callees.amountOf(type); }
  FunctionMemory ofFunction() const;

private:
  Baseline computeBaseline(mlir::Block &block);
  Baseline baselineInside(mlir::Operation &op, bool &unknown);
  bool mayFreeOperands(mlir::Operation &op) const;

  mlir::FunctionOpInterface function;
  CalleeMemory &callees;
  llvm::DenseMap<mlir::Block *, Baseline> baselines;
  llvm::DenseMap<mlir::Block *, Amount> peaks, carriedAtFirst;
  llvm::DenseMap<mlir::Block *, bool> unknownIn;
  llvm::SmallPtrSet<mlir::Block *, 4> freeing;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_MEMORYBOUNDS_H
