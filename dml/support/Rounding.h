//===- Rounding.h - Doubles as the numbers of another type ------*- C++ -*-===//
//
// A tensor of a narrow type is a matrix of doubles that are numbers of that type.
// Operators that convert, and only those, make them so: results of arithmetic
// are not rounded.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_ROUNDING_H
#define ONNXFOLD_DML_SUPPORT_ROUNDING_H

#include "onnxfold/dml/Lowering.h"

namespace onnxfold::dml {

/// How ONNX converts to float8: attributes of Cast and QuantizeLinear.
struct ConversionOptions {
  bool saturate = true;
  llvm::StringRef roundMode = "up"; ///< of float8e8m0
};
ConversionOptions conversionOptions(LoweringContext &cx);

/// Half to even. REQUIRES: |x| < 2^51.
Expr roundedHalfEven(Expr x);

/// Half to even, in one rounding; what is too large becomes infinity or as
/// `options` say. REQUIRES: a float type.
Expr roundedTo(LoweringContext &cx, Expr value, DataType type,
               const ConversionOptions &options = {});

/// As Cast has it. REQUIRES: numbers or bool.
Expr converted(LoweringContext &cx, Expr value, DataType from, DataType to,
               const ConversionOptions &options);

/// Cast and CastLike.
Lowered lowerConversion(LoweringContext &cx);

/// The smallest and largest number of an integer type.
std::pair<double, double> integerLimits(DataType type);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_ROUNDING_H
