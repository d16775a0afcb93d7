//===- GraphImport.h - Graphs and functions into blocks ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// This part of the importer fills one block: initializers, nodes in topological
// order, terminator. It is private to onnx/io; see Import.h.
//
// Thread safety: one import per context at a time.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_READ_GRAPHIMPORT_H
#define ONNXFOLD_ONNX_IO_READ_GRAPHIMPORT_H

#include "onnxfold/onnx/io/read/ExternalData.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/io/read/NodeReader.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/StringSaver.h"

namespace onnxfold {

/// The values that names mean, in one graph and those around it.
class NameScope {
public:
  explicit NameScope(const NameScope *outer = nullptr) : outer(outer) {}

  /// The same in this graph alone.
  mlir::Value lookupHere(llvm::StringRef name) const {
    return values.lookup(name);
  }
  mlir::Value lookup(llvm::StringRef name) const {
    for (const NameScope *scope = this; scope; scope = scope->outer)
      if (mlir::Value value = scope->values.lookup(name))
        return value;
    return nullptr;
  }
  /// Makes room for so many names more.
  void reserve(size_t count) { values.reserve(values.size() + count); }
  /// False if this graph has the name already.
  bool define(llvm::StringRef name, mlir::Value value) {
    // A result has the text already: a copy beside each operation would leave a
    // hole there. Arguments of functions get their names when all are there.
    llvm::StringRef known =
        llvm::isa<mlir::OpResult>(value) ? valueName(value) : "";
    return values.try_emplace(known == name ? known : saver.save(name), value)
        .second;
  }
  /// A name that this graph has gets another value for the nodes that follow.
  void redefine(llvm::StringRef name, mlir::Value value) {
    values.find(name)->second = value;
  }
  /// Whether a graph around this one has the name.
  bool isAround(llvm::StringRef name) const {
    return outer && outer->lookup(name);
  }
  /// Whether an argument of this graph has the name.
  bool hasArgument(llvm::StringRef name) const {
    return llvm::isa_and_nonnull<mlir::BlockArgument>(values.lookup(name));
  }

private:
  const NameScope *outer;
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver{memory};
  llvm::DenseMap<llvm::StringRef, mlir::Value> values;
};

/// The state that all graphs of one import share.
struct ImportState {
  const ModelIndex &index;
  mlir::MLIRContext &context;
  WireReader reader;
  ExternalData &external;
  std::vector<std::string> &warnings;
  /// "domain\0name\0overload" of the model's functions.
  llvm::StringSet<> functions;
  /// Whether each operator is registered in the context; false if no schema
  /// knows it.
  llvm::StringMap<bool> registered;
  /// Operations have locations that name their nodes.
  bool locations = true;
  /// The faults of nodes that break the schemas of their operators.
  llvm::StringSet<> invalid = {};
  /// Some Constant node has a type that its version does not take.
  bool anyConstant = false;
  /// Values whose types state a negative size, and the first of them.
  unsigned numNegativeSizes = 0;
  std::string negativeSize = {};
  bool hasCustomNodes = false;

  llvm::StringRef fileName() const { return index.file()->name(); }
};

/// The key of ImportState::functions.
std::string functionKey(llvm::StringRef domain, llvm::StringRef name,
                        llvm::StringRef overload);

/// Opset imports that hold for the nodes being imported.
/// The version of each imported domain: its last import counts.
using OpsetVersions = llvm::StringMap<int64_t>;
OpsetVersions opsetVersions(llvm::ArrayRef<OpsetImport> imports);

class GraphImporter {
public:
  GraphImporter(ImportState &state, const OpsetVersions &opsets,
                NameScope &scope, mlir::Block *block, ModelFault label)
      : state(state), opsets(opsets), scope(scope),
        builder(mlir::OpBuilder::atBlockEnd(block)), label(std::move(label)) {}

  /// Adds initializers as constants; sparse ones, and those that training
  /// changes, as unknown values. An initializer that has the name of an
  /// argument of the graph is left out; one that means nothing certain
  /// (TensorIndex::tolerable) is kept, with a warning.
  llvm::Error addInitializers(const GraphIndex &graph);

  /// Records the declared type of an input that is an initializer and no
  /// argument.
  void addInputType(const MessageSpan &valueInfo);

  /// Records a declared type, as a hint for the result of a node.
  void addValueType(const MessageSpan &valueInfo);

  /// The type in a ValueInfoProto and the names of its dimensions.
  static mlir::Type readType(ImportState &state, const MessageSpan &valueInfo,
                             std::string &name,
                             llvm::SmallVectorImpl<std::string> &dims);

  /// Adds all nodes, sorted if the file has them in another order.
  llvm::Error addNodes(const std::deque<MessageSpan> &nodes);

