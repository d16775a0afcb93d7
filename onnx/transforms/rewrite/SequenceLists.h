//===- SequenceLists.h - The tensors of sequences ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Which tensors a sequence holds, as far as its producers say so: SequenceEmpty,
// SequenceConstruct, SplitToSequence, and SequenceInsert and SequenceErase at
// constant positions. The tensors need not be constant.
//
//   if (auto list = tensorsOf(op.input(0), evaluation))
//     ... list->items[1].tensor ...
//
// A list is only returned if none of its producers can fail: positions are in
// range, element types are known and equal, sizes of parts add up. Thread
// safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_SEQUENCELISTS_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_SEQUENCELISTS_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// A tensor of a sequence: a value, or part #`part` of what a SplitToSequence
/// returns.
struct SequenceItem {
  mlir::Value tensor; ///< null: it is a part
  mlir::Operation *split = nullptr;
  int64_t part = 0;
};

struct SequenceList {
  DataType type = DataType::Undefined; ///< of the elements of each tensor
  llvm::SmallVector<SequenceItem> items;
  /// The block of all producers, where the names of the tensors are visible;
  /// null if they are in several.
  mlir::Block *block = nullptr;

  /// No item is a part of a SplitToSequence.
  bool areValues() const;
  llvm::SmallVector<mlir::Value> values() const;
};

/// The tensors of `sequence`, or nothing.
std::optional<SequenceList> tensorsOf(mlir::Value sequence,
                                      const Evaluation &evaluation);

/// The number of tensors of `sequence`; nothing if it is not known, or if a
/// producer may fail.
std::optional<int64_t> numTensorsOf(mlir::Value sequence,
                                    const Evaluation &evaluation);

/// Operand #i of `op` as a position in [0, count), where negative ones count
/// from `end`; nothing if it is not constant or out of range.
std::optional<int64_t> constantPosition(Operator op, unsigned i, int64_t count,
                                        int64_t end,
                                        const Evaluation &evaluation);
/// The position of a SequenceAt, a SequenceErase or a SequenceInsert of a
/// sequence of `length` tensors.
std::optional<int64_t> positionIn(Operator op, int64_t length,
                                  const Evaluation &evaluation);

/// The result of a SplitToSequence with constant sizes.
struct SequenceParts {
  int64_t axis;
  llvm::SmallVector<int64_t> sizes; ///< along the axis
  bool keepsAxis;
  /// The sizes are known to add up to the dimension.
  bool isChecked;
};
std::optional<SequenceParts> cutsOf(Operator split,
                                    const Evaluation &evaluation);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_SEQUENCELISTS_H
