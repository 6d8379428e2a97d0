# The commands of the repository. Each does the set-up that it lacks.
#
#   make demo [DATA=folder]   the main job on the data that the package carries,
#                             or on a folder with train.txt, vali.txt, test.txt
#   make test                 tests of R and of the core, without those that take long; counts them
#   make test-all             all checks: sanitizers, R CMD check, console, articles, style
#   make test-long            all tests, with all draws of property tests
#   make test-cpp-sanitized   the core's tests under sanitizers
#   make test-cpp-aarch64     digests of small fits on 64-bit ARM, by qemu, and a model of two processors
#   make test-cran            the tests that CRAN runs, and their time
#   make test-hooks           what other packages make of the models, with these packages
#   make test-report          a report in a browser: complete, quiet, readable
#   make test-onnx            files of ONNX in its checker and in ONNX Runtime
#   make install              the package with its vignettes, into the library of R
#   make check                R CMD check --as-cran
#   make check-depends        the same without suggested packages, with the tests that CRAN runs
#   make check-style          lintr, spelling and clang-format
#   make coverage             lines that tests run, in .build/coverage
#   make articles             pages that are not vignettes, in .build/articles
#   make site                 help, vignettes, articles and news as a site, in .build/site
#   make test-site            the same in a browser: no broken link, quiet, readable
#   make bench                the measurements under bench/
#   make peers                LightGBM and XGBoost, which bench/ measures
#   make reproduce            the claims of five papers, SCALE=small or full
#   make docs                 NAMESPACE, man/ and the Rcpp glue, after a change

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

BUILD := $(CURDIR)/.build
LIBRARY := $(BUILD)/library
SOURCES := $(shell find R src inst man -type f -not -name '*.o' -not -name '*.so') \
  DESCRIPTION NAMESPACE
DATA ?=
# Judged data for tests and measurements; tests that need it skip without it.
export RANKMIX_DATA ?= $(wildcard $(abspath $(CURDIR)/../shared/data))
USER_LIBS := $(R_LIBS)
export R_LIBS := $(LIBRARY):$(BUILD)/packages:$(R_LIBS)
JOBS := $(shell nproc 2>/dev/null || echo 2)

BENCHES := evaluate read text-to-ndcg streaming streaming-mapped store-bound sparse long-lists mslr-shape speed oblivious predict explain serving learners calibrate fast-calibrators network-decay weighting mixture members goals \
  mcsvm ranksvm m5p cocr smoothrank yetirank lambdamart position-bias memory precision categories recipe accuracy compare inference power agreement ppi variance unjudged clicks benchmark baselines assessors cluster tuning costs objectives threads growth

.PHONY: peers fuzz help library setup setup-style setup-check setup-cpp setup-bench setup-report setup-site install demo test test-r test-cpp test-cpp-sanitized test-cpp-clang \
  test-cpp-native test-cpp-aarch64 test-cran \
  test-console test-long test-slurm test-report test-onnx check check-depends check-rules check-style articles readme-figure site test-site cheatsheet docs bench $(BENCHES:%=bench-%) \
  reproduce reproduce-large test-reproduce \
  setup-hooks test-hooks \
  fuzz-models fuzz-calls \
  coverage address tidy clean

# The comment at the top of this file.
help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

setup:
	@Rscript tools/setup.R run

setup-check:
	@Rscript tools/setup.R run check

setup-cpp:
	@Rscript tools/setup.R run cpp

setup-bench:
	@Rscript tools/setup.R run bench

setup-style:
	@Rscript tools/setup.R run style

setup-report:
	@Rscript tools/setup.R run report

setup-site:
	@Rscript tools/setup.R run site

# Packages that hooks serve, in .build/hooks, which only `make test-hooks` sees.
setup-hooks:
	@Rscript tools/setup.R run hooks

# The package in a library of this folder, so that nothing else is touched.
$(BUILD)/installed: $(SOURCES) | setup
	@mkdir -p $(LIBRARY)
	@# R's rules know neither headers nor Makevars: a change of one compiles everything again.
	@if [ ! -e $@ ] || [ -n "$$(find src \( -name '*.h' -o -name 'Makevars*' \) -newer $@)" ]; then \
	  find src -name '*.o' -delete; fi
	@echo "Installing rankmix into .build/library ..."
	@MAKEFLAGS=-j$(JOBS) R CMD INSTALL --strip --no-test-load -l $(LIBRARY) . \
	  > $(BUILD)/install.log 2>&1 || { cat $(BUILD)/install.log; exit 1; }
	@touch $@

