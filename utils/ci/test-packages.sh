#!/usr/bin/env bash
# Installs the Debian packages into a system of their own, and builds the examples there as a stranger would.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: utils/ci/test-packages.sh [--keep] [--plugin] [--preset PRESET] FOLDER

Builds the preset, makes its packages, makes a minimal Debian in FOLDER/root (mmdebstrap, from the sources of this machine's apt), installs the packages
there one after the other, each with what it depends on, and uses each with nothing else of this tree:

  cameo                        compiles, verifies, runs and tunes a model; docs/examples with CMake and with Make and pkg-config; manual pages, completions
  cameo-farm                   tunes through a server and an agent of its own
  libcameo-gpu-emulator        stands in for the driver of a GPU
  libcameo-rt-dev-ARCH-cross   the example of CMake for AArch64, run by QEMU
  libcameo-dev                 docs/examples/embed, which holds the compiler (libcameo0); with --plugin docs/examples/plugin, too
  libcameo-rt-dev              alone: an object and a library that were compiled before are linked and run, by a C program and by Python
  libcameo0                    is there and is gone with those that need it

At the end nothing of them may be left. No file that they install may name this tree, but for messages of assertions where the preset is not `package`. Needs root, 2 GB of disk (4 with --plugin), a mirror of Debian, and some minutes.

options:
  --keep           Use the root of an earlier call again.
  --plugin         Build the plugin as well, which takes MLIR's development packages.
  --preset PRESET  package, or another one that is built already. Default: package.
  -h, --help       Print this help.

exit status:
  0 when all did what they should, 1 otherwise.
TEXT
}

keep=
plugin=
preset=package
folder=
while [ $# != 0 ]; do
  case $1 in
    --keep) keep=1 ;;
    --plugin) plugin=1 ;;
    --preset) preset=${2:?--preset: expected a value}; shift ;;
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
source "$source/utils/ci/setup.sh"
setup_build "$preset"
cmake --build "$source/build/$preset"
(cd "$folder" && cpack -G DEB --config "$source/build/$preset/CPackConfig.cmake" -B "$folder/debs" >"$folder/cpack.log") || { cat "$folder/cpack.log" >&2; exit 1; }

# The packages that docs/install.md names, and no others.
for name in cameo cameo-farm libcameo0 libcameo-gpu-emulator libcameo-dev libcameo-rt-dev libcameo-rt-dev-arm64-cross; do
  [ "$name" != libcameo-rt-dev-arm64-cross ] || [ "$(dpkg --print-architecture)" = amd64 ] || continue
  compgen -G "$folder/debs/${name}_*.deb" >/dev/null || { echo "test-packages.sh: error: expected a package $name" >&2; exit 1; }
  grep -q "^| \`$name\`" "$source/docs/install.md" || { echo "test-packages.sh: error: docs/install.md: expected a line of $name" >&2; exit 1; }
done

if [ -z "$keep" ] || [ ! -d "$root" ]; then
  rm -rf "$root"
  # The lists that this machine uses, whichever form they have, and their keys.
  sources=()
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do
    [ -f "$list" ] && sources+=("$list")
  done
  mmdebstrap --variant=minbase --include=ca-certificates,gcc,g++,libc6-dev,cmake,make,pkg-config,gcc-aarch64-linux-gnu,libc6-dev-arm64-cross,qemu-user,python3-numpy,man-db \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$root" "${sources[@]}"
fi
rm -rf "$root/opt"
mkdir -p "$root/opt"
cp -r "$folder"/debs "$root/opt/debs"
rm -rf "$root/opt/debs/_CPack_Packages"
cp -r "$source/docs/examples" "$root/opt/examples"
mkdir "$root/opt/readme"
for file in net.onnxtxt main.c; do
  sed -n "/^\`\`\`.* file=$file\$/,/^\`\`\`\$/p" "$source/README.md" | sed '1d;$d' >"$root/opt/readme/$file"
