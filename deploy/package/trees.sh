# The trees that packages are built in; to be sourced after environment.sh. Each make_NAME makes one in the given folder.
# shellcheck shell=bash disable=SC2034

# The compiler: Debian's Swift, of which trixie has one that is too old (6.0).
sid_packages=swiftlang,libc6-dev,libstdc++-16-dev,git,ca-certificates,pkg-config

# What the programs are compiled and linked against. No libcamera: the daemon must not know it.
sysroot_packages=libc6-dev,libstdc++-14-dev,libgcc-14-dev,linux-libc-dev,zlib1g-dev
sysroot_packages+=,libgpiod-dev,libzbar-dev,libjpeg62-turbo-dev,libpng-dev
sysroot_packages+=,libwebp-dev,libheif-dev,libde265-dev,libdav1d-dev,libgif-dev,libtiff-dev
sysroot_packages+=,libsqlite3-dev,libmosquitto-dev,libcurl4-openssl-dev,libssl-dev,libseccomp-dev,libqrencode-dev

# The C++ compilers of the release that the plugins run on, and what makes and checks packages.
tools_packages=dpkg-dev,g++,g++-aarch64-linux-gnu,cmake,python3-minimal,lintian,qemu-user,man-db
for arch in amd64 arm64; do
    for library in libc6 libstdc++6 libgcc-s1 zlib1g libgpiod3 libzbar0t64 libjpeg62-turbo libpng16-16t64 \
        libwebp7 libwebpdemux2 libheif1 libde265-0 libdav1d7 libgif7 libtiff6 \
        libsqlite3-0 libmosquitto1 libcurl4t64 libssl3t64 libseccomp2 libqrencode4 libcamera0.4; do
        tools_packages+=,$library:$arch
    done
done

# Debian's sid with Swift, and beside it, in /opt/swift/ARCH, the modules and static archives of the same Swift for the
# architectures that packages are built for.
make_swift() {
    # shellcheck disable=SC2016  # the hook's shell expands these
    bootstrap "$1" sid --variant=apt --architectures=amd64,arm64 --include="$sid_packages" --customize-hook='
        set -e
        cd "$1"
        mkdir -p opt/swift/debs
        chroot . sh -c "cd /opt/swift/debs && apt-get download libswiftlang:amd64 libswiftlang:arm64 swiftlang:amd64 swiftlang:arm64"
        for arch in amd64 arm64; do
            mkdir -p opt/swift/unpacked
            for deb in opt/swift/debs/*_"$arch".deb; do
                dpkg-deb --fsys-tarfile "$deb" | tar -x -C opt/swift/unpacked --wildcards \
                    "./usr/libexec/swift/lib/swift/*" "./usr/libexec/swift/lib/swift_static/*" || [ $? = 2 ]
            done
            mkdir opt/swift/"$arch"
            mv opt/swift/unpacked/usr/libexec/swift/lib/swift opt/swift/unpacked/usr/libexec/swift/lib/swift_static opt/swift/"$arch"
            rm -rf opt/swift/unpacked
            # Their links to the headers of clang dangle here: the ones of the compiler that runs are meant.
            for kind in swift swift_static; do
                rm -rf opt/swift/"$arch"/$kind/clang
                ln -s /usr/libexec/swift/lib/clang/17 opt/swift/"$arch"/$kind/clang
            done
            rm -rf opt/swift/"$arch"/swift/host
        done
        rm -rf opt/swift/debs'
}

make_sysroot_amd64() { bootstrap "$1" trixie --variant=extract --architectures=amd64 --include="$sysroot_packages"; }
make_sysroot_arm64() { bootstrap "$1" trixie --variant=extract --architectures=arm64 --include="$sysroot_packages"; }

# Trixie with both architectures' libraries, and in /opt/libcamera/VERSION/ARCH the headers and libraries of each libcamera
# that a plugin is built for.
make_tools() {
    # shellcheck disable=SC2016
    bootstrap "$1" trixie --variant=apt --architectures=amd64,arm64 --include="$tools_packages" --customize-hook='
        set -e
        cd "$1"
        sed "s/ trixie / trixie-backports /; s/^Suites: trixie\$/Suites: trixie-backports/" etc/apt/sources.list >etc/apt/sources.list.d/backports.list
        chroot . apt-get -q update
        mkdir -p opt/debs
        for arch in amd64 arm64; do
            for version in 0.4 0.7; do
                suite=trixie
                [ $version = 0.4 ] || suite=trixie-backports
                chroot . sh -c "cd /opt/debs && apt-get download libcamera-dev:$arch/$suite libcamera$version:$arch/$suite"
                mkdir -p opt/libcamera/$version/$arch
                for deb in opt/debs/*.deb; do dpkg-deb -x "$deb" opt/libcamera/$version/$arch; done
                rm -f opt/debs/*.deb
            done
        done
        rm -r opt/debs etc/apt/sources.list.d/backports.list'
}

# A plain Debian, as it is before the package is installed.
make_target_amd64() { bootstrap "$1" trixie --variant=minbase --architectures=amd64; }
make_target_arm64() { bootstrap "$1" trixie --variant=minbase --architectures=arm64; }
