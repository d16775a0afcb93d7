//===- FoldAction.h - What a plan does with an operation --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Plain data, which FoldPlan::action() returns.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_PLAN_FOLDACTION_H
#define ONNXFOLD_CONSTPROP_PLAN_FOLDACTION_H

namespace onnxfold {

/// Folded: replaced by constants. Removed: only folded operations used it (a
/// constant, a sequence, or an operation with unknown results), or it is in
/// the body of an erased operation.
enum class FoldAction { Kept, Folded, Removed };

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_PLAN_FOLDACTION_H
