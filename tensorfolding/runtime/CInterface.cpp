//===- CInterface.cpp - Run programs with folded constants from C ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/CInterface.h"

#include "onnxfold/tensorfolding/runtime/FoldedMemory.h"
#include "onnxfold/tensorfolding/runtime/FoldedProgram.h"

using namespace onnxfold::tensorfolding;

// NOLINTBEGIN(readability-identifier-naming): names as C has them
struct onnxfold_ct_program {
  std::unique_ptr<FoldedProgram> program;
};
struct onnxfold_ct_results {
  std::vector<OwnedTensor> tensors;
};
// NOLINTEND(readability-identifier-naming)

static thread_local std::string lastMessage;

static int codeOf(const Error &error) {
  if (error)
    lastMessage = error.message();
  return int(error.code());
}

static Tensor tensorOf(const onnxfold_ct_tensor &tensor) {
  return {tensor.data,
          {tensor.element.code, tensor.element.storage_bits},
          tensor.rank,
          tensor.shape,
          tensor.strides};
}

static std::vector<Tensor> tensorsOf(const onnxfold_ct_tensor *tensors,
                                     size_t count) {
  std::vector<Tensor> converted;
  for (size_t i = 0; i < count; ++i)
    converted.push_back(tensorOf(tensors[i]));
  return converted;
}

static std::function<void()> releaseOf(void (*release)(void *), void *context) {
  if (!release)
    return {};
  return [=] { release(context); };
}

const char *onnxfold_ct_message(void) { return lastMessage.c_str(); }

onnxfold_ct_element onnxfold_ct_named(const char *name) {
  std::optional<ElementType> type = elementTypeNamed(name);
  return type ? onnxfold_ct_element{type->code, type->storageBits}
              : onnxfold_ct_element{0, 0};
}

int onnxfold_ct_load(const void *metadata, size_t size,
                     onnxfold_ct_resolver resolve, void *context,
                     onnxfold_ct_program **program) {
  Error error;
  std::unique_ptr<FoldedProgram> loaded = FoldedProgram::load(
      metadata, size ? size : unknownSize,
      [=](const std::string &symbol) {
        return resolve(context, symbol.c_str());
      },
      error);
  *program = loaded ? new onnxfold_ct_program{std::move(loaded)} : nullptr;
  return codeOf(error);
}

void onnxfold_ct_free(onnxfold_ct_program *program) { delete program; }

int64_t onnxfold_ct_argument(const onnxfold_ct_program *program,
                             const char *name) {
  std::optional<uint32_t> argument = program->program->argumentNamed(name);
  return argument ? int64_t(*argument) : -1;
}

int onnxfold_ct_needs_weight(const onnxfold_ct_program *program,
                             uint32_t argument) {
  return program->program->needsWeight(argument);
}

int onnxfold_ct_set_weight(onnxfold_ct_program *program, uint32_t argument,
                           const onnxfold_ct_tensor *value,
                           void (*release)(void *), void *context) {
  return codeOf(program->program->setWeight(argument, tensorOf(*value),
                                            releaseOf(release, context)));
}

int onnxfold_ct_update_weight(onnxfold_ct_program *program, uint32_t argument,
                              const onnxfold_ct_tensor *value,
                              void (*release)(void *), void *context) {
  return codeOf(program->program->updateWeight(argument, tensorOf(*value),
                                               releaseOf(release, context)));
}

int onnxfold_ct_fold_inactive(onnxfold_ct_program *program) {
  return codeOf(program->program->foldInactive());
}

int onnxfold_ct_swap(onnxfold_ct_program *program) {
  return codeOf(program->program->swap());
}

void onnxfold_ct_free_inactive(onnxfold_ct_program *program) {
  program->program->freeInactive();
}

int onnxfold_ct_fold(onnxfold_ct_program *program) {
  return codeOf(program->program->fold());
}

int onnxfold_ct_call(onnxfold_ct_program *program,
                     const onnxfold_ct_tensor *inputs, size_t inputCount,
                     const onnxfold_ct_tensor *outputs, size_t outputCount) {
  return codeOf(program->program->call(tensorsOf(inputs, inputCount),
                                       tensorsOf(outputs, outputCount)));
}

int onnxfold_ct_call_results(onnxfold_ct_program *program,
                             const onnxfold_ct_tensor *inputs,
                             size_t inputCount, onnxfold_ct_results **results) {
  auto given = std::make_unique<onnxfold_ct_results>();
  Error error =
      program->program->call(tensorsOf(inputs, inputCount), given->tensors);
  *results = error ? nullptr : given.release();
  return codeOf(error);
}

size_t onnxfold_ct_result_count(const onnxfold_ct_results *results) {
  return results->tensors.size();
}

onnxfold_ct_tensor onnxfold_ct_result(const onnxfold_ct_results *results,
                                      size_t number) {
  Tensor view = results->tensors[number].view();
  return {view.data,
          {view.element.code, view.element.storageBits},
          view.rank,
          view.shape,
          view.strides};
}

void onnxfold_ct_free_results(onnxfold_ct_results *results) { delete results; }

int onnxfold_ct_call_unchecked(onnxfold_ct_program *program,
                               void *const *arguments, void *returned) {
  return codeOf(program->program->callUnchecked(arguments, returned));
}

onnxfold_ct_statistics
onnxfold_ct_program_statistics(const onnxfold_ct_program *program) {
  ProgramStatistics counts = program->program->statistics();
  return {counts.folds, counts.shared, counts.evictions};
}

void onnxfold_ct_set_memory_budget(uint64_t bytes) {
  setFoldedMemoryBudget(bytes);
}

uint64_t onnxfold_ct_memory_bytes(void) { return foldedMemory().bytes; }
