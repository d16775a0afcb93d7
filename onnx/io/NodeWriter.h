//===- NodeWriter.h - An operator as a node of the file ---------*- C++ -*-===//
//
// The opposite of NodeReader.h, for operators that passes made: names of inputs
// and outputs are those of the values (Model.h). What was made anew has the
// attributes of the operation. A copy of a node (NodeSource.h) has all that the
// node has in the file, byte for byte: attributes of any kind, texts, metadata,
// unknown fields; except for names and bodies. Private to onnx/io.
//
//   NodeWriter writer(model, reader, exportOptions, locations);
//   auto contents = writer.encode(op, /*field=*/1);
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_NODEWRITER_H
#define ONNXFOLD_ONNX_IO_NODEWRITER_H

#include "onnxfold/onnx/io/Export.h"
#include "onnxfold/onnx/io/Import.h"
#include "onnxfold/onnx/io/MessageBytes.h"
#include "onnxfold/onnx/io/NodeReader.h"
#include "onnxfold/onnx/ir/NodeSource.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnx {
class NodeProto;
class ValueInfoProto;
} // namespace onnx

namespace onnxfold {

class OnnxConstantOp;

/// The node at the end of a way through bodies that begins among `nodes`.
llvm::Expected<const MessageSpan *>
findNode(WireReader &reader, const ModelIndex &index,
         const std::deque<MessageSpan> &nodes, llvm::ArrayRef<BodyStep> path,
         int64_t node);

class NodeWriter {
public:
  /// `locations` learns of external data that nodes refer to.
  NodeWriter(const ImportedModel &model, WireReader &reader,
             const ExportOptions &options, llvm::StringSet<> &locations);

  /// The operator as a whole field of its parent (`field`: 1 in a graph, 7 in a
  /// function), with what is in its bodies: constants there are nodes, and held
  /// in memory. An error if a value has no name, or an attribute of what is no
  /// copy is none that ONNX has, or a list of bodies.
  llvm::Expected<std::vector<Content>> encode(Operator op, uint32_t field);

private:
  llvm::Error write(Operator op, MessageBytes &node);
  llvm::Error addNames(Operator op, onnx::NodeProto &node);
  llvm::Error writeNew(Operator op, MessageBytes &node);
  llvm::Error writeCopy(Operator op, const NodeSource &source,
                        MessageBytes &node);
  llvm::Error writeAttribute(Operator op, const NodeSource &source,
                             const MessageSpan &span, unsigned &nextGraph,
                             MessageBytes &node);
  llvm::Error writeParameter(const NodeSource &source, llvm::StringRef name,
                             MessageBytes &node);
  llvm::Error writeGraphs(Operator op, const AttributeFields &attribute,
                          unsigned &nextGraph, MessageBytes &node);
  void keepDefaults(const GraphIndex &source, MessageBytes &graph);
  llvm::Error writeNodes(mlir::Region &body, bool isCustom,
                         MessageBytes &graph);
  llvm::Error writeValues(mlir::Region &body, MessageBytes &graph);
  llvm::Error addConstant(OnnxConstantOp constant, bool asInitializer,
                          MessageBytes &graph);
  llvm::Error addValue(mlir::Value value, uint32_t field, MessageBytes &graph);
  void addTypes(Operator op, MessageBytes &graph);
  llvm::Error wrong(const llvm::Twine &text) const;
  const std::deque<MessageSpan> &nodesOf(mlir::Operation *function) const;

  const ModelIndex &index;
  WireReader &reader;
  const ExportOptions &options;
  llvm::StringSet<> &locations;
  /// As the importer made them; the main graph is not there.
  llvm::DenseMap<mlir::Operation *, const FunctionIndex *> functions;
  std::string subject; ///< of what is encoded
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_NODEWRITER_H
