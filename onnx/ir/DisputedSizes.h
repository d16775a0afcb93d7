//===- DisputedSizes.h - Sizes that implementations do not agree on -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// ONNX's inference says one size where its own text, its reference evaluator or
// ONNX Runtime say another one: of windows that start in the padding at the end
// or do not fit, of `auto_pad`, of a list of axes that is empty. Such a size is
// not a fact, so nothing may be computed from it. RATIONALE.md has the list; a
// test compares inference with what is computed (test_inferred_shapes.py).
//
// Thread safety: pure functions. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_DISPUTEDSIZES_H
#define ONNXFOLD_ONNX_IR_DISPUTEDSIZES_H

#include "onnxfold/onnx/ir/ShapeInference.h"

namespace onnxfold {

/// Makes the disputed sizes in `types`, which inferTypes returned for these
/// inputs, unknown, and where the rank is disputed the whole shape. Returns
/// what is disputed, in words; "" if nothing is.
llvm::StringRef forgetDisputedSizes(Operator op,
                                    llvm::ArrayRef<InferenceInput> inputs,
                                    InferredTypes &types);

/// The operator is one of those that may have disputed sizes.
bool mayDisputeSizes(Operator op);

/// The size after windows are laid along an axis is disputed whatever the size
/// before is: `auto_pad` asks for the same size and windows have gaps, are
/// shorter than a stride, or are rounded up (`ceil_mode`), or there is padding
/// by hand too; or the reference evaluator is alone with its size. Returns which
/// of these, in words, or "".
llvm::StringRef disputedWindows(Operator op, size_t axis, int64_t kernel);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_DISPUTEDSIZES_H
