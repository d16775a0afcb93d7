//===- BlockDiff.h - What changed in a graph, as edits ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// This part of the exporter compares the blocks of a module with the graphs and
// functions of the file that they came from, one after the other, and records
// the edits. It is private to onnx/io; Export.h says what is compared, and how.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_BLOCKDIFF_H
#define ONNXFOLD_ONNX_IO_WRITE_BLOCKDIFF_H

#include "onnxfold/onnx/io/read/NodeReader.h"
#include "onnxfold/onnx/io/write/EqualConstants.h"
#include "onnxfold/onnx/io/write/Export.h"
#include "onnxfold/onnx/io/write/NodeWriter.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace onnxfold {

/// Compares one block after the other with the file and records the edits.
class BlockDiff {
public:
  /// New constants are written to `data`, or to the model file if it is null.
  /// The users of merged constants are added to `redirected`, and the external
  /// data that new nodes refer to is added to `locations`.
  BlockDiff(const ImportedModel &model, EditScript &script,
            const ExportOptions &options, DataParts *data,
            llvm::DenseSet<mlir::Operation *> &redirected, DataUse &dataUse,
            CleaningRecord &record)
      : index(*model.index), external(*model.external),
        context(model.module.get().getContext()), script(script),
        options(options), data(data), redirected(redirected), record(record),
        reader(index.file()), writer(model, reader, options, dataUse) {
    noteParameters();
  }

  llvm::Error diffGraph(const GraphIndex &graph, mlir::Block &block);
  llvm::Error diffFunction(const FunctionIndex &function, mlir::Block &block);

