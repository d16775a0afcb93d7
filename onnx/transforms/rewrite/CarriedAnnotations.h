//===- CarriedAnnotations.h - Annotations of replaced nodes -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A rewrite replaces a node, and with it nodes that only it needs, by new nodes
// or by a value that is there already. What the file says of devices and of
// quantization (onnx/ir/Annotations.h) must not be lost by that:
//   * The new nodes have the device configurations of the replaced ones, which
//     must agree: the same configurations and stages, and the same spec for
//     each value that two of them shard. Each sharded value must be one that a
//     new node reads or makes.
//   * A value that is there takes the place of another one only if its node has
//     these configurations already.
//   * The quantization annotation of a result is that of the value that
//     replaces it; a value between the replaced nodes must have none.
// Otherwise the rewrite is refused, with a reason.
//
//   SmallVector<Operation *> parts = partsOf(op, leaves, evaluation);
//   if (std::string why = carryTo(parts, made, value); !why.empty())
//     return refuse(op, why);
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CARRIEDANNOTATIONS_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CARRIEDANNOTATIONS_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// The nodes that are replaced with `op` if it is computed from `leaves`: it
/// and those between it and them, in the same graph, whose results are not
/// known. `op` comes first.
llvm::SmallVector<mlir::Operation *, 4>
partsOf(mlir::Operation *op, llvm::ArrayRef<mlir::Value> leaves,
        const Evaluation &evaluation);

/// Gives the annotations of `parts`, of which the first has the results that
/// are replaced, to the new nodes `made`, which make `values` in their place.
/// Returns why this is not possible, and has changed nothing then.
std::string carryTo(llvm::ArrayRef<mlir::Operation *> parts,
                    llvm::ArrayRef<mlir::Operation *> made,
                    mlir::ValueRange values);

/// The same for values that replace the results and are there already.
std::string carryTo(llvm::ArrayRef<mlir::Operation *> parts,
                    mlir::ValueRange values);

/// Why operand #i of `op`, which nothing else reads if `isLast`, cannot become
/// another value with which `op` makes the same results, or be left out; or "".
std::string whyNotEdited(mlir::Operation *op, unsigned i, bool isLast);

/// Why the body of `op` cannot take its place; or "".
std::string whyNotInlined(mlir::Operation *op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CARRIEDANNOTATIONS_H
