//===- PrintConstantTensors.cpp - What is constant, and why not -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/Analysis.h"
#include "onnxfold/tensorfolding/Passes.h"
#include "onnxfold/tensorfolding/internal/Marks.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AsmState.h"

namespace onnxfold {

#define GEN_PASS_DEF_PRINTCONSTANTTENSORSPASS
#include "onnxfold/tensorfolding/Passes.h.inc"

using namespace mlir;

namespace {

/// Prints a line for each value of a function.
class Printer {
public:
  explicit Printer(FunctionOpInterface function)
      : function(function), names(function), os(llvm::errs()) {}

  void print(ArrayRef<ConstantTier> argumentTiers) {
    os << "@" << function.getName() << "\n";
    for (auto [argument, tier] :
         llvm::zip_equal(function.getArguments(), argumentTiers)) {
      os << "  ";
      argument.printAsOperand(os, names);
      os << ": " << nameOf(tier)
         << (tier == ConstantTier::Variable ? ", not marked\n" : "\n");
    }
    ConstantAnalysis analysis(function, argumentTiers);
    for (const ConstantAnalysis::Classified &classified : analysis.operations())
      // Bodies of linalg compute numbers, and those of named operations are not
      // in their text.
      if (classified.operation->getNumResults() != 0 &&
          !isa<linalg::LinalgOp>(classified.operation->getParentOp()))
        print(classified);
  }

private:
  using Cause = ConstantAnalysis::Cause;

  void print(const ConstantAnalysis::Classified &classified) {
    Operation *op = classified.operation;
    os << "  ";
    op->getResult(0).printAsOperand(os, names);
    os << " = " << op->getName() << ": " << nameOf(classified.tier);
    switch (classified.cause) {
    case Cause::None:
    case Cause::NoResults:
      break;
    case Cause::Operand:
      os << ", uses ";
      classified.value.printAsOperand(os, names);
      break;
    case Cause::Effects:
      os << ", has or may have side effects";
      break;
    case Cause::Surroundings:
      os << ", " << classified.culprit->getName()
         << " has no operands and is not a literal";
      break;
    case Cause::Conditional:
      os << ", may be undefined, and is not reached in every run";
      break;
    }
    os << "\n";
  }

  FunctionOpInterface function;
  AsmState names;
  llvm::raw_ostream &os;
};

class PrintConstantTensorsPass
    : public impl::PrintConstantTensorsPassBase<PrintConstantTensorsPass> {
public:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<FunctionOpInterface>()) {
      if (function.isExternal())
        continue;
      FailureOr<SmallVector<ConstantTier>> tiers = readMarks(function);
      if (failed(tiers))
        return signalPassFailure();
      Printer(function).print(*tiers);
    }
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace onnxfold
