// RUN: fold-opt %s --dense-scalars --split-input-file --verify-diagnostics

func.func @no_data() -> tensor<i8> {
  // expected-error @+1 {{'arith.constant' op has the resource 'absent' of no bytes, expected one 'i8'}}
  %0 = arith.constant dense_resource<absent> : tensor<i8>
  return %0 : tensor<i8>
}

// -----

// expected-error @+1 {{'memref.global' op has the resource 'byte' of 1 bytes, expected one 'f32'}}
memref.global "private" constant @one : memref<f32> = dense_resource<byte>

{-#
  dialect_resources: {
    builtin: {
      byte: "0x0100000001"
    }
  }
#-}

// -----

func.func @pair() -> tensor<complex<f32>> {
  // expected-error @+1 {{'arith.constant' op has the resource 'absent' of no bytes, expected one 'complex<f32>'}}
  %0 = arith.constant dense_resource<absent> : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// -----

func.func @half_a_pair() -> tensor<complex<f32>> {
  // expected-error @+1 {{'arith.constant' op has the resource 'half' of 4 bytes, expected one 'complex<f32>'}}
  %0 = arith.constant dense_resource<half> : tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

{-#
  dialect_resources: {
    builtin: {
      half: "0x040000000000803F"
    }
  }
#-}

// -----

// The size is right: it was "of 8 bytes, expected one 'vector<2xf32>'".
// expected-error @+1 {{'memref.global' op has the resource 'pair' of 'vector<2xf32>', which is no number}}
memref.global "private" constant @vector : memref<vector<2xf32>> = dense_resource<pair>

{-#
  dialect_resources: {
    builtin: {
      pair: "0x040000000000803F00000040"
    }
  }
#-}
