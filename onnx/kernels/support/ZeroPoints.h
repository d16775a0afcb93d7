//===- ZeroPoints.h - Zero points and scales of products --------*- C++ -*-===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_ZEROPOINTS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_ZEROPOINTS_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

inline bool is8Bit(const Elements &x) {
  return x.type() == DataType::Int8 || x.type() == DataType::UInt8;
}

/// The zero point or scale of `x` that input number `input` is (0 if it is left
/// out), which broadcasts against it: one element, or a vector with one for
/// each index of `axis` (negative: none is allowed); for the rows or columns of
/// a matrix also a tensor of its rank that broadcasts.
ReasonOr<Elements> readParameter(FoldContext &cx, unsigned input,
                                 const Elements &x, int64_t axis);

/// Units of FoldLimits::maxWork.
inline constexpr double unitsOfMultiplyAdd = 4;
/// Those of a product of matrices of this shape, the first of which is `a`.
double workOfProducts(ShapeRef product, const Elements &a);

/// A matrix product with parameters of rows and columns.
struct MatrixProduct {
  Shape shape;

  /// Where the rows of A and the columns of B lie; negative: in no dimension.
  int64_t rowAxis(const Elements &a) const { return a.rank() - 2; }
  int64_t columnAxis(const Elements &b) const {
    return b.rank() < 2 ? -1 : b.rank() - 1;
  }
  /// Whether a scale of an operand, which does not tell inner elements apart,
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
