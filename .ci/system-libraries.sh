#!/bin/sh
# Install the system libraries that Qt and OpenCV open at run time, on Debian and its like.
# Elsewhere, or without the right to install, say in one line what is missing.
set -eu

wanted="libegl1:libEGL.so.1 libgl1:libGL.so.1 libglib2.0-0:libglib-2.0.so.0 libdbus-1-3:libdbus-1.so.3
libfontconfig1:libfontconfig.so.1 libxkbcommon0:libxkbcommon.so.0 libxkbcommon-x11-0:libxkbcommon-x11.so.0
libxcb-cursor0:libxcb-cursor.so.0 libxcb-icccm4:libxcb-icccm.so.4 libxcb-image0:libxcb-image.so.0
libxcb-keysyms1:libxcb-keysyms.so.1 libxcb-randr0:libxcb-randr.so.0 libxcb-render-util0:libxcb-render-util.so.0
libxcb-shape0:libxcb-shape.so.0 libxcb-xkb1:libxcb-xkb.so.1"

[ "$(uname -s)" = Linux ] || exit 0
PATH="$PATH:/sbin:/usr/sbin"
missing=""
for pair in $wanted; do
    ldconfig -p | grep -q "${pair#*:}" || missing="$missing ${pair%%:*}"
done
ls /usr/share/fonts/truetype/*/*.ttf >/dev/null 2>&1 || missing="$missing fonts-dejavu-core"
[ -n "$missing" ] || exit 0

as_root=""
[ "$(id -u)" = 0 ] || as_root="sudo"
if command -v apt-get >/dev/null 2>&1 && { [ -z "$as_root" ] || command -v sudo >/dev/null 2>&1; }; then
    echo "installing system libraries:$missing"
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
    echo "please install these system libraries, then run make again:$missing" >&2
    exit 1
fi
