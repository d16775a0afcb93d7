//===- NodeWriter.h - An operator as a node of the file ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Writes the operators that passes have created as nodes: inputs and outputs
// have the names of the values (Model.h). A new operator is written with the
// attributes of the operation. A copy of a node (NodeSource.h) keeps all fields
// of that node byte for byte (attributes of any kind, texts, metadata, unknown
// fields), except for names and bodies. This header is private to onnx/io.
//
//   NodeWriter writer(model, reader, exportOptions, dataUse);
//   auto contents = writer.encode(op, /*field=*/1);
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_NODEWRITER_H
#define ONNXFOLD_ONNX_IO_WRITE_NODEWRITER_H

#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/io/read/NodeReader.h"
#include "onnxfold/onnx/io/wire/MessageBytes.h"
#include "onnxfold/onnx/io/write/Export.h"
#include "onnxfold/onnx/io/write/NodeTexts.h"
#include "onnxfold/onnx/io/write/internal/FieldStripper.h"
#include "onnxfold/onnx/ir/NodeSource.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnx {
class NodeProto;
class ValueInfoProto;
} // namespace onnx

namespace onnxfold {

class OnnxConstantOp;

/// The node that a path through bodies leads to, which begins in `nodes`.
llvm::Expected<const MessageSpan *>
findNode(WireReader &reader, const ModelIndex &index,
         const std::deque<MessageSpan> &nodes, llvm::ArrayRef<BodyStep> path,
         int64_t node);

class NodeWriter {
public:
  /// The external data that the nodes refer to is added to `dataUse`.
  NodeWriter(const ImportedModel &model, WireReader &reader,
             const ExportOptions &options, DataUse &dataUse);

  /// The operator as a whole field of its parent (`field`: 1 in a graph, 7 in a
  /// function), with its bodies. Constants in the bodies become nodes, whose
  /// bytes are held in memory. An error if a value has no name, or if an
  /// attribute of an operator that is not a copy has no form in ONNX or is a
  /// list of bodies.
  /// `texts`: more fields of the node.
  llvm::Expected<std::vector<Content>> encode(Operator op, uint32_t field,
                                              llvm::StringRef texts = "");

  /// The texts that the node of `op` gets: what its own node in the file
  /// (`own`, or null) and those of ExportOptions::partsOf have.
  llvm::Expected<NodeTexts> textsOf(mlir::Operation *op,
                                    const MessageSpan *own);

private:
  llvm::Error write(Operator op, MessageBytes &node);
  llvm::Expected<NodeTexts> readTexts(const MessageSpan &node);
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
  void addAnnotations(Operator op, MessageBytes &graph);
  ModelFault wrong() const { return subject; }
  const std::deque<MessageSpan> &nodesOf(mlir::Operation *function) const;
  const FunctionIndex *functionOf(mlir::Operation *function) const;

  const ModelIndex &index;
  WireReader &reader;
  const ExportOptions &options;
  DataUse &dataUse;
  FieldStripper stripper;
  /// The functions of the file, by the operations that the importer has
  /// created; without the main graph.
  llvm::DenseMap<mlir::Operation *, const FunctionIndex *> functions;
  ModelFault subject; ///< the operator that is encoded, for messages
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_NODEWRITER_H