done
# What packages refer to in the tree that they were made from would not be there elsewhere. Where paths are mapped, nothing may name it at all.
grep -q '^CAMEO_MAP_PATHS:BOOL=ON' "$source/build/$preset/CMakeCache.txt" && kinds=-rlF || kinds=-rlIF
for deb in "$root"/opt/debs/*.deb; do
  unpacked=$(mktemp -d)
  dpkg-deb -x "$deb" "$unpacked"
  named=$(grep "$kinds" "$source/" "$unpacked" || true)
  named+=$(find "$unpacked" -type f -exec sh -c 'readelf -d "$1" 2>/dev/null | grep -qF "$2/" && echo "$1"' _ {} "$source" \;)
  rm -rf "$unpacked"
  [ -z "$named" ] || { echo "$(basename "$deb"): expected no file that refers to $source, got $named" >&2; exit 1; }
done

cat >"$root/opt/run.sh" <<'TEXT'
set -eu
export DEBIAN_FRONTEND=noninteractive
cd /opt/examples
fail() { echo "$*" >&2; exit 1; }
expect() {
  [ "$2" = "3 0 9 0" ] || fail "$1: expected 3 0 9 0, got $2"
  echo "$1: $2"
}
# A package by its name, and what it needs: of these, or of Debian.
install() {
  apt-get install -y -qq --no-install-recommends "$@" >/opt/apt.log 2>&1 || { cat /opt/apt.log >&2; exit 1; }
}
is_installed() { dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

echo 'Dpkg::Use-Pty "0";' >/etc/apt/apt.conf.d/cameo
# The packages as a repository, so that each is found by its name.
mkdir -p /opt/repository
cp /opt/debs/*.deb /opt/repository
(cd /opt/repository && for deb in *.deb; do
  dpkg-deb -f "$deb" | sed '/^$/d'
  printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$deb" "$(stat -c %s "$deb")" "$(sha256sum "$deb" | cut -d' ' -f1)"
done >Packages)
echo 'deb [trusted=yes] file:/opt/repository ./' >/etc/apt/sources.list.d/cameo.list
apt-get update -qq
# What an earlier call, which may have failed, has left.
apt-get remove -y -qq cameo cameo-farm 'libcameo*' nats-server 'libnats3*' >/dev/null 2>&1 || true

# ---- libcameo-rt-dev needs no compiler, the cross package no more than it ----
install libcameo-rt-dev
! is_installed cameo && ! is_installed libcameo0 || fail "libcameo-rt-dev: expected to need no compiler"

# ---- cameo ----
install cameo
is_installed libcameo0 || fail "cameo: expected libcameo0 with it"
cameo --version
cameo verify scale.onnxtxt
# As docs/install.md says.
(cd /opt/readme && cameo compile net.onnxtxt && cc main.c net.o -lcameo_rt -lm -lpthread -o main)
[ "$(/opt/readme/main)" = "0.665 0.245 0.090" ] || fail "README.md: expected 0.665 0.245 0.090, got $(/opt/readme/main)"
cameo compile scale.onnxtxt --emit=exe -o /opt/scale && /opt/scale >/dev/null
cameo tune scale.onnxtxt --records /opt/scale.jsonl --trials 4 --progress none >/dev/null && [ -s /opt/scale.jsonl ] || fail "cameo tune: expected records"
! is_installed libnats3.4 || fail "cameo: expected to need no NATS"
cameo farm status --server nats://127.0.0.1:1 2>&1 | grep -q "it is in the package cameo-farm" || fail "cameo farm: expected the name of its package"
install cameo-farm nats-server
cameo farm keygen /opt/key >/dev/null && cameo farm start /opt/farm --port 0 --detach >/dev/null
cameo farm agent --key test --server /opt/farm/url --trust /opt/key.pub >/opt/agent.log 2>&1 & agent=$!
cameo tune scale.onnxtxt --records /opt/by-farm.jsonl --trials 4 --progress none --measure farm:/opt/farm/url --key test --signing-key /opt/key >/dev/null && [ -s /opt/by-farm.jsonl ] || fail "cameo tune --measure=farm: expected records"
kill $agent && cameo farm stop /opt/farm
cmake -S c -B build/c >/dev/null && cmake --build build/c >/dev/null
expect cmake "$(build/c/two_models)"
cmake -S cpp -B build/cpp >/dev/null && cmake --build build/cpp >/dev/null
expect cmake-cpp "$(build/cpp/two_models)"
make -C make >/dev/null
expect pkg-config "$(make/two_models)"
for file in man/man1/cameo-compile.1 bash-completion/completions/cameo; do
  ls /usr/share/$file* >/dev/null || fail "cameo: expected /usr/share/$file"
done

# ---- libcameo-gpu-emulator, in the place of a driver ----
install libcameo-gpu-emulator
CAMEO_CUDA_DRIVER=$(ls /usr/lib/*/cameo/cameo-gpu-emulator.so) cameo verify scale.onnxtxt --gpu=sm_80 --gpu-code=host >/dev/null
echo "emulator: verified"

# ---- the cross package, on amd64 ----
if ls /opt/debs/libcameo-rt-dev-arm64-cross_* >/dev/null 2>&1; then
  install libcameo-rt-dev-arm64-cross
  cmake -S c -B build/cross -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc >/dev/null
  cmake --build build/cross >/dev/null
  expect aarch64 "$(qemu-aarch64 -L /usr/aarch64-linux-gnu build/cross/two_models)"
fi

# ---- libcameo-dev ----
install libcameo-dev
cmake -S embed -B build/embed >/dev/null && cmake --build build/embed >/dev/null && build/embed/embed
echo "embed: built and run"
if [ -n "${PLUGIN:-}" ]; then
  install libmlir-22-dev mlir-22-tools llvm-22-dev
  cmake -S plugin -B build/plugin >/dev/null && cmake --build build/plugin >/dev/null
  cameo verify plugin/softclip.onnxtxt --plugin="$(find build/plugin -name '*.so' | head -n 1)"
  echo "plugin: built and used"
fi

# ---- libcameo-rt-dev alone, with what was compiled ----
cameo compile scale.onnxtxt --emit=lib -o /opt/scale.so
apt-get remove -y -qq cameo libcameo0 libcameo-dev >/dev/null
! is_installed libcameo0 && [ ! -e /usr/bin/cameo ] || fail "expected the compiler to be gone"
rm -f make/two_models && make -C make -o scale.o -o clip.o -o scale.h -o clip.h two_models CAMEO=false >/dev/null
expect runtime "$(make/two_models)"
python3 - <<'PROGRAM'
import sys
sys.path.insert(0, "/usr/share/cameo/python")
import cameo
import numpy as np
assert cameo.load("/opt/scale.so")(x=np.array([1, 2, 3, 4], np.float32))["y"].tolist() == [3, 6, 9, 12]
PROGRAM
echo "python: 3 6 9 12"

apt-get remove -y -qq cameo-farm 'libcameo*' >/dev/null
left=$(find /usr -path '*cameo*' -not -path '/usr/share/doc/*' | head -n 5)
[ -z "$left" ] || fail "expected nothing to stay behind, got $left"
echo "all packages installed, used and removed"
TEXT
# With a /proc of its own, through which programs name files that have no name, and a root that is a mount, as on a machine: the sandbox of the farm's agent makes it private.
PLUGIN=$plugin unshare --pid --fork --mount bash -c 'mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && exec chroot "$0" /bin/bash /opt/run.sh' "$root"
