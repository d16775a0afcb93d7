//===- Model.h - Attributes of modules and functions ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A model is a builtin.module. The main graph is `func.func @main_graph`, each
// of the model's functions another func.func; both end with func.return.
//
//   module attributes {onnx.ir_version = 8 : i64,
//                      onnx.opset_imports = [#onnx.opset<"", 17>]} {
//     func.func @main_graph(%x: tensor<?x3xf32> {onnx.name = "x",
//                                                onnx.dims = ["batch", ""]})
//         -> (tensor<?x3xf32> {onnx.name = "y"}) ...
//     func.func @"com.acme::Swish"(...) attributes {onnx.domain = "com.acme",
//         onnx.name = "Swish", onnx.opset_imports = [...]} ...
//   }
//
// func's own interfaces are used here, never the func dialect's classes: this
// folder does not depend on it.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_MODEL_H
#define ONNXFOLD_ONNX_IR_MODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace mlir {
class Attribute;
class Operation;
class Value;
} // namespace mlir

namespace onnxfold {

class Operator;

/// Names of attributes on modules, functions, and their arguments and results.
inline constexpr llvm::StringLiteral irVersionAttrName = "onnx.ir_version";
inline constexpr llvm::StringLiteral opsetImportsAttrName =
    "onnx.opset_imports";
/// The FunctionProto name of a function (a graph's: GraphProto name), and the
/// name in the model of the value of an argument or result.
inline constexpr llvm::StringLiteral nameAttrName = "onnx.name";
inline constexpr llvm::StringLiteral domainAttrName = "onnx.domain";
inline constexpr llvm::StringLiteral overloadAttrName = "onnx.overload";
/// Names of symbolic dimensions of an argument or result, "" for others.
inline constexpr llvm::StringLiteral dimsAttrName = "onnx.dims";
/// The defaults of a function's attributes, a dictionary.
inline constexpr llvm::StringLiteral defaultsAttrName = "onnx.defaults";
/// A text on a function: why a runtime may not call
/// it.
inline constexpr llvm::StringLiteral ambiguousAttrName = "onnx.ambiguous";
/// Some function of the module is ambiguous.
inline constexpr llvm::StringLiteral anyAmbiguousAttrName =
    "onnx.any_ambiguous";
/// Some node of the file has a doc_string or metadata_props.
inline constexpr llvm::StringLiteral nodeTextsAttrName = "onnx.node_texts";
inline constexpr llvm::StringLiteral mainGraphSymbol = "main_graph";

/// Sets `onnx.opset_imports` of a module or function, in the given order and
/// spelling.
void setOpsetImports(
    mlir::Operation *moduleOrFunction,
    llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> imports);

/// The opset of a domain that holds at an operation: the imports of the nearest
/// function that has some, else of the module. "" and "ai.onnx" are one. Of
/// several imports the last one counts, as in ONNX Runtime.
std::optional<int64_t> importedOpset(mlir::Operation *anywhere,
                                     llvm::StringRef domain);

/// `onnx.ir_version` of the enclosing module.
std::optional<int64_t> irVersion(mlir::Operation *anywhere);

/// The symbol of a function of the model: "domain::name" or
/// "domain::name::overload", with '%' and ':' inside the parts written as %25
/// and %3A, so that different functions have different symbols, none of them
/// mainGraphSymbol.
std::string functionSymbol(llvm::StringRef domain, llvm::StringRef name,
                           llvm::StringRef overload = {});

/// The value of the parameter `name` of a function in a call: the attribute of
/// the call, else the function's default, else null.
mlir::Attribute parameterOf(const Operator &call, mlir::Operation *function,
                            llvm::StringRef name);

/// A step of the path to a node in the file: from a graph to number `graph` of
/// the graph attributes of its node number `node`.
struct BodyStep {
  int64_t node;
  unsigned graph;
};

/// The name of a value in the model, which is an output of a node, an
/// initializer, or an argument of the main graph, a function or a body (whose
/// arguments have their names as locations). "" if the value has no name.
llvm::StringRef valueName(mlir::Value value);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_MODEL_H
