//===- OnnxGraph.h - An ONNX graph that grows node by node ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Nodes have names that no variable of DML has: "Add.3". Equal nodes of a graph
// are merged, except for random ones. Equal constants are one initializer of
// the main graph. Matrices are tensors of two dimensions, scalars tensors of
// none. Branches and bodies of loops are graphs of their own:
//
//   GraphBody &yes = graph.newBody(), &no = graph.newBody();
//   { InBody inside(graph, yes); graph.addBodyOutput(x, graph.real(), {}); }
//   { InBody inside(graph, no);  graph.addBodyOutput(y, graph.real(), {}); }
//   std::string z = graph.branch(condition, yes, no).front();
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_ONNXGRAPH_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_ONNXGRAPH_H

#include "google/protobuf/arena.h"
#include "onnxfold/dml/import/internal/GraphNodes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <deque>
#include <optional>
#include <utility>

namespace onnxfold::dml {

/// An attribute of a node: an integer, or a list of them, or a text.
struct NodeAttribute {
  llvm::StringRef name;
  std::vector<int64_t> ints;
  bool isList = false;
  llvm::StringRef text = {};
};

/// Operators whose nodes are never equal.
constexpr llvm::StringLiteral randomOperator = "RandomUniformLike",
                              normalOperator = "RandomNormalLike";

/// Sizes of a value in a body; nothing: any rank.
using BodySizes = std::optional<std::vector<int64_t>>;

class OnnxGraph {
public:
  /// `real`: the type of all numbers that are not integers, DOUBLE or FLOAT.
  OnnxGraph(llvm::StringRef name, int32_t real, int64_t opset);

  int32_t real() const { return realType; }
  int64_t opset() const { return model.opset_import(0).version(); }
  /// Adds a node. Returns the name of the result.
  std::string node(llvm::StringRef op, llvm::ArrayRef<std::string> inputs,
                   llvm::ArrayRef<NodeAttribute> attributes = {});
  /// How many random nodes there are so far, in all graphs.
  unsigned randomNodes() const { return randomCount; }
  /// Adds a node with several results. Returns their names.
  std::vector<std::string> nodes(llvm::StringRef op,
                                 llvm::ArrayRef<std::string> inputs,
                                 size_t count,
                                 llvm::ArrayRef<NodeAttribute> attributes = {});
  std::string cast(const std::string &value, int32_t type);
  /// A BOOL as zeros and ones of real(); truthOf() is the inverse: it says
  /// where numbers are not 0.
  std::string asReal(const std::string &truth);
  std::string truthOf(const std::string &numbers);
  bool isTruth(llvm::StringRef numbers) const {
    return truths.contains(numbers);
  }
  /// The size of a tensor along an axis, a scalar INT64.
  std::string sizeOf(const std::string &value, int64_t axis);
  /// A size as real(), for broadcasting with a matrix. It has one dimension if
  /// sizeOf() made it, else none.
  std::string realSize(const std::string &size);

  std::string number(double value);   ///< a scalar, of real()
  std::string integer(int64_t value); ///< a scalar, INT64
  std::string truth(bool value);      ///< a scalar, BOOL
  /// A list of INT64, or a tensor of these sizes.
  std::string integers(llvm::ArrayRef<int64_t> values,
                       llvm::ArrayRef<int64_t> sizes = {});
  std::string matrix(llvm::ArrayRef<double> values, int64_t rows,
                     int64_t columns);

  /// Negative sizes are unknown. A value without sizes is a scalar.
  void addInput(llvm::StringRef name, int32_t type,
                llvm::ArrayRef<int64_t> sizes);
  void addOutput(const std::string &value, llvm::StringRef name, int32_t type,
                 llvm::ArrayRef<int64_t> sizes);
  /// Gives the values of outputs their names. Call it last.
  void nameOutputs();

  /// A new graph for a node. It lives as long as this one.
  GraphBody &newBody() { return bodies.emplace_back(); }
  /// Adds an input to the graph to which nodes are added now.
  std::string addBodyInput(int32_t type, const BodySizes &sizes);
  void addBodyOutput(const std::string &value, int32_t type,
                     const BodySizes &sizes);
  /// Adds an If. Returns its outputs.
  std::vector<std::string> branch(const std::string &condition, GraphBody &yes,
                                  GraphBody &no);
  /// Adds a Loop. `trips` or `condition` may be "". Returns the last states.
  std::vector<std::string> loop(const std::string &trips,
                                const std::string &condition,
                                llvm::ArrayRef<std::string> states,
                                GraphBody &body);

  /// The graph to which nodes are added; InBody changes it.
  GraphBody *current = nullptr;
  unsigned scope = 0, scopes = 0; ///< the number of `current`; the last one

  /// The names of the nodes of an operator on which an output depends.
  std::vector<std::string> neededNodes(llvm::StringRef op) const;

  /// The model as a serialised ModelProto.
  std::string bytes() const;

private:
  StoredNode &addNode(llvm::StringRef op, llvm::ArrayRef<std::string> inputs,
                      size_t results, size_t attributes);
  const StoredNode &nodeFor(llvm::StringRef op,
                            llvm::ArrayRef<std::string> inputs, size_t count,
                            llvm::ArrayRef<NodeAttribute> attributes);
  const StoredNode &newNode(llvm::StringRef op,
                            llvm::ArrayRef<std::string> inputs, size_t count,
                            llvm::ArrayRef<NodeAttribute> attributes);
  const std::vector<int64_t> *
  axesOfOldReduction(llvm::StringRef op,
                     llvm::ArrayRef<std::string> inputs) const;
  void setBody(StoredNode &node, size_t index, llvm::StringRef name,
               GraphBody &body);
  std::string newName(llvm::StringRef prefix);
  std::string constant(llvm::StringRef key,
                       llvm::function_ref<void(onnx::TensorProto &)> make);

  google::protobuf::Arena arena; ///< the memory of the model
  onnx::ModelProto &model;       ///< but for its graph
  onnx::GraphProto &graph;       ///< but for its nodes
  NodeMemory memory;
  std::deque<GraphBody> bodies; ///< the first is the main graph
  int32_t realType;
  llvm::StringSet<> inputs;
  llvm::StringMap<std::vector<int64_t>> lists; ///< constants, by name
  llvm::StringMap<std::string> truths;         ///< BOOLs, by their numbers
  llvm::StringMap<std::string> sizes; ///< lists of one, by their scalars
  unsigned count = 0;                 ///< names so far
  unsigned randomCount = 0;
  llvm::DenseMap<llvm::StringRef, const StoredNode *> known; ///< by NodeKey
  llvm::StringMap<std::string> constants; ///< by type and value
  std::vector<std::pair<std::string, std::string>> outputs; ///< value, name
};

/// While it lives, nodes are added to a graph in a node.
class InBody {
public:
  InBody(OnnxGraph &graph, GraphBody &body)
      : graph(graph), before(std::exchange(graph.current, &body)),
        scope(std::exchange(graph.scope, ++graph.scopes)) {}
  ~InBody() {
    graph.current = before;
    graph.scope = scope;
  }
  InBody(const InBody &) = delete;

private:
  OnnxGraph &graph;
  GraphBody *before;
  unsigned scope;
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_ONNXGRAPH_H
