//===- StablehloDialect.td - Static part of the dialect ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The dialects stablehlo and chlo, and the two operations that MLIR itself asks
// about. All others are made from a table of names (Definition.h).
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_STABLEHLO_IR_STABLEHLODIALECT_TD
#define ONNXFOLD_STABLEHLO_IR_STABLEHLODIALECT_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class OpenDialect<string dialect> : Dialect {
  let name = dialect;
  let cppNamespace = "::onnxfold::hlo";
  let extraClassDeclaration = [{
    /// Attributes and types are kept as they are written (Fields.h reads them).
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    /// Operations that the table lacks have no form but the generic one.
    std::optional<ParseOpHook>
    getParseOperationHook(::llvm::StringRef name) const override;
  }];
}

def StablehloDialect : OpenDialect<"stablehlo"> {
  let summary = "programs of XLA: deterministic operations on tensors";
  let hasConstantMaterializer = 1;
}

def ChloDialect : OpenDialect<"chlo"> {
  let summary = "operations that StableHLO is the target of";
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::onnxfold::hlo::StablehloDialect"];
}

def ConstantOp : Op<StablehloDialect, "constant", [
    ConstantLike, Pure]> {
  let summary = "a tensor that is known, or the integers of a quantised one";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyType:$output);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
}

def ReturnOp : Op<StablehloDialect, "return", [
    Pure, Terminator, ReturnLike]> {
  let summary = "the end of a region";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

#endif // ONNXFOLD_STABLEHLO_IR_STABLEHLODIALECT_TD
