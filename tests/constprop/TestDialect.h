//===- TestDialect.h - A dialect that the engine's tests fold ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Operations "t.*" are not registered (but t.hooked is, with a folder); what
// the engine must know of them is in attributes:
//
//   id = "x"   how a test finds the operation
//   v = 2      version of the operator; without: 1
//
//   t.add t.sub t.mul   elementwise, symbols too (versions 1 and 2 of t.add)
//   t.div               also: undefined where a divisor is 0
//   t.neg               elementwise, no symbols
//   t.shape             looks at the shape only
//   t.concat            along axis 0, moves symbols
//   t.repeat {n}        n copies of the input along a new first axis
//   t.first             the first element along axis 0
//   t.sum               of all elements
//   t.both              two results: x + y, x - y
//   t.half              two results of which the second is not computed
//   t.big               allocates its result eagerly, and counts its calls
//   t.work {n}          says that it takes n operations, by default 10^12
//   t.wrong_shape t.wrong_type t.wrong_second    contradict their types
//   t.random t.stays    are kept: not-deterministic, quantization
//   t.sticky            (no kernel) must not be removed
//   t.run {n}           runs its body n times; what the body gives is given to
//                       it again, and is its results in the end
//   t.loop {runs}       runs its body nobody knows how often (at least once), as
//                       t.run does; no kernel
//   t.choose            the first of its two bodies, or if the first input is 0
//                       the second
//   t.list              its inputs as a sequence (of type !other.list, which no
//                       constant can hold)
//   t.at {n} t.length   tensor number n of a sequence; how many there are
//
// Of the arith dialect addi, muli and divsi on tensors and scalars fold.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_CONSTPROP_TESTDIALECT_H
#define ONNXFOLD_TESTS_CONSTPROP_TESTDIALECT_H

#include "onnxfold/constprop/plan/FoldPlan.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

namespace onnxfold {

/// How often the kernel of t.big was called.
extern int callsOfBig;
/// How often the engine offered types to refine.
extern int callsOfRefine;

/// Loads the dialects and makes them foldable.
void loadTestDialects(mlir::MLIRContext &context);

class ConstpropTest : public testing::Test {
protected:
  ConstpropTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    loadTestDialects(context);
  }

  /// Parses a module, which must be well formed, and keeps it.
  void parse(llvm::StringRef text);

  /// The operation whose id is that; there must be one.
  mlir::Operation *find(llvm::StringRef id);
  bool exists(llvm::StringRef id);

  /// Runs step one on the module, which must not touch it.
  Evaluation &evaluate(EvaluationOptions options = {});

  /// "folded", "constant", or the name of the reason's code.
  std::string outcome(llvm::StringRef id);
  std::string reasonText(llvm::StringRef id) {
    return evaluation->reason(find(id)).text;
  }
  /// The elements of result `i` as integers; it must be constant.
  std::vector<int64_t> ints(llvm::StringRef id, unsigned i = 0);

  std::string text(mlir::Operation *op);
  std::string text() { return text(*module); }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<Evaluation> evaluation;
};

/// Bytes of all constants below `root` that somebody reads.
int64_t countConstantBytes(mlir::Operation *root);

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_CONSTPROP_TESTDIALECT_H
