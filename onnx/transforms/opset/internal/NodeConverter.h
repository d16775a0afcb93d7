//===- NodeConverter.h - One node in a later opset --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The ONNX library's version converter, for one node at a time. Its exceptions
// become errors. Constructing a converter takes some milliseconds.
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

struct ConvertedNode {
  /// The unchanged node means the same in the new opset.
  bool isSame = false;
  /// Else the nodes that replace it; argument #i is input #i.
  SchemaBody body = {};
};

class NodeConverter {
public:
  NodeConverter();
  ~NodeConverter();

  /// REQUIRES: from < to, both known; the operator is one of ai.onnx that has
  /// another version in `to`.
  llvm::Expected<ConvertedNode> convert(Operator op, int64_t from, int64_t to);

private:
  llvm::Expected<onnx::ModelProto> convertModel(onnx::ModelProto &model,
                                                int64_t from, int64_t to);
  llvm::Expected<ConvertedNode> convertReferences(Operator op, int64_t from,
                                                  int64_t to);

  struct Library;
  std::unique_ptr<Library> library; // created on first use
};

/// Sets the version of the operator.
void setSince(Operator op, int64_t since);

/// Gives the result of a new operation, or of a new constant, this name.
void nameResult(mlir::OpResult result, llvm::StringRef name);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_NODECONVERTER_H
