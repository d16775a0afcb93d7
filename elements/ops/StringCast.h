//===- StringCast.h - Tensors of numbers from and to text -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Conversion of whole tensors between numbers and strings. widenum/Strings.h
// defines the conversion of one element. Results are computed at once, because
// a conversion can fail.
//
//   StringCast c = parseStrings(x, DataType::Float32);
//   if (!c.value)
//     return undefined("element " + toString(indexOf(c.bad, x.shape())) + ...);
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_STRINGCAST_H
#define ONNXFOLD_ELEMENTS_OPS_STRINGCAST_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// The converted tensor, or null and the row-major number of the first element
/// that has no counterpart (-1 for a null operand).
struct StringCast {
  Elements value;
  int64_t bad = -1;
};

/// Converts strings to elements of `type`. REQUIRES: x has type String.
StringCast parseStrings(const Elements &x, DataType type,
                        const CastOptions &options = {});

/// Converts x to strings. Of a type that has no text the first element is
/// `bad`, unless x is empty. REQUIRES: x has neither type String nor Opaque.
StringCast formatStrings(const Elements &x);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_STRINGCAST_H
