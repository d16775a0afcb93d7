//===- TransposeTile.h - Transposing rectangles of memory -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// transposePlane copies a rectangle whose columns are contiguous in the source
// into rows of the destination, for elements of 1, 2, 4, 8 or 16 bytes.
// StridedCopy uses it. It is written with SSE2, which every x86-64 processor
// has, and as plain loops for other processors.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_INTERNAL_TRANSPOSETILE_H
#define ONNXFOLD_ELEMENTS_INTERNAL_TRANSPOSETILE_H

#include <cstdint>

namespace onnxfold {

/// A rectangle of rows x cols elements. Element (r, c) is read at
/// in + r * width + c * inPitch and written at out + r * outPitch + c * width.
/// All pitches are in bytes.
struct TransposePlane {
  const char *in;
  char *out;
  int64_t inPitch, outPitch;
  int64_t rows, cols;
};

/// Copies the rectangle. `stream` writes past the caches, for results larger
/// than they are, where whole cache lines can be written.
void transposePlane(const TransposePlane &plane, unsigned width, bool stream);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_INTERNAL_TRANSPOSETILE_H
