//===- Decomposition.h - Operators taken apart by their bodies --*- C++ -*-===//
//
// An operator that ONNX defines by a function of other operators is the part of
// that function which does not fold, where this is smaller:
//
//   CenterCropPad(x, c) = Slice(x, b, e)       for sizes of x that crop
//   CenterCropPad(x, Shape(x)) = x             for any
//   ReduceSumSquare(c, a) = ReduceSum(c * c, a)   for integers
//
// The body is that of the newest opset up to the model's which has one. It is
// evaluated with what is known of what the operator reads (types, sizes,
// constants, values known in part), and cleaned up by CleanUp itself, in a
// module of its own (SchemaBody.h); the model is touched only when it is known
// that it pays:
//   * no node is left: the result is one of the inputs; or
//   * one node is left, of several that were left with nothing known but types
//     and ranks. (Else nothing folded: Relu(x) is Max(x, 0), no smaller.) Its
//     new constants have at most 256 bytes more than those that go, which is
//     bounds, axes and the like; they count for the growth budget.
// And all of it is exact: the body holds nothing but operators that move data,
// and arithmetic of integers and booleans. A function of floats rounds in other
// places than the runtime's own operator does, by no bound that holds for all.
//
//   Decomposition decomposition(disabled);
//   if (Value value = decomposition.run(cx)) ... // op is that
//
// What fails is tried again when more is known: by another walk of the
// evaluation, of a copy, in a later run. What was found is noted by what it
// depends on: operator, version, opset, attributes, and of each input whether
// it is given, type, sizes and constants. Most operators (all norms) fail by
// their types, whatever the rest is. So thousands of equal nodes cost one
// search, and a search costs what the body costs as a model, about 0.1 ms.
//
// Not done: operators with bodies, and where other results than the first are
// read. Constants above 64 KiB count as unknown values.
//
// Thread safety: none. Errors: none; a body that cannot be made is none.
// Source: OpSchema::GetFunction and BuildContextDependentFunction.
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
  /// `disabled`: clean-ups that bodies are to do without.
  explicit Decomposition(const llvm::StringSet<> &disabled);

  /// What result #0 of the operator at hand is: a value that is there, or the
  /// result of a new node; null, and nothing was made, if that does not pay.
  /// New constants may have `most` bytes more than those that go for them;
  /// nothing: any number.
  mlir::Value run(const CleanUpContext &cx, std::optional<int64_t> most);

  /// Bytes of constants that were made.
  int64_t bytesMade() const { return made; }
  /// The same without those that go for them (and are there until a plan is
  /// applied).
  int64_t growth() const { return bytesAdded; }
  /// `most` left something out.
  bool isLimited() const { return limited; }

  /// How many bodies were made and cleaned up (for tests of the cost).
  unsigned numSearches() const { return searches; }

private:
  /// What depends on the operator and on types and ranks.
  struct Kind {
    bool mayBeExact = false;
    unsigned nodes = 0; ///< that are left; the largest number without a body
  };
  /// What else depends on sizes and values.
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
