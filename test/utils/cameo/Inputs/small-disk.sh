#!/bin/sh
# usage: unshare -rm small-disk.sh FOLDER COMMAND...: runs the command with FOLDER on a disk of 4 KiB, and says how it ended and what it left there.
folder=$1
shift
mount -t tmpfs -o size=4k tmpfs "$folder" || exit 2
"$@"
echo "status $?"
ls "$folder"
