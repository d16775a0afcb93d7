// Lists of tensors become storage and a length; positions that are known are not checked.
//
// mlir-opt --load-pass-plugin=libonnxfold_passes.so --load-dialect-plugin=libonnxfold_passes.so --pass-pipeline='builtin.module(convert-sequence)'

!seq = !sequence.seq<tensor<?xf32>, ?>

func.func @without_the_last(%s: !seq) -> !seq {
  %t = sequence.erase %s : !seq -> !seq
  return %t : !seq
}
