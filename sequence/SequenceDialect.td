//===- SequenceDialect.td - Lists of tensors ------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Three levels of operations (Dialect.h tells the story):
//   values     empty construct insert erase at length split concat cast
//   records    after bufferization: elements are reference-counted records
//   storage    seqalloc seqstore seqextract seqdealloc ...: what a sequence is
//              made of
//
//===----------------------------------------------------------------------===//

#ifndef ONNXFOLD_SEQUENCE_SEQUENCEDIALECT_TD
#define ONNXFOLD_SEQUENCE_SEQUENCEDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def SequenceDialect : Dialect {
  let name = "sequence";
  let summary = "Immutable lists of tensors, and the storage they live in";
  let cppNamespace = "::onnxfold::sequence";
  let hasConstantMaterializer = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
  let extraClassDeclaration = [{
  private:
    void registerTypes();
    void registerOperations();
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

def SequenceType : TypeDef<SequenceDialect, "Sequence"> {
  let mnemonic = "seq";
  let summary = "an immutable list of tensors";
  let description = [{
    `!sequence.seq<tensor<?x4xf32>, 3>`: the element type is a super type of
    all elements (a dimension where they agree, `?` where they differ, unranked
    where ranks differ); the length is a number or `?`. In C++ an unknown length
    is ShapedType::kDynamic and nothing else.
  }];
  let parameters = (ins "::mlir::TensorType":$elementType, "int64_t":$length);
  let assemblyFormat = "`<` $elementType `,` custom<Length>($length) `>`";
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<
      (ins "::mlir::TensorType":$elementType, "int64_t":$length), [{
        return $_get(elementType.getContext(), elementType, length);
      }]>];
  let extraClassDeclaration = [{
    /// Whether the length is a number.
    bool hasLength() const {
      return !::mlir::ShapedType::isDynamic(getLength());
    }
  }];
}

def RecordType : TypeDef<SequenceDialect, "Record"> {
  let mnemonic = "record";
  let summary = "an element of a sequence, in memory";
  let description = [{
    A block of memory of the run-time library: a count of references, element
    type and rank, the descriptor of a memref, the data (runtime/Runtime.h).
  }];
}

def StorageType : TypeDef<SequenceDialect, "Storage"> {
  let mnemonic = "storage";
  let summary = "the slots of a sequence, in memory";
  let description = [{
    A block of memory of the run-time library: a count of references, a
    capacity, and that many slots, which are records. Null where the capacity
    is 0. How many slots are in use stands beside it in an SSA value.
  }];
}

def RecordOrTensor : AnyTypeOf<[AnyTensor, RecordType],
                               "tensor, or record after bufferization">;
def BufferOrTensor : AnyTypeOf<[AnyTensor, AnyRankedOrUnrankedMemRef],
                               "tensor, or memref after bufferization">;
def Counted : AnyTypeOf<[SequenceType, RecordType], "sequence or record">;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

class SequenceOp<string mnemonic, list<Trait> traits = []>
    : Op<SequenceDialect, mnemonic, traits>;

// The result type may say less than what is inferred.
def Infers : DeclareOpInterfaceMethods<InferTypeOpInterface>;
class InferringOp<string mnemonic, list<Trait> traits = []>
    : SequenceOp<mnemonic, [Infers] # traits> {
  let extraClassDeclaration = [{
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                        ::mlir::TypeRange actual);
  }];
}
// What may stop the program is not run where it was not asked for.
def MayStop : DeclareOpInterfaceMethods<ConditionallySpeculatable>;

