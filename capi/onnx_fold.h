/*===- onnx_fold.h - onnx-fold for C, and for what calls C -------------------===
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
 * Texts are UTF-8 and belong to the object that they were asked of: they live
 * until it is destroyed or changed. Functions that take an object take NULL,
 * too, unless it says something else. Nothing throws, aborts, or writes to
 * standard output or standard error. One thing ends the process: if an
 * allocation of a few bytes fails in the tables of the compiler library inside.
 *
 * Threads: any number of them may fold at once, with the same options too, as
 * long as nobody changes these. An object is used by one thread at a time.
 * Signals: folding to a file handles SIGINT, SIGTERM and SIGHUP so that its
 * temporary files are removed; the handlers that were there run then. A program
 * should ignore SIGPIPE and SIGXFSZ, or a full disk ends it.
 *
 * Versions: functions are added, and none is changed or removed, as long as the
 * file is called libonnxfold.so.1.
 *
 *===------------------------------------------------------------------------===*/
#ifndef ONNX_FOLD_H
#define ONNX_FOLD_H

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): this is C */

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(readability-identifier-naming): names as C has them */

/* The numbers that the program ends with. */
typedef enum onnx_fold_status {
  ONNX_FOLD_OK = 0,
  ONNX_FOLD_FAILED = 1,  /* an option, the input or the output is wrong */
  ONNX_FOLD_DIFFERS = 3, /* verification found a difference */
  ONNX_FOLD_NO_MEMORY = 12,
  ONNX_FOLD_CANCELLED = 130
} onnx_fold_status;

typedef struct onnx_fold_options onnx_fold_options;
typedef struct onnx_fold_result onnx_fold_result;

/* "0.1.0" */
const char *onnx_fold_version(void);

/* What the program does without options. NULL without memory. */
onnx_fold_options *onnx_fold_options_create(void);
void onnx_fold_options_destroy(onnx_fold_options *options);

/* An option of the program, by its name without dashes (docs/reference.md), and
 * "level" for -O: ("level", "2"), ("dim", "batch:1"), ("shapes", ""). What may
 * be repeated is added to what was set before. Options about what is printed
 * are not known here, but for ("report", "nodes"): the report lists all nodes.
 * After an error the options are as they were. */
onnx_fold_status onnx_fold_options_set(onnx_fold_options *options,
                                       const char *name, const char *value);

/* What was wrong at the last onnx_fold_options_set; "" if nothing was. */
const char *onnx_fold_options_error(const onnx_fold_options *options);

/* Asked again and again, by several threads at once; folding ends, without an
 * output, when it gives something other than 0. NULL: never. */
void onnx_fold_options_set_cancel(onnx_fold_options *options,
                                  int (*is_cancelled)(void *data), void *data);

/* Folds a file. `output` NULL: writes nothing (onnx_fold_result_changed).
 * `options` NULL: the defaults. NULL without memory, or if `input` is NULL. */
onnx_fold_result *onnx_fold_file(const onnx_fold_options *options,
                                 const char *input, const char *output);

/* Folds a model in memory. External data is looked for in `folder`; NULL:
 * nowhere. NULL without memory, or if `model` is NULL. */
onnx_fold_result *onnx_fold_memory(const onnx_fold_options *options,
                                   const void *model, size_t size,
                                   const char *folder);

void onnx_fold_result_destroy(onnx_fold_result *result);

onnx_fold_status onnx_fold_result_status(const onnx_fold_result *result);
/* "" if all went well. */
const char *onnx_fold_result_error(const onnx_fold_result *result);
/* The report, as JSON (docs/report.md); after an error as far as it came, or
 * "". */
const char *onnx_fold_result_report(const onnx_fold_result *result);
/* Not 0: folding changes the model. */
int onnx_fold_result_changed(const onnx_fold_result *result);
/* The folded model of onnx_fold_memory, and its size; NULL if there is none.
 * `size` is not NULL. */
const void *onnx_fold_result_model(const onnx_fold_result *result,
                                   size_t *size);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* ONNX_FOLD_H */
