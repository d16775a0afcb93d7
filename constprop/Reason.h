//===- Reason.h - The one way to say why not --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// "Cannot fold here" is a result, not an error: the operation is kept, and the
// report says why. All functions that may refuse return it in one form, which
// is read as llvm::Error and llvm::Expected are:
//
//   Reason checkRank(const Elements &x);               // a check: true = no
//   if (Reason why = checkRank(x))
//     return why;
//
//   ReasonOr<int64_t> axisOf(FoldContext &cx, int64_t rank);   // a value or no
//   ReasonOr<int64_t> axis = axisOf(cx, x.rank());
//   if (!axis)
//     return axis.reason();
//   use(*axis);
//
//   FoldResult foldAbs(FoldContext &cx);    // values of results (FoldResult.h)
//
// A function that refuses returns one of these:
//
//   return invalid("the axis is " + Twine(axis));    // against the standard
//   return undefined("divisor element [1, 3] is 0"); // left open by it
//   return notFolded(ReasonCode::WorkLimit, "takes ...");
//
// A check that finds nothing wrong returns `{}`. Reasons are no llvm::Errors:
// most operations of a model are kept, so reasons are common. They are copied
// into tables and compared, and need not be consumed.
//
// Codes are part of the JSON report: stable names, documented in
// docs/report.md. Texts are for people: lower case, no full stop, only public
// names. They name what was found and what was expected.
//
// Ownership, threads: reasons are values that own what they hold.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_REASON_H
#define ONNXFOLD_CONSTPROP_REASON_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

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
  MemoryLimit,      // more memory than the run may take (--max-memory)
  WorkLimit,        // more work than --max-work
  TimeLimit,        // the run has computed for long enough (--max-time)
  Growth,           // the model would grow beyond the limit of growth
  Filtered,         // --only or --skip
  Quantization,     // kept for the runtime; see --fold-quantization
  ControlFlow,      // has a body
  NoTensor,         // makes a sequence or an optional, which is no constant
  TripLimit,        // more iterations than --max-trip-count
  Inconsistent,     // the result contradicts the inferred type
};

/// "input-not-constant", as in the report.
llvm::StringRef nameOf(ReasonCode code);

/// The reason why something cannot be done; false if it can (code None).
struct [[nodiscard]] Reason {
  explicit operator bool() const { return code != ReasonCode::None; }

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

/// A value, or why there is none.
template <class T> class [[nodiscard]] ReasonOr {
public:
  ReasonOr(T value) : value(std::move(value)) {}
  /// REQUIRES: the code of `why` is not None.
  ReasonOr(Reason why) : why(std::move(why)) {
    assert(this->why && "a value is missing");
  }

  explicit operator bool() const { return value.has_value(); }
  /// REQUIRES: there is a value.
  T &operator*() { return *value; }
  const T &operator*() const { return *value; }
  T *operator->() { return &*value; }
  const T *operator->() const { return &*value; }

  /// Code None if there is a value.
  const Reason &reason() const { return why; }

private:
  std::optional<T> value;
  Reason why;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_REASON_H
