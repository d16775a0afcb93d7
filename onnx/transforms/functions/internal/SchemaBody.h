//===- SchemaBody.h - The function body of an operator ----------*- C++ -*-===//
//
// Many operators of ONNX are defined by a function of other operators, the same
// for all nodes or made for attributes and types of one. Here it becomes
// operations of a module of its own, in which it can be evaluated and cleaned
// up like any model:
//
//   auto proto = functionBody(op, inputs, opset); // ShapeInference.h
//   SchemaBody body = SchemaBody::import(op, *proto, opset, arguments);
//   if (body.end) ... body.end->getOperand(0) is what op gives ...
//
// The main graph has one argument for each different value that the operator
// reads, of types that nobody states. References to attributes of the function
// are those that the operator has, or their defaults. Values are called as in
// the function.
//
// Thread safety: as the operations. Registers operators where the context has
// one thread.
// Source: FunctionProto and OpSchema in onnx/defs/schema.h.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_SCHEMABODY_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_SCHEMABODY_H

#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace onnx {
class FunctionProto;
} // namespace onnx

namespace onnxfold {

struct SchemaBody {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Reads result #0 and, as a custom operator, stays. Graphs keep the names of
  /// what they give, so that it could not be another value. Null if the body is
  /// nothing that can be imported.
  mlir::Operation *end = nullptr;

  /// `arguments`: for each input of `op` the number of the argument that it is,
  /// nothing where it is not given. What nobody reads is left out.
  static SchemaBody import(Operator op, const onnx::FunctionProto &proto,
                           int64_t opset,
                           llvm::ArrayRef<std::optional<unsigned>> arguments);

  mlir::Block &block() const { return *end->getBlock(); }
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_SCHEMABODY_H