  /// Notes the quantization annotations of what nodes of the graph make, and of
  /// inputs of the main graph. False if there are others, or one with a
  /// parameter that is a value of the graph. REQUIRES: addNodes(), and arguments
  /// have their attributes.
  llvm::Expected<bool> addAnnotations(const GraphIndex &graph);

  /// The values of these names, or an error.
  llvm::Error lookupAll(llvm::ArrayRef<llvm::StringRef> names,
                        llvm::SmallVectorImpl<mlir::Value> &values);

  mlir::OpBuilder &getBuilder() { return builder; }

private:
  /// Adds the node; otherwise returns the name that has no value yet ("" if
  /// added).
  llvm::Expected<std::string> addNode(const MessageSpan &span, int64_t ordinal);
  /// Fills `currentInputs`; otherwise returns the name that has no value.
  std::string firstUndefined(const NodeFields &node);
  /// A node that cannot be added, and a name that it reads too early.
  struct WaitingNode {
    ModelFault node;
    std::string missing;
  };
  /// Ordinals of nodes by the name that they wait for.
  using WaitingNodes = llvm::StringMap<std::vector<int64_t>>;
  llvm::Error wakeWaiting(const MessageSpan &span, WaitingNodes &waiting,
                          llvm::function_ref<void(int64_t)> wake);
  llvm::Error unsortable(const std::deque<MessageSpan> &nodes,
                         const WaitingNodes &waiting);
  llvm::Error describeCycle(llvm::ArrayRef<WaitingNode> cycle);
  void noteName(const NodeFields &node);
  void warnOfDoubledNames();
  void noteInvalid(const NodeFields &node, const OperatorId &id,
                   llvm::StringRef why);

  llvm::Expected<bool> addConstant(const NodeFields &node, int64_t ordinal);
  bool addDoubledConstant(const NodeFields &node, int64_t ordinal);
  mlir::Value keepConstant(llvm::StringRef name, int64_t ordinal);
  llvm::Error addOperator(const NodeFields &node, int64_t ordinal);
  llvm::Expected<Operator>
  createOperator(const NodeFields &node, mlir::ValueRange inputs,
                 llvm::ArrayRef<mlir::NamedAttribute> attributes,
                 llvm::ArrayRef<llvm::StringRef> graphNames, bool isClear);
  llvm::Error addRegions(const NodeFields &node, Operator op);
  llvm::Error addConfigurations(const NodeFields &node, Operator op);
  llvm::Error fillRegion(const GraphIndex &graph, Operator op, unsigned number,
                         ModelFault label);
  OperatorId identify(const NodeFields &node, bool &custom);
  OperatorId lookUp(const NodeFields &node, bool &custom);

  llvm::Error define(llvm::StringRef name, mlir::Value value);
  llvm::Error defineResult(llvm::StringRef name, mlir::Value value);
  llvm::Error addInitializer(const TensorIndex &tensor, bool isMain);
  llvm::Error addUnclear(const TensorIndex &tensor,
                         llvm::ArrayRef<int64_t> dims);
  void checkDefault(const TensorIndex &tensor);
  llvm::Error addOpaque(const TensorIndex &tensor, mlir::Type type);
  mlir::Type declaredType(llvm::StringRef name) const;
  mlir::Location locationOf(const NodeFields &node);
  mlir::Value absent();
  llvm::Error error(ModelFault fault) const;
  ModelFault place() const;
  void warn(const llvm::Twine &text);
  /// The MLIR attributes of a node; `isClear` becomes false if some mean nothing
  /// certain.
  llvm::Expected<mlir::NamedAttrList> importAttributes(const NodeFields &node,
                                                       bool &isClear);
  bool isClear(const NodeFields &node, const AttributeFields &attribute);
  /// Whether the value of a Constant is stated once, and in one place.
  static bool isClearConstant(const NodeFields &node);

  ImportState &state;
  const OpsetVersions &opsets;
  NameScope &scope;
  mlir::OpBuilder builder;
  ModelFault label;                  // "graph 'main'", for messages
  llvm::StringMap<mlir::Type> types; ///< null: contradictory
  llvm::StringMap<mlir::Type> inputTypes;
  llvm::StringSet<> unclear; ///< doubled initializers
  /// The answers of lookUp() for operators of the standard domain.
  struct Identity {
    int64_t since;
    bool custom;
  };
  llvm::StringMap<Identity> standard;
  mlir::Value absentValue;
  NodeFields current;
  llvm::SmallVector<mlir::Value, 4> currentInputs; ///< null: not given
  /// Hashes of the names of nodes: texts would take most of the memory.
  llvm::DenseSet<uint64_t> nodeNames;
  std::string doubledName;
  int64_t doubledNames = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_READ_GRAPHIMPORT_H
