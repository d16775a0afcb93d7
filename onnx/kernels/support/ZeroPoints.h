//===- ZeroPoints.h - Zero points and scales of products --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_ZEROPOINTS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_ZEROPOINTS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

inline bool is8Bit(const Elements &x) {
  return x.type() == DataType::Int8 || x.type() == DataType::UInt8;
}

/// The zero point or scale of `x` in input number `input` (0 if it is left
/// out), in a shape that broadcasts against x: one element, or a vector with
/// one for each index of `axis` (not allowed if it is negative). For the rows
/// or columns of a matrix a tensor of its rank that broadcasts is allowed too.
ReasonOr<Elements> readParameter(FoldContext &cx, unsigned input,
                                 const Elements &x, int64_t axis);

/// The units of FoldLimits::maxWork that a multiplication with an addition
/// takes.
inline constexpr double unitsOfMultiplyAdd = 4;
/// The units that a product of matrices takes which has this shape and the
/// first factor `a`.
double workOfProducts(ShapeRef product, const Elements &a);

/// A matrix product with parameters of rows and columns.
struct MatrixProduct {
  Shape shape;

  /// The dimensions of the rows of A and of the columns of B; negative if there
  /// is none.
  int64_t rowAxis(const Elements &a) const { return a.rank() - 2; }
  int64_t columnAxis(const Elements &b) const {
    return b.rank() < 2 ? -1 : b.rank() - 1;
  }
  /// Whether a scale of an operand, which is the same for all inner elements,
  /// broadcasts to the product.
  bool scales(const Elements &scale) const;
};
ReasonOr<MatrixProduct> planProduct(FoldContext &cx, const Elements &a,
                                    const Elements &b, DataType type);

/// y = saturate(round(accumulated * scale) + zero) of the quantised products:
/// `accumulated` holds whole numbers as f64 (of integers: wrapped to i32); the
/// scale is scaleA * scaleB / scaleY, computed in the scales' own type as
/// runtimes do, the rest in double. The type is that of `zero`.
FoldResult requantized(const Elements &accumulated, const Elements &scaleA,
                       const Elements &scaleB, const Elements &scaleY,
                       const Elements &zero);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_ZEROPOINTS_H
