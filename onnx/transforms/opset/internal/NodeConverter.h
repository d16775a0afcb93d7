//===- NodeConverter.h - One node in a later opset --------------*- C++ -*-===//
//
// The ONNX library's version converter, for one node at a time. Its exceptions
// become errors. Making one takes some milliseconds.
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
  /// The node as it is means the same in the new opset.
  bool isSame = false;
  /// Else what takes its place; argument #i is input #i.
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
  std::unique_ptr<Library> library; // made when first needed
};

/// The operator is of this version now.
void setSince(Operator op, int64_t since);

/// The result of a new operation, or of a new constant, gets this name.
void nameResult(mlir::OpResult result, llvm::StringRef name);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_NODECONVERTER_H
