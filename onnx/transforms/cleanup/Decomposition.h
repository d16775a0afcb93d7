//===- Decomposition.h - Operators taken apart by their bodies --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Replaces an operator that ONNX defines by a function of other operators by
// the part of that function which does not fold, if this is smaller:
//
//   CenterCropPad(x, c) = Slice(x, b, e)       for sizes of x that crop
//   CenterCropPad(x, Shape(x)) = x             for any
//   ReduceSumSquare(c, a) = ReduceSum(c * c, a)   for integers
//
// The body is that of the newest opset up to the model's that defines one. It
// is evaluated with what is known of the operands (types, sizes, constants,
// partly known values), and cleaned up by CleanUp itself, in a module of its
// own (SchemaBody.h). The model is changed only if it pays:
//   * no node is left: the result is one of the inputs; or
//   * one node is left, of several that are left with only types and ranks
//     known. (Otherwise nothing folded: Relu(x) is Max(x, 0), no smaller.) Its
//     new constants have at most 256 bytes more than the erased ones, for
//     bounds, axes and other small values; they are part of the growth budget.
// All of it is exact: the body has only operators that move data, and
// arithmetic of integers and booleans. A function of floats rounds in other
// places than the runtime's own operator does, and no one bound holds for
// all.
//
//   Decomposition decomposition(disabled);
//   if (Value value = decomposition.run(cx)) ... // replaces op
//
// Failures are tried again when more is known: by another walk of the
// evaluation, of a copy, in a later run. Outcomes are cached by what they
// depend on: operator, version, opset, attributes, and of each operand whether
// it is present, type, sizes and constants. Most operators (all norms) fail by
// their types alone. So thousands of equal nodes cost one search. A search
// costs as much as cleaning up the body as a model, about 0.1 ms.
//
// Kept: operators with bodies, and those with used results besides the first.
// Constants above 64 KiB count as unknown values.
//
// Thread safety: none. Errors: none; an operator whose body cannot be made is
// kept. Source: OpSchema::GetFunction and BuildContextDependentFunction.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_DECOMPOSITION_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_DECOMPOSITION_H

#include "onnxfold/onnx/transforms/functions/SchemaBody.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <vector>

namespace onnxfold {

class CleanUpContext;
class KnownInputs;

inline constexpr llvm::StringLiteral decompose = "decompose";

class Decomposition {
public:
  /// `disabled`: the clean-ups that are not applied to bodies.
  explicit Decomposition(const llvm::StringSet<> &disabled);

  /// The replacement of result #0 of the operator: an existing value, or the
  /// result of a new node. Null, and nothing was created, if the replacement
  /// does not pay. New constants may have `most` bytes more than those erased
  /// for them; nothing: any number.
  mlir::Value run(const CleanUpContext &cx, std::optional<int64_t> most);

  /// The bytes of the created constants.
  int64_t bytesMade() const { return made; }
  /// The same minus the bytes of constants that are erased for them (when a
  /// plan is applied).
  int64_t growth() const { return bytesAdded; }
  /// A replacement was rejected because of `most`.
  bool isLimited() const { return limited; }

  /// The number of bodies that were built and cleaned up (for tests of the
  /// cost).
  unsigned numSearches() const { return searches; }

private:
  /// The part of a search that depends on the operator, types and ranks.
  struct Kind {
    bool mayBeExact = false;
    unsigned nodes = 0; ///< nodes left; the maximum without a body
  };
  /// The part of a search that depends on sizes and values too.
  struct Outcome {
    SchemaBody body;   ///< cleaned up; no end: it does not pay
    int64_t bytes = 0; ///< of its new constants
  };
  using Key = std::vector<int64_t>;

  bool mayHaveBody(Operator op);
  Kind classify(Operator op, const KnownInputs &inputs, int64_t opset);
  Outcome search(Operator op, const KnownInputs &inputs, int64_t opset,
                 const Kind &kind);
  bool fitsBudget(const CleanUpContext &cx, const Outcome &found,
                  llvm::ArrayRef<mlir::Value> given,
                  std::optional<int64_t> most);

  llvm::StringSet<> disabled;
  llvm::DenseMap<std::pair<const void *, int64_t>, bool> haveBodies;
  std::map<Key, Kind> kinds;
  std::map<Key, Outcome> outcomes;
  int64_t made = 0, bytesAdded = 0;
  bool limited = false;
  unsigned searches = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_DECOMPOSITION_H
