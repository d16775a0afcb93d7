//===- Integers.cpp - Integers without a sign -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/Integers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

DataType upstream::unsignedOf(DataType type) {
  switch (type) {
  case DataType::Int2:
    return DataType::UInt2;
  case DataType::Int4:
    return DataType::UInt4;
  case DataType::Int8:
    return DataType::UInt8;
  case DataType::Int16:
    return DataType::UInt16;
  case DataType::Int32:
    return DataType::UInt32;
  case DataType::Int64:
    return DataType::UInt64;
  default:
    return type;
  }
}

template <> Elements upstream::widened<int64_t>(const Elements &x) {
  if (!x || !isSignless(x.type()))
    return {};
  if (x.type() == DataType::Bool)
    return ops::mapAs<int64_t, bool>(x, [](bool a) { return a ? -1 : 0; });
  return ops::cast(x, DataType::Int64);
}

template <> Elements upstream::widened<uint64_t>(const Elements &x) {
  if (!x || !isSignless(x.type()))
    return {};
  return ops::cast(ops::cast(x, unsignedOf(x.type())), DataType::UInt64);
}

Elements upstream::lowBits(const Elements &x, DataType type) {
  if (!x || type != DataType::Bool)
    return ops::cast(x, type);
  if (x.type() == DataType::Int64)
    return ops::mapAs<bool, int64_t>(x, [](int64_t a) { return (a & 1) != 0; });
  return ops::mapAs<bool, uint64_t>(x, [](uint64_t a) { return (a & 1) != 0; });
}

OverflowFlags upstream::overflowFlagsOf(FoldContext &cx) {
  auto op = mlir::cast<mlir::arith::ArithIntegerOverflowFlagsInterface>(
      cx.operation());
  return {op.hasNoSignedWrap(), op.hasNoUnsignedWrap()};
}

bool upstream::isExact(FoldContext &cx) { return cx.hasAttribute("isExact"); }
