//===- MathAvx512.cpp - SLEEF in vectors of 8 doubles --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifdef __x86_64__
#include "onnxfold/elements/ops/internal/MathTables.h"
#include <immintrin.h>
#include <sleef.h>

using namespace onnxfold::ops::detail;

using Vector = __m512d;
static constexpr size_t width = 8;
static inline Vector load(const double *p) { return _mm512_loadu_pd(p); }
static inline void store(double *p, Vector v) { _mm512_storeu_pd(p, v); }
#define ONNXFOLD_SLEEF(name, accuracy)                                         \
  Sleef_cinz_##name##d8_##accuracy##avx512fnofma

#include "onnxfold/elements/ops/MathLoops.inc"

const MathTable onnxfold::ops::detail::mathTableAvx512 = table;
#endif
