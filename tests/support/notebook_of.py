"""notebook_of.py PAGE.md | SCRIPT.lua: prints a Jupyter notebook without outputs.

Of a page: its headings and texts, and its Lua blocks as cells; a block that is meant to fail may fail there, and one
that is only a fragment stays a text. Of a script: a text for each comment after an empty line, a cell for the code
below it, and a value that it prints on its own is a value that the cell shows.
"""

import json
import re
import sys


def without_links(text):
    """Links lead nowhere from a notebook's folder, so only their words stay."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def of_page(lines):
    text, block, marks, cells, language = [], None, set(), [], ""

    def end_text():
        words = without_links("\n".join(text)).strip("\n")
        text.clear()
        if words:
            cells.append(("markdown", words, False))

    for line in lines:
        if block is not None:
            if line != "```":
                block.append(line)
                continue
            if language == "lua" and "check: no" not in marks:
                end_text()
                cells.append(("code", "\n".join(block), "fails" in marks))
            elif "output" not in marks:
                text.extend(["```" + language, *block, "```"])
            block, marks = None, set()
        elif line.startswith("```"):
            block, language = [], line[3:]
        elif line.startswith("<!-- "):
            marks.add(line[5:-4].strip())
        else:
            if line:
                marks = set()
            text.append(line)
    end_text()
    return cells


def of_script(lines):
    cells, texts, code = [], [], []

    def end():
        if texts:
            cells.append(("markdown", "\n".join(texts), False))
        source = "\n".join(code).strip("\n")
        whole = re.fullmatch(r"(.*\n)?print\(((?:[a-z]+:|stats\.)[^\n]*)\)", source, re.DOTALL)
        if whole:
            source = (whole.group(1) or "") + whole.group(2)
        if source:
            cells.append(("code", source, False))
        texts.clear()
        code.clear()

    before = ""
    for number, line in enumerate(lines):
        comment = line.startswith("-- ")
        if comment and (before == "" or (texts and not code)):
            if code:
                end()
            words = line[3:]
            if not re.match(r"(takes|test):|perigee run", words):
                texts.append("# " + words.rstrip(".") if number == 0 else words)
        else:
            code.append(line)
        before = line
    end()
    return cells


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    cells = []
    for number, (kind, source, fails) in enumerate(of_page(lines) if path.endswith(".md") else of_script(lines)):
        cell = {"cell_type": kind, "id": f"cell-{number + 1}", "metadata": {}}
        if fails:
            cell["metadata"] = {"tags": ["raises-exception"]}
        if kind == "code":
            cell.update(execution_count=None, outputs=[])
        cell["source"] = source.splitlines(keepends=True)
        cells.append(cell)
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "perigee", "language": "lua", "name": "perigee"},
            "language_info": {"file_extension": ".lua", "mimetype": "text/x-lua", "name": "lua", "pygments_lexer": "lua"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    print(json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=False))


if __name__ == "__main__":
    main()