library: $(BUILD)/installed

# For use outside this folder: built with its vignettes, in the first library of R.
install: setup
	@rm -rf $(BUILD)/package && mkdir -p $(BUILD)/package
	@echo "Building rankmix with its vignettes ..."
	@cd $(BUILD)/package && MAKEFLAGS=-j$(JOBS) R CMD build $(CURDIR) > build.log 2>&1 || { cat build.log; exit 1; }
	@cd $(BUILD)/package && MAKEFLAGS=-j$(JOBS) R_LIBS="$(USER_LIBS)" R CMD INSTALL rankmix_*.tar.gz > install.log 2>&1 || \
	  { cat install.log; exit 1; }
	@grep "installing to library" $(BUILD)/package/install.log

demo: library
	@Rscript tools/demo.R $(if $(DATA),"$(DATA)")

# The core's tests, linked with the objects of the package.
test-cpp: library setup-cpp
	@$(MAKE) --no-print-directory -j$(JOBS) -C tests/cpp plain PACKAGE_OBJECTS=yes BUILD=$(BUILD)/cpp-plain

# The core's tests under the sanitizers of addresses, of undefined behaviour and of threads.
test-cpp-sanitized: setup-cpp
	@$(MAKE) --no-print-directory -j$(JOBS) -C tests/cpp BUILD=$(BUILD)/cpp

# The core's tests once more, in a build by clang, which it installs.
test-cpp-clang:
	@Rscript tools/setup.R run cpp clang
	@$(MAKE) --no-print-directory -j$(JOBS) -C tests/cpp clang BUILD=$(BUILD)/cpp-clang

# Whether small fits have the bits that tests/cpp/digests.h records, in a build for this
# processor, and in a build for 64-bit ARM, which qemu runs.
test-cpp-native: setup-cpp
	@$(MAKE) --no-print-directory -j$(JOBS) -C tests/cpp native BUILD=$(BUILD)/cpp-native

test-cpp-aarch64: library
	@Rscript tools/setup.R run cpp aarch64
	@$(MAKE) --no-print-directory -j$(JOBS) -C tests/cpp aarch64 BUILD=$(BUILD)/cpp-aarch64

# Ten minutes of libFuzzer on the readers of text; needs clang.
fuzz:
	@$(MAKE) --no-print-directory -C tests/cpp fuzz BUILD=$(BUILD)/cpp

# Ten minutes of hostile files of models, by read_model() on a build under sanitizers.
FUZZ_SECONDS ?= 600
SANITIZED := $(BUILD)/sanitized
fuzz-models: | setup
	@mkdir -p $(SANITIZED)/source $(SANITIZED)/library
	@tar -c --exclude='*.o' --exclude='*.so' DESCRIPTION NAMESPACE R src inst | tar -x -C $(SANITIZED)/source
	@R_MAKEVARS_USER=$(CURDIR)/tools/sanitize.mk RANKMIX_SYMBOLS=yes MAKEFLAGS=-j$(JOBS) R CMD INSTALL \
	  --no-docs --no-test-load -l $(SANITIZED)/library $(SANITIZED)/source > $(SANITIZED)/install.log 2>&1 || \
	  { cat $(SANITIZED)/install.log; exit 1; }
	@R_LIBS=$(SANITIZED)/library:$(R_LIBS) LD_PRELOAD=$$(gcc -print-file-name=libasan.so) \
	  ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 Rscript tools/fuzz_models.R $(FUZZ_SECONDS) $(FUZZ_SEED)

# Five minutes of hostile calls of all exported functions.
fuzz-calls: library
	@Rscript tools/fuzz_calls.R 300 $(FUZZ_SEED)

test-r: library
	@NOT_CRAN=true TESTTHAT_CPUS=$${TESTTHAT_CPUS:-$(JOBS)} Rscript tools/run_tests.R $(BUILD)/tests-r.count

# The tests that CRAN runs, see tests/testthat.R.
test-cran: library
	@Rscript tools/test_cran.R

