//===- MathAvx.cpp - SLEEF in vectors of 4 doubles -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifdef __x86_64__
#include "onnxfold/elements/ops/internal/MathTables.h"
#include <immintrin.h>
#include <sleef.h>

using namespace onnxfold::ops::detail;

using Vector = __m256d;
static constexpr size_t width = 4;
static inline Vector load(const double *p) { return _mm256_loadu_pd(p); }
static inline void store(double *p, Vector v) { _mm256_storeu_pd(p, v); }
#define ONNXFOLD_SLEEF(name, accuracy) Sleef_cinz_##name##d4_##accuracy##avx

#include "onnxfold/elements/ops/MathLoops.inc"

const MathTable onnxfold::ops::detail::mathTableAvx = table;
#endif
