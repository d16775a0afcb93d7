//===- MathTables.h - One table of functions per vector width ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The functions of Math.h for vectors of 2, 4 and 8 doubles (on an unknown
// processor, for one double). All tables give the same bits except for the sign
// and payload of NaN; Math.cpp chooses one by cpuLevel().
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_INTERNAL_MATHTABLES_H
#define ONNXFOLD_ELEMENTS_OPS_INTERNAL_MATHTABLES_H

#include <cstddef>

namespace onnxfold::ops::detail {

struct MathTable {
#define ONNXFOLD_MATH(name, accuracy) void (*name)(double *, size_t);
#include "onnxfold/elements/ops/MathFunctions.def"
  void (*pow)(double *, const double *, size_t);
  void (*atan2)(double *, const double *, size_t);
};

/// The table for every processor.
extern const MathTable mathTableBaseline;
#ifdef __x86_64__
/// REQUIRES: the processor has AVX (mathTableAvx) or AVX-512F.
extern const MathTable mathTableAvx, mathTableAvx512;
#endif

} // namespace onnxfold::ops::detail

#endif // ONNXFOLD_ELEMENTS_OPS_INTERNAL_MATHTABLES_H
