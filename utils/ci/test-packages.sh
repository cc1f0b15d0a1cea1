#!/usr/bin/env bash
# Installs the Debian packages into a system of their own, and builds the examples there as a stranger would.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: utils/ci/test-packages.sh [--keep] FOLDER

Makes the packages of build/release, makes a minimal Debian in FOLDER/root (mmdebstrap, from the sources of this machine's apt), installs the packages
there with what they depend on, and compiles, links and runs docs/examples with nothing else of this tree: with CMake, with Make and pkg-config, and
for AArch64. Needs root, 2 GB of disk, a mirror of Debian, and some minutes.

options:
  --keep      Use the root of an earlier call again.
  -h, --help  Print this help.

exit status:
  0 when all examples print what they should, 1 otherwise.
TEXT
}

keep=
folder=
while [ $# != 0 ]; do
  case $1 in
    --keep) keep=1 ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "test-packages.sh: error: unknown option '$1'; see 'utils/ci/test-packages.sh --help'" >&2; exit 1 ;;
    *) folder=$1 ;;
  esac
  shift
done
[ -n "$folder" ] || { echo "test-packages.sh: error: expected a folder; see 'utils/ci/test-packages.sh --help'" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "test-packages.sh: error: mmdebstrap was not found (Debian package mmdebstrap)" >&2; exit 1; }

source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
root=$folder/root
rm -rf "$folder/debs"
(cd "$folder" && cpack -G DEB --config "$source/build/release/CPackConfig.cmake" -B "$folder/debs" >"$folder/cpack.log") || { cat "$folder/cpack.log" >&2; exit 1; }

if [ -z "$keep" ] || [ ! -d "$root" ]; then
  rm -rf "$root"
  # The lists that this machine uses, whichever form they have, and their keys.
  sources=()
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -f "$list" ] && sources+=("$list")
  done
  mmdebstrap --variant=minbase --include=ca-certificates,gcc,g++,libc6-dev,cmake,make,pkg-config,gcc-aarch64-linux-gnu,libc6-dev-arm64-cross,qemu-user \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" "${sources[@]}"
fi
rm -rf "$root/opt/debs" "$root/opt/examples"
mkdir -p "$root/opt"
cp -r "$folder"/debs "$root/opt/debs"
rm -rf "$root/opt/debs/_CPack_Packages"
cp -r "$source/docs/examples" "$root/opt/examples"

cat >"$root/opt/run.sh" <<'TEXT'
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends --reinstall /opt/debs/*.deb
cd /opt/examples
expect() {
  [ "$2" = "3 0 9 0" ] || { echo "$1: expected 3 0 9 0, got $2" >&2; exit 1; }
  echo "$1: $2"
}
cmake -S c -B build/c && cmake --build build/c
expect cmake "$(build/c/two_models)"
cmake -S cpp -B build/cpp && cmake --build build/cpp
expect cmake-cpp "$(build/cpp/two_models)"
make -C make
expect pkg-config "$(make/two_models)"
cmake -S c -B build/cross -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc
cmake --build build/cross
expect aarch64 "$(qemu-aarch64 -L /usr/aarch64-linux-gnu build/cross/two_models)"
cmake -S embed -B build/embed && cmake --build build/embed && build/embed/embed
cameo verify scale.onnxtxt
apt-get remove -y -qq cameo libcameo-rt-dev
[ ! -e /usr/bin/cameo ] && [ ! -e /usr/include/cameo ] || { echo "expected nothing to stay behind" >&2; exit 1; }
TEXT
chroot "$root" /bin/bash /opt/run.sh