def EmptyOp : SequenceOp<"empty", [Pure]> {
  let summary = "a sequence without elements";
  let description = [{
    `%s = sequence.empty : !sequence.seq<tensor<*xf32>, 0>`
  }];
  let results = (outs SequenceType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def ConstructOp : InferringOp<"construct", [Pure]> {
  let summary = "the sequence of the operands, of which there is at least one";
  let description = [{
    `%s = sequence.construct %a, %b : (tensor<2xf32>, tensor<3xf32>)
            -> !sequence.seq<tensor<?xf32>, 2>`
  }];
  let arguments = (ins Variadic<RecordOrTensor>:$elements);
  let results = (outs SequenceType:$result);
  let assemblyFormat =
      "$elements attr-dict `:` functional-type($elements, $result)";
  let hasVerifier = 1;
}

def InsertOp : InferringOp<"insert", [NoMemoryEffect, MayStop]> {
  let summary = "the sequence with an element more";
  let description = [{
    `%t = sequence.insert %e into %s at %p : tensor<3xf32>,
            !sequence.seq<tensor<?xf32>, ?> -> !sequence.seq<tensor<?xf32>, ?>`

    The element gets position `p`, those from there on move up. `p` is in
    [-n, n], where n is the length and a negative position counts from the end;
    without one the element is appended. Elsewhere the program stops.
  }];
  let arguments = (ins RecordOrTensor:$element, SequenceType:$sequence,
                       Optional<Index>:$position);
  let results = (outs SequenceType:$result);
  let assemblyFormat = [{
    $element `into` $sequence (`at` $position^)? attr-dict `:` qualified(type($element))
    `,` qualified(type($sequence)) `->` qualified(type($result))
  }];
  let hasCanonicalizer = 1;
}

def EraseOp : InferringOp<"erase", [NoMemoryEffect, MayStop]> {
  let summary = "the sequence without one of its elements";
  let description = [{
    `%t = sequence.erase %s at %p : !sequence.seq<tensor<?xf32>, 3>
            -> !sequence.seq<tensor<?xf32>, 2>`

    `p` is in [-n, n-1]; without it the last element is erased.
  }];
  let arguments = (ins SequenceType:$sequence, Optional<Index>:$position);
  let results = (outs SequenceType:$result);
  let assemblyFormat = [{
    $sequence (`at` $position^)? attr-dict `:` qualified(type($sequence)) `->`
    qualified(type($result))
  }];
  let hasCanonicalizer = 1;
}

def AtOp : InferringOp<"at", [NoMemoryEffect, MayStop]> {
  let summary = "an element of a sequence";
  let description = [{
    `%e = sequence.at %s[%p] : !sequence.seq<tensor<?xf32>, ?> -> tensor<?xf32>`

    `p` is in [-n, n-1]. The result type may say more than the element type of
    the sequence; the program stops where the element does not keep it.
  }];
  let arguments = (ins SequenceType:$sequence, Index:$position);
  let results = (outs AnyTensor:$result);
  let assemblyFormat = [{
    $sequence `[` $position `]` attr-dict `:` qualified(type($sequence)) `->`
    qualified(type($result))
  }];
  let hasCanonicalizer = 1;
}

def LengthOp : SequenceOp<"length", [Pure]> {
  let summary = "the number of elements";
  let description = [{
    `%n = sequence.length %s : !sequence.seq<tensor<?xf32>, ?>`
  }];
  let arguments = (ins SequenceType:$sequence);
  let results = (outs Index:$result);
  let assemblyFormat = "$sequence attr-dict `:` qualified(type($sequence))";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def SplitOp : InferringOp<"split", [
    MayStop, AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the slices of a tensor along an axis";
  let description = [{
    `%s = sequence.split %t axis 0 : tensor<6x4xf32>
            -> !sequence.seq<tensor<1x4xf32>, 6>` are slices of extent 1,
    with `squeeze` without that axis.
    `... %t axis 0 chunk %c : ...`: slices of extent c > 0, of which the last
    may be smaller; there are ceil(dim / c).
    `... %t axis 0 sizes %n : tensor<6x4xf32>, tensor<2xi64> -> ...`: slices of
    these extents, none negative, whose sum is the dimension.

    The axis is in [-rank, rank-1]. Where a condition does not hold, the program
    stops.
  }];
  let arguments = (ins BufferOrTensor:$input, Optional<Index>:$chunk,
                       Optional<BufferOrTensor>:$sizes, I64Attr:$axis,
                       UnitAttr:$squeeze);
  let results = (outs SequenceType:$result);
  let assemblyFormat = [{
    $input `axis` $axis (`squeeze` $squeeze^)? (`chunk` $chunk^)?
    (`sizes` $sizes^ `:` type($sizes) `,`):(`:`)? type($input) attr-dict `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def ConcatOp : InferringOp<"concat", [NoMemoryEffect, MayStop]> {
  let summary = "all elements of a sequence in one tensor";
  let description = [{
    `%t = sequence.concat %s axis 0 : !sequence.seq<tensor<?x4xf32>, 2>
            -> tensor<?x4xf32>`

    `stack` puts them side by side along a new axis, which is in [-rank-1, rank]
    for elements of that rank; without it the axis is in [-rank, rank-1]. The
    program stops where extents do not match, and on an empty sequence: nothing
    would say the shape of the result.
  }];
  let arguments = (ins SequenceType:$sequence, I64Attr:$axis, UnitAttr:$stack);
  let results = (outs RecordOrTensor:$result);
  let assemblyFormat = [{
    $sequence `axis` $axis (`stack` $stack^)? attr-dict `:` qualified(type($sequence))
    `->` qualified(type($result))
  }];
}

def CastOp : SequenceOp<"cast", [NoMemoryEffect, MayStop]> {
  let summary = "the same sequence, said otherwise";
  let description = [{
    `%t = sequence.cast %s : !sequence.seq<tensor<3xf32>, 1>
            to !sequence.seq<tensor<*xf32>, ?>`

    The types may not contradict each other. Where the result says a length, or
    of elements a rank or a size, that the operand does not say, the program
    stops if it is another one.
  }];
  let arguments = (ins SequenceType:$sequence);
  let results = (outs SequenceType:$result);
  let assemblyFormat =
      "$sequence attr-dict `:` qualified(type($sequence)) `to` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Records and references: after bufferization
//===----------------------------------------------------------------------===//

def RecordCopyOp : SequenceOp<"record_copy"> {
  let summary = "a record with a copy of a buffer, or of a tensor";
  let arguments = (ins
      Arg<AnyTypeOf<[AnyRankedOrUnrankedMemRef, AnyTensor]>, "", [MemRead]>:$source);
  let results = (outs Res<RecordType, "", [MemAlloc]>:$record);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def RecordAllocOp : SequenceOp<"record_alloc"> {
  let summary = "a record with a buffer that is not filled yet";
  let description = [{
    As memref.alloc, for a buffer that will be the element of a sequence.
  }];
  let arguments = (ins Variadic<Index>:$dynamicSizes, TypeAttr:$bufferType);
  let results = (outs Res<RecordType, "", [MemAlloc]>:$record);
  let assemblyFormat = "`(` $dynamicSizes `)` attr-dict `:` $bufferType";
  let hasVerifier = 1;
}

def RecordViewOp : SequenceOp<"record_view", [Pure]> {
  let summary = "the buffer of a record";
  let description = [{
    It lives as long as the record. `checked`: the program stops where the
    record has another shape than the type of the result says.
  }];
  let arguments = (ins RecordType:$record, UnitAttr:$checked);
  let results = (outs AnyRankedOrUnrankedMemRef:$buffer);
  let assemblyFormat = "$record (`checked` $checked^)? attr-dict `:` type($buffer)";
}

def RecordAtOp : SequenceOp<"record_at", [NoMemoryEffect]> {
  let summary = "the record of an element";
  let description = [{
    `borrowed`: it is not counted as a reference, because the sequence outlives
    all uses of the record.
  }];
  let arguments = (ins SequenceType:$sequence, Index:$position,
                       UnitAttr:$borrowed);
  let results = (outs RecordType:$record);
  let assemblyFormat = [{
    $sequence `[` $position `]` (`borrowed` $borrowed^)? attr-dict `:`
    qualified(type($sequence))
  }];
}

def CheckOp : SequenceOp<"check", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "stops the program where a value is not what its type says";
  let description = [{
    Of values that come from programs in other languages: `what` is how an error
    names it. Of a sequence the length and each element are looked at, of a
    buffer the descriptor, which does not say an element type.
  }];
  let arguments = (ins AnyTypeOf<[SequenceType, AnyRankedOrUnrankedMemRef]>:$value,
                       StrAttr:$what);
  let assemblyFormat = "$value $what attr-dict `:` qualified(type($value))";
}

def RetainOp : SequenceOp<"retain", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a reference more";
  let arguments = (ins Counted:$value);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

def ReleaseOp : SequenceOp<"release", [MemoryEffects<[MemFree, MemWrite]>]> {
  let summary = "a reference less; what has none left is freed";
  let arguments = (ins Counted:$value);
  let assemblyFormat = "$value attr-dict `:` qualified(type($value))";
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

def SeqAllocOp : SequenceOp<"seqalloc", [MemoryEffects<[MemAlloc, MemWrite]>]> {
  let summary = "a storage with room for so many elements";
  let arguments = (ins Index:$capacity);
  let results = (outs StorageType:$storage);
  let assemblyFormat = "$capacity attr-dict";
}

def SeqReserveOp : SequenceOp<"seqreserve",
                              [MemoryEffects<[MemAlloc, MemFree, MemWrite]>]> {
  let summary = "a storage that may be changed";
  let description = [{
    Takes a reference to a storage with `length` elements and gives one to a
    storage with the same elements, referred to by nobody else, and with room
    for `room` elements: the same one where it is that already (the last use of
    a sequence), or a copy of its slots.
  }];
  let arguments = (ins StorageType:$storage, Index:$length, Index:$room);
  let results = (outs StorageType:$unique);
  let assemblyFormat = "$storage `length` $length `room` $room attr-dict";
}

def SeqMoveOp : SequenceOp<"seqmove", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "moves `count` slots from one position to another";
  let arguments = (ins StorageType:$storage, Index:$from, Index:$to,
                       Index:$count);
  let assemblyFormat =
      "$storage `from` $from `to` $to `count` $count attr-dict";
}

def SeqStoreOp : SequenceOp<"seqstore", [MemoryEffects<[MemWrite]>]> {
  let summary = "puts a record into a slot";
  let description = [{
    The slot takes over the reference: nothing is copied. What was in it is not
    looked at.
  }];
  let arguments = (ins RecordType:$record, StorageType:$storage,
                       Index:$position);
  let assemblyFormat = "$record `,` $storage `[` $position `]` attr-dict";
}

def SeqExtractOp : SequenceOp<"seqextract", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the record of a slot";
  let description = [{
    A new reference, which outlives the sequence; `borrowed`: that of the slot.
  }];
  let arguments = (ins StorageType:$storage, Index:$position,
                       UnitAttr:$borrowed);
  let results = (outs RecordType:$record);
  let assemblyFormat =
      "$storage `[` $position `]` (`borrowed` $borrowed^)? attr-dict";
}

def SeqRetainOp : SequenceOp<"seqretain", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a reference to a storage more";
  let arguments = (ins StorageType:$storage);
  let assemblyFormat = "$storage attr-dict";
}

def SeqDeallocOp : SequenceOp<"seqdealloc",
                              [MemoryEffects<[MemFree, MemWrite]>]> {
  let summary = "a reference to a storage less";
  let description = [{
    With the last one the storage is freed, and each of its `length` elements
    has a reference less: those that nobody else refers to are freed too.
  }];
  let arguments = (ins StorageType:$storage, Index:$length);
  let assemblyFormat = "$storage `length` $length attr-dict";
}

def SeqPositionOp : SequenceOp<"seqposition",
                               [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a position counted from the front";
  let description = [{
    `position` is in [-length, length - 1], or [-length, length] with
    `inclusive`. Elsewhere the program stops with a message that names the
    operation, the position and the length.
  }];
  let arguments = (ins Index:$position, Index:$length, StrAttr:$caller,
                       UnitAttr:$inclusive);
  let results = (outs Index:$result);
  let assemblyFormat = [{
    $position `length` $length `for` $caller (`inclusive` $inclusive^)?
    attr-dict
  }];
}

def SeqExpectOp : SequenceOp<"seqexpect", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "stops the program where a length is another one";
  let arguments = (ins Index:$length, I64Attr:$expected);
  let assemblyFormat = "$length `is` $expected attr-dict";
}

def SeqCheckOp : SequenceOp<"seqcheck", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "stops the program where elements are not of a type";
  let description = [{
    A length of -1 is any. `what` is how an error names the sequence. A storage
    remembers the last type that it was checked for.
  }];
  let arguments = (ins StorageType:$storage, Index:$length,
                       TypeAttrOf<AnyTensor>:$elementType, I64Attr:$expected,
                       StrAttr:$what);
  let assemblyFormat = [{
    $storage `length` $length `is` $elementType `,` $expected `for` $what
    attr-dict
  }];
}

def SeqForgetOp : SequenceOp<"seqforget", [MemoryEffects<[MemWrite]>]> {
  let summary = "the storage may get elements of another type";
  let arguments = (ins StorageType:$storage);
  let assemblyFormat = "$storage attr-dict";
}

def SeqSplitOp : SequenceOp<"seqsplit"> {
  let summary = "a storage with the slices of a buffer, and their number";
  let description = "See sequence.split.";
  let arguments = (ins Arg<AnyRankedOrUnrankedMemRef, "", [MemRead]>:$input,
                       Index:$chunk,
                       Arg<Optional<AnyRankedOrUnrankedMemRef>, "",
                           [MemRead]>:$sizes,
                       I64Attr:$axis, UnitAttr:$squeeze);
  let results = (outs Res<StorageType, "", [MemAlloc]>:$storage, Index:$length);
  let assemblyFormat = [{
    $input `axis` $axis (`squeeze` $squeeze^)? `chunk` $chunk
    (`sizes` $sizes^ `:` type($sizes) `,`):(`:`)? type($input) attr-dict
  }];
}

def SeqConcatOp : SequenceOp<"seqconcat",
                             [MemoryEffects<[MemRead, MemAlloc, MemWrite]>]> {
  let summary = "a record with all elements of a storage";
  let description = "See sequence.concat.";
  let arguments = (ins StorageType:$storage, Index:$length, I64Attr:$axis,
                       UnitAttr:$stack);
  let results = (outs RecordType:$record);
  let assemblyFormat =
      "$storage `length` $length `axis` $axis (`stack` $stack^)? attr-dict";
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def KernelOp : SequenceOp<"kernel", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "tensors that a function of the run time computes";
  let description = [{
    `%y = sequence.kernel "func.func @node ..." (%x, %w)
            : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?xf32>`

    The run-time entry `onnxfoldKernelCall` is told the text, which says what to
    compute and is read once, and the operands. Bufferization allocates results
    of static shape before the call and passes them as `outputs`; the others are
    allocated by the entry. `filled` has a bit for each result of the text: it is
    one of the outputs.
  }];
  let arguments = (ins Variadic<BufferOrTensor>:$inputs,
                       Variadic<AnyRankedOrUnrankedMemRef>:$outputs,
                       StrAttr:$text,
                       DefaultValuedAttr<DenseBoolArrayAttr, "{}">:$filled);
  let results = (outs Variadic<BufferOrTensor>:$results);
  let assemblyFormat = [{
    $text `(` $inputs `)` (`into` `(` $outputs^ `:` type($outputs) `)`)? attr-dict `:`
    functional-type($inputs, $results)
  }];
}

#endif // ONNXFOLD_SEQUENCE_SEQUENCEDIALECT_TD
