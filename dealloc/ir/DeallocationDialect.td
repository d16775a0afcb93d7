//===- DeallocationDialect.td - The deallocation dialect ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One type and five operations: who owns an allocation, as a value of the
// program. Dialect.h is the manual.
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_DEALLOC_DEALLOCATIONDIALECT_TD
#define ONNXFOLD_DEALLOC_DEALLOCATIONDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def DeallocationDialect : Dialect {
  let name = "deallocation";
  let summary = "ownership of allocations";
  let cppNamespace = "::onnxfold::deallocation";
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
  private:
    void registerTypes();
  }];
}

def OwnershipType : TypeDef<DeallocationDialect, "Ownership"> {
  let mnemonic = "ownership";
  let summary = "a pointer that owns an allocation, or null";
}

def MemRef : AnyTypeOf<[AnyRankedOrUnrankedMemRef]>;

class DeallocationOp<string mnemonic, list<Trait> traits = []>
    : Op<DeallocationDialect, mnemonic, traits>;

def NullOp : DeallocationOp<"null", [Pure]> {
  let summary = "ownership of nothing";
  let description = [{
    `%none = deallocation.null`
  }];
  let results = (outs OwnershipType:$ownership);
  let assemblyFormat = "attr-dict";
  let builders = [OpBuilder<(ins), [{
    $_state.addTypes(OwnershipType::get($_builder.getContext()));
  }]>];
}

def OwnOp : DeallocationOp<"own", [Pure]> {
  let summary = "declares that an allocation is owned";
  let description = [{
    `%owner = deallocation.own %alloc : memref<2xi32>`

    The allocation that the memref is a view of: the *allocated* pointer of its
    descriptor, whatever offset the view has.
  }];
  let arguments = (ins MemRef:$memref);
  let results = (outs OwnershipType:$ownership);
  let assemblyFormat = "$memref attr-dict `:` type($memref)";
  let builders = [OpBuilder<(ins "::mlir::Value":$memref), [{
    build($_builder, $_state, OwnershipType::get($_builder.getContext()), memref);
  }]>];
}

def GetBufferOp : DeallocationOp<"get_buffer", [Pure]> {
  let summary = "the address of an allocation";
  let description = [{
    `%address = deallocation.get_buffer %view : memref<2xi32>`

    The allocated pointer as an index: equal for an ownership and for every view
    of the allocation that it owns; 0 for null.
  }];
  let arguments = (ins AnyTypeOf<[MemRef, OwnershipType]>:$source);
  let results = (outs Index:$address);
  let assemblyFormat = "$source attr-dict `:` type($source)";
  let hasCanonicalizeMethod = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$source), [{
    build($_builder, $_state, $_builder.getIndexType(), source);
  }]>];
}

// What is freed is not the operand but what it points to, which any memref may be a view of: the
// effects name no value.
def FreeOp : DeallocationOp<"free", [MemoryEffects<[MemFree]>]> {
  let summary = "frees what an ownership owns; null is allowed";
  let description = [{
    `deallocation.free %owner`
  }];
  let arguments = (ins OwnershipType:$ownership);
  let assemblyFormat = "$ownership attr-dict";
  let hasCanonicalizeMethod = 1;
}

def RetainOp : DeallocationOp<"retain", [AttrSizedOperandSegments,
                                           MemoryEffects<[MemFree]>]> {
  let summary = "keeps the allocations of some memrefs, frees the others";
  let description = [{
    `%kept = deallocation.retain(%m) of(%x, %y)
         : (memref<2xi32>, !deallocation.ownership, !deallocation.ownership)
         -> !deallocation.ownership`

    For each retained memref, in order: the one of the owned allocations that it
    is a view of, or null if there is none, or if an earlier one got it. What no
    memref got is freed. Ownerships may be null; those that are not must be
    pairwise distinct. Retained memrefs may alias.
  }];
  let arguments = (ins Variadic<MemRef>:$retained,
                       Variadic<OwnershipType>:$allocations);
  let results = (outs Variadic<OwnershipType>:$ownerships);
  let assemblyFormat = [{
    `` `(` $retained `)` `of` `` `(` $allocations `)` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$retained,
                                 "::mlir::ValueRange":$allocations)>];
}

#endif // ONNXFOLD_DEALLOC_DEALLOCATIONDIALECT_TD
