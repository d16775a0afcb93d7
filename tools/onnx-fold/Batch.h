//===- Batch.h - Several models in one call ---------------------*- C++ -*-===//
//
// Each model is folded by a process of its own, a fork of this one before it
// has threads: one that fails, or runs out of memory, takes no other with it,
// the limits of --max-memory are those of one model, and what a model held is
// given back when it is done. (foldModel may be called by several threads, but
// the memory of a process is one.) As many run at once as there are threads and
// as fit into the memory; one that makes them too large is stopped, which
// leaves nothing of it, and begins again later, alone.
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

/// The models that the command line means, in its order, those of folders by
/// name. `note` is told what is left out of folders. Errors: an input that is
/// not there, no model at all, two inputs with one output.
llvm::Expected<std::vector<BatchJob>>
listJobs(const Options &options,
         llvm::function_ref<void(const llvm::Twine &)> note);

/// Folds all models and prints a table. The exit status: 1 if any failed, else
/// 3 if any differs, else 2 if --check found one that would change. An error:
/// of listJobs; nothing was done.
llvm::Expected<int> runSeveral(const Options &options,
                               const Messages &messages);

/// One run of the tool, the exit status of one model.
int runOne(const Options &options, const Messages &messages);

} // namespace onnxfold

#endif // ONNXFOLD_TOOLS_ONNXFOLD_BATCH_H
