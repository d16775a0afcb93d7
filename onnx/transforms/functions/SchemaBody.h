//===- SchemaBody.h - The function body of an operator ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Many operators of ONNX are defined by a function of other operators. The
// function is the same for all nodes, or depends on the attributes and types of
// a node. Its body is imported into a module of its own, in which it can be
// evaluated and cleaned up like any model:
//
//   auto proto = functionBody(op, inputs, opset); // ShapeInference.h
//   SchemaBody body = SchemaBody::import(op, *proto, opset, arguments);
//   if (body.end) ... body.end->getOperand(0) is the result of op ...
//
// The main graph has one argument for each different operand of the operator,
// without a stated type. References to attributes of the function become those
// of the operator, or their defaults. Values have their names in the function.
//
// Thread safety: as the operations. Registers operators where the context has
// one thread.
// Source: FunctionProto and OpSchema in onnx/defs/schema.h.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_SCHEMABODY_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_SCHEMABODY_H

#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace onnx {
class FunctionProto;
} // namespace onnx

namespace onnxfold {

struct SchemaBody {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// An operator that uses the results. It is custom, so it is kept. (Graphs
  /// keep the names of their outputs, so an output could not be replaced.) Null
  /// if the body cannot be imported.
  mlir::Operation *end = nullptr;

  /// `arguments`: for each input of `op` the number of its argument, nothing if
  /// it is missing. `numResults`: the number of first results that `end` uses.
  /// Unused nodes are left out.
  static SchemaBody import(Operator op, const onnx::FunctionProto &proto,
                           int64_t opset,
                           llvm::ArrayRef<std::optional<unsigned>> arguments,
                           unsigned numResults = 1);

  mlir::Block &block() const { return *end->getBlock(); }
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_SCHEMABODY_H
