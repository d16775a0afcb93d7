//===- NodeConverter.h - One node in another opset --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The ONNX library's version converter, for one node at a time. Its exceptions
// become errors. Constructing a converter takes some milliseconds.
//
// The library hardly converts to earlier opsets. There, a node is first said in
// the words of the version before (EarlierRules.h), and what the library makes
// of that in the later opset must be the node again. Where that fails, the
// function by which ONNX defines the operator takes its place.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_NODECONVERTER_H
#define ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_NODECONVERTER_H

#include "onnxfold/onnx/transforms/functions/SchemaBody.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace onnx {
class ModelProto;
} // namespace onnx

namespace onnxfold {

struct SchemaEntry;

struct ConvertedNode {
  /// The unchanged node means the same in the new opset.
  bool isSame = false;
  /// The nodes that replace it otherwise; argument #i is input #i.
  SchemaBody body = {};
};

class NodeConverter {
public:
  NodeConverter();
  ~NodeConverter();

  /// REQUIRES: from < to, both known; the operator is one of ai.onnx that has
  /// another version in `to`.
  llvm::Expected<ConvertedNode> convert(Operator op, int64_t from, int64_t to);

  /// One step: the node in its version before, or its function. Nodes of a body
  /// have the versions of `opset` of the result, and types.
  /// REQUIRES: the operator is one of ai.onnx.
  struct Earlier {
    ConvertedNode node;
    int64_t opset;           ///< of which the node, or all of its body, are
    bool isFunction = false; ///< of several nodes, by which ONNX defines it
  };
  llvm::Expected<Earlier> stepBack(Operator op);

private:
  llvm::Expected<Earlier> inVersionBefore(Operator op,
                                          const SchemaEntry &before);
  llvm::Expected<Earlier> asFunction(Operator op);
  llvm::Error checkWayBack(const onnx::ModelProto &earlier,
                           const onnx::ModelProto &later, Operator op,
                           int64_t before);
  llvm::Expected<onnx::ModelProto> convertModel(onnx::ModelProto &model,
                                                int64_t from, int64_t to);
  llvm::Expected<ConvertedNode> convertReferences(Operator op, int64_t from,
                                                  int64_t to);

  struct Library;
  std::unique_ptr<Library> library; // created on first use
};

/// Sets the version of the operator.
void setSince(Operator op, int64_t since);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_NODECONVERTER_H
