//===- Batch.h - Several models in one call ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A process of its own folds each model, or up to 64 small ones in turn; if it
// ends early, the model at hand has failed, and another process folds the rest.
// It is forked from this one before this one has threads. So a model that fails, or runs out of memory, does not
// affect the others; --max-memory limits each model; and the memory of a model
// is freed when it is done. (Several threads may call foldModel, but they share
// the memory of the process.) As many processes run at once as there are
// threads, and as probably fit into --batch-memory, which is divided evenly among
// them: a result beyond a quarter of a part is kept in a file.
//
//   Expected<std::vector<BatchJob>> jobs = listJobs(options, note);
//   Expected<int> status = runSeveral(options, messages);
//
// Thread safety: none; no other thread may run.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TOOLS_ONNXFOLD_BATCH_H
#define ONNXFOLD_TOOLS_ONNXFOLD_BATCH_H

#include "Options.h"

namespace onnxfold {

/// One model of several.
struct BatchJob {
  std::string input, output;
  std::string report; ///< the file of --report; empty: none
  uint64_t bytes = 0; ///< of the input
};

/// The models of the command line, in its order; those of a folder are sorted
/// by name. `note` is called for files of folders that are left out. Errors: a
/// missing input, no model at all, two inputs with the same output.
llvm::Expected<std::vector<BatchJob>>
listJobs(const Options &options,
         llvm::function_ref<void(const llvm::Twine &)> note);

/// Folds all models and prints a table. The exit status: 1 if any failed, else
/// 3 if any differs, else 2 if --check found one that would change. Errors:
/// those of listJobs; no model was folded then.
llvm::Expected<int> runSeveral(const Options &options,
                               const Messages &messages);

/// Runs the tool for one model, and returns its exit status.
/// A report that was asked for is an output; other texts may get lost.
bool isReportOnStream(const Options &options, const Messages &messages);

/// The text of an error.
std::string textOf(const llvm::Error &error);

/// Why texts were lost, once; without this the process would end with an error
/// when its streams are destroyed.
llvm::Error takeStreamErrors();

int runOne(const Options &options, const Messages &messages);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_BATCH_H