  /// Tensors and attributes whose values are written anew, by where their
  /// contents begin.
  llvm::DenseSet<uint64_t> takeRewritten() { return std::move(rewritten); }
  /// Nodes that are erased, but whose tensors are initializers now, by where
  /// their contents begin.
  llvm::DenseSet<uint64_t> takeConverted() { return std::move(converted); }

private:
  /// The new constants of a block, which of them are equal, and those that are
  /// not written because their users read another one (also stored ones).
  struct NewConstants {
    llvm::SmallVector<OnnxConstantOp> all;
    EqualConstants equal;
    llvm::DenseSet<mlir::Operation *> dropped;
    /// Constants of the file that have another name now, by the name in the
    /// file.
    llvm::DenseMap<llvm::StringRef, OnnxConstantOp> renamed;
    /// Constants whose tensors have another value now, by the name in the file.
    llvm::MapVector<llvm::StringRef, OnnxConstantOp> rewritten;
  };
  using Nodes = std::deque<MessageSpan>;
  struct Present {
    llvm::BitVector nodes; // by ordinal
    /// Names of values that no node of the file produces. They are not moved.
    llvm::DenseSet<llvm::StringRef> values;
    /// Names of results of new and moved nodes: an initializer of such a name
    /// is no constant.
    llvm::DenseSet<llvm::StringRef> made;
  };
  /// Bytes in front of the next remaining node.
  struct Insertion {
    Content content;
    const MessageSpan *moved = nullptr; // instead of the content
  };
  bool isMoved(mlir::Operation *op) const {
    return options.origin && !options.origin(op).empty();
  }
  static Operator newNode(mlir::Operation *op);
  static std::optional<int64_t> nodeOf(mlir::Operation *op);
  std::optional<int64_t> placeOf(mlir::Operation *op) const;
  llvm::Expected<const MessageSpan *> spanOf(mlir::Operation *op,
                                             const Nodes &nodes);
  Present collect(mlir::Block &block, size_t numNodes,
                  const NewConstants &fresh) const;
  llvm::Error eraseNodes(const Nodes &nodes, const Present &present);
  llvm::StringSet<> findErasedInitializers(const GraphIndex &graph,
                                           mlir::Block &block,
                                           const Present &present) const;
  void eraseInitializers(const GraphIndex &graph, mlir::Block &block,
                         const Present &present, const NewConstants &fresh);
  void renameInitializer(const TensorIndex &tensor, llvm::StringRef name);
  llvm::Error eraseAnnotations(const std::deque<MessageSpan> &valueInfos);
  llvm::Error eraseAnnotations(const GraphIndex &graph);
  void addAnnotations(const GraphIndex &graph, mlir::Block &block);
  void noteParameters();
  /// Takes the parameters of annotations that are kept out of `erasedNames`.
  void keepParameters(const GraphIndex &graph, mlir::Block &block,
                      llvm::StringSet<> &erasedNames) const;
  void eraseBoundInputs(const GraphIndex &graph, mlir::Block &block);
  /// Whether new constants become initializers; otherwise they become Constant
  /// nodes. Before IR version 4 an initializer would have to be a graph input,
  /// and functions have no initializers.
  bool becomeInitializers(const GraphIndex *graph) const {
    return isFree(graph) && options.cleaning.constants != ConstantForm::Nodes;
  }
  /// Whether a new constant of the graph becomes one.
  bool becomesInitializer(const GraphIndex *graph,
                          OnnxConstantOp constant) const;
  /// Whether the graph may have initializers that are no inputs.
  bool isFree(const GraphIndex *graph) const {
    return graph && index.irVersion.value_or(0) >= 4;
  }
  llvm::Expected<std::vector<Insertion>> makeNode(mlir::Operation *op,
                                                  const Nodes &nodes,
                                                  uint32_t nodeField,
                                                  const GraphIndex *graph);
  void insert(std::vector<Insertion> &waiting, const MessageSpan &there,
              EditScript::Side side, uint32_t nodeField);
  llvm::Error insertNew(mlir::Block &block, const NewConstants &fresh,
                        const Nodes &nodes, uint32_t nodeField,
                        const GraphIndex *graph);
  llvm::Error renameValues(mlir::Block &block, const Nodes &nodes);
  /// Replaces the list of names in a message, which `fields` are, by `names`.
  void rename(const MessageSpan &message, uint32_t number,
              llvm::ArrayRef<NameField> fields,
              llvm::ArrayRef<llvm::StringRef> names);
  void diffInputs(const FunctionIndex &function, mlir::Block &block);
  void renameOutputs(mlir::Operation *op, const MessageSpan &span,
                     const NodeFields &node);
  bool isChanged(mlir::Operation *op) const;
  void diffConfigurations(mlir::Operation *op, const MessageSpan &span,
                          const NodeFields &node);
  llvm::Error diffTexts(mlir::Operation *op, const MessageSpan &span);
  llvm::Error diffSubgraphs(mlir::Block &block, const Nodes &nodes);

  // NewConstants.cpp
  NewConstants findNew(mlir::Block &block, const GraphIndex *graph);
  llvm::StringRef nameInFile(mlir::Operation *constant) const;
  bool hasNewValue(mlir::Operation *constant) const {
    return options.hasNewValue && options.hasNewValue(constant);
  }
  static bool isNameNeeded(OnnxConstantOp constant);
  void mergeEqual(llvm::ArrayRef<OnnxConstantOp> stored, NewConstants &fresh,
                  const llvm::StringSet<> &annotated);
  std::vector<Content> encode(llvm::StringRef name, OnnxConstantOp constant,
                              const Elements &elements,
                              const ConstantNode *node,
                              const EqualConstants &equal);
  llvm::Expected<std::vector<Content>> encode(OnnxConstantOp constant,
                                              const NewConstants &fresh,
                                              uint32_t nodeField,
                                              bool asInitializer);
  std::optional<DataParts::Place> placeOutside(mlir::Operation *first,
                                               const Elements &elements);
  Elements valueOf(OnnxConstantOp constant, const NewConstants &fresh) const;
  llvm::Error rewriteTensor(const MessageSpan &tensor, const Elements &elements,
                            std::optional<DataParts::Place> place);
  llvm::Expected<bool> rewriteSparse(const MessageSpan &attribute,
                                     const Elements &elements);
  llvm::Error rewriteAttribute(const MessageSpan &attribute,
                               OnnxConstantOp constant,
                               const Elements &elements);
  llvm::Error rewriteNode(const NodeFields &node, OnnxConstantOp constant,
                          const Elements &elements);
  llvm::Error rewriteValues(mlir::Block &block, const NewConstants &fresh,
                            const Nodes &nodes, const GraphIndex *graph);

