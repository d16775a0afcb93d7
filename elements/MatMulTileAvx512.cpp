//===- MatMulTileAvx512.cpp - Matrix products in vectors of 8 doubles
//--------===//

static constexpr int lanes = 8, rows = 8, vectors = 2;

#include "onnxfold/elements/MatMulTile.inc"

const MatMulTile onnxfold::detail::matMulTileAvx512 = tile;
