//===- Programs.h - Run a program after some passes -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   Outcome plain = runProgram(text, "");                       // never frees
//   Outcome ours = runProgram(text, "buffer-deallocation-and-reuse");
//   EXPECT_EQ(ours.values, plain.values);
//   EXPECT_TRUE(ours.counts.clean()) << ours;
//
// A program is textual IR with a function @main without arguments, or tensors
// and whatever MLIR has; it may call what Jit.h lists, after `declarations`.
// An error in a pass, or on the way to machine code, is Outcome::error.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_DEALLOC_REUSE_PROGRAMS_H
#define ONNXFOLD_TESTS_DEALLOC_REUSE_PROGRAMS_H

#include "onnxfold/tests/lib/jit/Jit.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include <ostream>

namespace onnxfold {

/// Of the functions of Jit.h that programs call.
extern const char *const declarations;

/// The type !T = memref<100xi32> and functions on it with bodies, which no pass
/// looks into: @fill(%m, %v) with v, v + 1, ..., @add(%a, %b, %to), @show(%m)
/// observes a hash. To stand before everything else.
extern const char *const helperFunctions;
/// The constants %c0 %c1 %c2 %c10, %one %two %seven of i32, and %yes, a truth
/// that no pass knows; at the beginning of a function.
extern const char *const helperConstants;

/// All of these, `functions`, and @main with `body`.
std::string programOf(const std::string &body,
                      const std::string &functions = "");

struct Outcome {
  std::string error;
  AllocationCounts counts;
  std::vector<std::string> values;
  std::string ir; ///< after the passes, before the lowering
  double seconds = 0;
};

/// What went wrong, the counts, and the program.
std::ostream &operator<<(std::ostream &os, const Outcome &outcome);

/// A context with all of MLIR's dialects and ours, one for the process.
mlir::MLIRContext &programContext();

/// Null where it does not parse; then the diagnostics are in `error`.
mlir::OwningOpRef<mlir::ModuleOp> parseProgram(const std::string &text,
                                               std::string &error);

std::string textOf(mlir::Operation *op);

/// Runs passes given as text, "" for none.
bool runPasses(mlir::ModuleOp module, const std::string &pipeline,
               std::string &error);

/// Our lowering, which knows ownership.
extern const char *const ourLowering;
/// MLIR's own passes to the LLVM dialect.
extern const char *const upstreamLowering;

/// Parses `text`, runs `pipeline`, lowers, compiles and runs @main, counting
/// blocks of at least `countFrom` bytes.
Outcome runProgram(const std::string &text, const std::string &pipeline,
                   const std::string &lowering = ourLowering,
                   int optimizationLevel = 0, size_t countFrom = 0);

/// How often `part` stands in `text`.
unsigned countOf(const std::string &text, const std::string &part);

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_DEALLOC_REUSE_PROGRAMS_H
