//===- OnnxGraph.h - An ONNX graph that grows node by node ------*- C++ -*-===//
//
// Nodes are called as no variable of DML, "Add.3"; equal nodes of a graph are
// one (but for random ones), and equal constants one initializer, of the main
// graph. Matrices are tensors of two dimensions, scalars of none. Branches and
// bodies of loops are graphs of their own:
//
//   GraphBody &yes = graph.newBody(), &no = graph.newBody();
//   { InBody inside(graph, yes); graph.addBodyOutput(x, graph.real(), {}); }
//   { InBody inside(graph, no);  graph.addBodyOutput(y, graph.real(), {}); }
//   std::string z = graph.branch(condition, yes, no).front();
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_ONNXGRAPH_H
#define ONNXFOLD_DML_INTERNAL_ONNXGRAPH_H

#include "google/protobuf/arena.h"
#include "onnxfold/dml/internal/GraphNodes.h"
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

/// The one operator here whose nodes are never equal.
constexpr llvm::StringLiteral randomOperator = "RandomUniformLike";

/// Sizes of a value inside of a body; nothing: of any rank.
using BodySizes = std::optional<std::vector<int64_t>>;

class OnnxGraph {
public:
  /// `real`: of all numbers that are no integers, DOUBLE or FLOAT.
  OnnxGraph(llvm::StringRef name, int32_t real, int64_t opset);

  int32_t real() const { return realType; }
  int64_t opset() const { return model.opset_import(0).version(); }
  /// The name of the result.
  std::string node(llvm::StringRef op, llvm::ArrayRef<std::string> inputs,
                   llvm::ArrayRef<NodeAttribute> attributes = {});
  /// The names of several results.
  std::vector<std::string> nodes(llvm::StringRef op,
                                 llvm::ArrayRef<std::string> inputs,
                                 size_t count,
                                 llvm::ArrayRef<NodeAttribute> attributes = {});
  std::string cast(const std::string &value, int32_t type);
  /// A BOOL as zeros and ones, and where numbers are not 0: what they were.
  std::string asReal(const std::string &truth);
  std::string truthOf(const std::string &numbers);
  bool isTruth(llvm::StringRef numbers) const {
    return truths.contains(numbers);
  }
  /// Of a tensor along an axis, a scalar INT64.
  std::string sizeOf(const std::string &value, int64_t axis);
  /// A size as real(), to be broadcast with a matrix: of one dimension if it
  /// came from one.
  std::string realSize(const std::string &size);

  std::string number(double value);   ///< a scalar, of real()
  std::string integer(int64_t value); ///< a scalar, INT64
  std::string truth(bool value);      ///< a scalar, BOOL
  /// A list, INT64; or of these sizes.
  std::string integers(llvm::ArrayRef<int64_t> values,
                       llvm::ArrayRef<int64_t> sizes = {});
  std::string matrix(llvm::ArrayRef<double> values, int64_t rows,
                     int64_t columns);

  /// Sizes that are negative are open. No sizes at all: a scalar.
  void addInput(llvm::StringRef name, int32_t type,
                llvm::ArrayRef<int64_t> sizes);
  void addOutput(const std::string &value, llvm::StringRef name, int32_t type,
                 llvm::ArrayRef<int64_t> sizes);
  /// Gives the values of outputs their names; after it nothing is added.
  void nameOutputs();

  /// A graph inside of a node, which lives as long as this one.
  GraphBody &newBody() { return bodies.emplace_back(); }
  /// Of the graph that nodes are added to now.
  std::string addBodyInput(int32_t type, const BodySizes &sizes);
  void addBodyOutput(const std::string &value, int32_t type,
                     const BodySizes &sizes);
  /// If. The outputs.
  std::vector<std::string> branch(const std::string &condition, GraphBody &yes,
                                  GraphBody &no);
  /// Loop. `trips` or `condition` may be "". The last states.
  std::vector<std::string> loop(const std::string &trips,
                                const std::string &condition,
                                llvm::ArrayRef<std::string> states,
                                GraphBody &body);

  /// The graph that nodes are added to; InBody changes it.
  GraphBody *current = nullptr;
  unsigned scope = 0, scopes = 0; ///< its number; another one each time

  /// Nodes of an operator on which an output depends, by their names.
  std::vector<std::string> neededNodes(llvm::StringRef op) const;

  /// A ModelProto.
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

  google::protobuf::Arena arena; ///< of the model: many small pieces
  onnx::ModelProto &model;       ///< but for its graph
  onnx::GraphProto &graph;       ///< but for its nodes
  NodeMemory memory;
  std::deque<GraphBody> bodies; ///< the first is the main graph
  int32_t realType;
  llvm::StringSet<> inputs;
  llvm::StringMap<std::vector<int64_t>> lists; ///< constants, by name
  llvm::StringMap<std::string> truths;         ///< what numbers were made of
  llvm::StringMap<std::string> sizes; ///< lists of one, by their scalars
  unsigned count = 0;                 ///< of names
  llvm::DenseMap<llvm::StringRef, const StoredNode *> known; ///< by NodeKey
  llvm::StringMap<std::string> constants; ///< by type and value
  std::vector<std::pair<std::string, std::string>> outputs; ///< value, name
};

/// While it lives nodes are added to a graph inside of a node.
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

#endif // ONNXFOLD_DML_INTERNAL_ONNXGRAPH_H
