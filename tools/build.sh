# Sourced by tools/run, tools/test and tools/check: packages, configuration and build of one build directory.
# Everything said here goes to stderr; build output goes to a log and is shown only when the build fails.
# Exit codes follow the program's: 4 environment (something is missing here), 70 internal (our code does not build).

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
command_name=tools/$(basename -- "$0")

# Debian and Ubuntu names. What the program needs to build, and what the tests need beside it.
program_packages=(cmake ninja-build g++ libcli11-dev libfmt-dev nlohmann-json3-dev libyaml-cpp-dev libtomlplusplus-dev
  libexpected-dev libcurl4-openssl-dev ca-certificates)
test_packages=(libgtest-dev libgmock-dev libbenchmark-dev python3)

say() { printf '%s: %s\n' "$command_name" "$*" >&2; }

stop() { # stop EXIT_CODE MESSAGE...
  say "${@:2}"
  exit "$1"
}

# A tool that is on PATH counts as installed whatever brought it; a library counts when its package is installed.
is_installed() {
  case $1 in
    cmake | python3) command -v "$1" >/dev/null ;;
    ninja-build) command -v ninja >/dev/null ;;
    g++) command -v "${CXX:-g++}" >/dev/null ;;
    *) [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]] ;;
  esac
}

missing_packages() { # missing_packages PACKAGE...: those not installed, one line
  local package missing=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  printf '%s' "${missing[*]}"
}

# Runs "$@" with its output in a log, which is shown when it fails.
logged() { # logged LOG COMMAND...
  local log=$1
  shift
  "$@" >"$log" 2>&1 </dev/null && return 0
  cat "$log" >&2
  return 1
}

# Installs what is missing through apt, as root or through sudo. Elsewhere it only says what the build needs: libraries
# from another source may still be found when CMake looks for them.
install_packages() { # install_packages BUILD_DIRECTORY PACKAGE...
  local log=$1/packages.log as_root=() missing
  shift
  missing=$(missing_packages "$@")
  [[ -n $missing ]] || return 0
  if ! command -v apt-get >/dev/null; then
    say "no apt here; the build needs these (Debian names): $missing"
    return 0
  fi
  if [[ $(id -u) != 0 ]]; then
    if ! command -v sudo >/dev/null; then
      stop 4 "needs packages; run as root: apt-get install $missing"
    fi
    as_root=(sudo)
    [[ -t 0 ]] || as_root=(sudo -n)
  fi
  say "installing $missing"
  mkdir -p "$(dirname -- "$log")"
  # shellcheck disable=SC2086  # a list of package names
  if ! { logged "$log" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q update &&
    logged "$log" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get -q install -y --no-install-recommends $missing; }; then
    stop 4 "could not install; run as root: apt-get update && apt-get install $missing"
  fi
}

# As many compilers as there are processors, but no more than the free memory carries (about 1 GiB each).
build_jobs() {
  local processors gibibytes
  processors=$(nproc)
  gibibytes=$(awk '/^MemAvailable:/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null)
  if [[ -n $gibibytes ]] && ((gibibytes < processors)); then
    processors=$((gibibytes > 0 ? gibibytes : 1))
  fi
  printf '%s' "$processors"
}

configure() { # configure PRESET CMAKE_OPTION...
  local directory=$root/build/$1
  mkdir -p "$directory"
  logged "$directory/configure.log" cmake -S "$root" --preset "$@" ||
    stop 4 "cmake could not configure build/$1; the program needs CMake 3.25, a C++20 compiler and these packages" \
      "(Debian names): ${program_packages[*]}"
}

# Silent when there is nothing to build. On a terminal it counts; elsewhere it says once that it builds.
run_ninja() { # run_ninja PRESET TARGET...
  local directory=$root/build/$1 line said=0
  shift
  NINJA_STATUS='[%f/%t] ' ninja -C "$directory" -j "$(build_jobs)" "$@" </dev/null 2>&1 |
    while IFS= read -r line; do
      printf '%s\n' "$line"
      [[ $line =~ ^\[([1-9][0-9]*/[0-9]+)\] ]] || continue
      ((said++)) || say "building (minutes the first time; log: ${directory#"$root/"}/build.log)"
      [[ ! -t 2 ]] || printf '\r%s \r' "${BASH_REMATCH[1]}" >&2
    done >"$directory/build.log"
  return "${PIPESTATUS[0]}"
}

# Builds TARGETS of build/PRESET. Packages are looked at only if there is no build yet or if the build fails, so that a
# re-run with nothing to do costs one ninja call. One build at a time per directory.
build() { # build PRESET "PACKAGES" "CMAKE_OPTIONS" TARGET...
  local preset=$1 packages=$2 options=$3 directory=$root/build/$1 lock=
  shift 3
  mkdir -p "$directory"
  if command -v flock >/dev/null; then
    exec {lock}>"$directory/.lock"
    flock "$lock"
  fi
  # shellcheck disable=SC2086  # lists of words
  if is_configured "$directory" $options; then
    run_ninja "$preset" "$@" || {
      [[ -n $(missing_packages $packages) ]] || build_failed "$preset"
      install_packages "$directory" $packages
      run_ninja "$preset" "$@" || build_failed "$preset"
    }
  else
    install_packages "$directory" $packages
    configure "$preset" $options
    run_ninja "$preset" "$@" || build_failed "$preset"
  fi
  [[ -z $lock ]] || exec {lock}>&-
}

build_failed() {
  grep -v '^\[[0-9]*/[0-9]*\] \(Building\|Linking\)' "$root/build/$1/build.log" >&2
  stop 70 "the build failed; the whole log is build/$1/build.log"
}

# The directory is configured and its cache holds each -DNAME=VALUE of the options.
is_configured() { # is_configured DIRECTORY -DNAME=VALUE...
  local directory=$1 option
  shift
  [[ -f $directory/build.ninja ]] || return 1
  for option in "$@"; do
    option=${option#-D}
    grep -q "^${option%%=*}:[A-Z]*=${option#*=}\$" "$directory/CMakeCache.txt" || return 1
  done
}
