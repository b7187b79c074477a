# Two commands matter: `make run` and `make test`. Each installs what is missing (all but Swift), builds, and does it.
SHELL := /bin/bash
.DEFAULT_GOAL := help

CONFIG ?= release
ARGS ?=
CORPUS ?= ../shared/corpus

# `make corpus`, `make live-corpus`: which ZXing-C++ to use instead of this machine's: 3.1.1 (the package's) or 2.3.0 (Debian 13's).
ZXING ?=
SCRATCH := .build$(if $(ZXING),/zxing-$(ZXING))
BUILD := $(SCRATCH)/$(CONFIG)
# What SwiftPM is told before the rest. SWIFTPM_BUILD_DIR would count for more than --scratch-path.
SWIFT_BUILD := $(if $(ZXING),zxing=$$(deploy/zxing $(ZXING)) && PKG_CONFIG_PATH=$$zxing/lib/pkgconfig$${PKG_CONFIG_PATH:+:$$PKG_CONFIG_PATH}) \
	$(if $(ZXING),env -u SWIFTPM_BUILD_DIR )swift build -c $(CONFIG)$(if $(ZXING), --scratch-path $(SCRATCH))

# `make stress`: how often, how many. CI has fewer.
KILLS ?= 200
MUTANT_KILLS ?= 30
CUTS ?= 40
LOSSES ?= 3
ROUNDS ?= 2
SCANS ?= 1000000
WAITING ?= 100000

# `make deb`: for which machines, as dpkg calls them.
ARCH ?= arm64 amd64

# `make repository`: which key signs it, and where it is made.
KEY ?=
FOLDER ?=

# `make lab`: power cuts of the virtual Pi, those until the station that doesn't flush must be caught, and those in a card's first boot.
# CI has fewer.
LAB_CUTS ?= 5
LAB_MUTANT_CUTS ?= 3
LAB_FLASH_CUTS ?= 2

# `make fuzz`: how long each target runs, or how long all take with the build; an hour when neither is said.
FUZZ_SECONDS ?=
FUZZ_TOTAL ?=
FUZZ_RUNS ?=

.PHONY: help deps build run test lint docs format bench bench-program stress fuzz sanitize corpus corpus-scan corpus-drawn corpus-package live-corpus check-service deb repository test-console test-image deb-reproducible deb-try lab lab-full clean

help:
	@echo 'make run          build and run the station: camera and lines of a Pi, else the built-in scene (ARGS="--config my.yaml")'
	@echo 'make test         build and pass every test'
	@echo 'make test-console walks through the console'"'"'s pages in Chromium: mouse, finger, keyboard, axe-core; first a mock, then the real station and console of .build (ARGS="--only torch", --mock, --build FOLDER, --url URL --key KEY)'
	@echo 'make bench        figures, as ratios against peers in the same run (CORPUS=$(CORPUS))'
	@echo 'make stress       kills, power cuts, full disks, lost journals, broken networks, a million scans; as root, takes a while (KILLS=$(KILLS) CUTS=$(CUTS) SCANS=$(SCANS))'
	@echo 'make fuzz         feeds mutated input to whatever takes it from strangers, for an hour (FUZZ_SECONDS= for each target, FUZZ_TOTAL= for all, FUZZ_RUNS=: this many executions, the same each time; ARGS=TARGET)'
	@echo 'make sanitize     every test under AddressSanitizer and under ThreadSanitizer (ARGS="thread -- StationTests": just that)'
	@echo 'make corpus       reads the picture corpus, and compares the counts with the expected ones'
	@echo 'make corpus-scan  the same pictures through `scanstation scan`: as many must be right as in make corpus'
	@echo 'make corpus-package  the same through the built package (make deb ARCH=amd64), with the libraries that it ships, against a table for those'
	@echo 'make corpus-drawn  codes that are drawn, small, blurred, slanted, on cans and waves, against a table; of ZXing-C++ 3.1.1 (ZXING=3.1.1)'
	@echo 'make live-corpus  shows each picture to a virtual camera for a second, and compares live reading with two libraries (ARGS="--step 9")'
	@echo 'make check-service  checks what the systemd units permit, and the station'"'"'s against what it does'
	@echo 'make deb          the Debian packages, into deploy/package/out (ARCH="$(ARCH)"); deb-try installs them, deb-reproducible builds twice'
	@echo 'make repository   a signed apt repository of the packages, in FOLDER=deploy/repository/out (KEY=, as gpg names it)'
	@echo 'make test-image   the tests of deploy/image: a card that installs ScanStation by itself'
	@echo 'make lab          the package in a virtual Pi: a real kernel with a GPIO chip and a camera, in QEMU; as root (LAB_CUTS=$(LAB_CUTS))'
	@echo 'make lab-full     the same with 50 power cuts, and on arm64; writes hardware/lab/report.md'
	@echo 'make docs         lists types, numbers and functions shared between modules whose comments lack meaning, unit or errors'
	@echo 'make lint         formatting and style, of Swift, C and scripts;  make format fixes what can be fixed'

