# shellcheck shell=bash
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

# limbic_arm64_libs FOLDER PACKAGE...: the headers and static libraries of Debian's arm64 packages, unpacked into the folder (usr/include,
# usr/lib). The system is left as it is: apt-get keeps the arm64 lists in the folder too. Returns 1 where that does not work.
limbic_arm64_libs() {
    local folder=$1 package
    local arm64=(-qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o "Dir::State::lists=$folder/lists"
        -o "Dir::Cache=$folder" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root)
    [ ! -e "$folder/complete" ] || return 0
    rm -rf "$folder"
    mkdir -p "$folder/lists/partial" "$folder/archives/partial" || return
    apt-get "${arm64[@]}" update </dev/null || return
    (cd "$folder" && apt-get "${arm64[@]}" download "${@:2}" </dev/null) || return
    for package in "$folder"/*.deb; do dpkg -x "$package" "$folder" || return; done
    # Static libraries only: what a link to a shared one points to is in another package.
    find "$folder/usr/lib" -name '*.so' -delete
    rm -rf "$folder/lists" "$folder/archives" "$folder"/*.deb
    touch "$folder/complete"
}
