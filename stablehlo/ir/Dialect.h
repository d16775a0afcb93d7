//===- Dialect.h - The dialects stablehlo and chlo --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The two dialects without StableHLO's own libraries, as far as folding needs
// them: operations of any version in their generic form, with attributes and
// types as they are written. `stablehlo.constant` and `stablehlo.return` are
// static operations, the others are made from a table of names (Operations.def).
// Operations of other names are kept, as ones with unknown effects. There is no
// verifier: kernels check what they read.
//
// Thread safety: as MLIR's dialects.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_IR_DIALECT_H
#define ONNXFOLD_STABLEHLO_IR_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "onnxfold/stablehlo/ir/StablehloDialect.h.inc"
// after the dialect that it depends on
#include "onnxfold/stablehlo/ir/ChloDialect.h.inc"

#define GET_OP_CLASSES
#include "onnxfold/stablehlo/ir/StablehloOps.h.inc"

#endif // ONNXFOLD_STABLEHLO_IR_DIALECT_H
