//===- ModelRun.cpp - One run of a model ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/ModelRun.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/verify/internal/InputSearch.h"
#include "onnxfold/onnx/verify/internal/RunCopy.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

llvm::Expected<ModelRun> onnxfold::runModel(ModuleOp module,
                                            const GivenInputs &given,
                                            uint64_t seed,
                                            const FoldLimits &limits) {
  ModelNumbers numbers = numbersOf({module});
  InputSource source{limits, numbers, seed};
  auto tryInputs =
      [&](const InputChoice &choice,
          const InputSearch::StopsAt &stopsAt) -> llvm::Expected<TriedInputs> {
    RunCopy copy(module);
    auto made =
        randomInputs(copy.graph(), source, /*trial=*/0, choice, {}, &given);
    if (!made)
      return made.takeError();
    ExecutionOptions how{limits, seed, {}, {}};
    how.stopsAt = stopsAt;
    Execution run = execute(copy.graph(), made->values, how);
    auto refusal = refusalOf(copy.graph(), run);
    return TriedInputs{std::move(*made), std::move(run), std::move(refusal)};
  };
  FunctionOpInterface graph = runnableGraph(module);
  bool isAllGiven = llvm::all_of(graph.getArguments(), [&](Value input) {
    return given.contains(valueName(input));
  });
  InputSearch search(graph, numbers, !isAllGiven);
  llvm::Expected<TriedInputs> found = search.next(0, tryInputs);
  if (!found)
    return found.takeError();
  ModelRun result;
  for (auto [input, value] :
       llvm::zip_equal(graph.getArguments(), found->inputs.values))
    result.inputs[valueName(input)] = value;
  result.outputs = std::move(found->run.outputs);
  return result;
}
