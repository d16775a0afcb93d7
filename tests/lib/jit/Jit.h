//===- Jit.h - Run a module of the LLVM dialect in this process -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Executes the output of passes in tests. MLIR's execution engine compiles a
// module of the LLVM dialect, which runs on the counting allocator:
//
//   Jit jit = cantFail(Jit::compile(module));
//   RunResult run = cantFail(jit.run("main"));
//   EXPECT_TRUE(run.counts.clean());
//   EXPECT_EQ(run.counts.allocations, 2);
//   EXPECT_EQ(run.values, reference.values);
//
// These are the functions that a program may call, and how they are counted:
//   _mlir_memref_to_llvm_alloc, _mlir_memref_to_llvm_aligned_alloc,
//   _mlir_memref_to_llvm_free       (finalize-memref-to-llvm with
//                                    use-generic-functions=1), and also
//   malloc, aligned_alloc, free     counted (CountingAllocator.h)
//   observe_i64(i64), observe_f64(f64), observe_i32(i32), observe_f32(f32),
//   observe_index(index)            append to RunResult::values
//   opaque_i64(i64) -> i64, opaque_index(index) -> index, opaque_i1(i1) -> i1
//                                   return their argument, which no pass knows
//   libc, and what JitOptions name
//
// The function that is run takes no argument. It may return integers and
// floats, which follow the observed values. It cannot return a memref; observe
// its elements instead.
//
// A program that crashes takes the process with it. Not thread safe (the
// allocator is one per process). The module must outlive `compile` only; its
// context needs registerJitDialects.
//
// Link with onnxfold_jit_executable or onnxfold_jit_gtest (CMakeLists.txt).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_LIB_JIT_JIT_H
#define ONNXFOLD_TESTS_LIB_JIT_JIT_H

#include "onnxfold/tests/lib/jit/CountingAllocator.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class ExecutionEngine;
} // namespace mlir

namespace onnxfold {

struct JitOptions {
  /// 0 compiles fastest. Take 2 to measure time.
  int optimizationLevel = 0;
  /// Further functions that the program may call, by name.
  std::vector<std::pair<std::string, void *>> symbols;
  /// Further shared libraries that it may call.
  std::vector<std::string> sharedLibraries;
};

struct RunResult {
  AllocationCounts counts;
  /// The observed values, in order, and then the results: an integer in
  /// decimal, a float in hexadecimal, so that equal texts are equal bits.
  std::vector<std::string> values;
  double seconds = 0; ///< of the call alone, by the clock
};

/// The dialects and the translations that `Jit::compile` needs.
void registerJitDialects(mlir::DialectRegistry &registry);

class Jit {
public:
  /// Compiles a module of the LLVM dialect. An operation of another dialect is
  /// an error that names it.
  static llvm::Expected<Jit> compile(mlir::ModuleOp module,
                                     const JitOptions &options = {});
  Jit(Jit &&) noexcept;
  ~Jit();

  /// Runs a function with new counts of blocks of at least `countFrom` bytes.
  /// Errors: no such function, parameters, or a result of a type other than
  /// integers up to i64, f32, f64.
  llvm::Expected<RunResult> run(llvm::StringRef function = "main",
                                size_t countFrom = 0);

private:
  struct Signature;
  Jit();
  std::unique_ptr<mlir::ExecutionEngine> engine;
  std::unique_ptr<Signature> signatures;
};

/// The counts in one line: `allocations=2 peak=2 peak-bytes=800 leaks=0
/// double-frees=0 unknown-frees=0 use-after-free=0 overruns=0`.
std::string summarize(const AllocationCounts &counts);

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_LIB_JIT_JIT_H
