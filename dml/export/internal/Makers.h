//===- Makers.h - What makes a value ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety: none. Errors: none; null if the value is null, or something else
// makes it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_MAKERS_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_MAKERS_H

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold::dml {

/// The node, which is no constant.
inline Operator makerOf(mlir::Value value) {
  return value ? Operator::from(value.getDefiningOp()) : Operator();
}

inline Elements constantOf(mlir::Value value) {
  auto constant = value ? value.getDefiningOp<OnnxConstantOp>() : nullptr;
  return constant ? fromAttribute(constant.getValue()) : Elements();
}

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_MAKERS_H
