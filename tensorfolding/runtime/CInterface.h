/* SPDX-License-Identifier: Apache-2.0 */
/*===- CInterface.h - Run programs with folded constants from C ---*- C -*-===*\
|*
|* The interface of FoldedProgram.h for C and for languages that call C. The
|* rules for memory, threads and errors are the same. An example of all steps:
|*
|*   onnxfold_ct_program *mlp;
|*   if (onnxfold_ct_load(metadata, 0, resolve, library, &mlp))
|*     die(onnxfold_ct_message());
|*   int64_t shape[] = {64, 256};
|*   onnxfold_ct_tensor w = {values, onnxfold_ct_named("f32"), 2, shape, NULL};
|*   onnxfold_ct_set_weight(mlp, 1, &w, NULL, NULL);
|*   onnxfold_ct_call(mlp, &x, 1, &y, 1);             folds, then runs
|*   onnxfold_ct_call(mlp, &x, 1, &y, 1);             runs
|*   onnxfold_ct_update_weight(mlp, 1, &better, NULL, NULL);
|*   onnxfold_ct_fold_inactive(mlp);
|*   onnxfold_ct_swap(mlp);
|*   onnxfold_ct_free_inactive(mlp);
|*   onnxfold_ct_free(mlp);
|*
|* Functions that return an int return 0, or a code of onnxfold_ct_error; then
|* onnxfold_ct_message has a message for the thread.
|*
\*===----------------------------------------------------------------------===*/
#ifndef ONNXFOLD_TENSORFOLDING_RUNTIME_CINTERFACE_H
#define ONNXFOLD_TENSORFOLDING_RUNTIME_CINTERFACE_H

#include <stddef.h> // NOLINT(modernize-deprecated-headers): this is C
#include <stdint.h> // NOLINT(modernize-deprecated-headers)

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names as C has them */

enum onnxfold_ct_error {
  ONNXFOLD_CT_OK = 0,
  ONNXFOLD_CT_BAD_METADATA = 1,
  ONNXFOLD_CT_FUNCTION_NOT_FOUND = 2,
  ONNXFOLD_CT_BAD_ARGUMENT = 3,
  ONNXFOLD_CT_BAD_TENSOR = 4,
  ONNXFOLD_CT_WEIGHT_MISSING = 5,
  ONNXFOLD_CT_OUT_OF_MEMORY = 6,
  ONNXFOLD_CT_FOLD_FAILED = 7,
  ONNXFOLD_CT_BAD_STATE = 8
};

/* The message of the thread's last error; valid until its next one. */
const char *onnxfold_ct_message(void);

typedef struct {
  uint32_t code;         /* 0: none */
  uint32_t storage_bits; /* of one element in memory */
} onnxfold_ct_element;

/* The type that MLIR prints like this ("f32", "i4"); code 0 for other text. */
onnxfold_ct_element onnxfold_ct_named(const char *name);

/* A tensor in the caller's memory, or a scalar (rank 0). */
typedef struct {
  void *data; /* of element [0, ..., 0] */
  onnxfold_ct_element element;
  int64_t rank;
  const int64_t *shape;
  const int64_t *strides; /* in elements; null: row-major */
} onnxfold_ct_tensor;

typedef struct onnxfold_ct_program onnxfold_ct_program;

/* Gives the address of a symbol in the program, or null. */
typedef void *(*onnxfold_ct_resolver)(void *context, const char *symbol);

/* Loads a program. `size` of the metadata may be 0 if only the address is
 * known. On errors *program is null. */
int onnxfold_ct_load(const void *metadata, size_t size,
                     onnxfold_ct_resolver resolve, void *context,
                     onnxfold_ct_program **program);
/* Frees a program; null is allowed. REQUIRES: no call of the program runs. */
void onnxfold_ct_free(onnxfold_ct_program *program);

/* The number of an argument by its name; -1 if none has it. */
int64_t onnxfold_ct_argument(const onnxfold_ct_program *program,
                             const char *name);
/* 1 if a value must be given before the first call. */
int onnxfold_ct_needs_weight(const onnxfold_ct_program *program,
                             uint32_t argument);

/* Gives an argument its first value. Its data must be valid until
 * release(context) is called, once; `release` may be null. */
int onnxfold_ct_set_weight(onnxfold_ct_program *program, uint32_t argument,
                           const onnxfold_ct_tensor *value,
                           void (*release)(void *context), void *context);
/* Gives an argument another value in the inactive set. */
int onnxfold_ct_update_weight(onnxfold_ct_program *program, uint32_t argument,
                              const onnxfold_ct_tensor *value,
                              void (*release)(void *context), void *context);
int onnxfold_ct_fold_inactive(onnxfold_ct_program *program);
int onnxfold_ct_swap(onnxfold_ct_program *program);
void onnxfold_ct_free_inactive(onnxfold_ct_program *program);
/* Folds the parts that the first call would fold. */
int onnxfold_ct_fold(onnxfold_ct_program *program);

/* Calls the entry, with buffers of the caller for its results. */
int onnxfold_ct_call(onnxfold_ct_program *program,
                     const onnxfold_ct_tensor *inputs, size_t input_count,
                     const onnxfold_ct_tensor *outputs, size_t output_count);

/* Calls the entry and gives results that onnxfold_ct_free_results frees. */
typedef struct onnxfold_ct_results onnxfold_ct_results;
int onnxfold_ct_call_results(onnxfold_ct_program *program,
                             const onnxfold_ct_tensor *inputs,
                             size_t input_count, onnxfold_ct_results **results);
size_t onnxfold_ct_result_count(const onnxfold_ct_results *results);
/* A result, which is valid until the results are freed. */
onnxfold_ct_tensor onnxfold_ct_result(const onnxfold_ct_results *results,
                                      size_t number);
void onnxfold_ct_free_results(onnxfold_ct_results *results);

/* Calls the entry as FoldedProgram::callUnchecked does. */
int onnxfold_ct_call_unchecked(onnxfold_ct_program *program,
                               void *const *arguments, void *returned);

typedef struct {
  uint64_t folds, shared, evictions;
} onnxfold_ct_statistics;
onnxfold_ct_statistics
onnxfold_ct_program_statistics(const onnxfold_ct_program *program);

/* The budget of folded values in the process, and their size
 * (FoldedMemory.h); UINT64_MAX means that there is no limit. */
void onnxfold_ct_set_memory_budget(uint64_t bytes);
uint64_t onnxfold_ct_memory_bytes(void);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* ONNXFOLD_TENSORFOLDING_RUNTIME_CINTERFACE_H */
