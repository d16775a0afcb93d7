//===- FoldResult.h - The outcome of an operation, and why ------*- C++ -*-===//
//
// A kernel returns the values of its results, or the reason why there are none.
// "Cannot fold here" is a result, not an error: the operation is kept.
//
//   return x.transpose(perm);
//   return undefined("divisor element [1, 3] is 0");
//
// Reason codes are part of the JSON report: stable names, documented in
// docs/report.md. Texts are for people: lower case, no full stop, they name
// what was found and what was expected.
//
// All are values: they own what they hold, and are as thread safe as handles.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_FOLDRESULT_H
#define ONNXFOLD_CONSTPROP_FOLDRESULT_H

#include "onnxfold/elements/Elements.h"
#include "llvm/ADT/Twine.h"
#include <memory>
#include <string>

namespace onnxfold {

enum class ReasonCode : uint8_t {
  None,             // folded
  Constant,         // states a constant and is still read
  InputNotConstant, // an input is not known
  NoKernel,         // none is registered for this operator
  UnknownVersion,   // the operator is known, this version of it is not
  NotDeterministic, // random, or in training mode
  Undefined,        // the specification leaves the result undefined
  Invalid,          // inputs or attributes break the specification
  UnsupportedType,  // no kernel for this element type
  ResultLimit,      // larger than --max-result
  WorkLimit,        // more work than --max-work
  Growth,           // the model would grow beyond --max-growth
  Filtered,         // --only or --skip
  Quantization,     // kept for the runtime; see --fold-quantization
  ControlFlow,      // has a body
  NoTensor,         // makes a sequence or an optional, which is no constant
  TripLimit,        // more iterations than --max-trip-count
  Inconsistent,     // the result contradicts the inferred type
};

/// "input-not-constant", as in the report.
llvm::StringRef nameOf(ReasonCode code);

struct Reason {
  ReasonCode code = ReasonCode::None;
  std::string text;
};

inline Reason notFolded(ReasonCode code, const llvm::Twine &text) {
  return {code, text.str()};
}
inline Reason undefined(const llvm::Twine &text) {
  return notFolded(ReasonCode::Undefined, text);
}
inline Reason invalid(const llvm::Twine &text) {
  return notFolded(ReasonCode::Invalid, text);
}

/// The tensors of a sequence that is all known. Shared, and never changed.
using Sequence = std::shared_ptr<const std::vector<Elements>>;

/// A completely known value: a tensor, a sequence of tensors, or an empty
/// optional; an optional that holds a value is that value. False: an unused
/// result.
struct FoldedValue {
  FoldedValue() = default;
  FoldedValue(Elements tensor) : tensor(std::move(tensor)) {}
  FoldedValue(Sequence sequence) : sequence(std::move(sequence)) {}
  static FoldedValue nothing() {
    FoldedValue value;
    value.isNothing = true;
    return value;
  }

  explicit operator bool() const { return tensor || sequence || isNothing; }

  Elements tensor;
  Sequence sequence;
  bool isNothing = false;
};

/// The values of all results (null for unused ones), or a reason. A null
/// Elements from an elementwise function (element type not in its class) is
/// reported as UnsupportedType.
class FoldResult {
public:
  FoldResult(Elements value) : results(1, FoldedValue(std::move(value))) {}
  FoldResult(Sequence value) : results(1, FoldedValue(std::move(value))) {}
  FoldResult(const FoldedValue &value) : results(1, value) {}
  FoldResult(const llvm::SmallVector<Elements, 1> &values)
      : results(values.begin(), values.end()) {}
  FoldResult(llvm::SmallVector<FoldedValue, 1> values)
      : results(std::move(values)) {}
  FoldResult(Reason reason) : why(std::move(reason)) {}

  explicit operator bool() const { return why.code == ReasonCode::None; }
  llvm::ArrayRef<FoldedValue> values() const { return results; }
  const Reason &reason() const { return why; }

private:
  llvm::SmallVector<FoldedValue, 1> results;
  Reason why;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_FOLDRESULT_H
