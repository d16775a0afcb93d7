//===- Types.h - ONNX types and MLIR types ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// How the types of a model look in the dialect:
//
//   FLOAT16 BFLOAT16 FLOAT DOUBLE     f16 bf16 f32 f64
//   INT2 ... INT64                    i2 i4 i8 i16 i32 i64 (signless is signed)
//   UINT2 ... UINT64                  ui2 ui4 ui8 ui16 ui32 ui64
//   BOOL                              i1
//   STRING                            !onnx.string
//   COMPLEX64 COMPLEX128              complex<f32> complex<f64>
//   FLOAT8E4M3FN ...E4M3FNUZ          f8E4M3FN f8E4M3FNUZ
//   FLOAT8E5M2 ...E5M2FNUZ            f8E5M2 f8E5M2FNUZ
//   FLOAT8E8M0 FLOAT4E2M1             f8E8M0FNU f4E2M1FN
//   FLOAT6E2M3 FLOAT6E3M2             f6E2M3FN f6E3M2FN
//
//   tensor with / without shape       tensor<2x?xf32> / tensor<*xf32>
//   tensor without element type       !onnx.unknown   (also: nothing known)
//   sparse tensor, sequence           !onnx.sparse<tensor<2xf32>>, !onnx.seq<T>
//   optional, map, opaque             !onnx.optional<T>, !onnx.map<K, V>,
//                                     !onnx.opaque<"domain", "name">
//
// Names of symbolic dimensions are not part of a type: the importer keeps them
// as attributes of function arguments (Model.h). Denotations are not kept; the
// writer copies the model's own bytes.
//
// Thread safety: the functions have no state and may be called from several
// threads. Nothing throws.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_TYPES_H
#define ONNXFOLD_ONNX_IR_TYPES_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace onnx {
class TypeProto;
} // namespace onnx

namespace onnxfold {

/// The element type for a number of TensorProto.DataType; null for UNDEFINED
/// and for numbers that are not known.
mlir::Type elementTypeOf(int32_t onnxElementType, mlir::MLIRContext *context);

/// The number of TensorProto.DataType for an element type; 0 (UNDEFINED) if
/// ONNX has none (also for signed integers such as `si32`, which elementTypeOf
/// never returns).
int32_t onnxElementType(mlir::Type elementType);

/// The type in the dialect. A negative or absent dimension is `?`. Never null:
/// a type that cannot be expressed is !onnx.unknown.
mlir::Type fromTypeProto(const onnx::TypeProto &proto,
                         mlir::MLIRContext *context);

/// Fills `proto`. Clears it and returns false for a type that ONNX does not
/// have (index, memref ...), and for !onnx.unknown and none.
bool toTypeProto(mlir::Type type, onnx::TypeProto &proto);

/// Fills `proto` with a tensor type; ShapedType::kDynamic is an unknown
/// dimension.
void makeTensorTypeProto(int32_t onnxElementType, llvm::ArrayRef<int64_t> shape,
                         onnx::TypeProto &proto);

/// The names of a tensor type's symbolic dimensions, "" for the others; empty
/// if no dimension has a name.
llvm::SmallVector<llvm::StringRef> dimensionNames(const onnx::TypeProto &proto);

/// Sets names, as dimensionNames returned them, on the dimensions without a
/// value.
void setDimensionNames(llvm::ArrayRef<llvm::StringRef> names,
                       onnx::TypeProto &proto);

/// The type that says everything that either of two types says, for a value
/// that has both (a declared and an inferred one); null if they contradict each
/// other.
mlir::Type mergeTypes(mlir::Type left, mlir::Type right);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_TYPES_H
