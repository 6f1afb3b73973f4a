#!/bin/sh
# manual.sh PROGRAM FOLDER MAINTAINER: writes what is installed beside the program and made of its own words. These are
# the manual pages of the program and its commands, the reference page, types for editors, and Debian's changelog.
set -eu
program=$1
folder=$2
maintainer=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
version=$("$program" version | cut -d ' ' -f 2)
rm -rf "$folder"
mkdir -p "$folder/man" "$folder/editor"

page() {  # COMMAND TEXT
  # shellcheck disable=SC2086
  "$program" $1 --help | awk -v command="$1" -v version="$version" -f "$here/manual.awk" - "$2"
}

page '' "$here/perigee.txt" >"$folder/man/perigee.1"
for command in $("$program" --help | awk 'listed && NF { print $1 } /^Subcommands:/ { listed = 1 }'); do
  page "$command" "$here/command.txt" >"$folder/man/perigee-$command.1"
done
gzip -9n "$folder"/man/*.1

"$program" reference --out "$folder/editor" >"$folder/editor/written"
rm "$folder/editor/written"
mv "$folder/editor/reference.md" "$folder"

# The date is that of the latest commit, so that the same sources make the same package.
seconds=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct 2>/dev/null || date +%s)}
gzip -9n >"$folder/changelog.gz" <<CHANGES
perigee ($version) unstable; urgency=medium

  * Version $version. The pages in this folder say what it does.

 -- $maintainer  $(LC_ALL=C date -u -R -d "@$seconds")
CHANGES
