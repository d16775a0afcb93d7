//===- LoneModel.h - A node in a model of its own ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One operator as the ONNX library reads it: the only node of a model, whose
// inputs are `i0`, `i1` ..., with their types and the values of small
// constants, and whose outputs are `o0`, `o1` ... No large value is copied.
//
// Thread safety: the functions have no state.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_LONEMODEL_H
#define ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_LONEMODEL_H

#include "onnxfold/onnx/ir/Operator.h"
#include "onnx/onnx_pb.h"

namespace onnxfold {

/// False if an attribute has a kind that cannot be said. Parameters of a
/// function have the value `sample`.
bool describe(Operator op, int64_t opset, onnx::ModelProto &model,
              int64_t sample = 0);

/// Tensors are compared by their names only: no conversion changes one.
bool haveSameAttributes(const onnx::NodeProto &a, const onnx::NodeProto &b);

/// Whether the graph is that node alone.
bool isSameNode(const onnx::NodeProto &before, const onnx::GraphProto &after);

/// The graph as a function of the node's inputs.
onnx::FunctionProto functionOf(const onnx::GraphProto &graph,
                               const onnx::NodeProto &node);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_LONEMODEL_H
