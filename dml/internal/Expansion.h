//===- Expansion.h - Nodes taken apart into those of a body -----*- C++ -*-===//
//
// A node that has no lowering may still be a function: one of the model, or one
// that ONNX gives for the operator (Attention, losses, ...). Its nodes take its
// place, are folded, and lowered like all others:
//
//   if (expand(op, types, {}))  // op is erased
//     ... fold and infer shapes again ...
//
// Each new operation knows the node that it comes from, also after clean-ups:
// its location says it. Thread safety: none. Errors: a node is kept if it has
// no body, or one that cannot be imported.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_EXPANSION_H
#define ONNXFOLD_DML_INTERNAL_EXPANSION_H

#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include <string>

namespace onnxfold::dml {

/// A node of the model that was taken apart.
struct Origin {
  std::string op, node;
  /// Why it was: its own lowering has refused it. Empty if there is none.
  std::string reason, help;
};

/// The node that an operation comes from, if it is not of the model.
std::optional<Origin> originOf(Operator op);

/// Puts the nodes of its body in the place of a node. False, and nothing has
/// changed, if it has none. `reason`, `help`: of an Origin.
bool expand(Operator op, const KnownTypes &types, llvm::StringRef reason,
            llvm::StringRef help);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_EXPANSION_H