# Lines of R and C++ code that tests run; the page is .build/coverage/index.html. PARTS is --r, --native or --core, and
# TESTS a regular expression of R test files. A full run takes long: see tools/coverage.R.
PARTS ?=
coverage: setup $(if $(filter --r,$(PARTS)),library)
	@Rscript tools/coverage.R $(PARTS) $(if $(TESTS),'$(TESTS)')

# The address of the repository, in all files that have it: make address REPOSITORY=owner/name.
address:
	@Rscript tools/set_address.R $(REPOSITORY)

# README's code and the examples, at an interactive console.
test-console: library
	@Rscript tools/run_console.R $(BUILD)/console.count

# First the tests of the core, then those of R, in as many processes as there are processors.
test: library setup-cpp
	@rm -f $(BUILD)/cpp-plain/count $(BUILD)/tests-r.count
	@$(MAKE) --no-print-directory -k test-cpp test-r || true; \
	Rscript tools/count_tests.R $(BUILD)/cpp-plain/count $(BUILD)/tests-r.count

test-all:
	@bash .ci/run

# All draws of property tests, with seeds that SEED shifts: before a release, and by night.
SEED ?= 0
test-long: library setup-cpp
	@RANKMIX_TESTS=long RANKMIX_SEED=$(SEED) $(MAKE) --no-print-directory -k test-cpp test-r test-console

# On Slurm's own daemons, by root; not part of `make test`.
test-slurm: library
	@bash tools/test_slurm.sh

# A report of the example data and pages of queries in headless Chromium; the pictures are in .build/report and
# .build/explorer.
test-report: library setup-report
	@Rscript tools/test_report.R
	@Rscript tools/test_explorer.R

# The picture of README.md, of the code there.
readme-figure: library
	@Rscript tools/readme_figure.R

# Files of ONNX in the checker of onnx and in ONNX Runtime, which it installs.
test-onnx: library
	@Rscript tools/test_onnx.R

test-hooks: library setup-hooks
	@R_LIBS=$(LIBRARY):$(BUILD)/hooks:$(R_LIBS) NOT_CRAN=true \
	  Rscript tools/run_tests.R $(BUILD)/tests-hooks.count '^(hook|run-workers)'; \
	  Rscript tools/count_tests.R $(BUILD)/tests-hooks.count

# Those of vignettes/articles, which are not installed, as pages in .build/articles.
articles: library setup-check
	@Rscript tools/build_articles.R $(BUILD)/articles

# Offline, once its set-up is there.
site: library setup-site
	@Rscript tools/build_site.R
	@cp inst/llms.txt $(BUILD)/site/llms.txt

# Every page in headless Chromium; pictures are in .build/site-pictures.
test-site: site setup-report
	@Rscript tools/test_site.R

# data-raw/cheatsheet/cheatsheet.pdf, of the page beside it.
cheatsheet: library setup-report
	@Rscript tools/make_cheatsheet.R

# Style of code and spelling of prose.
check-style: setup-style
	@Rscript tools/style.R

check-rules: setup
	@for script in tools/check_*.R; do Rscript "$$script"; done

# TESTS=no leaves R's tests to `make test-r`.
check: setup-check
	@Rscript tools/run_check.R $(BUILD)/check $(if $(filter no,$(TESTS)),--no-tests)

# The glue first: an installation needs it, and the documentation an installation.
docs: setup
	@Rscript tools/setup.R run docs
	@Rscript -e 'Rcpp::compileAttributes(".")'
	@$(MAKE) --no-print-directory library
	@Rscript tools/make_docs.R
	@Rscript tools/make_metadata.R

# Suggested packages are hidden, but for testthat and those of the vignettes.
check-depends: setup-check
	@NOT_CRAN=false _R_CHECK_DEPENDS_ONLY_=true Rscript tools/run_check.R $(BUILD)/check-depends --no-manual

bench: $(BENCHES:%=bench-%)

bench-evaluate: library
	@Rscript bench/evaluate.R

bench-tuning: library
	@Rscript bench/tuning.R

bench-costs: library
	@Rscript bench/costs.R

bench-objectives: library
	@Rscript bench/objectives.R

# LightGBM, XGBoost and the drivers that time them, in .build/peers.
peers:
	@bash bench/peers/build.sh

