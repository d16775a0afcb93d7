//===- TensorWalk.h - All tensors of a model, one after the other ---------===//
//
// Visits every TensorProto in a model file: initializers and sparse ones of all
// graphs (subgraphs and training graphs included), and tensors in attributes of
// nodes and functions. Reads nodes again, so it costs what reading them cost
// when the model was imported; payloads are not read.
//
// Spans and texts that a visitor sees in attributes are valid during its call
// only.
// Thread safety: one thread per WireReader.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_TENSORWALK_H
#define ONNXFOLD_ONNX_IO_TENSORWALK_H

#include "onnxfold/onnx/io/ModelIndex.h"

namespace onnxfold {

/// The place of a tensor.
enum class TensorPlace : uint8_t {
  Initializer,
  ConstantValue, ///< attribute `value` of a Constant node
  Attribute,     ///< another attribute, or a part of a sparse tensor
};

class TensorWalk {
public:
  /// `skip` is asked for each initializer and node; what it is true for is not
  /// visited.
  using Skip = llvm::function_ref<bool(const MessageSpan &)>;
  /// `subject` names the tensor in messages.
  using Visit = llvm::function_ref<llvm::Error(const TensorIndex &, TensorPlace,
                                               llvm::StringRef subject)>;

  TensorWalk(const ModelIndex &index, Skip skip, Visit visit);

  llvm::Error initializers();
  llvm::Error attributes();

private:
  llvm::Error nodes(const std::deque<MessageSpan> &nodes);
  llvm::Error sparse(llvm::ArrayRef<ByteRange> messages,
                     llvm::StringRef subject);

  const ModelIndex &index;
  Skip skip;
  Visit visit;
  WireReader reader;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_TENSORWALK_H
