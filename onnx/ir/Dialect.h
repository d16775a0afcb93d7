//===- Dialect.h - The onnx dialect -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The dialect `onnx`, its types (`OnnxStringType` ...), attributes
// (`OnnxRefAttr` ...) and its three static operations:
//
//   OnnxConstantOp   `onnx.Constant dense<1.0> : tensor<f32>`, a constant
//                    tensor
//   OnnxAbsentOp     `onnx.Absent`, an optional input that is not given
//   OnnxYieldOp      `onnx.Yield`, the end of a graph attribute's region
//
// All other operations are operators made from ONNX's schemas; read and create
// them through Operator.h, register them through Registration.h. Model.h
// describes the attributes of modules and functions.
//
// This header is the expensive one of the folder. Files that only read
// operators include Operator.h.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_DIALECT_H
#define ONNXFOLD_ONNX_IR_DIALECT_H

#include "onnxfold/onnx/ir/StoredName.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <memory>
#include <optional>

#include "onnxfold/onnx/ir/OnnxDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "onnxfold/onnx/ir/OnnxTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "onnxfold/onnx/ir/OnnxAttributes.h.inc"

#define GET_OP_CLASSES
#include "onnxfold/onnx/ir/OnnxOps.h.inc"

#endif // ONNXFOLD_ONNX_IR_DIALECT_H
