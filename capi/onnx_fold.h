/* SPDX-License-Identifier: Apache-2.0 */
/*===- onnx_fold.h - onnx-fold for C, and for languages that call C ----------===
 *
 * Folds a model, in files or in memory. Link with -lonnxfold.
 *
 *   onnx_fold_options *options = onnx_fold_options_create();
 *   if (onnx_fold_options_set(options, "max-growth", "10%") != ONNX_FOLD_OK)
 *     puts(onnx_fold_options_error(options));
 *   onnx_fold_result *result =
 *       onnx_fold_file(options, "model.onnx", "folded.onnx");
 *   if (onnx_fold_result_status(result) != ONNX_FOLD_OK)
 *     puts(onnx_fold_result_error(result));
 *   puts(onnx_fold_result_report(result));
 *   onnx_fold_result_destroy(result);
 *   onnx_fold_options_destroy(options);
 *
 * Texts are UTF-8. They belong to the object that the function was called with,
 * and live until it is destroyed or changed. Functions accept NULL for an
 * object unless their comment says otherwise. No function throws, aborts, or
 * writes to standard output or standard error. The process ends only if an
 * allocation of a few bytes fails in the tables of the compiler library inside.
 *
 * Threads: several threads may fold at once, also with the same options, as
 * long as no thread changes these. Otherwise one thread at a time uses an
 * object. Signals: while folding to a file, SIGINT, SIGTERM and SIGHUP first
 * remove its temporary files; then the handlers of the program run. A program
 * should ignore SIGPIPE and SIGXFSZ, or a closed pipe or a limit on the size of
 * files ends it.
 *
 * Versions: as long as the file is called libonnxfold.so.1, functions may be
 * added, but none is changed or removed.
 *
 *===------------------------------------------------------------------------===*/
#ifndef ONNX_FOLD_H
#define ONNX_FOLD_H

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): this is C */

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names as C has them */

/* The exit statuses of the program. */
typedef enum onnx_fold_status {
  ONNX_FOLD_OK = 0,
  ONNX_FOLD_FAILED = 1,       /* an option, the input or the output is wrong */
  ONNX_FOLD_DIFFERS = 3,      /* verification found a difference */
  ONNX_FOLD_NOT_VERIFIED = 4, /* an output could not be compared */
  ONNX_FOLD_NO_MEMORY = 12,
  ONNX_FOLD_CANCELLED = 130
} onnx_fold_status;

typedef struct onnx_fold_options onnx_fold_options;
typedef struct onnx_fold_result onnx_fold_result;

/* "0.1.0" */
const char *onnx_fold_version(void);

/* The defaults of the program. Returns NULL without memory. */
onnx_fold_options *onnx_fold_options_create(void);
void onnx_fold_options_destroy(onnx_fold_options *options);

/* Sets an option of the program, by its name without dashes
 * (docs/reference.md), and "level" for -O: ("level", "2"), ("dim", "batch:1"),
 * ("shapes", ""). An option that may be repeated keeps its earlier values too.
 * Options about printing are not accepted, except "report": with ("report",
 * "json") the report lists all nodes. What is wrong with a value by itself is an error here
 * (a name that is unknown, a pattern that cannot be read); which options go
 * together is checked when a model is folded. After an error the options are
 * unchanged. */
onnx_fold_status onnx_fold_options_set(onnx_fold_options *options,
                                       const char *name, const char *value);

/* The error of the last onnx_fold_options_set; "" if it had none. */
const char *onnx_fold_options_error(const onnx_fold_options *options);

/* Folding calls `is_cancelled` repeatedly, from several threads at once, and
 * ends without an output when it returns something other than 0. NULL: it is
 * not called. */
void onnx_fold_options_set_cancel(onnx_fold_options *options,
                                  int (*is_cancelled)(void *data), void *data);

/* Folds a file. `output` NULL: writes nothing (onnx_fold_result_changed); ""
 * is an error.
 * `options` NULL: the defaults. Returns NULL without memory, or if `input` is
 * NULL. */
onnx_fold_result *onnx_fold_file(const onnx_fold_options *options,
                                 const char *input, const char *output);

/* Folds a model in memory. `folder`: where external data is; NULL: nowhere.
 * Returns NULL without memory, or if `model` is NULL. */
onnx_fold_result *onnx_fold_memory(const onnx_fold_options *options,
                                   const void *model, size_t size,
                                   const char *folder);

/* The same into a file. `output` NULL: writes nothing, "" is an error. */
onnx_fold_result *onnx_fold_memory_to_file(const onnx_fold_options *options,
                                           const void *model, size_t size,
                                           const char *folder,
                                           const char *output);

void onnx_fold_result_destroy(onnx_fold_result *result);

onnx_fold_status onnx_fold_result_status(const onnx_fold_result *result);
/* "" after success. */
const char *onnx_fold_result_error(const onnx_fold_result *result);
/* The report, as JSON (docs/report.md). After an error: the part up to it, or
 * "". */
const char *onnx_fold_result_report(const onnx_fold_result *result);
/* Not 0: folding changes the model. */
int onnx_fold_result_changed(const onnx_fold_result *result);
/* The folded model of onnx_fold_memory, and its size; NULL if there is none.
 * `size` must not be NULL. */
const void *onnx_fold_result_model(const onnx_fold_result *result,
                                   size_t *size);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* ONNX_FOLD_H */
