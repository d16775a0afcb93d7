//===- CallAttributes.h - Attributes of a function in its body --*- C++ -*-===//
//
// In the body of a function of the model attributes may refer to those of the
// function. A copy of the body that stands for one call has their values.
//
// Source: FunctionProto in onnx.proto, and onnx/inliner of the ONNX library: an
// attribute whose parameter has neither a value nor a default is left out.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_CALLATTRIBUTES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_CALLATTRIBUTES_H

#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// `copy` is an operation of the body of `function`, perhaps with bodies of its
/// own: references in it become what `call` gives, or the function's default. A
/// Constant whose value was a parameter becomes an onnx.Constant, which takes
/// its place: that is returned if it is `copy` itself, else `copy` is.
/// Operators that would not fit their schema stay as they are, and those that
/// would refer to attributes around the call.
mlir::Operation *resolveReferences(mlir::Operation *copy, const Operator &call,
                                   mlir::Operation *function);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_CALLATTRIBUTES_H
