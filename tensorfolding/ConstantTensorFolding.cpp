//===- ConstantTensorFolding.cpp - Work on constants runs once ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/Passes.h"
#include "onnxfold/tensorfolding/internal/Broadcasts.h"
#include "onnxfold/tensorfolding/internal/CompatibilityGlobals.h"
#include "onnxfold/tensorfolding/internal/Cut.h"
#include "onnxfold/tensorfolding/internal/Marks.h"
#include "onnxfold/tensorfolding/internal/Outline.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

namespace onnxfold {

#define GEN_PASS_DEF_CONSTANTTENSORFOLDINGPASS
#include "onnxfold/tensorfolding/Passes.h.inc"

using namespace mlir;

namespace {

class ConstantTensorFoldingPass
    : public impl::ConstantTensorFoldingPassBase<ConstantTensorFoldingPass> {
public:
  using ConstantTensorFoldingPassBase::ConstantTensorFoldingPassBase;

  void runOnOperation() override {
    if (failed(checkNumbers()))
      return signalPassFailure();
    FailureOr<SmallVector<FunctionOpInterface>> chosen = chooseEntries();
    if (failed(chosen) || failed(checkCompatibility(*chosen)))
      return signalPassFailure();
    for (FunctionOpInterface entry : *chosen)
      if (failed(foldEntry(entry)))
        return signalPassFailure();
  }

private:
  /// Takes the functions that are named, or have marks. Entries that were
  /// folded before are left alone.
  FailureOr<SmallVector<FunctionOpInterface>> chooseEntries() {
    SmallVector<FunctionOpInterface> found;
    if (entries.empty()) {
      for (auto function : getOperation().getOps<FunctionOpInterface>())
        if (hasMarks(function))
          found.push_back(function);
    } else {
      for (const std::string &name : entries) {
        auto function = dyn_cast_or_null<FunctionOpInterface>(
            SymbolTable::lookupSymbolIn(getOperation(), name));
        if (!function)
          return getOperation().emitError()
                 << "the option entries has '" << name
                 << "': expected the name of a function of the module";
        found.push_back(function);
      }
    }
    llvm::erase_if(found, [](FunctionOpInterface function) {
      return function->hasAttr(constantTensorsAttrName);
    });
    return found;
  }

  LogicalResult checkNumbers() {
    if (!(maxGrowthRatio > 0))
      return getOperation().emitError()
             << "the option max-growth-ratio is " << maxGrowthRatio.getValue()
             << ": expected a number above 0";
    if (maxGrowth < -1)
      return getOperation().emitError()
             << "the option max-growth is " << maxGrowth.getValue()
             << ": expected a number of bytes, or -1 for no limit";
    if (minBytes < 0)
      return getOperation().emitError()
             << "the option min-bytes is " << minBytes.getValue()
             << ": expected a number of bytes";
    return success();
  }

  LogicalResult checkCompatibility(ArrayRef<FunctionOpInterface> chosen) {
    if (!compatibilityGlobals ||
        (mode == TensorFoldingMode::Runtime && chosen.size() <= 1))
      return success();
    return getOperation().emitError()
           << "the option compatibility-globals is given with " << chosen.size()
           << " entries and mode="
           << (mode == TensorFoldingMode::Runtime       ? "runtime"
               : mode == TensorFoldingMode::CompileTime ? "compiletime"
                                                        : "both")
           << ": expected at most one entry, and mode=runtime";
  }

  /// Its signature changes, so nobody of the module may call it.
  LogicalResult checkEntry(FunctionOpInterface entry) {
    if (entry.isExternal())
      return entry->emitError()
             << "function '" << entry.getName()
             << "' has no body: expected one for constant tensor folding";
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(entry, getOperation());
    if (uses && uses->empty())
      return success();
    InFlightDiagnostic error =
        entry->emitError()
        << "function '" << entry.getName()
        << "' is used in the module: constant tensor folding changes its "
           "arguments, and expects that nobody calls it";
    if (uses)
      error.attachNote(uses->begin()->getUser()->getLoc()) << "used here";
    return error;
  }

  LogicalResult foldEntry(FunctionOpInterface entry) {
    if (failed(checkEntry(entry)))
      return failure();
    FailureOr<SmallVector<ConstantTier>> tiers = readMarks(entry);
    if (failed(tiers))
      return failure();
    auto analysis = std::make_unique<ConstantAnalysis>(entry, *tiers);
    if (postponeBroadcasts && onnxfold::postponeBroadcasts(*analysis))
      analysis = std::make_unique<ConstantAnalysis>(entry, *tiers);
    SmallVector<Value> ends = cutConstants(*analysis, cutOptions());
    if (ends.empty() && !hasMarks(entry))
      return success();
    eraseMarks(entry);
    SmallVector<Fold> folds = splitByTier(*analysis, ends);
    if (failed(outline(entry, *analysis, *tiers, folds, symbolPrefix)))
      return failure();
    return compatibilityGlobals ? writeCompatibilityGlobals(entry) : success();
  }

  CutOptions cutOptions() const {
    return {mode == TensorFoldingMode::CompileTime ? ConstantTier::CompileTime
                                                   : ConstantTier::Runtime,
            maxGrowthRatio, maxGrowth, minBytes};
  }

  SmallVector<Fold> splitByTier(const ConstantAnalysis &analysis,
                                ArrayRef<Value> ends) {
    SmallVector<Value> early, late;
    for (Value end : ends)
      (mode != TensorFoldingMode::Runtime &&
               analysis.tierOf(end) == ConstantTier::CompileTime
           ? early
           : late)
          .push_back(end);
    return {{ConstantTier::CompileTime, splitIntoParts(analysis, early)},
            {ConstantTier::Runtime, splitIntoParts(analysis, late)}};
  }
};

} // namespace
} // namespace onnxfold
