/* SPDX-License-Identifier: Apache-2.0 */
/*===- CompiledModel.h - Compiled models for programs in C ---------*- C -*-===*
 *
 * The output of `onnx-run --emit=object` and `--emit=shared-library` has two
 * symbols, onnxfold_signature and onnxfold_run. A model whose only input and
 * only result are f32 vectors is called like this:
 *
 *   float values[3] = {1, 2, 3};
 *   int64_t x[5] = {(intptr_t)values, (intptr_t)values, 0, 3, 1};
 *   int64_t y[5];
 *   int64_t words[2] = {(intptr_t)y, (intptr_t)x};
 *   onnxfold_run(words);
 *   float *result = (float *)y[1] + y[2];   // y[3] elements
 *   free((void *)y[0]);
 *
 * A tensor of rank r is 3 + 2r words, as MLIR lays out a memref: the pointer
 * for free(), the data, an offset in elements, r sizes, r strides in elements.
 *
 * If there are results, the first word is the address of their words, which
 * follow each other:
 *   a tensor             its words; the data is row-major, and the caller's
 *   of unknown rank      its rank, and the address of its words; both the
 *                        words and the data are freed
 *   a sequence           storage and length (sequence/runtime/Runtime.h)
 *   an optional          its value, then a word whose lowest bit says whether
 *                        there is one; if not, the value is freed all the same
 * Then come the inputs, in their order:
 *   a tensor             the address of its words; row-major, offset 0, data
 *                        aligned for its type; it is not written to and may be
 *                        in read-only memory
 *   of unknown rank      the address of two words: rank, address of its words
 *   a sequence           storage and length; the call takes the reference
 *   an optional          its value, then 0 or 1; if it is empty, any value
 *                        of its type, which is not read
 *
 * Elements have the size of their type. Integers of less than 8 bits and
 * booleans have a byte each. A string is an int64_t, the number of its text.
 *
 * A program that cannot continue (a position outside of a sequence, shapes that
 * do not match, an input with other sizes, strides or alignment) calls the
 * handler of onnxfold_program_on_error, and then abort(). Under
 * onnxfold_program_call it returns to the caller instead.
 *
 * Thread safety: any number of threads.
 *
 *===----------------------------------------------------------------------===*/
#ifndef ONNXFOLD_ONNX_PROGRAMS_COMPILEDMODEL_H
#define ONNXFOLD_ONNX_PROGRAMS_COMPILEDMODEL_H

#include <stdint.h> /* NOLINT: this is a header of C */

#ifdef __cplusplus
extern "C" {
#endif

/* In the compiled model. */

/* JSON that ends in 0: {"inputs": [...], "outputs": [...]}. Each entry has
 * name, sequence, optional (booleans), onnx (TensorProto.DataType), code (of
 * the elements of a sequence), and shape (-1: any size; none: any rank). */
extern const char onnxfold_signature[];

void onnxfold_run(int64_t *words);

/* In libonnxfold_programs.so, with which compiled models are linked. */

/* The number of a text in UTF-8. Equal texts have the same number, which is
 * valid until the process ends. */
int64_t onnxfold_program_number_of_text(const char *text, int64_t bytes);

/* The text of a number, which does not end in 0 but has `*bytes` bytes; null if
 * no text has the number. */
const char *onnxfold_program_text(int64_t number, int64_t *bytes);

/* Calls run(words), where run is an onnxfold_run. Returns null, or, if the
 * program cannot continue, the message, which is valid until the next call in
 * this thread. No handler is called, and the process continues; memory that the
 * program held is lost. */
const char *onnxfold_program_call(void (*run)(int64_t *), int64_t *words);

/* Sets the handler. The default (also for null) writes the message to standard
 * error. A handler may leave by longjmp; memory that the program holds is lost
 * then. */
void onnxfold_program_on_error(void (*handler)(const char *message));

#ifdef __cplusplus
}
#endif

#endif /* ONNXFOLD_ONNX_PROGRAMS_COMPILEDMODEL_H */
