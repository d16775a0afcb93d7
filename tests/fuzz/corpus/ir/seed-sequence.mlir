func.func @f(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %p: index) -> index {
  %0 = sequence.construct %a, %b : (tensor<2x3xf32>, tensor<4x3xf32>) -> !sequence.seq<tensor<?x3xf32>, 2>
  %1 = sequence.insert %a into %0 at %p : tensor<2x3xf32>, !sequence.seq<tensor<?x3xf32>, 2> -> !sequence.seq<tensor<?x3xf32>, 3>
  %2 = sequence.erase %1 : !sequence.seq<tensor<?x3xf32>, 3> -> !sequence.seq<tensor<?x3xf32>, 2>
  %3 = sequence.at %2[%p] : !sequence.seq<tensor<?x3xf32>, 2> -> tensor<?x3xf32>
  %4 = sequence.split %3 axis -1 chunk %p : tensor<?x3xf32> -> !sequence.seq<tensor<?x?xf32>, ?>
  %5 = sequence.length %4 : !sequence.seq<tensor<?x?xf32>, ?>
  return %5 : index
}
