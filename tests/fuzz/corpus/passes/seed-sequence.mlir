3func.func @f(%a: tensor<2x3xf32>, %p: index) -> tensor<?x3xf32> {
  %0 = sequence.construct %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> !sequence.seq<tensor<?x3xf32>, 2>
  %1 = sequence.insert %a into %0 at %p : tensor<2x3xf32>, !sequence.seq<tensor<?x3xf32>, 2> -> !sequence.seq<tensor<?x3xf32>, 3>
  %2 = sequence.at %1[%p] : !sequence.seq<tensor<?x3xf32>, 3> -> tensor<?x3xf32>
  return %2 : tensor<?x3xf32>
}
