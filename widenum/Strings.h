//===- Strings.h - Numbers as text ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Parses and formats single numbers as ONNX's Cast from and to string does, as
// far as its text and its reference evaluator define it. In undefined cases the
// functions return std::nullopt, and a kernel does not fold the operator. They
// do not depend on the locale, are stateless and thread safe.
//
// Example:
//   parseNumber("1e-5", DataType::Float16)->to<float>();
//   formatNumber(DataType::Float32, &third);                  // "0.33333334"
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_WIDENUM_STRINGS_H
#define ONNXFOLD_WIDENUM_STRINGS_H

#include "onnxfold/widenum/WideNum.h"

#include <optional>
#include <string>

namespace onnxfold {

/// The number in `text`, as an element of type `to`: store() of the result to
/// that type is exact.
///   floats    [+-]digits[.digits][e[+-]digits], where the part before or after
///             the point may be missing; INF, +INF, -INF, NaN in any case. The
///             decimal number is correctly rounded to the type, once.
///   integers  [+-]digits, within the range of the type
/// Anything else is undefined in ONNX and gives nullopt: other text, blanks,
/// fractions for an integer, a type that is not numeric. So does text of more
/// than 4096 characters.
std::optional<WideNum> parseNumber(llvm::StringRef text, DataType to,
                                   const CastOptions &options = {});

/// The element of type `type` at `data`, which may be unaligned, as text:
///   integers       decimal digits
///   f16, f32, f64  the shortest decimal number that reads back as the same
///                  element, with a point and at least one digit after it
/// Returns nullopt for all other elements, whose text neither source defines:
/// NaN and infinity, magnitudes other than 0 outside [1e-4, 1e16), small
/// floats, bf16, bool, complex. REQUIRES: `type` is not Undefined.
std::optional<std::string> formatNumber(DataType type, const void *data);

} // namespace onnxfold

#endif // ONNXFOLD_WIDENUM_STRINGS_H
