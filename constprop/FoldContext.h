//===- FoldContext.h - What a kernel sees of its operation ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Inputs as Elements, attributes as plain C++ values, inferred result types.
// No MLIR header: kernels compile fast and know nothing of the IR.
//
//   static FoldResult foldTranspose(FoldContext &cx) {
//     const Elements &x = cx.input(0);
//     Shape perm = cx.ints("perm").value_or(reversed(x.rank()));
//     if (!isPermutation(perm, x.rank()))
//       return invalid("attribute 'perm' is " + toString(perm) + ...);
//     return x.transpose(perm);
//   }
//
// The engine calls a kernel only when all inputs that it needs are known and
// the dialect's checkOperands (FoldingInterface.h) accepts their types;
// otherwise the kernel checks types, shapes and values. A kernel is total:
// whatever it gets, it returns values or a reason. A context lives during one
// call, in one thread; kernels of other contexts may run at the same time. It
// owns nothing that a kernel returns.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_FOLDCONTEXT_H
#define ONNXFOLD_CONSTPROP_FOLDCONTEXT_H

#include "onnxfold/constprop/FoldLimits.h"
#include "onnxfold/constprop/FoldResult.h"
#include "onnxfold/symbolic/DimExprs.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir {
class Operation;
class Region;
} // namespace mlir

namespace onnxfold {

class Kernel;

/// The state of one value: its element type and shape (dimensions may be
/// symbols), and its elements (numbers, or symbols if partly known).
struct ValueState {
  DataType type = DataType::Undefined;
  bool isNothing = false; // an optional that holds nothing
  bool absent = false;    // an optional input that was left out
  std::optional<llvm::SmallVector<DimExpr, 4>> shape;
  Elements value;
  Sequence sequence; // a sequence that is all known

  bool isConstant() const { return value && value.type() != DataType::Opaque; }
  bool isSymbolic() const { return value && value.type() == DataType::Opaque; }
  /// The value; false (FoldedValue::operator bool) if it is not all known.
  FoldedValue known() const;
};

/// The iterations and the work of an operation and the bodies that it runs.
struct UsedLimits {
  uint64_t iterations = 0;
  double work = 0;
};

/// Computes a body (a region of one block) with these arguments. Returns the
/// operands of its terminator, or why they are not known.
using RunBody =
    llvm::function_ref<FoldResult(mlir::Region &, llvm::ArrayRef<FoldedValue>)>;

class FoldContext {
public:
  FoldContext(mlir::Operation *op, const Kernel &kernel, int version,
              llvm::ArrayRef<ValueState *> inputs,
              llvm::ArrayRef<ValueState *> results, DimExprs &exprs,
              const FoldLimits &limits, RunBody bodies = nullptr,
              UsedLimits *used = nullptr);

  /// The version of the operator that this operation is an instance of.
  int version() const { return opVersion; }

  /// Runs a kernel on this context: what the kernel returns, or why it could
  /// not see an attribute that it asked for (attributes, below).
  FoldResult call(const Kernel &kernel);

  //===--- inputs -------------------------------------------------------===//

  unsigned numInputs() const { return inputs.size(); }
  /// False for an optional input that was left out (or is beyond the last).
  bool hasInput(unsigned i) const {
    return i < inputs.size() && !inputs[i]->absent;
  }
  /// The value of an input. If any input is symbolic, all integer, bool and
  /// float inputs that may be symbolic are returned as symbols. REQUIRES:
  /// hasInput(i), and the kernel needs the value.
  const Elements &input(unsigned i) const { return values[i]; }
  /// The element type of an input, which need not be constant.
  DataType inputType(unsigned i) const { return inputs[i]->type; }
  /// The dimensions of an input whose value may be unknown; nothing if not even
  /// the rank is known.
  std::optional<llvm::ArrayRef<DimExpr>> inputShape(unsigned i) const;
  /// The elements of an integer input as int64 (axes, shapes, ...).
  llvm::SmallVector<int64_t> intsOf(unsigned i) const {
    return values[i].ints();
  }
  /// Some input is a tensor of symbols.
  bool isSymbolic() const { return anySymbolic; }
  /// A tensor, a sequence, or nothing. Kernels that do not say takesSequences()
  /// only see tensors. REQUIRES: hasInput(i).
  FoldedValue anyInput(unsigned i) const { return inputs[i]->known(); }