deps:
	@deploy/install-dependencies

build: deps
	@$(SWIFT_BUILD) --product scanstation
	@$(SWIFT_BUILD) --product scanstation-reader
	@$(SWIFT_BUILD) --product scanstation-picture-reader
	@$(SWIFT_BUILD) --product scanstation-libcamera
	@$(SWIFT_BUILD) --product scanstation-console

run: build
	@$(BUILD)/scanstation run --simulate-missing $(ARGS)

test:
	@deploy/install-dependencies --tests
	@swift build --build-tests
	@deploy/run-tests

test-console:
	@deploy/console/walk $(ARGS)

lint:
	@deploy/install-dependencies --lint
	@swift format lint --strict -r Package.swift Sources Tests Benchmarks
	@deploy/check-c
	@deploy/check-scripts
	@deploy/console/check
	@deploy/check-style
	@deploy/check-docs
	@deploy/check-cache
	@deploy/check-packages
	@deploy/check-dependencies
	@deploy/check-launch
	@deploy/check-repair
	@deploy/package/check-preinst
	@deploy/check-service --units

docs:
	@deploy/check-docs

format:
	@deploy/install-dependencies --lint
	@swift format -i -r Package.swift Sources Tests Benchmarks
	@deploy/check-c --mend

bench: build bench-program
	@deploy/install-dependencies --tests
	@$(BUILD)/scanstation-bench all --corpus $(CORPUS)
	@Benchmarks/viewers --build $(BUILD)
	@deploy/console/walk --build $(BUILD) --frames 200
	@Benchmarks/storm --build $(BUILD)

bench-program: deps
	@$(SWIFT_BUILD) --product scanstation-bench

stress: bench-program
	@deploy/install-dependencies --tests
	@$(SWIFT_BUILD) --product scanstation-reader
	@$(SWIFT_BUILD) --product scanstation-picture-reader
	@$(SWIFT_BUILD) --product scanstation-powercut
	@$(BUILD)/scanstation-bench stress --kills $(KILLS) --mutant-kills $(MUTANT_KILLS) --cuts $(CUTS) --losses $(LOSSES) --rounds $(ROUNDS) --scans $(SCANS) \
		--waiting $(WAITING) $(ARGS)

fuzz: deps
	@FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_TOTAL=$(FUZZ_TOTAL) FUZZ_RUNS=$(FUZZ_RUNS) deploy/fuzz $(ARGS)

sanitize:
	@deploy/install-dependencies --tests
	@deploy/sanitize $(ARGS)

# Another ZXing-C++ than Debian 12's reads something else: it has a table of its own.
corpus: build bench-program
	@$(BUILD)/scanstation-bench corpus --corpus $(CORPUS) --expected Benchmarks/corpus-expected$(if $(ZXING),-zxing-$(ZXING)).tsv

# The same for codes that are drawn, as nobody has photos of them with known texts: small, blurred, slanted, on cans and waves.
corpus-drawn:
	@[[ '$(ZXING)' == 3.1.1 ]] || { echo 'make corpus-drawn: the table is of ZXing-C++ 3.1.1: say ZXING=3.1.1' >&2; exit 64; }
	@$(MAKE) --no-print-directory bench-program
	@rm -rf $(BUILD)/drawn
	@$(BUILD)/scanstation-bench draw-corpus $(BUILD)/drawn
	@$(BUILD)/scanstation-bench corpus --corpus $(BUILD)/drawn --expected Benchmarks/drawn-expected-zxing-$(ZXING).tsv $(ARGS)

live-corpus: bench-program
	@$(BUILD)/scanstation-bench live-corpus --corpus $(CORPUS) $(ARGS)

corpus-scan: build bench-program
	@$(BUILD)/scanstation-bench through-scan --corpus $(CORPUS) --expected Benchmarks/corpus-expected$(if $(ZXING),-zxing-$(ZXING)).tsv

# The package must be there: make deb ARCH=amd64. ARGS=--update writes the table again.
corpus-package: bench-program
	@deploy/package/corpus $(CORPUS) .build/corpus-package.ndjson
	@$(BUILD)/scanstation-bench through-scan --corpus $(CORPUS) --lines .build/corpus-package.ndjson \
		--expected Benchmarks/corpus-expected-package.tsv $(ARGS)

check-service: build
	@deploy/check-service $(BUILD)

deb:
	@deploy/package/build $(ARCH)

repository:
	@deploy/repository/make "$(KEY)" $(FOLDER)

test-image:
	@deploy/image/run-tests
	@deploy/repository/try

deb-reproducible:
	@deploy/package/build --twice $(ARCH)

deb-try:
	@deploy/package/try $(ARCH)

lab:
	@hardware/lab/lab --cuts $(LAB_CUTS) --mutant-cuts $(LAB_MUTANT_CUTS) --flash-cuts $(LAB_FLASH_CUTS) $(ARGS)

lab-full:
	@hardware/lab/lab-full

clean:
	@rm -rf .build deploy/package/out
