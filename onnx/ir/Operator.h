//===- Operator.h - One ONNX operator in the IR -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The view of an operation that is an ONNX operator, either a registered one
// (`onnx.Abs`) or an opaque one (`onnx.Custom`). It is a handle of two
// pointers, which is passed by value. It owns nothing, and is valid as long as
// the operation lives.
//
//   if (Operator op = Operator::from(operation)) {
//     if (op.is("Concat") && op.since() >= 4)
//       int64_t axis = op.getInt("axis", 0);
//   }
//
// An operation holds:
//   * its domain, type and since_version (the version its node resolved to);
//   * its place in the file: node name, output names, the node's ordinal. They
//     are no attributes, so they cannot clash with the operator's attributes,
//     and two operators that differ only in them are equal (CSE merges them);
//   * its annotations (Annotations.h), which distinguish operators;
//   * ONNX's attributes under their own names in the operation's dictionary:
//       INT i64    FLOAT f32    STRING string    INTS array<i64: ...>
//       FLOATS array<f32: ...>  STRINGS [strings]  TENSOR an ElementsAttr
//       TYPE_PROTO a type       others #onnx.raw   reference #onnx.ref
//     INTS and FLOATS of more than 1 KB are one-dimensional ElementsAttr of i64
//     and f32 instead; the getters hide it. STRINGS of more than 64 KB, of
//     strings;
//   * one region per graph attribute, in the node's order, ended by onnx.Yield.
//     A list of graphs `g` has regions named `g[0]`, `g[1]` ...
//
// Operands: an optional input that is not given is the result of onnx.Absent,
// or is missing at the end. Results: one per output of the node; an output with
// an empty name has the type `none`.
//
// Text form (also what tests write); `since` left out means the newest version:
//   %y = onnx.Concat(%a, %b) <{since = 13, name = "cat", outputs = ["y"],
//          node = 7}> {axis = 1 : i64} : (tensor<2xf32>, ...) -> tensor<4xf32>
//   %z = onnx.If(%c) <{since = 16}> : (tensor<i1>) -> tensor<f32>
//          with then_branch() {...}, else_branch() {...}
//   %w = onnx.Custom(%x) <{domain = "com.acme", op_type = "Swish", since = 1}>
//          : (tensor<2xf32>) -> tensor<2xf32>
//
// Thread safety: that of mlir::Operation. No function throws.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_OPERATOR_H
#define ONNXFOLD_ONNX_IR_OPERATOR_H

#include "onnxfold/onnx/ir/OperatorName.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <initializer_list>
#include <optional>

namespace mlir {
class OpBuilder;
} // namespace mlir

namespace onnx {
class OpSchema;
} // namespace onnx

namespace onnxfold {

class OperatorDefinition;
struct OperatorProperties;

/// Whether a value is a missing optional input.
bool isAbsent(mlir::Value value);

/// The identity of an operator. `overload` is NodeProto's field, for
/// onnx.Custom.
struct OperatorId {
  llvm::StringRef domain;
  llvm::StringRef opType;
  int64_t since;
  llvm::StringRef overload = {};
};

class Operator {
public:
  /// The null handle; only `operator bool` may be called on it.
  Operator() = default;

  /// Null if the operation is not an operator: static operations of this
  /// dialect (onnx.Constant too), and operations of other dialects.
  static Operator from(mlir::Operation *operation);

  explicit operator bool() const { return operation != nullptr; }
  mlir::Operation *getOperation() const { return operation; }
  mlir::Operation *operator->() const { return operation; }

  //===------------------------------------------------------------------===//
  // Identity. All these functions are O(1).

  /// "" for ai.onnx.
  llvm::StringRef domain() const;
  llvm::StringRef opType() const;
  /// For onnx.Custom: the opset version of the domain, 0 if not known.
  int64_t since() const;
  /// NodeProto's overload; "" except for onnx.Custom.
  llvm::StringRef overload() const;
  /// onnx.Custom: an operator or version without a schema, or a call of a
  /// function of the model (Model.h, functionSymbol).
  bool isCustom() const;
  /// Null for onnx.Custom. Builds the schema at the first call (0.1 ms).
  const onnx::OpSchema *schema() const;
  /// The name in ai.onnx, if the domain is that.
  OperatorName name() const { return OperatorName(opType()); }
  bool is(OperatorName name) const {
    return domain().empty() && opType() == llvm::StringRef(name);
  }
  bool isAny(std::initializer_list<OperatorName> names) const {
    return llvm::any_of(names, [&](OperatorName name) { return is(name); });
  }

