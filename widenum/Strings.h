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
///                  element, if ONNX Runtime writes it too
/// The reference evaluator writes the shortest number with a point ("1.0") or
/// an exponent ("1e+16"), ONNX Runtime eight digits without zeros at the end
/// ("1"). So integers below 1e8, longer numbers, zeros, NaN and infinity have
/// two texts, and the function returns nullopt. So it does for small floats,
/// bf16, bool and complex, of which the evaluator writes nothing or another
/// thing. REQUIRES: `type` is not Undefined.
std::optional<std::string> formatNumber(DataType type, const void *data);

} // namespace onnxfold

#endif // ONNXFOLD_WIDENUM_STRINGS_H
