//===- CompactForm.h - A tensor as an operator of small ones ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds out whether a tensor is uniform, an arithmetic range, a broadcast or a
// repetition, and says the operator of ai.onnx that computes it from small
// tensors, bit by bit (a NaN is the same NaN, and 0 differs from -0):
//
//   if (std::optional<CompactForm> form = findCompactForm(elements, 17))
//     form->opType; // ConstantOfShape, Range, Expand or Tile
//
// The tensor is read in blocks, and of one that is none of these little is
// read: each question ends at the first difference. Only types and operators
// that ONNX Runtime has for the CPU are used.
//
// Thread safety: pure functions. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_COMPACT_COMPACTFORM_H
#define ONNXFOLD_ONNX_TRANSFORMS_COMPACT_COMPACTFORM_H

#include "onnxfold/elements/Elements.h"
#include <optional>

namespace onnxfold {

struct CompactForm {
  llvm::StringRef opType;
  llvm::SmallVector<Elements, 3> operands;
  Elements value; ///< attribute `value` of ConstantOfShape; else null
  /// The shape of the tensor if the operator's result is it in one dimension,
  /// so that a Reshape has to follow; else null.
  Elements shape;

  /// Bytes of all the small tensors.
  int64_t bytes() const;
};

/// A node, its names and those of its operands take about this many bytes.
constexpr int64_t bytesOfCompactNode = 256;
/// A constant becomes compact if that saves at least this many bytes.
constexpr int64_t leastSaved = 1024;

/// Whether nodes with constants of `small` bytes may take the place of a
/// constant of `stored` bytes.
inline bool isWorthCompacting(int64_t stored, int64_t small) {
  return stored - small - bytesOfCompactNode >= leastSaved;
}

/// The form that takes the place of the tensor in this opset of ai.onnx;
/// nothing if none saves enough.
std::optional<CompactForm> findCompactForm(const Elements &tensor,
                                           int64_t opset);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_COMPACT_COMPACTFORM_H
