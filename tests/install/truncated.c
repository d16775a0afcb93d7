/* SPDX-License-Identifier: Apache-2.0 */
/* truncated MODEL OUT WHEN: folds the file, which becomes shorter when onnx-fold asks for the WHENth time whether to go on. Prints
 * the error. Ends with 1 if there is none; 2: it did not ask so often. */
#include <fcntl.h>
#include <onnx_fold.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *model;
static int left;

static int cut(void *data) {
  (void)data;
  if (--left == 0) {
    int file = open(model, O_WRONLY);
    if (ftruncate(file, 5000) != 0 || close(file) != 0)
      abort();
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 1;
  model = argv[1];
  left = atoi(argv[3]);
  onnx_fold_options *options = onnx_fold_options_create();
  if (onnx_fold_options_set(options, "threads", "1") != ONNX_FOLD_OK)
    return 1;
  onnx_fold_options_set_cancel(options, cut, NULL);
  onnx_fold_result *result = onnx_fold_file(options, model, argv[2]);
  int isError = onnx_fold_result_status(result) == ONNX_FOLD_FAILED;
  puts(onnx_fold_result_error(result) ? onnx_fold_result_error(result) : "");
  onnx_fold_result_destroy(result);
  onnx_fold_options_destroy(options);
  return left > 0 ? 2 : isError ? 0 : 1;
}
