//===- FuzzTargets.h - What is done with bytes from anywhere --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The entry points that libFuzzer (tools/fuzz.sh) and the replay of the corpus
// in the normal tests share. Each takes any bytes:
//   reader    a model: index, all nodes, the importer, the bytes of constants
//   fold      a model: read, fold under small limits, write, read the output
//             again, and fold that: nothing may be left to do
//   opset     a model: the same with --target-opset, and after it without
//   text      a model in a text form: what is read is a model
//   location  offset and length, a byte each, and the name of a data file: what
//             is opened lies in the model's folder, and the range in the file
//   npy       a file of numpy.save: what is read can be written, and is read
//             again as the same
//   npz       an archive of numpy.savez: all arrays of it
//   tensor    a message of ONNX's test data: a tensor, or a sequence of them
//   matrix    what SystemDS writes: the text of the .mtd file, a 0, the matrix
//   schemas   operators outside the standard: those of the file, in a model
//   rules     rewrites as text: what is read is proved or refused
//   cache     a place in an entry of a cache, two bytes, and what is there:
//             what is read is what was written
//   report    a report that was saved: a page, and node data
//   growth    the record of growth in a model's metadata: the model folds, and
//             no second run changes it
//   ir        text of our dialects: what is read prints, and is read again as
//             the same
//   passes    a digit, which chooses a pipeline, and text of our dialects and of
//             MLIR's: verified, a module runs through the pipeline or is refused
//   dml       a script of SystemDS: what is read prints, and is read again as the
//             same; what is translated is a model
//   signature what onnx-run knows of inputs and outputs: the text in compiled
//             code, or a model: its text is read again as the same
//   input     an input of onnx-run: kind of file and expected type, a byte
//             each, and the file; it prints, and is written as a message
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

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// What became of an input, for tests that count.
enum class FuzzOutcome { Refused, Read, Folded };

FuzzOutcome fuzzReader(llvm::StringRef bytes);
FuzzOutcome fuzzFold(llvm::StringRef bytes);
FuzzOutcome fuzzOpset(llvm::StringRef bytes);
FuzzOutcome fuzzTextModel(llvm::StringRef bytes);
FuzzOutcome fuzzLocation(llvm::StringRef bytes);
FuzzOutcome fuzzNpy(llvm::StringRef bytes);
FuzzOutcome fuzzNpz(llvm::StringRef bytes);
FuzzOutcome fuzzTensor(llvm::StringRef bytes);
FuzzOutcome fuzzMatrix(llvm::StringRef bytes);
FuzzOutcome fuzzSchemas(llvm::StringRef bytes);
FuzzOutcome fuzzRules(llvm::StringRef bytes);
FuzzOutcome fuzzCache(llvm::StringRef bytes);
FuzzOutcome fuzzReport(llvm::StringRef bytes);
FuzzOutcome fuzzGrowth(llvm::StringRef bytes);
FuzzOutcome fuzzText(llvm::StringRef bytes);
FuzzOutcome fuzzPasses(llvm::StringRef bytes);
FuzzOutcome fuzzDml(llvm::StringRef bytes);
FuzzOutcome fuzzSignature(llvm::StringRef bytes);
FuzzOutcome fuzzInput(llvm::StringRef bytes);

struct FuzzTarget {
  llvm::StringRef name;
  FuzzOutcome (*run)(llvm::StringRef bytes);
  bool isProtobuf = false;
  bool isModel = false; ///< its corpus is that of all models
};

/// All of them.
llvm::ArrayRef<FuzzTarget> fuzzTargets();

/// The one of this name, or null.
const FuzzTarget *fuzzTarget(llvm::StringRef name);

/// False for what MLIR's parser is not given: it calls itself for what is
/// nested, and ends at a null character. That is not ours.
bool isReadableText(llvm::StringRef text);

/// A mistake of ours: ends the process, so that a fuzzer keeps the input.
[[noreturn]] void giveUp(llvm::Error error, const char *what);

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_FUZZ_FUZZTARGETS_H
