//===- OperatorSchema.h - One operator of a schema file ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_OPERATORSCHEMA_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_OPERATORSCHEMA_H

#include "onnxfold/onnx/folding/OperatorSchemas.h"
#include "onnxfold/onnx/folding/internal/ShapeRule.h"

namespace onnxfold {

struct OperatorSchema {
  bool effects = true;
  AttributeDefaults attributes;
  /// The first form that fits a node is used.
  std::vector<ShapeRule> forms;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_OPERATORSCHEMA_H