  //===------------------------------------------------------------------===//
  // The place in the file. It is empty for operators that passes created.

  llvm::StringRef nodeName() const;
  void setNodeName(llvm::StringRef name);
  /// The name of an output; "" if it has none.
  llvm::StringRef outputName(unsigned index) const;
  void setOutputNames(llvm::ArrayRef<llvm::StringRef> names);
  /// Ordinal among the nodes of its graph or function in the source file.
  std::optional<int64_t> node() const;
  void setNode(std::optional<int64_t> ordinal);
  /// Null if it has none.
  mlir::DictionaryAttr annotations() const;
  void setAnnotations(mlir::DictionaryAttr annotations);

  //===------------------------------------------------------------------===//
  // Inputs.

  unsigned numInputs() const { return operation->getNumOperands(); }
  unsigned numOutputs() const { return operation->getNumResults(); }
  /// The input's value; null if it is not given.
  mlir::Value input(unsigned index) const;
  bool hasInput(unsigned index) const { return input(index) != nullptr; }

  //===------------------------------------------------------------------===//
  // Attributes. A getter returns its default if the attribute is absent, has
  // another kind (the verifier reports that), or is a reference: ask
  // hasReferences first if the operator may be in a function's body.

  mlir::Attribute attribute(llvm::StringRef name) const;
  bool has(llvm::StringRef name) const { return attribute(name) != nullptr; }
  /// Whether an attribute's value is a parameter of the enclosing function.
  bool hasReferences() const;

  std::optional<int64_t> getInt(llvm::StringRef name) const;
  int64_t getInt(llvm::StringRef name, int64_t byDefault) const;
  std::optional<float> getFloat(llvm::StringRef name) const;
  float getFloat(llvm::StringRef name, float byDefault) const;
  std::optional<llvm::StringRef> getString(llvm::StringRef name) const;
  llvm::StringRef getString(llvm::StringRef name,
                            llvm::StringRef byDefault) const;
  /// Absent and empty lists differ, hence the optional.
  std::optional<llvm::SmallVector<int64_t>> getInts(llvm::StringRef name) const;
  std::optional<llvm::SmallVector<float>> getFloats(llvm::StringRef name) const;
  std::optional<llvm::SmallVector<llvm::StringRef>>
  getStrings(llvm::StringRef name) const;
  /// Null if absent.
  mlir::ElementsAttr getTensor(llvm::StringRef name) const;
  mlir::Type getType(llvm::StringRef name) const;

  //===------------------------------------------------------------------===//
  // Graph attributes.

  unsigned numGraphs() const { return operation->getNumRegions(); }
  llvm::StringRef graphName(unsigned index) const;
  /// Null if there is none of that name.
  mlir::Region *getGraph(llvm::StringRef name) const;

  //===------------------------------------------------------------------===//
  // Creation and checking.

  /// Creates a registered operator if the (domain, opType) is registered and
  /// the schema of exactly this version exists, else an onnx.Custom. Adds one
  /// empty region per graph name; the caller adds a block ended by onnx.Yield.
  /// REQUIRES: the names of attributes are not empty, and no two are equal.
  static Operator create(mlir::OpBuilder &builder, mlir::Location location,
                         const OperatorId &id, mlir::ValueRange inputs,
                         mlir::TypeRange resultTypes,
                         llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
                         llvm::ArrayRef<llvm::StringRef> graphNames = {});

  /// Like create, but always creates an onnx.Custom: for nodes that do not fit
  /// the schema of their name, for Constant nodes that onnx.Constant cannot
  /// hold (a reference in a function), and for calls of functions.
  static Operator
  createCustom(mlir::OpBuilder &builder, mlir::Location location,
               const OperatorId &id, mlir::ValueRange inputs,
               mlir::TypeRange resultTypes,
               llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
               llvm::ArrayRef<llvm::StringRef> graphNames = {});

  /// Checks what the verifier checks: numbers of inputs and outputs, absent
  /// inputs that the schema requires, kinds and presence of attributes, graphs.
  /// The error's text names the part, not the operation. Success for
  /// onnx.Custom.
  llvm::Error checkAgainstSchema() const;

private:
  Operator(mlir::Operation *operation, const OperatorDefinition *definition)
      : operation(operation), definition(definition) {}
  OperatorProperties &properties() const;

  mlir::Operation *operation = nullptr;
  const OperatorDefinition *definition = nullptr;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_OPERATOR_H
