//===- Analysis.h - Which values are the same in every run ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Scans a function once, in the order of its blocks. A result is constant if
// all operands of its operation and all values that its regions capture are
// constant, and the operation has no effects (it may read constant memrefs) and
// depends on nothing else. An operation with regions is classified as a whole:
// `scf.if` is constant if its condition and all values that the branches use
// are constant. The regions of operations that are not constant are scanned
// too: a constant in the body of a loop need not be computed there.
//
// An operation that may be undefined or endless for some operands (a division,
// `scf.while`) is constant where every run reaches it, but never known at
// compile time. Neither is a `memref.get_global` of a constant with a value.
//
// The scan takes linear time. Thread safety: it reads the IR only.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_ANALYSIS_H
#define ONNXFOLD_TENSORFOLDING_ANALYSIS_H

#include "onnxfold/tensorfolding/ConstantTensors.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

namespace onnxfold {

class ConstantAnalysis {
public:
  /// Why the results of an operation are not constant.
  enum class Cause {
    None,         // the results are constant
    NoResults,    // the operation has no results
    Operand,      // `value` is not constant
    Effects,      // it writes, allocates, or has unknown effects
    Surroundings, // `operation` has no operands, and is no literal
    Conditional,  // may be undefined, and not every run reaches it
  };
  struct Classified {
    Classified(mlir::Operation *operation, ConstantTier tier)
        : operation(operation), tier(tier) {}

    mlir::Operation *operation;
    ConstantTier tier;
    Cause cause = Cause::None;
    mlir::Value value; // of Cause::Operand
    mlir::Operation *culprit =
        nullptr; // of Cause::Surroundings: it or one inside
  };

  /// `argumentTiers` has the tier of each argument. REQUIRES: the function has
  /// a body.
  ConstantAnalysis(mlir::FunctionOpInterface function,
                   llvm::ArrayRef<ConstantTier> argumentTiers);

  ConstantTier tierOf(mlir::Value value) const {
    auto found = tiers.find(value);
    return found == tiers.end() ? ConstantTier::Variable : found->second;
  }

  /// Every operation of the function, except those inside of a constant
  /// operation; each follows the operations that it uses.
  llvm::ArrayRef<Classified> operations() const { return scanned; }

  /// The values that an operation uses: its operands, and the values that its
  /// regions capture.
  static llvm::SmallVector<mlir::Value> usesOf(mlir::Operation *op);

private:
  void scanRegion(mlir::Region &region, bool isFunctionBody);
  void scanBlock(mlir::Block &block, bool everyRunGetsHere);
  Classified classify(mlir::Operation *op, bool everyRunGetsHere) const;
  bool onlyReadsConstants(mlir::Operation *op) const;
  bool isConstantGlobal(mlir::Operation *op) const;

  mutable mlir::SymbolTableCollection symbols;

  llvm::DenseMap<mlir::Value, ConstantTier> tiers; // of constants
  llvm::SmallVector<Classified, 0> scanned;
};

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_ANALYSIS_H
