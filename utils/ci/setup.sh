#!/usr/bin/env bash
# Installs, by name, the Debian packages that a build needs and that are missing, and configures the build tree of a preset.
# Does nothing, quickly, when everything is there.
#
#   source utils/ci/setup.sh; setup_packages; setup_build release
set -euo pipefail

CAMEO_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

required_packages=(
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 lld-22 liblld-22-dev
  libonnx-dev libprotobuf-dev protobuf-compiler cmake ninja-build
  zlib1g-dev libzstd-dev libxml2-dev python3 python3-onnx python3-numpy gcc libc6-dev
)
# Without these something is skipped, and says so.
optional_packages=(
  ccache clang-format-22 libgtest-dev libbenchmark-dev libonnx-testdata libclang-rt-22-dev libxgboost-dev libmimalloc-dev
  qemu-user gcc-aarch64-linux-gnu g++-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross gcc-riscv64-linux-gnu libc6-dev-riscv64-cross nodejs npm
  make pkg-config meson rustc dpkg-dev chromium zsh fish
  libnats-dev libssl-dev nats-server
)

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

missing_packages() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || printf '%s\n' "$package"
  done
}

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# The packages whose program or header is there anyway, from another source than Debian's package.
provided_elsewhere() {
  case $1 in
    nodejs) command -v node ;;
    npm | cmake | ccache | make | meson | pkg-config | rustc | chromium | zsh | fish) command -v "$1" ;;
    ninja-build) command -v ninja ;;
    *) false ;;
  esac >/dev/null 2>&1
}

still_missing() {
  local package
  for package in $(missing_packages "$@"); do
    provided_elsewhere "$package" || printf '%s\n' "$package"
  done
}

# One by one when all at once fails, so that one package that cannot be had does not keep the others away.
install_what_is_missing() {
  local package packages
  mapfile -t packages < <(still_missing "$@")
  [ ${#packages[@]} = 0 ] && return 0
  say "installing ${packages[*]}"
  as_root apt-get update -qq || say "apt-get update failed; trying the lists that are there"
  apt_install "${packages[@]}" >&2 && return 0
  for package in "${packages[@]}"; do apt_install "$package" >&2 || true; done
}

setup_packages() {
  command -v dpkg-query >/dev/null || { say "this is no Debian: expecting the packages' contents to be there"; return 0; }
  install_what_is_missing "${required_packages[@]}" "${optional_packages[@]}"
  local package failed=()
  mapfile -t failed < <(still_missing "${required_packages[@]}")
  if [ ${#failed[@]} != 0 ]; then
    say "error: could not install ${failed[*]}"
    return 1
  fi
  for package in $(still_missing "${optional_packages[@]}"); do
    say "$package could not be installed: what needs it is skipped"
  done
}

# setup_build PRESET: configures build/PRESET once; ninja configures again by itself when a CMakeLists.txt changes.
setup_build() {
  local preset=$1
  [ -f "$CAMEO_ROOT/build/$preset/build.ninja" ] && return 0
  rm -rf "$CAMEO_ROOT/build/$preset/CMakeCache.txt" "$CAMEO_ROOT/build/$preset/CMakeFiles"
  say "configuring build/$preset"
  (cd "$CAMEO_ROOT" && cmake --preset "$preset" >"build-$preset.log" 2>&1) || {
    cat "$CAMEO_ROOT/build-$preset.log" >&2
    rm -f "$CAMEO_ROOT/build-$preset.log"
    return 1
  }
  rm -f "$CAMEO_ROOT/build-$preset.log"
}

# A Python that has onnx and numpy: Debian's has the packages installed above, another one first in PATH may not.
setup_python() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import onnx, numpy' 2>/dev/null; then
      command -v "$python"
      return 0
    fi
  done
  command -v python3
}

# ONNX Runtime for comparisons: the npm package holds its library. Into build/peers; without the registry, a visible skip.
setup_peers() {
  local folder=$CAMEO_ROOT/build/peers
  [ -n "${ORT_LIBRARY:-}" ] && return 0
  [ -d "$folder/node_modules/onnxruntime-node" ] && return 0
  command -v npm >/dev/null || { say "npm is missing: comparisons with ONNX Runtime are skipped"; return 0; }
  mkdir -p "$folder"
  say "fetching onnxruntime-node into build/peers"
  if ! (cd "$folder" && { [ -f package.json ] || echo '{"private": true}' >package.json; } &&
    timeout 300 npm install --ignore-scripts --no-audit --no-fund --no-save --fetch-retries=1 onnxruntime-node@1.30 >install.log 2>&1); then
    rm -rf "$folder/node_modules"
    say "the npm registry could not be reached: comparisons with ONNX Runtime are skipped ($folder/install.log)"
  fi
}
