//===- Emitter.h - Values of DML as tensors of a graph ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Gives each value a name in the graph: a known number becomes a constant, and a
// scalar of another type a Cast. A size that is known needs no node.
//
//   Emitter emitter(graph);
//   emitter.real(DmlValue::known(2, DmlValue::Int));   // the constant 2.0
//   DmlValue rows = emitter.size(x, 0);                // known, or a Shape
//   std::string shape = emitter.list({rows, columns}); // of INT64
//
// Thread safety: none. Errors: none; values have the types that are asked for.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_EMITTER_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_EMITTER_H

#include "onnxfold/dml/import/internal/DmlValue.h"
#include "onnxfold/dml/import/internal/OnnxGraph.h"
#include "llvm/ADT/ArrayRef.h"

namespace onnxfold::dml {

class Emitter {
public:
  explicit Emitter(OnnxGraph &graph) : graph(graph) {}
  OnnxGraph &onnx() { return graph; }

  /// The name of a matrix or a scalar, as numbers of the graph's real().
  std::string real(const DmlValue &value);
  /// The name of a scalar, as INT64; as BOOL.
  std::string integer(const DmlValue &value);
  std::string truth(const DmlValue &value);
  /// A scalar as an Int, rounded towards zero.
  DmlValue whole(const DmlValue &value);
  /// As Java does it: NaN is 0, and what is too large the number that is closest.
  static int64_t toInteger(double number);
  /// The name of a list of integers.
  std::string list(llvm::ArrayRef<DmlValue> sizes);
  /// Rows (axis 0) or columns (1) of a matrix or frame.
  DmlValue size(const DmlValue &matrix, int axis);
  /// An Int and a number. x + 1 - 1 is x: an index from 1, and the place from 0
  /// that it names.
  DmlValue shifted(const DmlValue &open, int64_t by);
  /// One of two values by a scalar: a Where, or an If for matrices of different
  /// sizes.
  DmlValue select(const DmlValue &condition, const DmlValue &yes,
                  const DmlValue &no);

  /// The name of a value, with the element type of another.
  std::string as(const DmlValue &value, const DmlValue &other);
  /// The element type, and the sizes that a graph states.
  int32_t elementType(const DmlValue &value) const;
  static BodySizes bodySizes(const DmlValue &value);
  /// A value of this type where nothing assigned the variable. SystemDS fails
  /// where it is read, so who gets a result has not read it, as with stop().
  DmlValue standIn(const DmlValue &value);

  /// Numbers that each run draws, of the sizes of `like`: uniform from 0 to 1,
  /// or normal.
  std::string drawn(const std::string &like, bool isNormal = false) {
    return graph.node(isNormal ? normalOperator : randomOperator, {like});
  }
  /// A result may depend on drawn().
  bool drawsNumbers = false;
  /// A node that stands for numbers that no model has; `why` is the refusal
  /// where a result depends on it.
  std::string unusable(const std::string &like, std::string why);
  /// The reasons of the unusable nodes on which an output of the graph depends.
  std::vector<std::string> neededUnusable() const;

  /// Tensors of images, channels and places, by the matrices whose rows are the
  /// images.
  llvm::StringMap<std::string> channels;

private:
  OnnxGraph &graph;
  llvm::StringMap<std::pair<std::string, int64_t>> sums; ///< x + 1, by name
  llvm::StringMap<std::string> unusableNodes;            ///< why, by name
};

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_EMITTER_H
