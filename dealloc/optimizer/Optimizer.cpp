//===- Optimizer.cpp - LLVM's optimiser for what is lowered ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/optimizer/Optimizer.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include <cassert>

static llvm::OptimizationLevel levelOf(unsigned level) {
  constexpr const llvm::OptimizationLevel *levels[] = {
      &llvm::OptimizationLevel::O0, &llvm::OptimizationLevel::O1,
      &llvm::OptimizationLevel::O2, &llvm::OptimizationLevel::O3};
  assert(level < std::size(levels) && "there is no such level");
  return *levels[level];
}

void onnxfold::optimize(llvm::Module &module, unsigned level,
                        llvm::TargetMachine *machine) {
  llvm::PipelineTuningOptions tuning;
  // It takes the sign extension of an operand of uitofp away: -1 becomes 2^32
  // (docs/upstream-bugs.md). Loops are vectorized by another pass.
  tuning.SLPVectorization = false;
  llvm::PassBuilder builder(machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(levelOf(level)).run(module, modules);
}
