//===- Dialect.h - The dialect of serialised StableHLO ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What `jax.export` and `stablehlo.serialize_portable_artifact` write is MLIR's
// bytecode of the dialect vhlo, which has each version of each operation. It is
// read here and never written:
//
//   registry.insert<vhlo::VhloDialect, vhlo::SdyDialect>();
//   auto module = parseSourceFile<ModuleOp>(...);
//   if (failed(vhlo::toStablehlo(*module))) ...
//
// Attributes and types are those of StableHLO's generic form as soon as they are
// read; toStablehlo gives operations and attributes their names of today.
//
// Errors: a diagnostic says what has no counterpart. Thread safety: as MLIR's
// dialects.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_STABLEHLO_VHLO_DIALECT_H
#define ONNXFOLD_STABLEHLO_VHLO_DIALECT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Dialect.h"

namespace onnxfold::vhlo {

class VhloDialect final : public mlir::Dialect {
public:
  static constexpr llvm::StringLiteral getDialectNamespace() { return "vhlo"; }
  explicit VhloDialect(mlir::MLIRContext *context);
};

/// Shardy's attributes, which JAX gives calls of its own kernels (LAPACK's): in
/// bytecode the rules that one process has, in text all, as they are written.
/// Operations, which sharded programs have, are read in their generic form.
class SdyDialect final : public mlir::Dialect {
public:
  static constexpr llvm::StringLiteral getDialectNamespace() { return "sdy"; }
  explicit SdyDialect(mlir::MLIRContext *context);
  mlir::Attribute parseAttribute(mlir::DialectAsmParser &parser,
                                 mlir::Type type) const override;
  mlir::Type parseType(mlir::DialectAsmParser &parser) const override;
  std::optional<ParseOpHook>
  getParseOperationHook(llvm::StringRef name) const override;
};

/// Replaces the operations of vhlo, if there are any, by those of func and
/// stablehlo.
mlir::LogicalResult toStablehlo(mlir::ModuleOp module);

} // namespace onnxfold::vhlo

MLIR_DECLARE_EXPLICIT_TYPE_ID(onnxfold::vhlo::VhloDialect)
MLIR_DECLARE_EXPLICIT_TYPE_ID(onnxfold::vhlo::SdyDialect)

#endif // ONNXFOLD_STABLEHLO_VHLO_DIALECT_H
