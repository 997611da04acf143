#!/usr/bin/env bash
# Brings a real bitcoind (Bitcoin Knots, as Debian packages it) for the tests and the sandbox, into
# DIR or ~/.cache/sluice/bitcoind. Nothing is installed: apt fetches the packages of a newer suite
# and checks their signatures, and they are unpacked beside a libc of their own. Linux on amd64 with
# apt; no root is needed. Ends with a reason and another status than 0 where it cannot be had.
# usage: tools/get-bitcoind.sh [DIR] [SUITE]
set -euo pipefail

dir=${1:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/sluice/bitcoind}
suite=${2:-forky}
if [ -x "$dir/bitcoind" ]; then
  echo "$dir/bitcoind is there already"
  exit 0
fi
fail() {
  echo "get-bitcoind: $1" >&2
  exit 1
}
command -v apt-get >/dev/null || fail 'there is no apt-get here'
[ "$(uname -m)" = x86_64 ] || fail "there is no package for $(uname -m)"

# Into a folder beside, that half of it never counts as there.
mkdir -p "$(dirname "$dir")"
work=$(mktemp -d "$dir.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/apt/{lists/partial,cache/archives/partial,state} "$work"/debs "$work"/system
: >"$work/apt/state/status"

# The archive that this machine already uses, whatever its name.
archive=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
  grep -oE 'https?://[^ ]+/debian/?$' | head -1 || true)
[ -n "$archive" ] || fail 'found no Debian archive in the apt sources'
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$keyring" ] || fail "there is no $keyring"
echo "deb [signed-by=$keyring] $archive $suite main" >"$work/apt/sources.list"
cat >"$work/apt/apt.conf" <<CONFIG
Dir::Etc::sourcelist "$work/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::State "$work/apt/state";
Dir::State::lists "$work/apt/lists";
Dir::State::status "$work/apt/state/status";
Dir::Cache "$work/apt/cache";
APT::Install-Recommends "false";
APT::Architecture "amd64";
CONFIG
export APT_CONFIG="$work/apt/apt.conf"
apt-get -qq update
(
  cd "$work/debs"
  apt-get -qq download bitcoin-knots libc6 libgcc-s1 libstdc++6 libevent-core-2.1-7t64 \
    libevent-extra-2.1-7t64 libevent-pthreads-2.1-7t64 libsqlite3-0 libzmq5 libsodium26 libnorm1t64 \
    libpgm-5.3-0t64 libbsd0 libmd0 libgssapi-krb5-2 libkrb5-3 libk5crypto3 libkrb5support0 \
    libcom-err2 libkeyutils1 libssl3t64 zlib1g libzstd1
)
for deb in "$work"/debs/*.deb; do dpkg-deb -x "$deb" "$work/system"; done
rm -rf "$work/debs" "$work/apt"
# The folder is found from the program itself, so that it may lie anywhere.
cat >"$work/bitcoind" <<'PROGRAM'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/system/usr/lib64/ld-linux-x86-64.so.2" \
  --library-path "$here/system/usr/lib/x86_64-linux-gnu" "$here/system/usr/bin/bitcoind" "$@"
PROGRAM
chmod +x "$work/bitcoind"
HOME="$work" "$work/bitcoind" -version | head -1
chmod 755 "$work"
mv -T "$work" "$dir"
trap - EXIT