  //===--- attributes ---------------------------------------------------===//
  //
  // The getters read inherent attributes (properties) too. They return nothing
  // if no attribute has that name, or if it is of another kind. A list that one
  // value repeats more than 2^24 times is not made: it takes no space where it
  // is written, and may not fit memory. The getter returns nothing, and call()
  // the reason.

  bool hasAttribute(llvm::StringRef name) const;
  /// Reads any integer type up to 64 bits, enumerations and booleans (0 or 1)
  /// too.
  std::optional<int64_t> integer(llvm::StringRef name) const;
  /// Reads any float type and rounds the value to f32, the type of ONNX's
  /// attributes. tensor() returns the value in its own type.
  std::optional<float> real(llvm::StringRef name) const;
  std::optional<std::string> string(llvm::StringRef name) const;
  /// Reads array<i64: ...> or another dense array, a list of integers, or an
  /// integer tensor.
  std::optional<Shape> ints(llvm::StringRef name) const;
  std::optional<llvm::SmallVector<float>> reals(llvm::StringRef name) const;
  std::optional<std::vector<std::string>> strings(llvm::StringRef name) const;
  /// Null if there is no such attribute.
  Elements tensor(llvm::StringRef name) const;

  /// The operation itself, for questions that the functions above do not
  /// answer. Do not ask its operands: the values are in input().
  ///   auto mul = mlir::cast<tosa::MulOp>(cx.operation());
  mlir::Operation *operation() const { return op; }

  //===--- bodies -------------------------------------------------------===//

  /// Computes a body of this operation once, as one iteration of a loop. The
  /// body may use known values from outside. Arguments must match the types
  /// that the body declares. Calls (of several bodies those of the last) count
  /// against maxTripCount, and their work counts against maxWork. Beyond a
  /// limit the call returns that reason.
  FoldResult runBody(mlir::Region &body,
                     llvm::ArrayRef<FoldedValue> arguments) const;
  /// The same for a body that runs at most once, such as a branch. It does not
  /// count as an iteration.
  FoldResult runBranch(mlir::Region &body) const;

  //===--- other kernels ------------------------------------------------===//

  /// Runs another kernel on other inputs (null: left out), for a kernel that is
  /// made of several. The other kernel sees the attributes and limits of this
  /// operation, and computes one result.
  FoldResult runKernel(const Kernel &kernel, int version,
                       llvm::ArrayRef<Elements> inputs) const;

  //===--- results ------------------------------------------------------===//

  unsigned numResults() const { return results.size(); }
  /// False if the operation leaves the result out; its value may then be null.
  bool needsResult(unsigned i) const;
  /// The inferred element type; Undefined if inference does not know it.
  DataType resultType(unsigned i = 0) const { return results[i]->type; }

  DimExprs &exprs() const { return table; }

  // A kernel checks the limits before it computes anything large. These
  // functions return a reason if a limit is exceeded.
  Reason checkResult(DataType type, ShapeRef shape) const;
  /// Checks the characters of strings, of this result and of the whole run.
  Reason checkText(int64_t bytes) const;
  /// Checks the work, with `unitsOfEach` units of FoldLimits::maxWork for each
  /// operation. In a body the limit is on all that its loop computes.
  Reason checkWork(double operations, double unitsOfEach = 10) const;
  Reason checkTripCount(uint64_t iterations) const;

private:
  /// Whether a list may be made of an attribute.
  bool isListable(llvm::StringRef name, const Elements &elements) const;

  mlir::Operation *op;
  int opVersion;
  llvm::ArrayRef<ValueState *> inputs, results;
  llvm::SmallVector<Elements, 4> values;
  bool anySymbolic = false;
  DimExprs &table;
  const FoldLimits &limits;
  RunBody bodies;
  UsedLimits *used;       // null outside of bodies
  mutable Reason refused; // why a getter returned nothing
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_FOLDCONTEXT_H
