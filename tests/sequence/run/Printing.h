//===- Printing.h - What programs of tests print with -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions that programs declare and call with a tensor,
//   func.func private @print_f32(tensor<*xf32> {bufferization.access = "read"})
// and print it as numpy does: [6 4 5]. dump_f32 and the like write type, shape
// and values on one line, for scripts.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_SEQUENCE_RUN_PRINTING_H
#define ONNXFOLD_TESTS_SEQUENCE_RUN_PRINTING_H

#include <string>
#include <utility>
#include <vector>

namespace onnxfold {
/// print_f32, print_i64, print_i1, dump_f32 ...: their names and addresses.
std::vector<std::pair<std::string, void *>> printingSymbols();
} // namespace onnxfold

#endif // ONNXFOLD_TESTS_SEQUENCE_RUN_PRINTING_H
