//===- MatMulTileSse2.cpp - Matrix products in vectors of 2 doubles
//--------===//

static constexpr int lanes = 2, rows = 4, vectors = 2;

#include "onnxfold/elements/MatMulTile.inc"

const MatMulTile onnxfold::detail::matMulTileSse2 = tile;
