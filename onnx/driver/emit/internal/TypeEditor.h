//===- TypeEditor.h - What the output says of types -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Decides for the writer which type the file states of a value: what the file
// said, or what was inferred where the file is wrong or says less.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_TYPEEDITOR_H
#define ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_TYPEEDITOR_H

#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"
#include "onnxfold/onnx/io/write/Export.h"

namespace onnxfold {

class TypeEditor {
public:
  TypeEditor(const FoldedModel &model, const FoldOptions &options)
      : model(model), options(options) {}

  /// False if all types stay as they are in the file.
  bool isNeeded() const {
    return editsTypes(options) || model.prepared.cut || model.prepared.batch ||
           model.conversion;
  }
  /// See ExportOptions::editType.
  TypeEdit edit(mlir::Value value, TypePlace place, onnx::ValueInfoProto &info);
  /// Types of the file that turned out to be wrong.
  llvm::ArrayRef<TypeConflict> conflicts() const { return found; }

private:
  bool openBatch(mlir::Value value, onnx::ValueInfoProto &info) const;
  TypeEdit editKnown(mlir::Value value, TypePlace place,
                     onnx::ValueInfoProto &info);
  bool convert(mlir::Value value, onnx::TypeProto &type) const;
  void noteConflict(mlir::Value value, const onnx::ValueInfoProto &info);
  TypeEdit fillInterface(mlir::Value value, onnx::ValueInfoProto &info);
  TypeEdit fillNew(mlir::Value value, onnx::TypeProto &type) const;
  bool completes(mlir::Value value, onnx::TypeProto &type) const;

  const FoldedModel &model;
  const FoldOptions &options;
  std::vector<TypeConflict> found;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_TYPEEDITOR_H
