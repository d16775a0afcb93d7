//===- Broadcasts.h - Constants that Expand makes of small ones -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A value whose elements are the same along some axes is stored as one of each,
// and a node broadcasts it.
//
//   SmallForm form = smallFormOf(value);
//   if (form.isMuchSmaller(bytes)) ... Expand(form.value, value.shape()) ...
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_BROADCASTS_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_BROADCASTS_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

struct SmallForm {
  Elements value;
  int64_t bytes = 0; ///< of it and of the shape

  /// It takes a sixteenth of so many bytes or less.
  bool isMuchSmaller(int64_t whole) const { return whole >= 16 * bytes; }
};

/// The elements of a value with one of those along each axis where all are the
/// same, which is seen in the strides: nothing is computed. REQUIRES: the value
/// has elements.
SmallForm smallFormOf(const Elements &value);

/// All versions of Expand take these types.
bool mayExpand(DataType type);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_BROADCASTS_H
