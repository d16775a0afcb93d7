//===- OnnxGraph.h - An ONNX graph that grows node by node ------*- C++ -*-===//
//
// Nodes are called as no variable of DML, "Add.3"; equal constants are one initializer. Matrices are
// tensors of two dimensions, scalars of none.
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_ONNXGRAPH_H
#define ONNXFOLD_DML_INTERNAL_ONNXGRAPH_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <optional>

namespace onnxfold::dml {

/// An attribute of a node: an integer, or a list of them.
struct NodeAttribute {
  llvm::StringRef name;
  std::vector<int64_t> ints;
  bool isList = false;
};

class OnnxGraph {
public:
  /// `real`: of all numbers that are no integers, DOUBLE or FLOAT.
  OnnxGraph(llvm::StringRef name, int32_t real, int64_t opset);

  int32_t real() const { return realType; }
  /// The name of the result.
  std::string node(llvm::StringRef op, llvm::ArrayRef<std::string> inputs,
                   llvm::ArrayRef<NodeAttribute> attributes = {});
  std::string cast(const std::string &value, int32_t type);

  std::string number(double value);                     ///< a scalar, of real()
  std::string integer(int64_t value);                   ///< a scalar, INT64
  std::string truth(bool value);                        ///< a scalar, BOOL
  std::string integers(llvm::ArrayRef<int64_t> values); ///< a list, INT64
  std::string matrix(llvm::ArrayRef<double> values, int64_t rows,
                     int64_t columns);

  /// Sizes that are negative are open. No sizes at all: a scalar.
  void addInput(llvm::StringRef name, int32_t type,
                llvm::ArrayRef<int64_t> sizes);
  void addOutput(const std::string &value, llvm::StringRef name, int32_t type,
                 llvm::ArrayRef<int64_t> sizes);

  std::string bytes() const { return model.SerializeAsString(); }

private:
  std::string newName(llvm::StringRef prefix);
  std::string constant(const std::string &key, onnx::TensorProto tensor);

  onnx::ModelProto model;
  onnx::GraphProto &graph;
  int32_t realType;
  llvm::StringSet<> inputs;
  unsigned count = 0;                           ///< of names
  std::map<std::string, std::string> constants; ///< by type and value
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_ONNXGRAPH_H
