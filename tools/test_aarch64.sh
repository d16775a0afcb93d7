#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_aarch64.sh [pytest arguments]: cross-compiles the tools for aarch64 and tests them under qemu: the bytes that they
# write (tests/tools/test_aarch64.py), then the Python tests that run the tool, all but those that it names and leaves out;
# the last line is pytest's. Needs what ./run-tests builds. With arguments (`--long`, modules, -k ...) these are given to
# pytest in place of the modules.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
case ${1:-} in -h | --help) sed -n '3,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;; esac

modules=(tests/tools tests/models tests/onnx/node_tests tests/python_package)
left_out=()

# leave_out REASON TEST...: and says so.
leave_out() {
  say "left out, as $1:"
  printf '  %s\n' "${@:2}" >&2
  left_out+=("${@:2}")
}

leave_out_tests() {
  leave_out "it compares with the tool of this machine, and has run by then" tools/test_aarch64.py
  leave_out "they run programs of the tests or compiled models, which are built for this machine" \
    tools/test_compiled_libraries.py tools/test_faults.py tools/test_growth.py tools/test_guarded_memory.py \
    tools/test_onnx_run.py tools/test_onnx_run_lowerings.py tools/test_random_compiled_models.py \
    tools/test_second_run.py::test_pattern \
    tools/test_verify.py::test_what_is_in_the_file_is_compared_not_what_was_meant \
    tools/test_verify.py::test_a_difference_is_measured_in_units_in_the_last_place \
    tools/test_verify.py::test_a_file_that_cannot_be_read_back \
    tools/test_verify.py::test_data_files_in_another_folder_are_read_where_they_will_be \
    tools/test_verify.py::test_defaults_of_a_functions_attributes
  leave_out "the tool calls Python, which calls the tool by its own path: that needs an entry in binfmt_misc" \
    tools/test_messages.py::test_verification_by_onnx_runtime \
    tools/test_messages.py::test_a_difference_that_onnx_runtime_finds tools/test_messages.py::test_what_verify_with_refuses
  leave_out "processor time, memory and limits of a process are those of the emulator" \
    tools/test_control_flow.py::test_shapes_of_iterations_are_forgotten tools/test_depth.py tools/test_large.py \
    tools/test_limits_of_runs.py tools/test_over_two_gigabytes.py tools/test_scaling.py
  leave_out "they are hundreds of runs (--long of test_aarch64.py compares more)" \
    tools/test_mutations.py tools/test_random_calls.py tools/test_random_clean_ups.py tools/test_random_functions.py \
    tools/test_random_loops.py tools/test_random_programs.py tools/test_aliases.py::test_random_copies \
    tools/test_copies.py::test_random_calls tools/test_decomposition.py::test_random_models \
    "python_package/test_python_errors.py::test_bad_files[test_flipped_bytes]"
  leave_out "they take minutes, and shorter tests do the same" \
    tools/test_cache.py::test_dear_values_may_be_deep tools/test_cli.py::test_threads_do_not_change_large_results \
    tools/test_precision.py::test_every_operator_keeps_doubles \
    tools/test_precision.py::test_same_bytes_with_any_number_of_threads tools/test_verify.py::test_large
  leave_out "they do not run the tool" \
    tools/test_check_headers.py tools/test_check_layers.py tools/test_pass_docs.py tools/test_run_bench.py \
    tools/test_static.py tools/test_summarize_tests.py
}

"$root/tools/setup-aarch64.sh"
(cd "$root" && cmake --preset aarch64 && cmake --build --preset aarch64 &&
  cmake --build --preset aarch64 --target fold-server) >&2
# Programs as the tests want them, with any PATH. (qemu-user's entry in binfmt_misc would do, where it may be made.)
emulator=$(command -v qemu-aarch64-static)
wrappers=$root/build-aarch64/under-qemu
write_wrapper() { # PROGRAM [ARGUMENT...]
  mkdir -p "$(dirname "$wrappers/$1")"
  printf '#!/bin/sh\nexec %s "$@"\n' "$(printf "'%s' " "$emulator" "$root/build-aarch64/bin/$1" "${@:2}")" >"$wrappers/$1"
  chmod +x "$wrappers/$1"
}
for tool in onnx-fold onnx-to-dml dml-to-onnx; do write_wrapper "$tool"; done
# A run that starts qemu costs 0.15 seconds, one of this server, in which code of the tool is translated already, 0.04.
write_wrapper tests/fold-server "$root/tests/models/data/bert.onnx"
cd "$root"
if [[ $# -eq 0 ]]; then
  leave_out_tests
  set -- "${left_out[@]/#/--deselect=tests/}" "${modules[@]}"
fi
status=0
"$build/venv/bin/python3" -m pytest -q tests/tools/test_aarch64.py || status=$?
ONNXFOLD_TOOL=$wrappers/onnx-fold ONNXFOLD_SERVER=$wrappers/tests/fold-server \
  "$build/venv/bin/python3" -m pytest -q -n 2 --dist loadfile "$@" || status=$?
exit "$status"
