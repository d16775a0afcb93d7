//===- Globals.h - Values of ml_program.global ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety: foldGlobal reads symbols above the operation. A pass on a
// function must not change these anyway.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_GLOBALS_H
#define ONNXFOLD_UPSTREAM_SUPPORT_GLOBALS_H

#include "onnxfold/constprop/FoldContext.h"

namespace onnxfold::upstream {

/// The value of the global that the operation's attribute `global` names, if
/// it has one and is not mutable.
FoldResult foldGlobal(FoldContext &cx);

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_GLOBALS_H
