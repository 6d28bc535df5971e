# Shared by ./run and ./test: what must be installed, how the tree is configured and built.
# Sourced, not executed. Needs bash.

IRON_TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
IRON_BUILD=${IRON_BUILD:-$IRON_TOP/build}
# The same sources in two build folders share one compiler cache.
export CCACHE_BASEDIR=/ CCACHE_NOHASHDIR=1

IRON_PACKAGES_BUILD="g++ cmake ninja-build ccache pkg-config git python3 python3-glad
  libenet-dev libflatbuffers-dev flatbuffers-compiler libasio-dev libsdl2-dev libgl-dev libegl-dev libgl1-mesa-dri
  libopenal-dev zlib1g-dev libglm-dev libspdlog-dev libfmt-dev libcli11-dev nlohmann-json3-dev
  libtomlplusplus-dev libexpected-dev libsodium-dev libsndfile1-dev libpng-dev libstb-dev libcpp-httplib-dev
  libxxhash-dev libfreetype-dev fonts-dejavu-core"
IRON_PACKAGES_TEST="catch2 libbenchmark-dev clang libclang-rt-14-dev qemu-user g++-aarch64-linux-gnu"
IRON_PACKAGES_ARM64="zlib1g-dev:arm64 libsodium-dev:arm64"

say() { printf '%s\n' "== $*"; }
die() { printf '%s\n' "error: $*" >&2; exit 4; }

installed() { dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "root rights are needed for: $* (sudo is not installed)"
  fi
}

# install_packages NAME...: installs what is missing and says which; does nothing when all are there.
install_packages() {
  local missing=() name
  for name in "$@"; do installed "$name" || missing+=("$name"); done
  [ ${#missing[@]} -eq 0 ] && return 0
  command -v apt-get >/dev/null || die "this is not a Debian system; install the equivalents of: ${missing[*]}"
  say "installing missing packages: ${missing[*]}"
  as_root apt-get update -q >/dev/null || die "apt-get update failed"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" \
    >/dev/null || die "apt-get install failed for: ${missing[*]}"
}

install_arm64() {
  local name need=0
  for name in $IRON_PACKAGES_ARM64; do installed "$name" || need=1; done
  [ $need = 0 ] && return 0
  dpkg --print-foreign-architectures | grep -qx arm64 || as_root dpkg --add-architecture arm64
  install_packages $IRON_PACKAGES_ARM64
}

# configure DIR [cmake options]
configure() {
  local dir=$1 log
  shift
  mkdir -p "$dir"
  log=$dir/configure.log
  cmake -S "$IRON_TOP" -B "$dir" -G Ninja "$@" >"$log" 2>&1 || { tail -40 "$log" >&2; die "configuring $dir failed (see $log)"; }
}

# compile DIR [targets]: ninja shows its own progress on a terminal; elsewhere one line per tenth.
compile() {
  local dir=$1
  shift
  if [ -t 1 ]; then
    cmake --build "$dir" --target "${@:-all}" || die "the build failed"
  else
    cmake --build "$dir" --target "${@:-all}" >"$dir/build.log" 2>&1 &
    local pid=$! shown=-1 now
    while kill -0 "$pid" 2>/dev/null; do
      sleep 2
      now=$(tail -c 4000 "$dir/build.log" 2>/dev/null | grep -oE '^\[[0-9]+/[0-9]+\]' | tail -1 | tr -d '[]' || true)
      if [ -n "$now" ]; then
        local tenth=$(( ${now%/*} * 10 / ${now#*/} ))
        [ "$tenth" != "$shown" ] && { shown=$tenth; printf '   %s\n' "$now"; }
      fi
    done
    wait "$pid" || { grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking)' "$dir/build.log" | tail -60 >&2; die "the build failed (see $dir/build.log)"; }
  fi
}
