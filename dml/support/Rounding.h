//===- Rounding.h - Doubles as the numbers of another type ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor of a narrow type is a matrix of doubles that are numbers of that
// type. Only operators that convert round: results of arithmetic are not
// rounded.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_ROUNDING_H
#define ONNXFOLD_DML_SUPPORT_ROUNDING_H

#include "onnxfold/dml/export/Lowering.h"

namespace onnxfold::dml {

/// The attributes of Cast and QuantizeLinear for conversions to float8.
struct ConversionOptions {
  bool saturate = true;
  llvm::StringRef roundMode = "up"; ///< of float8e8m0
};
ConversionOptions conversionOptions(LoweringContext &cx);

/// x rounded half to even. REQUIRES: |x| < 2^51.
Expr roundedHalfEven(Expr x);

/// The value rounded once, half to even. Numbers that are too large become
/// infinite, or what `options` say. REQUIRES: a float type.
Expr roundedTo(LoweringContext &cx, Expr value, DataType type,
               const ConversionOptions &options = {});

/// The value converted as Cast does it. REQUIRES: numbers or bool.
Expr converted(LoweringContext &cx, Expr value, DataType from, DataType to,
               const ConversionOptions &options);

/// Lowers Cast and CastLike.
Lowered lowerConversion(LoweringContext &cx);

/// The smallest and largest number of an integer type.
std::pair<double, double> integerLimits(DataType type);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_ROUNDING_H
