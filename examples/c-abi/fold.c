/* SPDX-License-Identifier: Apache-2.0 */
/* fold MODEL OUTPUT: folds a file, and the same model in memory, through libonnxfold.so.
 *
 *   cc -o fold fold.c -lonnxfold && ./fold model.onnx folded.onnx
 */
#include <onnx_fold.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what) {
  fprintf(stderr, "fold: %s\n", what);
  return 1;
}

/* The bytes of a file; NULL if it cannot be read. */
static void *readFile(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  void *bytes = malloc(*size + 1);
  if (bytes && fread(bytes, 1, *size, file) != *size) {
    free(bytes);
    bytes = NULL;
  }
  fclose(file);
  return bytes;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return fail("usage: fold MODEL OUTPUT");
  onnx_fold_options *options = onnx_fold_options_create();
  if (onnx_fold_options_set(options, "max-growth", "10%") != ONNX_FOLD_OK)
    return fail(onnx_fold_options_error(options));

  onnx_fold_result *file = onnx_fold_file(options, argv[1], argv[2]);
  if (onnx_fold_result_status(file) != ONNX_FOLD_OK)
    return fail(onnx_fold_result_error(file));
  puts(onnx_fold_result_report(file)); /* JSON: docs/report.md */

  size_t size = 0, folded = 0;
  void *model = readFile(argv[1], &size);
  if (!model)
    return fail("the model cannot be read");
  onnx_fold_result *memory = onnx_fold_memory(options, model, size, NULL);
  if (onnx_fold_result_status(memory) != ONNX_FOLD_OK)
    return fail(onnx_fold_result_error(memory));
  onnx_fold_result_model(memory, &folded);
  fprintf(stderr, "onnx-fold %s: %zu bytes in memory\n", onnx_fold_version(), folded);

  onnx_fold_result_destroy(memory);
  onnx_fold_result_destroy(file);
  onnx_fold_options_destroy(options);
  free(model);
  return 0;
}
