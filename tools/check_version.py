#!/usr/bin/env python3
"""Do CMakeLists.txt, web/package.json, the changelog and the tag name the same version?

    tools/check_version.py [--tag v1.2.3]     exit code 1: they do not, and why

Without --tag the tag is that of the commit, where it has one. Between releases the changelog begins
with "## Unreleased", and its first numbered heading is not above the version of the program.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def text_of(name, root=ROOT):
    return (root / name).read_text(encoding="utf-8")


def tag_of_commit(root):
    done = subprocess.run(["git", "-C", str(root), "describe", "--tags", "--exact-match", "--match",
                           "v[0-9]*"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


def parts(version):
    return tuple(int(n) for n in version.split("."))


def faults(cmake, package, changelog, tag):
    found = re.search(r"^\s+VERSION (\d+\.\d+\.\d+)$", cmake, re.M)
    if not found:
        return ["CMakeLists.txt: no VERSION of three numbers"]
    version = found.group(1)
    wrong = []
    page = json.loads(package).get("version")
    if page != version:
        wrong.append(f"web/package.json: version {page}, but CMakeLists.txt has {version}")
    headings = re.findall(r"^## (.+)$", changelog, re.M)
    released = [m.group(1) for h in headings if (m := re.match(r"(\d+\.\d+\.\d+)\b", h))]
    if not released:
        wrong.append("CHANGELOG.md: no heading with a version (## 1.2.3: ...)")
    elif parts(released[0]) > parts(version):
        wrong.append(f"CHANGELOG.md: {released[0]} is above {version} of CMakeLists.txt")
    if sorted(released, key=parts, reverse=True) != released:
        wrong.append("CHANGELOG.md: versions are not in order, the newest first")
    if headings and headings[0] != "Unreleased" and (not released or released[0] != version):
        wrong.append(f"CHANGELOG.md: begins neither with Unreleased nor with {version}")
    if tag:
        if tag != f"v{version}":
            wrong.append(f"tag {tag}: CMakeLists.txt has {version}")
        if version not in released:
            wrong.append(f"tag {tag}: CHANGELOG.md has no heading ## {version}")
        if headings and headings[0] == "Unreleased":
            wrong.append(f"tag {tag}: CHANGELOG.md still begins with Unreleased")
    return wrong


def check_itself():
    """What is wrong is found: each line is a fault of its own."""
    cmake = "project(\n    VERSION 1.2.3\n"
    package = '{"version": "1.2.3"}'
    log = "## 1.2.3: news\n## 1.2.2\n"
    cases = [((cmake, package, log, None), 0), ((cmake, package, log, "v1.2.3"), 0),
             ((cmake, package, "## Unreleased\n" + log, None), 0),
             ((cmake, package, "## Unreleased\n" + log, "v1.2.3"), 1),
             ((cmake, package, "## Unreleased\n## 1.2.2\n", "v1.2.3"), 2),
             ((cmake, package, log, "v1.2.4"), 1),
             ((cmake, '{"version": "1.2.2"}', log, None), 1),
             ((cmake, package, "## 1.3.0\n" + log, None), 2),
             ((cmake, package, "## 1.2.2\n## 1.2.3\n", None), 2),
             ((cmake, package, "nothing\n", None), 1), (("", package, log, None), 1)]
    for case, count in cases:
        assert len(faults(*case)) == count, (case, faults(*case))


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("--tag", help="as if the commit had this tag")
    wanted = arguments.parse_args()
    check_itself()
    wrong = faults(text_of("CMakeLists.txt"), text_of("web/package.json"), text_of("CHANGELOG.md"),
                   wanted.tag or tag_of_commit(ROOT))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
