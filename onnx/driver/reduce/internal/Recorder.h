//===- Recorder.h - What values inside of a model are -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the base on its inputs as far as a value needs, and keeps what was asked
// for. A value that becomes an input then has the data that the model computes.
//
// Inputs without values are drawn once, for all values that any candidate of the
// base may ask for, and go over to the bases that follow: values that are
// recorded one after the other belong together, whoever asks first.
//
// Thread safety: any thread may call; runs come one after the other.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_RECORDER_H
#define ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_RECORDER_H

#include "onnxfold/onnx/driver/reduce/internal/Candidate.h"
#include <mutex>

namespace onnxfold {

class Recorder {
public:
  /// `isWanted`: the test reads the values of inputs. `drawn`: values of other
  /// inputs than those that the candidate has.
  explicit Recorder(bool isWanted, InputValues drawn = {})
      : wanted(isWanted), drawn(std::move(drawn)) {}

  bool isWanted() const { return wanted; }
  /// Null if the value cannot be computed, or is no tensor.
  Elements valueOf(const Base &base, const std::string &name);
  /// Computes several of them in one run.
  void prefetch(const Base &base, const std::vector<std::string> &names);

  /// Drawn values that fit the inputs of a candidate of the base.
  InputValues drawnFor(const Candidate &candidate);

private:
  /// `isKept`: which of the values; null: all.
  void record(const Base &base, const std::vector<std::string> &names,
              bool (Base::*isKept)(const std::string &) const);

  bool wanted;
  std::mutex mutex;
  bool hasDrawn = false;
  InputValues drawn;
  std::map<std::string, Elements> known;
};

/// The arrays of --inputs. An error if one is none of the model's inputs, or of
/// another type or shape.
llvm::Expected<InputValues> readInputs(const std::string &path,
                                       const onnx::ModelProto &model);

/// Values of all inputs of a model: those that are given, else random ones. An
/// error if there are none of some type.
llvm::Expected<InputValues> completeInputs(const Candidate &candidate,
                                           const std::string &folder,
                                           uint64_t seed);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_RECORDER_H
