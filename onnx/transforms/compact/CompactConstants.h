//===- CompactConstants.h - Small nodes for bloated constants ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Replaces constants of a module, of its bodies and functions by nodes that
// compute them from small constants (CompactForm.h):
//
//   OwningOpRef<ModuleOp> replaced;
//   for (const CompactedConstant &one :
//        compactConstants(module, mayChange, replaced))
//     one.name, one.opType, one.before, one.after;
//
// A node has the name of the constant, so readers stay as they are. These
// constants stay: those read by operators of which nothing is known, and
// parameters of quantization, which runtimes want to be constant.
//
// Thread safety: as the operations. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_COMPACT_COMPACTCONSTANTS_H
#define ONNXFOLD_ONNX_TRANSFORMS_COMPACT_COMPACTCONSTANTS_H

#include "onnxfold/onnx/ir/Dialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>
#include <vector>

namespace onnxfold {

class Operator;

struct CompactedConstant {
  std::string name, opType;         ///< "w", "Expand"
  int64_t before, after;            ///< bytes of the constants
  bool isReshaped;                  ///< a Reshape follows
  mlir::Operation *constant, *node; ///< the constant, and what has its name
};

/// `mayChange`: false for constants that must stay. `replaced` gets the others,
/// and may have some already: tables know operations by their addresses, so none
/// is freed.
std::vector<CompactedConstant>
compactConstants(mlir::ModuleOp module,
                 llvm::function_ref<bool(OnnxConstantOp)> mayChange,
                 mlir::OwningOpRef<mlir::ModuleOp> &replaced);

/// Whether the operator makes a large tensor of small ones by one of these
/// forms.
bool isCompactOperator(Operator op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_COMPACT_COMPACTCONSTANTS_H
