//===- MathSse2.cpp - SLEEF in vectors of 2 doubles
//--------------------------===//

#include "onnxfold/elements/ops/internal/MathTables.h"
#include <immintrin.h>
#include <sleef.h>

using namespace onnxfold::ops::detail;

using Vector = __m128d;
static constexpr size_t width = 2;
static inline Vector load(const double *p) { return _mm_loadu_pd(p); }
static inline void store(double *p, Vector v) { _mm_storeu_pd(p, v); }
#define ONNXFOLD_SLEEF(name, accuracy) Sleef_cinz_##name##d2_##accuracy##sse2

#include "onnxfold/elements/ops/MathLoops.inc"

const MathTable onnxfold::ops::detail::mathTableSse2 = table;
