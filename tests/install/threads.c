/* SPDX-License-Identifier: Apache-2.0 */
/* threads MODEL WRONG: two threads fold the model in memory with the same options, again and again, beside one that gets
 * errors and one that is cancelled. Prints the size of the result; ends with 1 if any of that is not so. */
#include <onnx_fold.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20 };

static char model[1 << 20];
static size_t modelSize, sizes[2];
static const char *wrong;
static onnx_fold_options *shared;

static int always(void *data) {
  ++*(int *)data;
  return 1;
}

static void *fold(void *place) {
  size_t *size = place;
  for (int i = 0; i < ROUNDS; ++i) {
    onnx_fold_result *result = onnx_fold_memory(shared, model, modelSize, NULL);
    size_t now = 0;
    if (onnx_fold_result_status(result) != ONNX_FOLD_OK || !onnx_fold_result_changed(result) ||
        !onnx_fold_result_model(result, &now) || (i != 0 && now != *size))
      return "folding";
    *size = now;
    onnx_fold_result_destroy(result);
  }
  return NULL;
}

static void *failing(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; ++i) {
    onnx_fold_options *own = onnx_fold_options_create();
    onnx_fold_result *result = onnx_fold_file(own, wrong, NULL);
    if (onnx_fold_result_status(result) != ONNX_FOLD_FAILED || !strstr(onnx_fold_result_error(result), wrong))
      return "errors";
    onnx_fold_result_destroy(result);
    result = onnx_fold_file(own, wrong, "");
    if (onnx_fold_result_status(result) != ONNX_FOLD_FAILED || !strstr(onnx_fold_result_error(result), "the output is ''"))
      return "output";
    onnx_fold_result_destroy(result);
    if (onnx_fold_options_set(own, "max-growth", "much") != ONNX_FOLD_FAILED ||
        strcmp(onnx_fold_options_error(own), "'max-growth' is 'much', expected SIZE[K|M|G], N% or unlimited") != 0 ||
        onnx_fold_options_set(own, "external-data", "w.bin,shard=2G,align=4K") != ONNX_FOLD_OK ||
        onnx_fold_options_set(own, "external-data", "w.bin,shard=2X") != ONNX_FOLD_FAILED ||
        onnx_fold_options_set(own, "in-place", "true") != ONNX_FOLD_OK || onnx_fold_options_set(own, "verify-inputs", "") != ONNX_FOLD_FAILED ||
        onnx_fold_options_set(own, "disable", "nosuch") != ONNX_FOLD_FAILED || onnx_fold_options_set(own, "only", "[") != ONNX_FOLD_FAILED ||
        onnx_fold_options_set(own, "only", "op:A*") != ONNX_FOLD_OK || onnx_fold_options_set(own, "cache", "") != ONNX_FOLD_FAILED ||
        onnx_fold_options_set(own, "grow", "1") != ONNX_FOLD_FAILED || onnx_fold_options_set(own, "level", "2") != ONNX_FOLD_OK ||
        *onnx_fold_options_error(own))
      return "options";
    onnx_fold_options_destroy(own);
  }
  return NULL;
}

static void *cancelled(void *unused) {
  (void)unused;
  int asked = 0;
  onnx_fold_options *own = onnx_fold_options_create();
  onnx_fold_options_set_cancel(own, always, &asked);
  for (int i = 0; i < ROUNDS; ++i) {
    onnx_fold_result *result = onnx_fold_memory(own, model, modelSize, NULL);
    size_t size = 1;
    if (onnx_fold_result_status(result) != ONNX_FOLD_CANCELLED || onnx_fold_result_model(result, &size) || size || !asked)
      return "cancelling";
    onnx_fold_result_destroy(result);
  }
  onnx_fold_options_destroy(own);
  return NULL;
}

int main(int argc, char **argv) {
  FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
  if (!file)
    return 1;
  modelSize = fread(model, 1, sizeof model, file);
  fclose(file);
  wrong = argv[2];
  shared = onnx_fold_options_create();
  /* NULL is nothing, everywhere. */
  onnx_fold_options_destroy(NULL);
  onnx_fold_result_destroy(NULL);
  if (onnx_fold_file(shared, NULL, NULL) || onnx_fold_memory(shared, NULL, 0, NULL) || onnx_fold_options_set(NULL, "level", "1") == 0 ||
      onnx_fold_result_status(NULL) != ONNX_FOLD_NO_MEMORY)
    return 1;
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, fold, &sizes[0]);
  pthread_create(&threads[1], NULL, fold, &sizes[1]);
  pthread_create(&threads[2], NULL, failing, NULL);
  pthread_create(&threads[3], NULL, cancelled, NULL);
  for (int i = 0; i < 4; ++i) {
    void *problem = NULL;
    pthread_join(threads[i], &problem);
    if (problem)
      return fprintf(stderr, "%s\n", (char *)problem), 1;
  }
  if (sizes[0] != sizes[1])
    return fprintf(stderr, "two sizes\n"), 1;
  printf("%zu\n", sizes[0]);
  return 0;
}
