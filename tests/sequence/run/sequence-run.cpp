//===- sequence-run.cpp - Run a program with sequences and count ----------===//
// SPDX-License-Identifier: Apache-2.0
//
//   sequence-run program.mlir --entry=main
//
// lowers a module (the pipeline --lower-sequence-to-llvm) and runs a function
// of it, without arguments, through MLIR's execution engine. All memory, also
// that of the run-time library, is from the counting allocator. Prints what the
// program prints (Printing.h), one line `value V` for each value that it
// observed or returned (Jit.h), and the line of counts. The exit code is 1
// where there is a leak or a mistake, and 2 where the program could not be run.
// With --malloc memory is malloc's: in a build with AddressSanitizer that finds
// what the run-time library reads and writes, and leaks.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/sequence/Dialect.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/tests/lib/jit/Jit.h"
#include "onnxfold/tests/sequence/run/Printing.h"
#include "onnxfold/tests/sequence/run/RuntimeSymbols.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>

using namespace onnxfold;

static llvm::cl::opt<std::string>
    fileName(llvm::cl::Positional, llvm::cl::desc("FILE"), llvm::cl::init("-"));
static llvm::cl::opt<std::string>
    entry("entry", llvm::cl::desc("the function to run, without arguments"),
          llvm::cl::init("main"));
static llvm::cl::opt<int> optimization("O", llvm::cl::Prefix,
                                       llvm::cl::desc("optimisation level"),
                                       llvm::cl::init(0));

static llvm::cl::opt<bool>
    plain("malloc", llvm::cl::desc("memory is malloc's and nothing is counted, "
                                   "for builds with AddressSanitizer"));

/// Lowers a module that has sequences, tensors or buffers left.
static bool lower(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  if (failed(mlir::applyPassManagerCLOptions(manager)))
    return false;
  sequence::buildLowerSequenceToLLVM(manager);
  return succeeded(manager.run(module));
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialized(argc, argv);
  mlir::registerPassManagerCLOptions();
  llvm::cl::ParseCommandLineOptions(argc, argv, "runs a program, counts\n");
  mlir::DialectRegistry registry;
  registerJitDialects(registry);
  sequence::registerSequenceDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(fileName, &context);
  if (!module || !lower(*module))
    return 2;
  if (!plain)
    countRuntimeMemory();
  JitOptions options;
  options.optimizationLevel = optimization;
  options.symbols = runtimeSymbols();
  llvm::append_range(options.symbols, printingSymbols());
  if (plain) {
    options.symbols.emplace_back("malloc", reinterpret_cast<void *>(&malloc));
    options.symbols.emplace_back("free", reinterpret_cast<void *>(&free));
  }
  auto jit = Jit::compile(*module, options);
  auto run = jit ? jit->run(entry) : jit.takeError();
  std::fflush(stdout);
  if (!run) {
    llvm::errs() << fileName << ": " << llvm::toString(run.takeError()) << "\n";
    return 2;
  }
  for (const std::string &value : run->values)
    llvm::outs() << "value " << value << "\n";
  llvm::outs() << summarize(run->counts) << "\n";
  return !run->counts.clean();
}
