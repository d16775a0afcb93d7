// The program at the end of the design that sequences come from
// (seed 000, seq_insert.mlir): it prints [6 4 5]. The published implementation
// expects slots that nobody filled, in its own test of this.
// RUN: sequence-run %s | FileCheck %s
// RUN: sequence-run --malloc %s
// RUN: sequence-run -O2 %s | FileCheck %s

// CHECK: [6 4 5]
// CHECK: [6 4 5]
// CHECK: [6 4 5]
// CHECK: leaks=0 double-frees=0 unknown-frees=0 use-after-free=0 overruns=0
func.func @main_graph(%arg0: tensor<?x4x5xf32>, %arg1: tensor<3x4x5xf32>) -> tensor<3xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = sequence.empty : !sequence.seq<tensor<?x4x5xf32>, 0>
  %1 = sequence.insert %arg1 into %0 at %c0 : tensor<3x4x5xf32>, !sequence.seq<tensor<?x4x5xf32>, 0>
      -> !sequence.seq<tensor<?x4x5xf32>, ?>
  %2 = sequence.insert %arg0 into %1 at %c0 : tensor<?x4x5xf32>, !sequence.seq<tensor<?x4x5xf32>, ?>
      -> !sequence.seq<tensor<?x4x5xf32>, ?>
  %3 = sequence.at %2[%c0] : !sequence.seq<tensor<?x4x5xf32>, ?> -> tensor<?x4x5xf32>
  %d0 = tensor.dim %3, %c0 : tensor<?x4x5xf32>
  %d1 = tensor.dim %3, %c1 : tensor<?x4x5xf32>
  %d2 = tensor.dim %3, %c2 : tensor<?x4x5xf32>
  %shape = tensor.from_elements %d0, %d1, %d2 : tensor<3xindex>
  %4 = arith.index_cast %shape : tensor<3xindex> to tensor<3xi64>
  return %4 : tensor<3xi64>
}

// The same where no pass knows the positions: two elements and a storage.
func.func @unknown_positions(%arg0: tensor<?x4x5xf32>, %arg1: tensor<3x4x5xf32>) -> tensor<3xi64> {
  %c0 = arith.constant 0 : index
  %p = func.call @opaque_index(%c0) : (index) -> index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = sequence.empty : !sequence.seq<tensor<?x4x5xf32>, 0>
  %1 = sequence.insert %arg1 into %0 at %p : tensor<3x4x5xf32>, !sequence.seq<tensor<?x4x5xf32>, 0>
      -> !sequence.seq<tensor<?x4x5xf32>, ?>
  %2 = sequence.insert %arg0 into %1 at %p : tensor<?x4x5xf32>, !sequence.seq<tensor<?x4x5xf32>, ?>
      -> !sequence.seq<tensor<?x4x5xf32>, ?>
  %3 = sequence.at %2[%p] : !sequence.seq<tensor<?x4x5xf32>, ?> -> tensor<?x4x5xf32>
  %d0 = tensor.dim %3, %c0 : tensor<?x4x5xf32>
  %d1 = tensor.dim %3, %c1 : tensor<?x4x5xf32>
  %d2 = tensor.dim %3, %c2 : tensor<?x4x5xf32>
  %shape = tensor.from_elements %d0, %d1, %d2 : tensor<3xindex>
  %4 = arith.index_cast %shape : tensor<3xindex> to tensor<3xi64>
  return %4 : tensor<3xi64>
}

// The same again, of elements without a rank, as ONNX's SequenceEmpty gives them.
func.func @unranked(%arg0: tensor<?x4x5xf32>, %arg1: tensor<3x4x5xf32>) -> tensor<3xi64> {
  %c0 = arith.constant 0 : index
  %p = func.call @opaque_index(%c0) : (index) -> index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = sequence.empty : !sequence.seq<tensor<*xf32>, 0>
  %1 = sequence.insert %arg1 into %0 at %p : tensor<3x4x5xf32>, !sequence.seq<tensor<*xf32>, 0>
      -> !sequence.seq<tensor<*xf32>, ?>
  %2 = sequence.insert %arg0 into %1 at %p : tensor<?x4x5xf32>, !sequence.seq<tensor<*xf32>, ?>
      -> !sequence.seq<tensor<*xf32>, ?>
  %3 = sequence.at %2[%p] : !sequence.seq<tensor<*xf32>, ?> -> tensor<?x4x5xf32>
  %d0 = tensor.dim %3, %c0 : tensor<?x4x5xf32>
  %d1 = tensor.dim %3, %c1 : tensor<?x4x5xf32>
  %d2 = tensor.dim %3, %c2 : tensor<?x4x5xf32>
  %shape = tensor.from_elements %d0, %d1, %d2 : tensor<3xindex>
  %4 = arith.index_cast %shape : tensor<3xindex> to tensor<3xi64>
  return %4 : tensor<3xi64>
}

func.func private @opaque_index(index) -> index
func.func private @print_i64(tensor<*xi64> {bufferization.access = "read"})

func.func @main() {
  %six = arith.constant dense<1.0> : tensor<6x4x5xf32>
  %three = arith.constant dense<2.0> : tensor<3x4x5xf32>
  %x = tensor.cast %six : tensor<6x4x5xf32> to tensor<?x4x5xf32>
  %shape0 = call @main_graph(%x, %three) : (tensor<?x4x5xf32>, tensor<3x4x5xf32>) -> tensor<3xi64>
  %any0 = tensor.cast %shape0 : tensor<3xi64> to tensor<*xi64>
  call @print_i64(%any0) : (tensor<*xi64>) -> ()
  %shape1 = call @unknown_positions(%x, %three) : (tensor<?x4x5xf32>, tensor<3x4x5xf32>) -> tensor<3xi64>
  %any1 = tensor.cast %shape1 : tensor<3xi64> to tensor<*xi64>
  call @print_i64(%any1) : (tensor<*xi64>) -> ()
  %shape2 = call @unranked(%x, %three) : (tensor<?x4x5xf32>, tensor<3x4x5xf32>) -> tensor<3xi64>
  %any2 = tensor.cast %shape2 : tensor<3xi64> to tensor<*xi64>
  call @print_i64(%any2) : (tensor<*xi64>) -> ()
  return
}
