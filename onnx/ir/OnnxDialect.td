//===- OnnxDialect.td - Static part of the onnx dialect -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The dialect, its types and attributes, and the three operations that do not
// come from a schema. All operators are made from ONNX's schemas at run time
// (OperatorDefinition.h).
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_ONNX_IR_ONNXDIALECT_TD
#define ONNXFOLD_ONNX_IR_ONNXDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def OnnxDialect : Dialect {
  let name = "onnx";
  let summary = "ONNX models: operators of every domain and version";
  let cppNamespace = "::onnxfold";
  let isExtensible = 1;
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// State behind Registration.h; for the files of onnx/ir only.
    struct State;
    State &getState() const { return *state; }

  private:
    void registerTypes();
    void registerAttributes();
    void registerOperations();
    std::shared_ptr<State> state;
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class OnnxType<string className, string typeMnemonic, string text>
    : TypeDef<OnnxDialect, className> {
  let cppClassName = className;
  let mnemonic = typeMnemonic;
  let summary = text;
}

def OnnxStringType : OnnxType<"OnnxStringType", "string",
    "element type of a tensor of strings">;

def OnnxUnknownType : OnnxType<"OnnxUnknownType", "unknown",
    "the type of a value about which nothing is known yet">;

def OnnxSequenceType : OnnxType<"OnnxSequenceType", "seq",
    "a list of values of one type"> {
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def OnnxOptionalType : OnnxType<"OnnxOptionalType", "optional",
    "a value or nothing"> {
  let parameters = (ins "::mlir::Type":$elementType);
  let assemblyFormat = "`<` $elementType `>`";
}

def OnnxMapType : OnnxType<"OnnxMapType", "map",
    "a map from integers or strings to values of one type"> {
  let parameters = (ins "::mlir::Type":$keyType, "::mlir::Type":$valueType);
  let assemblyFormat = "`<` $keyType `,` $valueType `>`";
}

def OnnxSparseType : OnnxType<"OnnxSparseType", "sparse",
    "a sparse tensor; the parameter is the tensor type of its dense form"> {
  let parameters = (ins "::mlir::Type":$denseType);
  let assemblyFormat = "`<` $denseType `>`";
}

def OnnxOpaqueType : OnnxType<"OnnxOpaqueType", "opaque",
    "a type that ONNX does not describe, known by domain and name"> {
  let parameters = (ins StringRefParameter<"domain">:$domain,
                        StringRefParameter<"name">:$name);
  let assemblyFormat = "`<` $domain `,` $name `>`";
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class OnnxAttribute<string className, string attrMnemonic, string text>
    : AttrDef<OnnxDialect, className> {
  let cppClassName = className;
  let mnemonic = attrMnemonic;
  let summary = text;
}

def OnnxRefAttr : OnnxAttribute<"OnnxRefAttr", "ref",
    "a reference to an attribute of the enclosing function"> {
  let description = [{
    `#onnx.ref<"alpha", 1>`: the value is that of the function's attribute
    `alpha` at the call; the number is AttributeProto's type field.
  }];
  let parameters = (ins StringRefParameter<"name">:$name, "int32_t":$kind);
  let assemblyFormat = "`<` $name `,` $kind `>`";
}

def OnnxRawAttr : OnnxAttribute<"OnnxRawAttr", "raw",
    "an attribute value that is kept but not interpreted"> {
  let description = [{
    `#onnx.raw<11, "bytes">`: AttributeProto's type field (sparse tensors,
    lists of tensors, lists of types, kinds of later versions) and the bytes of
    the AttributeProto. Two raw attributes are equal when their bytes are.
  }];
  let parameters = (ins "int32_t":$kind, StringRefParameter<"bytes">:$bytes);
  let assemblyFormat = "`<` $kind `,` $bytes `>`";
}

def OnnxOpsetAttr : OnnxAttribute<"OnnxOpsetAttr", "opset",
    "an imported operator set"> {
  let description = [{
    `#onnx.opset<"ai.onnx.ml", 3>`, spelled as in the model ("" is ai.onnx).
  }];
  let parameters = (ins StringRefParameter<"domain">:$domain,
                        "int64_t":$version);
  let assemblyFormat = "`<` $domain `,` $version `>`";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

// Not attributes: those are uniqued, and every constant has its own name.
def OnnxNameProp : Property<"::onnxfold::StoredName", "a name in the file"> {
  let defaultValue = "::onnxfold::StoredName()";
  let writeToMlirBytecode = [{
    $_writer.writeAttribute(convertToAttribute($_ctxt, $_storage));
  }];
  let readFromMlirBytecode = [{
    ::mlir::StringAttr text;
    if (::mlir::failed($_reader.readAttribute(text)))
      return ::mlir::failure();
    $_storage = ::onnxfold::StoredName(text, text.getContext());
  }];
}

// Nothing is a unit attribute in the generic text form.
def OnnxOrdinalProp : Property<"::std::optional<int64_t>", "an ordinal"> {
  let defaultValue = "::std::nullopt";
  let convertToAttribute = [{
    if (!$_storage)
      return ::mlir::UnitAttr::get($_ctxt);
    return ::mlir::IntegerAttr::get(::mlir::IntegerType::get($_ctxt, 64),
                                    *$_storage);
  }];
  let convertFromAttribute = [{
    $_storage = std::nullopt;
    if (::llvm::isa<::mlir::UnitAttr>($_attr))
      return ::mlir::success();
    auto ordinal = ::llvm::dyn_cast<::mlir::IntegerAttr>($_attr);
    if (!ordinal || !ordinal.getType().isInteger(64))
      return $_diag() << "property is " << $_attr << ", expected an i64";
    $_storage = ordinal.getInt();
    return ::mlir::success();
  }];
  let hashProperty = "::llvm::hash_value($_storage.value_or(-1))";
  let writeToMlirBytecode = [{
    $_writer.writeSignedVarInt($_storage.value_or(-1));
  }];
  let readFromMlirBytecode = [{
    int64_t ordinal;
    if (::mlir::failed($_reader.readSignedVarInt(ordinal)))
      return ::mlir::failure();
    if (ordinal >= 0)
      $_storage = ordinal;
  }];
}

def OnnxConstantOp : Op<OnnxDialect, "Constant", [
    ConstantLike, Pure, AllTypesMatch<["value", "result"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a tensor that is known";
  let description = [{
    `%w = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32> {node = 3, output = "w"}`

    Initializers and Constant nodes alike. `output` is the value's name in the
    model, or nothing; `node` is the ordinal of the Constant node in its graph and is
    absent for an initializer. How the value is written can be replaced
    (setConstantAsm in Registration.h).
  }];
  let arguments = (ins ElementsAttr:$value,
                       OnnxNameProp:$output,
                       OnnxOrdinalProp:$node);
  let results = (outs AnyType:$result);
  let assemblyFormat = "custom<ConstantValue>($value) `` "
                       "custom<ConstantPlace>($output, $node, attr-dict)";
  let hasFolder = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value,
                                 CArg<"::llvm::StringRef", "{}">:$output,
                                 CArg<"::std::optional<int64_t>", "{}">:$node)>];
  let extraClassDeclaration = [{
    void setOutput(::llvm::StringRef name) {
      setOutput(StoredName(name, getContext()));
    }
  }];
}

def OnnxAbsentOp : Op<OnnxDialect, "Absent", [ConstantLike, Pure]> {
  let summary = "an optional input that is not given";
  let description = [{
    `%none = onnx.Absent`; in the model the input's name is empty. Its constant
    value is a unit attribute.
  }];
  let results = (outs NoneType:$result);
  let assemblyFormat = "attr-dict";
  let hasFolder = 1;
  let builders = [OpBuilder<(ins)>];
}

def OnnxYieldOp : Op<OnnxDialect, "Yield", [Terminator, Pure]> {
  let summary = "the outputs of a graph attribute";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // ONNXFOLD_ONNX_IR_ONNXDIALECT_TD
