//===- Reduce.h - The subcommand reduce -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Calls reduceModel, shows how far it is, and lets a signal end it with the best
// so far.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_REDUCE_H
#define ONNXFOLD_TOOLS_ONNXFOLD_REDUCE_H

#include "Options.h"

namespace onnxfold {

/// Returns the exit status.
int reduceOne(Options &options, const Messages &messages);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_REDUCE_H