  // NodeOrder.cpp
  void findDisplaced(mlir::Block &block);
  bool isDisplaced(mlir::Operation *op) const;

  // ConstantForms.cpp
  void leave(llvm::StringRef name, const llvm::Twine &reason);
  void leaveNodes(mlir::Block &block, llvm::StringRef reason);
  llvm::Expected<bool> isNodeOf(OnnxConstantOp constant, const Nodes &nodes,
                                NodeFields &node);
  llvm::Error findHeld(mlir::Block &block, const Nodes &nodes);
  void restoreNodes(const NewConstants &fresh);
  std::pair<const MessageSpan *, uint64_t>
  frontOf(const GraphIndex &graph) const;
  llvm::Expected<bool> moveToInitializer(OnnxConstantOp constant,
                                         const Nodes &nodes,
                                         const GraphIndex &graph);
  llvm::Expected<bool> moveValue(const MessageSpan &attribute,
                                 llvm::StringRef name, const NodeTexts &texts,
                                 const GraphIndex &graph);
  llvm::Error moveTensor(const MessageSpan &tensor, const MessageSpan &named,
                         llvm::StringRef name, uint32_t field,
                         const GraphIndex &graph);
  const TensorIndex *initializerOf(mlir::Operation *constant,
                                   const GraphIndex *graph);
  llvm::Expected<std::string> textsOfConstant(mlir::Operation *constant,
                                              const Nodes &nodes,
                                              const GraphIndex *graph);
  llvm::Error makeNodes(const GraphIndex &graph, const NewConstants &fresh);
  void makeNode(const GraphIndex &graph, const MessageSpan &tensor,
                llvm::StringRef name, bool isSparse);
  std::string whyInitializer(const GraphIndex &graph,
                             const llvm::StringSet<> &inputs,
                             const TensorIndex &tensor) const;

  const ModelIndex &index;
  ExternalData &external;
  mlir::MLIRContext *context;
  EditScript &script;
  const ExportOptions &options;
  DataParts *data;
  llvm::DenseSet<mlir::Operation *> &redirected;
  CleaningRecord &record;
  WireReader reader;
  NodeWriter writer;
  llvm::DenseMap<mlir::Operation *, DataParts::Place>
      places;                        // of constants in `data`
  llvm::StringSet<> removedNames;    // in the current block
  llvm::DenseSet<int64_t> displaced; // nodes of the current block
  /// Constants that are nodes of the current graph (--constants=nodes); those
  /// that others were merged into go to the front.
  llvm::SetVector<mlir::Operation *> held;
  llvm::DenseSet<mlir::Operation *> promoted;
  llvm::DenseSet<uint64_t> converted, rewritten;
  /// The texts of Constant nodes that become new initializers.
  llvm::DenseMap<mlir::Operation *, std::string> heldTexts;
  /// The initializers of a graph by name, made for initializerOf().
  llvm::DenseMap<llvm::StringRef, const TensorIndex *> initializers;
  const GraphIndex *graphOfInitializers = nullptr;
  /// Names that quantization annotations of all graphs have as parameters.
  llvm::StringSet<> parameters;
  /// Whether the file has type annotations (value_info,
  /// quantization_annotation) for values of the block.
  bool isDescribed = true;
  llvm::StringSet<> boundInputs; // of the main graph; otherwise empty
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_BLOCKDIFF_H
