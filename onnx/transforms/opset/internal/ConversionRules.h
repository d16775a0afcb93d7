//===- ConversionRules.h - Where the library converts wrongly ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Our own rules for operators that the ONNX library's version converter does
// not know, or converts wrongly. There are two kinds:
//
//  - `prepare` rewrites the node in its own opset, so that the library converts
//    what is left, or says why nothing can take its place;
//  - `replaceAdapters` puts better steps in place of the library's.
//
// RATIONALE.md lists what each rule is for.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_CONVERSIONRULES_H
#define ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_CONVERSIONRULES_H

#include "llvm/Support/Error.h"
#include <cstdint>

namespace onnx {
class GraphProto;
namespace version_conversion {
class BaseVersionConverter;
} // namespace version_conversion
} // namespace onnx

namespace onnxfold {

/// `graph` has one node, inputs with types, and the values of small constants.
llvm::Error prepare(onnx::GraphProto &graph, int64_t from, int64_t to);

void replaceAdapters(onnx::version_conversion::BaseVersionConverter &library);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_CONVERSIONRULES_H
