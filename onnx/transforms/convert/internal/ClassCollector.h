//===- ClassCollector.h - The classes of types of a module ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Walks over a module and finds which values and places have one element type
// (TypeClasses.h), and which of these have to keep it whatever their values
// are. Functions that nothing calls are left out: they stay as they are.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_CLASSCOLLECTOR_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_CLASSCOLLECTOR_H

#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/convert/internal/ElementFlow.h"
#include "onnxfold/onnx/transforms/convert/internal/TypeClasses.h"
#include "onnxfold/onnx/transforms/functions/CallGraph.h"

namespace onnxfold {

/// An attribute that states another type once the class of a result is
/// converted.
struct StatedType {
  Operator op;
  mlir::NamedAttribute attribute;
  TypeClasses::Id id;
};

class ClassCollector {
public:
  ClassCollector(mlir::ModuleOp module, const TypeConversionOptions &options,
                 TypeClasses &classes);

  void run();

  llvm::ArrayRef<StatedType> stated() const { return statements; }
  /// Operators whose types the schema decides, in the order of the module.
  llvm::ArrayRef<Operator> plain() const { return operators; }
  /// Results that depend on no operand's type: Shape, Cast, ConstantOfShape.
  bool isSource(mlir::Value result) const { return sources.contains(result); }
  /// Arguments of functions and results of their calls.
  bool isPassedOn(mlir::Value value) const;
  llvm::ArrayRef<mlir::Operation *> functions() const { return visited; }

private:
  using Id = TypeClasses::Id;
  void visitFunction(mlir::Operation *function);
  void visit(Operator op);
  void visitPlain(Operator op, const onnx::OpSchema &schema);
  void
  visitSources(Operator op, llvm::ArrayRef<unsigned> results,
               llvm::StringMap<llvm::SmallVector<mlir::OpOperand *>> &places);
  std::optional<TypeClasses::Id> classOfLoneFloats(Operator op);
  void keepTyped(Operator op, const onnx::OpSchema &schema);
  void joinFloats(Operator op);
  bool findStatement(Operator op, unsigned result, const TypePair &pair, Id id);
  void keepAll(Operator op, const llvm::Twine &why);
  void visitCall(Operator op, mlir::Operation *callee);
  void visitIf(Operator op);
  void visitLoop(Operator op);
  void visitScan(Operator op);
  void visitEnd(mlir::Block &block);
  void tie(mlir::OpOperand &place, mlir::Value value);
  void keep(mlir::Value value, const llvm::Twine &why);
  void keep(mlir::OpOperand &place, const llvm::Twine &why);
  void keepEnds(mlir::Block &block, const llvm::Twine &why);
  std::string whyKept(Operator op) const;

  mlir::ModuleOp module;
  const TypeConversionOptions &options;
  TypeClasses &classes;
  CallGraph calls;
  ElementFlow flow;
  std::vector<StatedType> statements;
  std::vector<Operator> operators;
  llvm::DenseSet<mlir::Value> sources;
  llvm::SmallVector<mlir::Operation *> visited;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_CLASSCOLLECTOR_H
