//===- dealloc-run.cpp - Run a program and count what it allocates --------===//
// SPDX-License-Identifier: Apache-2.0
//
//   fold-opt program.mlir -lower-... | dealloc-run - --entry=main
//
// runs a module of the LLVM dialect (Jit.h says what it may call) and prints
// one line `value V` for each value that it observed or returned, and the line
// of counts:
//   allocations=2 peak=2 peak-bytes=800 leaks=0 double-frees=0 ...
// The exit code is 1 where there is a leak or a mistake, and 2 where the
// program could not be run.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/lib/jit/Jit.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;

static llvm::cl::opt<std::string>
    fileName(llvm::cl::Positional, llvm::cl::desc("FILE"), llvm::cl::init("-"));
static llvm::cl::opt<std::string>
    entry("entry", llvm::cl::desc("the function to run, without arguments"),
          llvm::cl::init("main"));
static llvm::cl::list<std::string>
    libraries("shared-libs",
              llvm::cl::desc("shared libraries that the program calls"),
              llvm::cl::CommaSeparated);
static llvm::cl::opt<bool>
    sizes("sizes",
          llvm::cl::desc("also print `size BYTES: COUNT` for each size that "
                         "was allocated"));
static llvm::cl::opt<bool>
    keep("no-check",
         llvm::cl::desc("leaks and mistakes do not change the exit code"));

int main(int argc, char **argv) {
  llvm::InitLLVM initialized(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "runs a program, counts allocations\n");
  mlir::DialectRegistry registry;
  registerJitDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(fileName, &context);
  if (!module)
    return 2;
  JitOptions options;
  options.sharedLibraries = libraries;
  auto jit = Jit::compile(*module, options);
  auto run = jit ? jit->run(entry) : jit.takeError();
  if (!run) {
    llvm::errs() << fileName << ": " << llvm::toString(run.takeError()) << "\n";
    return 2;
  }
  for (const std::string &value : run->values)
    llvm::outs() << "value " << value << "\n";
  if (sizes)
    for (auto [size, count] : run->counts.bySize)
      llvm::outs() << "size " << size << ": " << count << "\n";
  llvm::outs() << summarize(run->counts) << "\n";
  return !keep && !run->counts.clean();
}
