#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the kernel library and the program, and runs it with data from NumPy: bash run.sh -v Ascend910B1
SOC_VERSION=${2:-Ascend910B1}
BUILD_TYPE="Debug"
set -e
source "${ASCEND_HOME_PATH:-/usr/local/Ascend/ascend-toolkit/latest}/bin/setenv.bash"
rm -rf build out input output
cmake -B build -DRUN_MODE=npu -DSOC_VERSION=${SOC_VERSION} -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DCMAKE_INSTALL_PREFIX=out \
    -DASCEND_CANN_PACKAGE_PATH=${ASCEND_HOME_PATH}
cmake --build build -j
cmake --install build
cp ./out/bin/ascendc_kernels_bbit ./
mkdir -p input output
python3 scripts/gen_data.py
(
    export LD_LIBRARY_PATH=$(pwd)/out/lib:$LD_LIBRARY_PATH
    ./ascendc_kernels_bbit
)
python3 scripts/verify_result.py output/output_z.bin output/golden.bin
