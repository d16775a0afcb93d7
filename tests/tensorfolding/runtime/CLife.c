/* SPDX-License-Identifier: Apache-2.0 */
/*===- CLife.c - The whole life of a program, in C ------------------------===*\
|*
|* Compiled as C: the header must be C, too. Returns the line of what failed.
|*
\*===----------------------------------------------------------------------===*/

#include "onnxfold/tensorfolding/runtime/CInterface.h"

#include <string.h>

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition))                                                          \
      return __LINE__;                                                         \
  } while (0)

static int releases = 0;
static void countRelease(void *context) { *(int *)context += 1; }

/* `resolve` and `metadata` are of the sum of two vectors of 4 i64:
 * x + 2 * w0 + 2 * w1. */
int runLifeInC(const void *metadata, onnxfold_ct_resolver resolve,
               void *context);
int runLifeInC(const void *metadata, onnxfold_ct_resolver resolve,
               void *context) {
  int64_t x[] = {1, 2, 3, 4}, y[] = {0, 0, 0, 0};
  int64_t w0[] = {10, 10, 10, 10}, w1[] = {100, 200, 300, 400};
  int64_t better[] = {0, 0, 0, 1}, shape[] = {4};
  onnxfold_ct_element i64 = onnxfold_ct_named("i64");
  onnxfold_ct_tensor in = {x, i64, 1, shape, NULL},
                     out = {y, i64, 1, shape, NULL};
  onnxfold_ct_tensor weight = {w0, i64, 1, shape, NULL};
  onnxfold_ct_program *sum = NULL;

  EXPECT(onnxfold_ct_named("no type").code == 0);
  EXPECT(onnxfold_ct_load("what is this? it is no metadata", 24, resolve,
                          context, &sum) == ONNXFOLD_CT_BAD_METADATA);
  EXPECT(sum == NULL);
  EXPECT(strstr(onnxfold_ct_message(), "expected what"));
  EXPECT(onnxfold_ct_load(metadata, 0, resolve, context, &sum) == 0);

  EXPECT(onnxfold_ct_argument(sum, "w1") == 2);
  EXPECT(onnxfold_ct_argument(sum, "w2") == -1);
  EXPECT(onnxfold_ct_needs_weight(sum, 2) && !onnxfold_ct_needs_weight(sum, 0));
  EXPECT(onnxfold_ct_set_weight(sum, 1, &weight, countRelease, &releases) == 0);
  EXPECT(onnxfold_ct_call(sum, &in, 1, &out, 1) == ONNXFOLD_CT_WEIGHT_MISSING);
  EXPECT(strstr(onnxfold_ct_message(), "argument 2 'w1'"));
  weight.data = w1;
  EXPECT(onnxfold_ct_set_weight(sum, 2, &weight, NULL, NULL) == 0);
  EXPECT(onnxfold_ct_fold(sum) == 0);
  EXPECT(onnxfold_ct_call(sum, &in, 1, &out, 1) == 0);
  EXPECT(y[0] == 221 && y[3] == 824);
  EXPECT(onnxfold_ct_program_statistics(sum).folds == 2);
  EXPECT(onnxfold_ct_memory_bytes() == 128);

  weight.data = better;
  EXPECT(onnxfold_ct_swap(sum) == ONNXFOLD_CT_BAD_STATE);
  EXPECT(onnxfold_ct_update_weight(sum, 1, &weight, NULL, NULL) == 0);
  EXPECT(onnxfold_ct_fold_inactive(sum) == 0);
  EXPECT(onnxfold_ct_swap(sum) == 0);
  EXPECT(releases == 0);
  onnxfold_ct_free_inactive(sum);
  EXPECT(releases == 1);

  onnxfold_ct_results *results = NULL;
  EXPECT(onnxfold_ct_call_results(sum, &in, 1, &results) == 0);
  EXPECT(onnxfold_ct_result_count(results) == 1);
  onnxfold_ct_tensor result = onnxfold_ct_result(results, 0);
  EXPECT(result.rank == 1 && result.shape[0] == 4 && result.strides[0] == 1);
  EXPECT(result.element.code == i64.code);
  EXPECT(((int64_t *)result.data)[3] == 4 + 2 + 800);
  onnxfold_ct_free_results(results);

  onnxfold_ct_set_memory_budget(0);
  EXPECT(onnxfold_ct_memory_bytes() == 0);
  EXPECT(onnxfold_ct_call(sum, &in, 1, &out, 1) == 0 && y[0] == 201);
  onnxfold_ct_set_memory_budget(UINT64_MAX);
  onnxfold_ct_free(sum);
  onnxfold_ct_free(NULL);
  return 0;
}
