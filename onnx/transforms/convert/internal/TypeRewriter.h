//===- TypeRewriter.h - The classes that are converted, in the IR -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Changes types, attributes and constants, and adds and drops Casts.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_TYPEREWRITER_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_TYPEREWRITER_H

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/FreshNames.h"
#include "onnxfold/onnx/transforms/convert/internal/TypeDecision.h"
#include "onnxfold/onnx/transforms/rewrite/RewriteSession.h"

namespace onnxfold {

class TypeRewriter {
public:
  TypeRewriter(mlir::ModuleOp module, TypeClasses &classes,
               const ClassCollector &collector, TypeDecision &decision,
               RewriteSession &session)
      : module(module), classes(classes), collector(collector),
        decision(decision), session(session), names(module) {}

  llvm::Error run();
  TypeConversion takeResult() { return std::move(done); }

private:
  using Id = TypeClasses::Id;
  enum class Wish { From, To, Either };

  void noteKept();
  void noteNew(mlir::Operation *op);
  void setTypes();
  void setAttributes();
  void convertConstants();
  void convert(OnnxConstantOp constant, const TypePair &pair);
  Wish wishOf(mlir::OpOperand &place) const;
  OnnxConstantOp copyOf(OnnxConstantOp constant, llvm::StringRef suffix);
  void setValue(OnnxConstantOp constant, const TypePair &pair,
                const ConvertedTensor &losses);
  void addCasts();
  void castEnd(mlir::OpOperand &place);
  mlir::Value castOf(mlir::Value value, DataType to);
  mlir::Value makeCast(mlir::Value value, DataType to, llvm::StringRef name);
  void dropCasts();
  void drop(Operator cast);
  void rename(mlir::OpResult result, llvm::StringRef name);
  std::optional<DataType> wantedAt(mlir::OpOperand &place) const;
  llvm::Error checkNodes() const;
  void countFoldable();
  void bury(mlir::Operation *op);

  mlir::ModuleOp module;
  TypeClasses &classes;
  const ClassCollector &collector;
  TypeDecision &decision;
  RewriteSession &session;
  FreshNames names;
  TypeConversion done;
  llvm::SetVector<mlir::Operation *> changed; ///< with other types, or new
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, mlir::Value> casts;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONVERT_INTERNAL_TYPEREWRITER_H
