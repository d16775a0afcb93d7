//===- Dialect.h - The deallocation dialect ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The dialect represents the owner of an allocation as a value of the program.
// `!deallocation.ownership` is a pointer that owns an allocation or is null,
// like a std::unique_ptr: at the end of its scope it has been passed on or
// freed.
//
//   deallocation.null         owns nothing
//   deallocation.own %m       owns the allocation that %m is a view of
//   deallocation.get_buffer   the address of that allocation, as an index
//   deallocation.retain(%m..) of(%o..)
//                             each memref gets the allocation that it is a view
//                             of, or null; what no memref got is freed
//   deallocation.free %o      frees it; null is allowed
//
// Allocations are compared by their *allocated* pointers, never by the aligned
// ones: a view with an offset is a view of its allocation.
//
// `retain` and `free` have the effect MemFree on no particular value; the
// others have no effects. Canonicalisation drops null and repeated allocations
// of retain, splits retain() of(a, b), and forwards the ownership of a memref
// that is known to be a view of it; get_buffer looks through own, null and
// views.
//
// The passes that make and remove these operations are in Passes.h.
// Source of definition: the published design of MLIR-HLO's deallocation passes
// (RATIONALE.md says what is new here).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_IR_DIALECT_H
#define ONNXFOLD_DEALLOC_IR_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "onnxfold/dealloc/ir/DeallocationDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "onnxfold/dealloc/ir/DeallocationTypes.h.inc"

#define GET_OP_CLASSES
#include "onnxfold/dealloc/ir/DeallocationOps.h.inc"

#endif // ONNXFOLD_DEALLOC_IR_DIALECT_H
