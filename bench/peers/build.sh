#!/usr/bin/env bash
# Builds XGBoost and LightGBM as shared libraries for this processor, and the drivers of bench/ over
# their C APIs. All is in .build/peers, or in the folder that PEERS names.
#
#   bash bench/peers/build.sh
#
# The sources are the newest of the public repositories. XGBOOST_SOURCE and LIGHTGBM_SOURCE name
# folders with other sources; a library that is there is used as it is. `versions` has a line for
# each library: name, version, commit. Needs git, cmake and a compiler of C++17.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
peers=${PEERS:-$here/../../.build/peers}
mkdir -p "$peers"
peers=$(cd "$peers" && pwd)
jobs=${JOBS:-$(nproc)}
compiler=${CXX:-g++}

# source_of NAME GIVEN ADDRESS: the folder of the sources. A folder that is given is linked, so that later runs
# find it. Sources are cloned if there are none.
source_of() {
  if [ -n "$2" ]; then
    [ -L "$peers/$1" ] || [ ! -e "$peers/$1" ] || { echo "Delete the clone '$peers/$1' first." >&2; exit 1; }
    ln -sfn "$(cd "$2" && pwd)" "$peers/$1"
  fi
  [ -d "$peers/$1" ] || git clone --quiet --depth 1 --recurse-submodules --shallow-submodules "$3" "$peers/$1" >&2
  (cd -P "$peers/$1" && pwd)
}

# build_library SOURCE LIBRARY TARGET
build_library() {
  [ -e "$2" ] && return
  cmake -S "$1" -B "$1/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-march=native -DUSE_OPENMP=ON \
    > "$peers/$3.log"
  cmake --build "$1/build" --target "$3" --parallel "$jobs" >> "$peers/$3.log"
}

commit_of() {
  git -C "$1" rev-parse --short=8 HEAD 2>/dev/null || echo unknown
}

# driver NAME FLAGS...: a program of run.cpp and the file of its name.
driver() {
  "$compiler" -std=c++17 -O3 -march=native -Wall -Wextra -pthread "$here/run.cpp" "$here/$1.cpp" "${@:2}" -o "$peers/$1"
}

lightgbm=$(source_of LightGBM "${LIGHTGBM_SOURCE:-}" https://github.com/microsoft/LightGBM)
xgboost=$(source_of xgboost "${XGBOOST_SOURCE:-}" https://github.com/dmlc/xgboost)

build_library "$lightgbm" "$lightgbm/lib_lightgbm.so" _lightgbm
driver lightgbm_peer -I"$lightgbm/include" -L"$lightgbm" -l_lightgbm -Wl,-rpath,"$lightgbm"

build_library "$xgboost" "$xgboost/lib/libxgboost.so" xgboost
driver xgboost_peer -I"$xgboost/include" -L"$xgboost/lib" -lxgboost -Wl,-rpath,"$xgboost/lib"

# bench/predict.R links these with the exported model that it times.
for part in run compiled_peer; do
  "$compiler" -std=c++17 -O3 -march=native -Wall -Wextra -fopenmp -c "$here/$part.cpp" -o "$peers/$part.o"
done

{
  echo "lightgbm $(cat "$lightgbm/VERSION.txt") $(commit_of "$lightgbm")"
  echo "xgboost $(cat "$xgboost/python-package/xgboost/VERSION") $(commit_of "$xgboost")"
} > "$peers/versions"
cat "$peers/versions"
