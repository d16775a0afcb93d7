//===- Passes.td - Passes that lower sequences -------------*- tablegen -*-===//
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

    A returned buffer that may be that of an earlier result is copied: each
    result of a function is a buffer of its own.

    Each value of a counted type owns one reference from its definition on. Its
    last use in the block that defines it takes the reference away (a move), or
    a release follows it; earlier uses take one more (retain).
  }];
  let dependentDialects = [
    "::onnxfold::sequence::SequenceDialect", "::mlir::scf::SCFDialect",
    "::mlir::bufferization::BufferizationDialect"
  ];
}

def ProtectArgumentsPass : Pass<"protect-arguments"> {
  let summary = "nobody writes to the tensors that a public function is passed";
  let description = [{
    Runs before bufferization, which otherwise lets a function overwrite its
    arguments: those of public functions stay the caller's.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def EaseBufferizationPass : Pass<"ease-bufferization"> {
  let summary = "leaves few uses of what may be one buffer";
  let description = [{
    Runs just before bufferization, whose analysis looks at all uses of all
    values that may be one buffer. Each use of a `tensor.empty` gets one of its
    own, and a tensor that becomes an element several times in a block becomes
    a record once.
  }];
  let dependentDialects = ["::onnxfold::sequence::SequenceDialect"];
}

def ConvertSequencePass : Pass<"convert-sequence"> {
  let summary = "makes two values of a sequence, its storage and its length";
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
  let summary = "makes calls and memrefs of storages and records";
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
