//===- TensorWalk.h - All tensors of a model, one after the other ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Visits every TensorProto in a model file: initializers and sparse ones of all
// graphs (subgraphs and training graphs included), and tensors in attributes of
// nodes and functions. The walk reads nodes again, so it costs as much as
// reading them at import; payloads are not read.
//
// Spans and texts in attributes are valid only during the call of the visitor.
// Thread safety: one thread per WireReader.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_TENSORWALK_H
#define ONNXFOLD_ONNX_IO_READ_TENSORWALK_H

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/ModelIndex.h"

namespace onnxfold {

/// The place of a tensor.
enum class TensorPlace : uint8_t {
  Initializer,
  ConstantValue, ///< attribute `value` of a Constant node
  Attribute,     ///< another attribute, or a part of a sparse tensor
};

class TensorWalk {
public:
  /// An initializer or node for which `skip` returns true is not visited.
  using Skip = llvm::function_ref<bool(const MessageSpan &)>;
  /// `subject` names the tensor in messages.
  using Visit = llvm::function_ref<llvm::Error(const TensorIndex &, TensorPlace,
                                               Subject subject)>;

  TensorWalk(const ModelIndex &index, Skip skip, Visit visit);

  llvm::Error initializers();
  llvm::Error attributes();

private:
  llvm::Error nodes(const std::deque<MessageSpan> &nodes);
  llvm::Error sparse(llvm::ArrayRef<ByteRange> messages, Subject subject);

  const ModelIndex &index;
  Skip skip;
  Visit visit;
  WireReader reader;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_TENSORWALK_H
