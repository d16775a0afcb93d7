// Equal parts have equal hashes, of whatever names and locations; a flag, a literal, an order of operands make others.
// RUN: fold-opt %s --constant-tensor-folding | grep -o 'hash = "[0-9a-f]*"' | uniq -c | FileCheck %s
// RUN: fold-opt %s --constant-tensor-folding | grep -o 'hash = "[0-9a-f]*"' | sort -u | wc -l | FileCheck %s --check-prefix=DIFFERENT

// CHECK: 2 hash = "{{[0-9a-f]+}}"
// CHECK-COUNT-4: 1 hash = "{{[0-9a-f]+}}"
// DIFFERENT: 5
func.func @hashes(%a: tensor<4xf32> {onnxfold.constant = "runtime"}, %b: tensor<4xf32> {onnxfold.constant = "runtime"}, %c: tensor<4xf32> {onnxfold.constant = "runtime"})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %other = arith.constant dense<[1.0, 2.0, 3.0, 5.0]> : tensor<4xf32>
  %0 = arith.subf %a, %b : tensor<4xf32> loc("one.py":1:1)
  %1 = arith.subf %b, %c : tensor<4xf32> loc("other.py":2:1)
  %2 = arith.subf %a, %c fastmath<nnan> : tensor<4xf32>
  %3 = arith.subf %c, %a : tensor<4xf32>
  %4 = arith.mulf %a, %one : tensor<4xf32>
  %5 = arith.mulf %a, %other : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
