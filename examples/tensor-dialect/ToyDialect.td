//===- ToyDialect.td - Tensors, and a few operators -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef TOY_DIALECT
#define TOY_DIALECT

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Toy_Dialect : Dialect {
  let name = "toy";
  let cppNamespace = "::toy";
  let hasConstantMaterializer = 1;
  let dependentDialects = ["onnxfold::ElementsDialect"];
}

class Toy_Op<string mnemonic, list<Trait> traits = []>
    : Op<Toy_Dialect, mnemonic, !listconcat(traits, [Pure])>;

def Toy_Tensor : StaticShapeTensorOf<[F16, BF16, F32, F64, I8, I16, I32, I64]>;

// `ElementsAttr` and not `DenseElementsAttr`: whoever holds the value.
def Toy_ConstantOp : Toy_Op<"constant", [ConstantLike,
                                         AllTypesMatch<["value", "result"]>]> {
  let summary = "a tensor that is known";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Toy_Tensor:$result);
  let hasFolder = 1;
  let assemblyFormat = "attr-dict $value";
}

def Toy_LoadOp : Toy_Op<"load"> {
  let summary = "row-major little-endian elements of a file, from a byte on";
  let arguments = (ins StrAttr:$file, DefaultValuedAttr<I64Attr, "0">:$offset);
  let results = (outs Toy_Tensor:$result);
  let assemblyFormat = "$file (`at` $offset^)? attr-dict `:` type($result)";
}

def Toy_AddOp : Toy_Op<"add", [SameOperandsAndResultType]> {
  let arguments = (ins Toy_Tensor:$lhs, Toy_Tensor:$rhs);
  let results = (outs Toy_Tensor:$result);
  let hasFolder = 1;
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Toy_DivOp : Toy_Op<"div", [SameOperandsAndResultType]> {
  let summary = "integers: undefined where the divisor is 0";
  let arguments = (ins Toy_Tensor:$lhs, Toy_Tensor:$rhs);
  let results = (outs Toy_Tensor:$result);
  let hasFolder = 1;
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

def Toy_ReluOp : Toy_Op<"relu", [SameOperandsAndResultType]> {
  let arguments = (ins Toy_Tensor:$input);
  let results = (outs Toy_Tensor:$result);
  let hasFolder = 1;
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

def Toy_TransposeOp : Toy_Op<"transpose"> {
  let arguments = (ins Toy_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Toy_Tensor:$result);
  let hasFolder = 1;
  let assemblyFormat =
      "$input $permutation attr-dict `:` type($input) `->` type($result)";
}

def Toy_MatMulOp : Toy_Op<"matmul"> {
  let summary = "as numpy.matmul";
  let arguments = (ins Toy_Tensor:$lhs, Toy_Tensor:$rhs);
  let results = (outs Toy_Tensor:$result);
  let hasFolder = 1;
  let assemblyFormat = [{ $lhs `,` $rhs attr-dict `:` `(` type($lhs) `,`
                          type($rhs) `)` `->` type($result) }];
}

#endif // TOY_DIALECT
