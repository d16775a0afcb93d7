//===- ModelStats.h - What a model has and costs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Operators, parameters, multiply-adds, the peak of activations, and which
// runtimes a model needs, as `onnx-fold stats` prints them (docs/stats.md):
//
//   ModelStats stats;
//   if (llvm::Error error =
//           collectStats(ModelInput::file("model.onnx"), options, stats))
//     return error;
//   printStats(llvm::outs(), stats, ReportFormat::Text);
//
// Weights are not read: only constants that decide shapes are. A data file that
// is not there is no error, but a warning.
//
// Thread safety: any number of threads may call collectStats at once.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_MODELSTATS_H
#define ONNXFOLD_ONNX_DRIVER_STATS_MODELSTATS_H

#include "onnxfold/onnx/driver/FoldModel.h"

namespace onnxfold {

struct ModelStats {
  /// A number that may depend on open sizes.
  struct Amount {
    std::optional<int64_t> value;
    std::string formula; ///< "12*batch"; "" if nothing is known
  };
  struct Opset {
    std::string domain; ///< "ai.onnx" for ""
    int64_t version;
  };
  struct Port {             // an input or an output
    std::string name, type; ///< "f32[batch, 3]"
  };
  struct Operator {
    std::string domain, type;
    int64_t written = 0; ///< nodes of the file, bodies and functions included
    int64_t called = 0;  ///< with each function as often as it is called
    Amount macs;
  };
  struct Uncounted {
    std::string domain, type, why, example;
    int64_t nodes = 0;
  };
  /// Parameters of one kind.
  struct Group {
    std::string name;
    int64_t tensors = 0, elements = 0, bytes = 0;
  };
  struct Tensor {
    std::string name, type, owner;
    int64_t bytes = 0;
  };
  struct Symbol {
    std::string name, meaning; ///< "" for a named dimension
  };
  struct Peak {
    Amount bytes; ///< formula: "max(a, b)" if sizes decide which is larger
    std::string node;
    std::vector<std::string> unknown; ///< values that are not counted
  };
  struct Runtime {
    std::string name, version; ///< the first that does; "" if none is known
    std::string why;           ///< where there is more to say
  };
  /// Nodes of one operator for which a runtime has no kernel.
  struct NoKernel {
    std::string runtime, domain, type;
    int64_t since = 0, nodes = 0;
    std::string example; ///< a node
    std::string why;     ///< the operand, its type and those of the kernels
  };

  std::string model;
  int64_t modelBytes = 0;
  std::optional<int64_t> irVersion;
  std::string producer, producerVersion, domain;
  std::optional<int64_t> modelVersion;
  std::vector<Opset> opsets;
  std::vector<Port> inputs, outputs;
  int64_t graphs = 0, functions = 0;
  std::vector<Operator> operators; ///< the most multiply-adds first
  Group parameters;
  std::vector<Group> byType, byStorage, byOwner;
  std::vector<Tensor> largest;
  Amount macs;
  std::vector<Uncounted> uncounted;
  std::vector<std::string> notes;
  Peak peak;
  std::vector<Symbol> symbols;
  std::vector<Runtime> runtimes;
  std::vector<std::string> runtimeNotes;
  std::vector<NoKernel> noKernel;
  std::vector<std::string> warnings;
};

/// It uses the options for inputs (--dim ...), schemas, data folders and
/// threads. Errors are those of foldModel.
llvm::Error collectStats(const ModelInput &input, const FoldOptions &options,
                         ModelStats &stats,
                         const FoldCallbacks &callbacks = {});

/// Text, JSON or a page. JSON without indentation is one line. REQUIRES: not
/// ReportFormat::ModelExplorer.
void printStats(llvm::raw_ostream &out, const ModelStats &stats,
                ReportFormat format, unsigned indent = 1);

/// Writes options.reportFile, if there is one.
llvm::Error writeStats(const ModelStats &stats, const FoldOptions &options);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_MODELSTATS_H
