//===- Cast.cpp - Constant kernel of onnx.Cast ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The elements in another type. Spec: onnx Cast, versions 1 (`to` is a name),
// 6, 9 (strings), 13, 19 (float8, saturate), 21, 23, 24 (round_mode), 25, 28.
// Floats round to nearest even, to integers of 8 bits and more towards zero;
// integers keep their low bits. Undefined, and kept: floats out of an integer's
// range, halves of which sources differ (2 and 4 bits), text that is no number.
// In programs floats out of range are what x86 makes of them (castOfAnyRange).
// Integers of partly known tensors are propagated where their value cannot
// change.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Casting.h"
#include "llvm/ADT/StringSwitch.h"

using namespace onnxfold;

/// Version 1 names the type as TensorProto.DataType does.
static DataType typeNamed(llvm::StringRef name) {
  return llvm::StringSwitch<DataType>(name)
      .Case("FLOAT", DataType::Float32)
      .Case("UINT8", DataType::UInt8)
      .Case("INT8", DataType::Int8)
      .Case("UINT16", DataType::UInt16)
      .Case("INT16", DataType::Int16)
      .Case("INT32", DataType::Int32)
      .Case("INT64", DataType::Int64)
      .Case("BOOL", DataType::Bool)
      .Case("FLOAT16", DataType::Float16)
      .Case("DOUBLE", DataType::Float64)
      .Case("UINT32", DataType::UInt32)
      .Case("UINT64", DataType::UInt64)
      .Default(DataType::Undefined);
}

static FoldResult foldCast(FoldContext &cx) {
  if (cx.version() == 1) {
    std::string to = cx.string("to").value_or("");
    DataType type = typeNamed(to);
    return type == DataType::Undefined
               ? invalid("attribute 'to' is '" + to + "', no element type")
               : castInput(cx, type);
  }
  int64_t to = cx.integer("to").value_or(0);
  if (!isDataType(to) || to == int64_t(DataType::Opaque))
    return invalid("attribute 'to' is " + llvm::Twine(to) +
                   ", the number of no element type");
  return castInput(cx, DataType(to));
}

namespace onnxfold {
void registerCast(KernelRegistry &registry) {
  registry.add("Cast", {1, 6, 9, 13, 19, 21, 23, 24, 25, 28}, foldCast)
      .movesSymbols(0);
}
} // namespace onnxfold
