//===- MatMulTile.h - The innermost loops of matrix products ----*- C++ -*-===//
//
// c += a * b for packed panels, for vectors of 2, 4 and 8 doubles. Each element
// of the product is summed in the order of k, one product after the other and
// without fused multiply-add, so that all widths give the same bits. For
// MatMul.cpp and its test only.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MATMULTILE_H
#define ONNXFOLD_ELEMENTS_MATMULTILE_H

#include <cstdint>

namespace onnxfold::detail {

/// Rows and columns of a register tile; panels are padded to them.
inline constexpr int64_t tileRows = 8, tileCols = 16;

/// c[i][j] += sum over k of a[k][i] * b[k][j], for tileRows x tileCols; rows of
/// c are `pitch` doubles apart.
using MatMulTile = void (*)(const double *a, const double *b, int64_t depth,
                            double *c, int64_t pitch);

extern const MatMulTile matMulTileSse2;
/// REQUIRES: a processor with AVX; with AVX-512F.
extern const MatMulTile matMulTileAvx, matMulTileAvx512;

} // namespace onnxfold::detail

#endif // ONNXFOLD_ELEMENTS_MATMULTILE_H
