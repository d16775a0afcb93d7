//===- StringCast.h - Tensors of numbers from and to text -------*- C++ -*-===//
//
// Conversion of whole tensors between numbers and strings, element by element
// as widenum/Strings.h does it. Computed at once, because a text can fail.
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

/// The converted tensor; or null, and the row-major number of the first element
/// that has no counterpart (of a null tensor -1).
struct StringCast {
  Elements value;
  int64_t bad = -1;
};

/// REQUIRES: x has type String.
StringCast parseStrings(const Elements &x, DataType type,
                        const CastOptions &options = {});

/// Any type but String and Opaque; those that have no text have a `bad` element
/// (unless x is empty).
StringCast formatStrings(const Elements &x);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_STRINGCAST_H