bench-read: library setup-bench peers
	@Rscript bench/read.R

bench-text-to-ndcg: library peers
	@Rscript bench/text-to-ndcg.R

bench-streaming: library
	@Rscript bench/streaming.R

bench-streaming-mapped: library
	@Rscript bench/streaming-mapped.R

bench-store-bound: library
	@Rscript bench/store-bound.R

bench-long-lists: library
	@Rscript bench/long-lists.R

bench-sparse: library setup-bench
	@Rscript bench/sparse.R

bench-mslr-shape: library
	@Rscript bench/mslr-shape.R

bench-speed: library peers
	@Rscript bench/speed.R

bench-oblivious: library peers
	@Rscript bench/oblivious.R

bench-predict: library peers
	@Rscript bench/predict.R

bench-explain: library setup-bench
	@Rscript bench/explain.R

bench-serving: library peers
	@Rscript bench/serving.R

bench-precision: library
	@Rscript bench/precision.R

bench-recipe: library
	@Rscript bench/recipe.R

bench-learners: library
	@Rscript bench/learners.R

bench-calibrate: library
	@Rscript bench/calibrate.R

bench-fast-calibrators: library
	@Rscript bench/fast-calibrators.R

bench-network-decay: library
	@Rscript bench/network-decay.R

bench-weighting: library
	@Rscript bench/weighting.R

bench-mixture: library
	@Rscript bench/mixture.R

bench-members: library
	@Rscript bench/members-cache.R all
	@Rscript bench/members.R
	@Rscript bench/one-score.R

bench-goals: library setup-bench
	@Rscript bench/goals.R

bench-mcsvm: library setup-bench
	@Rscript bench/mcsvm.R
	@Rscript bench/mcsvm-objectives.R

bench-ranksvm: library setup-bench
	@Rscript bench/ranksvm-objectives.R
	@Rscript bench/ranksvm.R

bench-m5p: library
	@Rscript bench/m5p.R

bench-cocr: library
	@Rscript bench/cocr-speed.R
	@Rscript bench/cocr.R

bench-smoothrank: library
	@Rscript bench/smoothrank.R

bench-yetirank: library setup-bench
	@Rscript bench/yetirank.R .build/yetirank

bench-lambdamart: library setup-bench peers
	@Rscript bench/lambdamart.R

bench-position-bias: library
	@Rscript bench/position-bias.R

bench-memory: library
	@Rscript bench/memory.R

bench-accuracy: library setup-bench
	@Rscript bench/accuracy.R
	@Rscript bench/accuracy.R OHSUMED
	@Rscript bench/accuracy.R MSLR-sample
	@Rscript bench/accuracy.R simulated

bench-compare: library
	@Rscript bench/compare.R

bench-inference: library
	@Rscript bench/inference.R

bench-power: library
	@Rscript bench/power.R

bench-agreement: library
	@Rscript bench/agreement.R

bench-assessors: library
	@Rscript bench/assessors.R

bench-ppi: library
	@Rscript bench/ppi.R

bench-unjudged: library
	@Rscript bench/unjudged.R

bench-clicks: library
	@Rscript bench/clicks.R

bench-variance: library
	@Rscript bench/variance.R

bench-benchmark: library
	@Rscript bench/benchmark.R

bench-cluster: library
	@Rscript bench/cluster.R

bench-threads: library
	@Rscript bench/threads.R

bench-growth: library
	@Rscript bench/growth.R

bench-categories: library
	@Rscript bench/categories.R

bench-baselines: library setup-bench
	@Rscript bench/baselines.R

# Claims of the papers, resumable; SCALE is small (simulated data and a fold of MQ2008) or full.
SCALE ?= small
reproduce: library setup-bench
	@Rscript reproduce/run.R $(SCALE)

reproduce-large: library
	@Rscript reproduce/large.R

test-reproduce: library
	@Rscript reproduce/test.R

tidy:
	@clang-format --dry-run --Werror src/*.h src/host_parallel.cpp src/bind_*.cpp \
	  $$(find src/core tests/cpp -name '*.h' -o -name '*.cpp')
	@clang-tidy --quiet $$(find src/core -name '*.cpp') -- -std=c++17 -Isrc

clean:
	rm -rf $(BUILD) demo src/*.o src/*.so src/core/*/*.o
