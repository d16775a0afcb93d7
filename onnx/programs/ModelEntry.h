//===- ModelEntry.h - A whole model by its kernels --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The entry of the run time behind a model that could not be compiled: its
// operators are evaluated one after the other, each by its kernel, as in
// folding. It takes and gives the words of CompiledModel.h.
//
//   static void *slot;                             // one for each text
//   void onnxfold_run(int64_t *words) {
//     onnxfoldModelCall(&slot, text, sizeof(text) - 1, words);
//   }
//
// The text is the main graph as a function of the onnx dialect, with calls
// inlined. It is read at the first call.
//
// Errors: as those of KernelEntry.h. Inputs are checked as compiled programs
// check them. Thread safety: any number of threads, which take turns.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_PROGRAMS_MODELENTRY_H
#define ONNXFOLD_ONNX_PROGRAMS_MODELENTRY_H

#include <cstdint>

extern "C" void onnxfoldModelCall(void **slot, const char *text,
                                  int64_t textBytes, int64_t *words);

#endif // ONNXFOLD_ONNX_PROGRAMS_MODELENTRY_H
