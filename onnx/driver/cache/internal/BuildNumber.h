//===- BuildNumber.h - Which program this is --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A hash of all sources of the libraries that compute, of the compiler and its
// flags, and of the versions of the libraries around them, made while the
// program is built (cmake/BuildNumber.cmake). Two programs of one number compute
// the same values. Thread safety: any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_CACHE_INTERNAL_BUILDNUMBER_H
#define ONNXFOLD_ONNX_DRIVER_CACHE_INTERNAL_BUILDNUMBER_H

#include "onnxfold/constprop/ResultCache.h"

namespace onnxfold {

/// A part of the key of every cached value: other programs may compute others.
ResultCache::Key buildNumber();

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_CACHE_INTERNAL_BUILDNUMBER_H
