#!/usr/bin/env python3
"""Makes the Debian packages of a build, looks at them with lintian, and runs what they hold from an empty folder:
test_package.py CPACK BUILD VERSION."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

cpack, build, version = sys.argv[1:]
major = version.split(".")[0]
config = f"{build}/CPackConfig.cmake"
passed = failed = skipped = 0
os.environ.update(LC_ALL="C.UTF-8")


def check(ok, what, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED: {what} {detail!s:.2000}")
    return ok


def skip(what, why):
    global skipped
    skipped += 1
    print(f"skipped: {what}: {why}")


def run(*command, **env):
    p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **env})
    return p.returncode, p.stdout


def control(deb, part):
    """A file of the control archive, or None."""
    p = subprocess.run(["dpkg-deb", "-I", deb, part], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return p.stdout if p.returncode == 0 else None


with tempfile.TemporaryDirectory(prefix="limbic-package.") as tmp:
    code, out = run(cpack, "-G", "DEB", "--config", config, "-B", f"{tmp}/refused", "-D", "CPACK_PACKAGING_INSTALL_PREFIX=/usr/local")
    check(code != 0 and "prefix /usr (cmake --preset deb)" in " ".join(out.split()), "another prefix is refused", out)

    code, out = run(cpack, "-G", "DEB", "--config", config, "-B", tmp, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")
    check(code == 0, "cpack", out)
    debs = {os.path.basename(d).split("_")[0]: d for d in glob.glob(f"{tmp}/*.deb")}
    library = f"liblimbic{major}"
    with open(config) as f:
        provider = {"limbic-provider"} if '"limbic-provider"' in f.read() else set()
    if check(set(debs) == {library, "liblimbic-dev", "limbic"} | provider, "the packages", sorted(debs)):
        for name, deb in debs.items():
            fields = dict(re.findall(r"(?m)^([\w-]+): (.*)$", control(deb, "control")))
            check(fields["Version"] == f"{version}-1" and fields["Package"] == name, f"{name}: name and version", fields)
            needs = {"limbic": library, "liblimbic-dev": library, "limbic-provider": "libssl3", library: "libc6"}[name]
            check(re.search(rf"\b{needs}\b", fields.get("Depends", "")), f"{name} depends on {needs}", fields)
        check(control(debs[library], "shlibs") == f"liblimbic {major} {library} (>= {version}-1)\n", "shlibs", control(debs[library], "shlibs"))
        check(control(debs[library], "triggers") == "activate-noawait ldconfig\n", "triggers", control(debs[library], "triggers"))

        if shutil.which("lintian"):
            code, out = run("lintian", "--allow-root", "--fail-on", "error", *debs.values())
            check(code == 0, "lintian: no errors", out)
            print(re.sub(r"(?m)^", "    ", out))
        else:
            skip("lintian", "not installed")

        root = f"{tmp}/root"
        for deb in debs.values():
            code, out = run("dpkg", "-x", deb, root)
            check(code == 0, f"dpkg -x {deb}", out)
        for name in debs:
            for document in "copyright", "changelog.gz", "changelog.Debian.gz":
                check(os.path.exists(f"{root}/usr/share/doc/{name}/{document}"), f"{name}: {document}")
        pages = glob.glob(f"{root}/usr/share/man/man?/*")
        check(len(pages) > 10 and all(p.endswith(".gz") for p in pages), "manual pages are compressed", pages)
        libdir = os.path.dirname(glob.glob(f"{root}/usr/lib/**/liblimbic.so.{major}", recursive=True)[0])
        for arguments in ["--version"], ["selftest"]:
            code, out = run(f"{root}/usr/bin/limbic", *arguments, LD_LIBRARY_PATH=libdir)
            check(code == 0, f"limbic {arguments[0]}", out)
        check("RUNPATH" not in run("readelf", "-d", f"{root}/usr/bin/limbic")[1], "the command has no run path")
        if not provider:
            skip("provider", "not built (LIMBIC_OPENSSL)")
        elif shutil.which("openssl"):
            code, out = run("openssl", "list", "-providers", OPENSSL_MODULES=f"{libdir}/ossl-modules", OPENSSL_CONF=f"{root}/usr/share/limbic/limbic.cnf")
            check(code == 0 and "limbic" in out, "openssl has the provider", out)
        else:
            skip("provider", "no openssl")

print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(failed > 0)
