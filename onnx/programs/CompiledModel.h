/*===- CompiledModel.h - Compiled models for programs in C ----------*- C -*-===*
 *
 * What `onnx-run --emit=object` and `--emit=shared-library` write has two
 * symbols: onnxfold_signature and onnxfold_run. They are called like this, here
 * for a model with one input and one result, f32 vectors:
 *
 *   float values[3] = {1, 2, 3};
 *   int64_t x[5] = {(intptr_t)values, (intptr_t)values, 0, 3, 1};
 *   int64_t y[5];
 *   int64_t words[2] = {(intptr_t)y, (intptr_t)x};
 *   onnxfold_run(words);
 *   float *result = (float *)y[1] + y[2];   // y[3] elements
 *   free((void *)y[0]);
 *
 * A tensor of rank r is 3 + 2r words, as MLIR lays out a memref: what free()
 * takes, the data, an offset in elements, r sizes, r strides in elements.
 *
 * The first word is the address of the results, if there are any; one behind
 * the other:
 *   a tensor             its words; the data is row-major, and the caller's
 *   of unknown rank      its rank, and the address of its words; both the
 *                        words and the data are freed
 *   a sequence           storage and length (sequence/runtime/Runtime.h)
 *   an optional          what is in it, then a word whose lowest bit says
 *                        whether there is anything; if not, it is freed too
 * Then come the inputs, in their order:
 *   a tensor             the address of its words; row-major, offset 0; it is
 *                        not written to
 *   of unknown rank      the address of two words: rank, address of its words
 *   a sequence           storage and length; the call takes the reference
 *   an optional          what is in it (any value if nothing), then 0 or 1
 *
 * Elements have their own bytes; integers of less than 8 bits and truths have
 * a byte of their own; a string is an int64_t, the number of its text.
 *
 * A program that cannot go on (a position outside of a sequence, shapes that do
 * not match) calls the handler of onnxfold_program_on_error, and then abort();
 * under onnxfold_program_call it ends there.
 *
 * Thread safety: any number of threads.
 *
 *===------------------------------------------------------------------------===*/
#ifndef ONNXFOLD_ONNX_PROGRAMS_COMPILEDMODEL_H
#define ONNXFOLD_ONNX_PROGRAMS_COMPILEDMODEL_H

#include <stdint.h> /* NOLINT: this is a header of C */

#ifdef __cplusplus
extern "C" {
#endif

/* In the compiled model. */

/* JSON, ends in 0: {"inputs": [...], "outputs": [...]}, each entry with name,
 * sequence, optional (truths), onnx (TensorProto.DataType), code (of the
 * elements of a sequence), and shape (-1: any size; none: any rank). */
extern const char onnxfold_signature[];

void onnxfold_run(int64_t *words);

/* In libonnxfold_programs.so, with which compiled models are linked. */

/* Of a string in UTF-8. Equal texts have the same number, which holds until the
 * process ends. */
int64_t onnxfold_program_number_of_text(const char *text, int64_t bytes);

/* The text, which does not end in 0 but has `*bytes` bytes; null if no text has
 * the number. */
const char *onnxfold_program_text(int64_t number, int64_t *bytes);

/* run(words), where run is an onnxfold_run. Gives null, or, where the program
 * cannot go on, the message, which holds until the next call in this thread. No
 * handler is called and the process goes on; what the program held is lost. */
const char *onnxfold_program_call(void (*run)(int64_t *), int64_t *words);

/* The default (also for null) writes the message to standard error. A handler
 * may leave by longjmp; what the program holds is lost then. */
void onnxfold_program_on_error(void (*handler)(const char *message));

#ifdef __cplusplus
}
#endif

#endif /* ONNXFOLD_ONNX_PROGRAMS_COMPILEDMODEL_H */
