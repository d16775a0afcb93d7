//===- Expansion.h - Nodes taken apart into those of a body -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A node that has no lowering may still be a function: one of the model, or the
// one that ONNX defines for the operator (Attention, losses, ...). The nodes of
// the body replace the node, and are folded and lowered like all others:
//
//   if (expand(op, types, {}))  // op is erased
//     ... fold and infer shapes again ...
//
// The location of each new operation says which node it comes from, also after
// clean-ups. Thread safety: none. Errors: a node is kept if it has no body, or
// one that cannot be imported.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_EXPANSION_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_EXPANSION_H

#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include <string>

namespace onnxfold::dml {

/// A node of the model that was taken apart.
struct Origin {
  std::string op, node;
  /// The reason for which its lowering refused it; empty if it has no lowering.
  std::string reason, help;
};

/// The node that an operation comes from, if the operation is not one of the
/// model.
std::optional<Origin> originOf(Operator op);

/// Replaces a node by the nodes of its body. False, and nothing has changed, if
/// it has no body. `reason` and `help` are those of an Origin.
bool expand(Operator op, const KnownTypes &types, llvm::StringRef reason,
            llvm::StringRef help);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_EXPANSION_H
