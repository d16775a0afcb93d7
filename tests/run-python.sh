#!/bin/bash
# run-python.sh PYTHON SCRIPT: what ctest calls for a Python test. The form of the run is known only
# when it starts, so it comes from the environment.
exec "$1" -B "$2" ${ONNXFOLD_LONG:+--long}
