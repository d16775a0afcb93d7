//===- Definition.h - How operations are known to MLIR ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For the files of stablehlo/ir only.
//
// A Definition has the functions that MLIR calls for the operations of one
// name. Their properties, `<{dimension = 0 : i64}>` in the generic form, are one
// dictionary. MLIR's own DynamicOpDefinition has no properties, and two of its
// operations are never equal (onnx/ir/RATIONALE.md).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_IR_DEFINITION_H
#define ONNXFOLD_STABLEHLO_IR_DEFINITION_H

#include "onnxfold/stablehlo/ir/Dialect.h"
#include "mlir/IR/OperationSupport.h"

namespace onnxfold::hlo {

enum class Effects : uint8_t { Pure, Random, Unknown };

class Definition final : public mlir::OperationName::Impl {
public:
  /// The properties in bytecode are one dictionary, or the attributes that
  /// `serialized` names (with spaces between them) one after the other.
  Definition(llvm::StringRef name, Effects effects, mlir::Dialect &dialect,
             mlir::TypeID typeID,
             std::optional<llvm::StringRef> serialized = std::nullopt);

  /// Null if the operation has another definition.
  static const Definition *of(mlir::OperationName name);
  Effects effects() const { return effectsOfAll; }
  std::optional<llvm::StringRef> serializedNames() const { return serialized; }

  mlir::LogicalResult
  foldHook(mlir::Operation *, llvm::ArrayRef<mlir::Attribute>,
           llvm::SmallVectorImpl<mlir::OpFoldResult> &) override;
  void getCanonicalizationPatterns(mlir::RewritePatternSet &,
                                   mlir::MLIRContext *) override {}
  bool hasTrait(mlir::TypeID id) override;
  mlir::OperationName::ParseAssemblyFn getParseAssemblyFn() override;
  void populateDefaultAttrs(const mlir::OperationName &,
                            mlir::NamedAttrList &) override {}
  void printAssembly(mlir::Operation *operation, mlir::OpAsmPrinter &printer,
                     llvm::StringRef defaultDialect) override;
  mlir::LogicalResult verifyInvariants(mlir::Operation *) override {
    return mlir::success();
  }
  mlir::LogicalResult verifyRegionInvariants(mlir::Operation *) override {
    return mlir::success();
  }

  std::optional<mlir::Attribute> getInherentAttr(mlir::Operation *operation,
                                                 llvm::StringRef name) override;
  void setInherentAttr(mlir::Operation *operation, mlir::StringAttr name,
                       mlir::Attribute value) override;
  void populateInherentAttrs(mlir::Operation *operation,
                             mlir::NamedAttrList &attributes) override;
  mlir::LogicalResult
  verifyInherentAttrs(mlir::OperationName, mlir::NamedAttrList &,
                      llvm::function_ref<mlir::InFlightDiagnostic()>) override {
    return mlir::success();
  }

  int getOpPropertyByteSize() override { return sizeof(mlir::DictionaryAttr); }
  void initProperties(mlir::OperationName, mlir::OpaqueProperties storage,
                      mlir::OpaqueProperties init) override;
  void deleteProperties(mlir::OpaqueProperties) override {}
  void populateDefaultProperties(mlir::OperationName,
                                 mlir::OpaqueProperties) override {}
  mlir::LogicalResult setPropertiesFromAttr(
      mlir::OperationName, mlir::OpaqueProperties properties,
      mlir::Attribute attribute,
      llvm::function_ref<mlir::InFlightDiagnostic()> emitError) override;
  mlir::Attribute getPropertiesAsAttr(mlir::Operation *operation) override;
  void copyProperties(mlir::OpaqueProperties to,
                      mlir::OpaqueProperties from) override;
  bool compareProperties(mlir::OpaqueProperties left,
                         mlir::OpaqueProperties right) override;
  llvm::hash_code hashProperties(mlir::OpaqueProperties properties) override;

private:
  Effects effectsOfAll;
  std::optional<llvm::StringRef> serialized;
};

/// Registers the operations of `dialect` in Operations.def.
void addOperations(mlir::Dialect &dialect);

} // namespace onnxfold::hlo

MLIR_DECLARE_EXPLICIT_TYPE_ID(onnxfold::hlo::Definition)

#endif // ONNXFOLD_STABLEHLO_IR_DEFINITION_H
