//===- BFloat16Builtins.h - What older libgcc lacks -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// On processors without instructions for it, code rounds to bfloat16 by calls
// of __truncsfbf2 and __truncdfbf2, which libgcc has since version 13. These
// functions have the same names and calling convention: a bfloat16 is returned
// in the low half of a vector register, as a float is.
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_PROGRAMS_BFLOAT16BUILTINS_H
#define ONNXFOLD_ONNX_PROGRAMS_BFLOAT16BUILTINS_H

extern "C" {
float onnxfoldRoundFloat(float value) __asm__("__truncsfbf2");
float onnxfoldRoundDouble(double value) __asm__("__truncdfbf2");
}

#endif // ONNXFOLD_ONNX_PROGRAMS_BFLOAT16BUILTINS_H
