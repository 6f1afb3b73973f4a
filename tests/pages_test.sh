#!/bin/bash
# HTML pages in headless Chromium and Firefox: the front end of runtime/pages on pages of invented data. Nothing is
# requested, names are text, and search, clicks, keys, sorting, filters, downloads and printing work.
here=$(CDPATH='' cd -- "${BASH_SOURCE%/*}" && pwd -P)
. "$here/opening.sh"

# ---- the parts can stand inside a page, and are small
assets=$here/../runtime/pages/assets
size=$(cat "$assets"/*.js "$assets"/*.css | wc -c)
[ "$size" -le 200000 ] || complain "scripts and styles of a page have $size bytes, which is more than 200,000"
grep -lE '</(script|style)|<!--|<script' "$assets"/*.js "$assets"/*.css && complain 'these would end the element that they stand in'
grep -nE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://' "$assets"/*.js |
  grep -v 'http://www\.w3\.org/2000/svg' && complain 'these read texts as markup or code, or name an address'

# ---- in browsers
python=/usr/bin/python3
[ -x $python ] || python=$(command -v python3) || { echo 'skipped: no python3 to drive browsers with'; exit $((failures > 0)); }
"$python" -B "$here/pages_in_browsers.py" || { [ $? = 77 ] || complain 'pages in browsers'; }
exit $((failures > 0))
