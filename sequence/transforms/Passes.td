//===- Passes.td - Passes that lower sequences -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/passes.md is generated from the descriptions (tools/make_pass_docs.py).
//
//===----------------------------------------------------------------------===//

include "mlir/Pass/PassBase.td"

def SequenceOwnershipPass : Pass<"sequence-ownership"> {
  let summary = "counts references to sequences and their elements";
  let description = [{
    Runs after bufferization. `retain`, `release` and `borrowed` say how long
    sequences and records live, and buffers that become elements are allocated
    as records. Only `convert-sequence` should run after it.

    A returned buffer that may be that of an earlier result is copied. Each value
    of a counted type owns one reference from its definition on. The last use in
    its block consumes the reference (a move), or a release follows it; earlier
    uses add one (retain).
  }];
  let dependentDialects = [
    "::onnxfold::sequence::SequenceDialect", "::mlir::scf::SCFDialect",
    "::mlir::bufferization::BufferizationDialect"
  ];
}

def ProtectArgumentsPass : Pass<"protect-arguments"> {
  let summary = "prevents writes to the arguments of public functions";
  let description = [{
    Runs before bufferization, which otherwise lets a function overwrite its
    arguments. The caller of a public function keeps the tensors that it passes.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def EaseBufferizationPass : Pass<"ease-bufferization"> {
  let summary = "reduces the uses of values that may share a buffer";
  let description = [{
    Runs just before bufferization, whose analysis looks at all uses of all
    values that may share a buffer. Each use of a `tensor.empty` gets one of its
    own, and a tensor that becomes an element several times in a block is made a
    record once.
  }];
  let dependentDialects = ["::onnxfold::sequence::SequenceDialect"];
}

def CheckArgumentsPass : Pass<"check-arguments"> {
  let summary = "functions of the C interface check what they are passed";
  let description = [{
    Runs after bufferization and deallocation. A function with
    `llvm.emit_c_interface` gets a `sequence.check` of each memref that it takes:
    its sizes, its row-major layout and the alignment of its data. Where there
    are sequences, `sequence-ownership` does the same.
  }];
  let dependentDialects = ["::onnxfold::sequence::SequenceDialect"];
}

def RowMajorCastsPass : Pass<"row-major-casts"> {
  let summary = "copies what would lose its layout in a cast";
  let description = [{
    Runs after bufferization, and again where clones were inserted. A cast to an
    unranked memref, or to one without a layout, checks no strides: a buffer that
    may have others than row-major ones is copied before. A clone of an unranked
    memref that is a cast of a ranked one is made with the rank.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

def VerifyLayoutsPass : Pass<"verify-layouts"> {
  let summary = "refuses casts that lose a layout";
  let description = [{
    Runs last before buffers become LLVM's structures. A `memref.cast` or
    `memref.reinterpret_cast` of a buffer that may have other strides than
    row-major ones, or an offset, to a memref without a layout is an error.
  }];
}

def ConvertSequencePass : Pass<"convert-sequence"> {
  let summary = "splits each sequence into its storage and its length";
  let description = [{
    Runs on a module, and converts through `scf.for`, `scf.while`, `scf.if` and
    functions too. `insert` and `erase` take the reference of their sequence, so
    the slots are copied only where the sequence has another owner. No element
    is copied.
  }];
  let dependentDialects = [
    "::onnxfold::sequence::SequenceDialect", "::mlir::arith::ArithDialect"
  ];
}

def ConvertSeqToMemRefPass : Pass<"convert-seq-to-memref"> {
  let summary = "converts storages and records to calls and memrefs";
  let description = [{
    Runs on a module. Operations on storages and records, and `cf.assert`,
    become calls of the run-time library (`sequence/runtime/Runtime.h`); storages
    and records become pointers, the buffers of records memrefs.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}
