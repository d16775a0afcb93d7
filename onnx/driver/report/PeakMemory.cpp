//===- PeakMemory.cpp - The most memory of this process -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/report/internal/PeakMemory.h"
#include "llvm/Support/MemoryBuffer.h"

uint64_t onnxfold::peakBytes() {
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  if (!status)
    return 0;
  llvm::StringRef text = (*status)->getBuffer();
  size_t at = text.find("VmHWM:");
  uint64_t kilobytes = 0;
  if (at == llvm::StringRef::npos ||
      text.substr(at + 6).ltrim().consumeInteger(10, kilobytes))
    return 0;
  return kilobytes * 1024;
}
