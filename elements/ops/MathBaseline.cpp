//===- MathBaseline.cpp - SLEEF in the vectors that every processor has ---===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/internal/MathTables.h"
#include <sleef.h>

using namespace onnxfold::ops::detail;

#if defined(__x86_64__)
#include <immintrin.h>
using Vector = __m128d;
static constexpr size_t width = 2;
static inline Vector load(const double *p) { return _mm_loadu_pd(p); }
static inline void store(double *p, Vector v) { _mm_storeu_pd(p, v); }
#define ONNXFOLD_SLEEF(name, accuracy) Sleef_cinz_##name##d2_##accuracy##sse2
#elif defined(__aarch64__)
#include <arm_neon.h>
using Vector = float64x2_t;
static constexpr size_t width = 2;
static inline Vector load(const double *p) { return vld1q_f64(p); }
static inline void store(double *p, Vector v) { vst1q_f64(p, v); }
#define ONNXFOLD_SLEEF(name, accuracy)                                         \
  Sleef_cinz_##name##d2_##accuracy##advsimdnofma
#else
using Vector = double;
static constexpr size_t width = 1;
static inline Vector load(const double *p) { return *p; }
static inline void store(double *p, Vector v) { *p = v; }
#define ONNXFOLD_SLEEF(name, accuracy) Sleef_cinz_##name##d1_##accuracy##purec
#endif

#include "onnxfold/elements/ops/MathLoops.inc"

const MathTable onnxfold::ops::detail::mathTableBaseline = table;
