//===- Reason.cpp - Names of reasons ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/Reason.h"

llvm::StringRef onnxfold::nameOf(ReasonCode code) {
  switch (code) {
  case ReasonCode::None:
    return "none";
  case ReasonCode::Constant:
    return "constant";
  case ReasonCode::InputNotConstant:
    return "input-not-constant";
  case ReasonCode::NoKernel:
    return "no-kernel";
  case ReasonCode::UnknownVersion:
    return "unknown-version";
  case ReasonCode::NotDeterministic:
    return "not-deterministic";
  case ReasonCode::Undefined:
    return "undefined";
  case ReasonCode::Invalid:
    return "invalid";
  case ReasonCode::UnsupportedType:
    return "unsupported-type";
  case ReasonCode::ResultLimit:
    return "result-limit";
  case ReasonCode::MemoryLimit:
    return "memory-limit";
  case ReasonCode::WorkLimit:
    return "work-limit";
  case ReasonCode::TimeLimit:
    return "time-limit";
  case ReasonCode::Growth:
    return "growth";
  case ReasonCode::Filtered:
    return "filtered";
  case ReasonCode::Quantization:
    return "quantization";
  case ReasonCode::ControlFlow:
    return "control-flow";
  case ReasonCode::NoTensor:
    return "no-tensor";
  case ReasonCode::TripLimit:
    return "trip-limit";
  case ReasonCode::Inconsistent:
    return "inconsistent";
  }
  return "none";
}
