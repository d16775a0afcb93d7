//===- NodeFault.h - Why a node is none of the standard's -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A node that is no operator of the standard as it stands is an onnx.Custom.
// Users need to know whether it is somebody's own operator or a node of the
// standard that is wrong:
//
//   if (Operator op = ...; op.isCustom())
//     report(faultOf(op).text); // "breaks Resize-11: input #1 ('roi') is ..."
//
// Thread safety: that of mlir::Operation.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_NODEFAULT_H
#define ONNXFOLD_ONNX_IR_NODEFAULT_H

#include "onnxfold/onnx/ir/Operator.h"
#include <string>

namespace onnx {
class OpSchema;
} // namespace onnx

namespace onnxfold {

struct NodeFault {
  enum class Kind {
    UnknownOperator, ///< no opset known here has an operator of the name
    NewerOpset,      ///< the domain has an opset that is not known here
    Invalid,         ///< what the node says breaks the standard
  };
  Kind kind;
  std::string text; ///< "breaks Resize-11: ...", behind the node's name
};

/// REQUIRES: the operator is an onnx.Custom, and no call of a function.
NodeFault faultOf(const Operator &custom);

/// Checks what Operator::checkAgainstSchema checks against a given schema.
llvm::Error checkAgainst(const Operator &op, const onnx::OpSchema &schema);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_NODEFAULT_H
