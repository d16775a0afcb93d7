// What sequence-ownership cannot see through is an error at its place.
// RUN: fold-opt %s --sequence-ownership --split-input-file --verify-diagnostics

func.func @unknown(%s: !sequence.seq<tensor<?xf32>, ?>) {
  // expected-error @+1 {{is not known to sequence-ownership: does it take a reference}}
  %0 = builtin.unrealized_conversion_cast %s : !sequence.seq<tensor<?xf32>, ?> to i64
  return
}

// -----

// expected-error @+1 {{a sequence in a function with several blocks}}
func.func @blocks(%s: !sequence.seq<tensor<?xf32>, ?>) -> !sequence.seq<tensor<?xf32>, ?> {
  cf.br ^bb1
^bb1:
  return %s : !sequence.seq<tensor<?xf32>, ?>
}
