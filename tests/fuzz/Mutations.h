//===- Mutations.h - Changes of protobuf that keep its lengths --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Changes of bytes break a length prefix almost every time, and then nothing
// behind the wire is reached. Here the contents of one field, anywhere in the
// tree of messages, are changed, removed, doubled or replaced by those of
// another one, and the lengths around them are written anew.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_FUZZ_MUTATIONS_H
#define ONNXFOLD_TESTS_FUZZ_MUTATIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <random>
#include <string>

namespace onnxfold {

/// Bytes, changed, of which there are at most `most`.
using ChangeBytes =
    llvm::function_ref<std::string(llvm::StringRef bytes, size_t most)>;

/// A message with one change; bytes that are no message are changed as such.
std::string mutateMessage(llvm::StringRef bytes, std::minstd_rand &random,
                          ChangeBytes changeBytes);

/// A message with a tag or length anywhere in it changed, cut off or moved; the
/// lengths around it are not corrected.
std::string damageWire(llvm::StringRef bytes, std::minstd_rand &random);

/// A few bytes are flipped, set, removed, doubled, or become a number that is
/// at an edge.
std::string changeSomeBytes(llvm::StringRef bytes, size_t most,
                            std::minstd_rand &random);

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_FUZZ_MUTATIONS_H
