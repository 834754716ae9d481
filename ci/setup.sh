# Sourced by the scripts of this folder: limbic_need installs the Debian packages that are missing.

# limbic_need PACKAGE...: with apt-get if this is root or sudo asks for no password; else names them and exits 2.
limbic_need() {
    local package sudo="" missing=()
    if ! command -v dpkg-query >/dev/null; then
        echo "setup: no dpkg here, so nothing is installed; these Debian packages, or what stands for them, are needed: $*"
        return
    fi
    for package; do
        dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            sudo="sudo -n"
        else
            echo "setup: these Debian packages are missing: ${missing[*]}"
            echo "setup: install them and run this again: sudo apt-get install --no-install-recommends ${missing[*]}"
            exit 2
        fi
    fi
    echo "setup: installing ${missing[*]}"
    limbic_apt install "${missing[@]}" >/dev/null 2>&1 && return
    # The lists may be missing or old.
    if ! { limbic_apt update && limbic_apt install "${missing[@]}"; } >"${TMPDIR:-/tmp}/limbic-apt.$$" 2>&1; then
        tail -n 20 "${TMPDIR:-/tmp}/limbic-apt.$$"
        rm -f "${TMPDIR:-/tmp}/limbic-apt.$$"
        echo "setup: apt-get could not install ${missing[*]}"
        exit 2
    fi
    rm -f "${TMPDIR:-/tmp}/limbic-apt.$$"
}

# apt-get as limbic_need uses it, with its own variable sudo.
limbic_apt() {
    local quiet=(-y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends)
    [ "$1" != update ] || quiet=(-qq)
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get "$1" "${quiet[@]}" "${@:2}" </dev/null
}
