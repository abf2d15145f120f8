#!/usr/bin/env python3
"""What karikomi is made of: Debian packages and npm packages with version and licence.

    tools/sbom.py > sbom.json     CycloneDX 1.5
    tools/sbom.py --text          a table
    tools/sbom.py --check         exit code 1: a licence that is not known to go with ours

Works offline: versions come from dpkg and web/package-lock.json, licences from
/usr/share/doc/PACKAGE/copyright and the lock file.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What ends up in the program. Compilers and tests do not.
DEBIAN = {
    "libcli11-dev": "headers",
    "libcpp-httplib-dev": "linked",
    "libeigen3-dev": "headers",
    "libfmt-dev": "linked",
    "libnats-dev": "linked",
    "libspdlog-dev": "linked",
    "libsqlitecpp-dev": "linked",
    "libsqlite3-dev": "linked",
    "libssl-dev": "linked",
    "libzstd-dev": "linked",
    "nlohmann-json3-dev": "headers",
}
GOOD = re.compile(
    r"MIT|Expat|BSD|Apache|MPL|Zlib|ISC|BSL|Boost|public.domain|Unlicense|0BSD|CC0", re.I)


def debian_version(name):
    done = subprocess.run(["dpkg-query", "-W", "-f=${Version}", name], capture_output=True,
                          text=True, check=False)
    return done.stdout or None


def debian_licences(name):
    file = pathlib.Path("/usr/share/doc") / name / "copyright"
    if not file.exists():
        return []
    text = file.read_text(encoding="utf-8", errors="replace")
    # Only the paragraph of all files: others are of the packaging, tests and documentation.
    for part in re.split(r"\n\s*\n", text):
        if re.search(r"^Files:\s*\*", part, re.M):
            return re.findall(r"^License:\s*(\S.*)$", part, re.M)
    found = re.findall(r"^License:\s*(\S.*)$", text, re.M)
    if found:
        return sorted(set(found))
    for word in ("public domain", "Apache", "MIT", "BSD"):
        if word.lower() in text.lower():
            return [word]
    return []


def npm_packages():
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))
    for path, package in lock.get("packages", {}).items():
        if path:
            name = path.split("node_modules/")[-1]
            scope = "development" if package.get("dev") else "linked"
            yield name, package.get("version"), [package.get("license", "")], scope


def components():
    # On other systems their packages have other names.
    for name, scope in DEBIAN.items() if shutil.which("dpkg-query") else []:
        yield "deb", name, debian_version(name), debian_licences(name), scope
    for name, version, licences, scope in npm_packages():
        yield "npm", name, version, licences, scope


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    arguments.add_argument("--text", action="store_true")
    arguments.add_argument("--check", action="store_true")
    wanted = arguments.parse_args()
    parts = sorted(components())
    wrong = [p for p in parts if not p[2] or not any(GOOD.search(text) for text in p[3])]
    if wanted.check:
        for kind, name, version, licences, _ in wrong:
            print(f"{kind} {name} {version or 'not installed'}: {', '.join(licences) or 'none'}")
        print(f"{len(parts)} packages, {len(wrong)} to look at")
        return 1 if wrong else 0
    if wanted.text:
        for kind, name, version, licences, scope in parts:
            print(f"{kind:4} {name:40} {version or '?':28} {scope:12} {', '.join(licences)}")
        return 0
    out = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
           "metadata": {"component": {"type": "application", "name": "karikomi"}},
           "components": [{"type": "library", "name": name, "version": version or "",
                           "purl": f"pkg:{kind}/{'debian/' if kind == 'deb' else ''}"
                                   f"{name.replace('@', '%40')}@{version}",
                           "scope": "optional" if scope == "development" else "required",
                           "licenses": [{"license": {"name": text}} for text in licences]}
                          for kind, name, version, licences, scope in parts]}
    json.dump(out, sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
