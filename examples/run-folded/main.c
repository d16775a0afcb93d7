/* SPDX-License-Identifier: Apache-2.0 */
/*===- main.c - Run a program with folded constants -----------------------===*\
|*
|* run-folded-c libmlp.so: as main.cpp, in C.
|*
\*===----------------------------------------------------------------------===*/
#include "onnxfold/tensorfolding/runtime/CInterface.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int code) {
  if (code) {
    fprintf(stderr, "%s\n", onnxfold_ct_message());
    exit(1);
  }
}

static void *find(void *library, const char *symbol) {
  return dlsym(library, symbol);
}

/* bfloat16 of 0.5, 1 and 2 */
enum { HALF = 0x3f00, ONE = 0x3f80, TWO = 0x4000 };

int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (!library)
    return 1;
  const void *metadata = dlsym(library, "entry.fold_metadata");

  uint16_t w1[16] = {[3] = ONE, [6] = ONE, [9] = ONE, [12] = ONE};
  uint16_t w2[16] = {[0] = HALF, [5] = HALF, [10] = HALF, [15] = HALF};
  uint16_t better[16] = {[0] = TWO, [5] = TWO, [10] = TWO, [15] = TWO};
  uint16_t x[8] = {ONE, TWO, ONE, TWO, ONE, ONE, ONE, ONE}, y[8];
  int64_t square[] = {4, 4}, wide[] = {2, 4};

  onnxfold_ct_program *mlp;
  check(onnxfold_ct_load(metadata, 0, find, library, &mlp));
  onnxfold_ct_element bf16 = onnxfold_ct_named("bf16");
  onnxfold_ct_tensor weight1 = {w1, bf16, 2, square, NULL};
  onnxfold_ct_tensor weight2 = {w2, bf16, 2, square, NULL};
  check(onnxfold_ct_set_weight(mlp, 1, &weight1, NULL, NULL));
  check(onnxfold_ct_set_weight(mlp, 2, &weight2, NULL, NULL));

  onnxfold_ct_tensor input = {x, bf16, 2, wide, NULL};
  onnxfold_ct_tensor output = {y, bf16, 2, wide, NULL};
  check(onnxfold_ct_call(mlp, &input, 1, &output, 1)); /* folds, then runs */
  check(onnxfold_ct_call(mlp, &input, 1, &output, 1)); /* runs */
  printf("%04x %04x\n", y[0], y[7]);

  onnxfold_ct_tensor update = {better, bf16, 2, square, NULL};
  check(onnxfold_ct_update_weight(mlp, 2, &update, NULL, NULL));
  check(onnxfold_ct_fold_inactive(mlp));
  check(onnxfold_ct_swap(mlp));
  onnxfold_ct_free_inactive(mlp);
  check(onnxfold_ct_call(mlp, &input, 1, &output, 1));
  printf("%04x %04x\n", y[0], y[7]);
  printf("%d folds\n", (int)onnxfold_ct_program_statistics(mlp).folds);
  onnxfold_ct_free(mlp);
  return 0;
}
