//===- OperatorDefinition.h - How operators are known to MLIR ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For the files of onnx/ir only; everybody else uses Operator.h.
//
// An OperatorDefinition has the functions that MLIR calls for the operations of
// one name: text form, verifier, folding, equality. MLIR's own
// DynamicOpDefinition has neither properties nor traits, and two of its
// operations are never equal, so CSE would merge none. See RATIONALE.md,
// "Definitions".
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_OPERATORDEFINITION_H
#define ONNXFOLD_ONNX_IR_OPERATORDEFINITION_H

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/StoredName.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Support/TypeID.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Allocator.h"
#include <mutex>
#include <utility>

namespace onnxfold {

/// The properties of an operator: what it has besides operands, results,
/// attributes and regions. They are 72 bytes in the operation itself, so that a
/// million nodes need no million uniqued dictionaries.
struct OperatorProperties {
  int64_t since = 0;
  int64_t node = -1; ///< -1: not from a file
  StoredName name;
  mlir::SmallVector<StoredName, 1> outputs;
  mlir::ArrayAttr graphs;   ///< null without regions
  mlir::ArrayAttr customId; ///< onnx.Custom: [domain, op_type, overload]
  mlir::DictionaryAttr annotations; ///< null for nearly all (Annotations.h)
};

class OperatorDefinition final : public mlir::OperationName::Impl {
public:
  /// The definition of the operator of `versions` (static strings).
  OperatorDefinition(llvm::ArrayRef<SchemaEntry> versions, OnnxDialect &dialect,
                     mlir::TypeID typeID);
  /// The definition of onnx.Custom.
  OperatorDefinition(OnnxDialect &dialect, mlir::TypeID typeID);

  /// The definition of that name; null if the operation is not an operator.
  static const OperatorDefinition *of(mlir::OperationName name);
  static OperatorProperties &propertiesOf(mlir::Operation *operation) {
    return *operation->getPropertiesStorage().as<OperatorProperties *>();
  }

  bool isCustom() const { return versions.empty(); }
  llvm::StringRef domain() const { return versions.front().domain; }
  llvm::StringRef opType() const { return versions.front().opType; }
  /// Whether MLIR may merge operations that are equal.
  bool isDeterministic() const { return deterministic; }
  bool hasVersion(int64_t since) const { return version(since); }
  /// The row of the table of schemas, or null.
  const SchemaEntry *version(int64_t since) const;
  mlir::OperationName operationName() const {
    return mlir::OperationName::getFromOpaquePointer(
        static_cast<const mlir::OperationName::Impl *>(this));
  }

  mlir::LogicalResult
  foldHook(mlir::Operation *operation, llvm::ArrayRef<mlir::Attribute> operands,
           llvm::SmallVectorImpl<mlir::OpFoldResult> &results) override;
  void getCanonicalizationPatterns(mlir::RewritePatternSet &,
                                   mlir::MLIRContext *) override {}
  bool hasTrait(mlir::TypeID id) override;
  mlir::OperationName::ParseAssemblyFn getParseAssemblyFn() override;
  void populateDefaultAttrs(const mlir::OperationName &,
                            mlir::NamedAttrList &) override {}
  void printAssembly(mlir::Operation *operation, mlir::OpAsmPrinter &printer,
                     llvm::StringRef defaultDialect) override;
  mlir::LogicalResult verifyInvariants(mlir::Operation *operation) override;
  mlir::LogicalResult
  verifyRegionInvariants(mlir::Operation *operation) override;

  // Properties are no attributes: getAttr("name") finds the operator's own
  // attribute of that name, if it has one.
  std::optional<mlir::Attribute> getInherentAttr(mlir::Operation *,
                                                 llvm::StringRef) override {
    return std::nullopt;
  }
  void setInherentAttr(mlir::Operation *, mlir::StringAttr,
                       mlir::Attribute) override {}
  void populateInherentAttrs(mlir::Operation *,
                             mlir::NamedAttrList &) override {}
  mlir::LogicalResult
  verifyInherentAttrs(mlir::OperationName, mlir::NamedAttrList &,
                      llvm::function_ref<mlir::InFlightDiagnostic()>) override {
    return mlir::success();
  }

  int getOpPropertyByteSize() override { return sizeof(OperatorProperties); }
  void initProperties(mlir::OperationName, mlir::OpaqueProperties storage,
                      mlir::OpaqueProperties init) override;
  void deleteProperties(mlir::OpaqueProperties properties) override;
  void populateDefaultProperties(mlir::OperationName,
                                 mlir::OpaqueProperties) override {}
  mlir::LogicalResult setPropertiesFromAttr(
      mlir::OperationName, mlir::OpaqueProperties properties,
      mlir::Attribute attribute,
      llvm::function_ref<mlir::InFlightDiagnostic()> emitError) override;
  mlir::Attribute getPropertiesAsAttr(mlir::Operation *operation) override;
  void copyProperties(mlir::OpaqueProperties to,
                      mlir::OpaqueProperties from) override;
  /// Whether two operations are equal; their places in the file do not count.
  bool compareProperties(mlir::OpaqueProperties left,
                         mlir::OpaqueProperties right) override;
  llvm::hash_code hashProperties(mlir::OpaqueProperties properties) override;

private:
  mlir::ParseResult parse(mlir::OpAsmParser &parser,
                          mlir::OperationState &state) const;
  void setDefaults(OperatorProperties &properties) const;

  llvm::ArrayRef<SchemaEntry> versions;
  bool deterministic;
};

/// Reads the dictionary of the text forms, `{since = 13 : i64, name = "n"}`.
mlir::LogicalResult
readProperties(mlir::DictionaryAttr dictionary, bool isCustom,
               OperatorProperties &properties,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The hooks that Registration.h sets, and the definitions by name.
struct OnnxDialect::State {
  FoldHook foldHook;
  ConstantAsm constantAsm;
  llvm::DenseMap<std::pair<llvm::StringRef, llvm::StringRef>,
                 const OperatorDefinition *>
      definitions;
  const OperatorDefinition *custom = nullptr;
  mlir::TypeIDAllocator typeIDs;
  std::mutex namesMutex; // passes make operators in several threads
  llvm::BumpPtrAllocator names;
};

} // namespace onnxfold

MLIR_DECLARE_EXPLICIT_TYPE_ID(onnxfold::OperatorDefinition)

#endif // ONNXFOLD_ONNX_IR_OPERATORDEFINITION_H
