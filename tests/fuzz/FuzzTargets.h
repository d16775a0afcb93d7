//===- FuzzTargets.h - What is done with bytes from anywhere --------------===//
//
// The entry points that libFuzzer (tools/fuzz.sh) and the replay of the corpus
// in the normal tests share. Both take any bytes as a model file:
//   * fuzzReader: index, all nodes, the importer, the bytes of all constants.
//   * fuzzFold: read, fold under small limits, write, read the output again,
//     and fold that: nothing may be left to do.
//
// An error that the library returns is fine. What is not ends the process with
// a text on standard error, as a sanitizer does: a crash, an output that cannot
// be read, a second run that changes something.
//
// Thread safety: none. Files that a model refers to are never there.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_FUZZ_FUZZTARGETS_H
#define ONNXFOLD_TESTS_FUZZ_FUZZTARGETS_H

#include "llvm/ADT/StringRef.h"

namespace onnxfold {

/// What became of an input, for tests that count.
enum class FuzzOutcome { Refused, Read, Folded };

FuzzOutcome fuzzReader(llvm::StringRef bytes);
FuzzOutcome fuzzFold(llvm::StringRef bytes);

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_FUZZ_FUZZTARGETS_H
