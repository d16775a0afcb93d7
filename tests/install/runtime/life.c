/* SPDX-License-Identifier: Apache-2.0 */
/* The same program by the C interface; the second element, or -1. */
#include "onnxfold/tensorfolding/runtime/CInterface.h"

float lifeInC(const void *metadata, void *(*resolve)(void *, const char *));
float lifeInC(const void *metadata, void *(*resolve)(void *, const char *)) {
  float x[] = {1, 2}, w[] = {100, 200}, y[] = {-1, -1};
  int64_t shape[] = {2};
  onnxfold_ct_element f32 = onnxfold_ct_named("f32");
  onnxfold_ct_tensor in = {x, f32, 1, shape, NULL};
  onnxfold_ct_tensor weight = {w, f32, 1, shape, NULL};
  onnxfold_ct_tensor out = {y, f32, 1, shape, NULL};
  onnxfold_ct_program *program;
  if (onnxfold_ct_load(metadata, 0, resolve, NULL, &program) ||
      onnxfold_ct_set_weight(program, 1, &weight, NULL, NULL) ||
      onnxfold_ct_call(program, &in, 1, &out, 1))
    return -1;
  onnxfold_ct_free(program);
  return y[1];
}
