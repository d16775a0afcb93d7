//===- MatMulTileAvx.cpp - Matrix products in vectors of 4 doubles --------===//

static constexpr int lanes = 4, rows = 4, vectors = 2;

#include "onnxfold/elements/MatMulTile.inc"

const MatMulTile onnxfold::detail::matMulTileAvx = tile;
