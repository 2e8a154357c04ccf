# Plumbline: settings, sources, rules, verbs.  `make help` lists the verbs.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/sh

# ---- settings --------------------------------------------------------------

FLAVOUR ?= release
B := build/$(FLAVOUR)

# A flavour is a compiler and its flags; objects of two never meet.
CC_release := gcc
CXX_release := g++
FLAGS_release := -O2 -g
CC_asan := gcc
CXX_asan := g++
FLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
CC_fuzz := clang
CXX_fuzz := clang++
FLAGS_fuzz := -O1 -g -fsanitize=address,undefined,fuzzer-no-link \
	-fno-sanitize-recover=all

CC_msan := clang
CXX_msan := clang++
FLAGS_msan := -O1 -g -fsanitize=memory -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
# liblz4 is not compiled for it, and told what it wrote.
TEST_EXTRA_msan = $(B)/impl/envelope/tests/msan_liblz4.o
TEST_LINK_msan := -Wl,--wrap=LZ4_decompress_safe \
	-Wl,--wrap=LZ4_compress_fast_extState_fastReset

# For `plumb prove`, which adds instructions at function entries: nothing
# else may depend on them, neither register use across calls nor padding,
# and no function may be in two parts.
CC_prove := gcc
CXX_prove := g++
FLAGS_prove := -O2 -g -fno-ipa-ra -fno-reorder-blocks-and-partition
ALIGN_prove := -fno-align-functions -fno-align-loops -fno-align-jumps \
	-fno-align-labels

CC := $(CC_$(FLAVOUR))
CXX := $(CXX_$(FLAVOUR))
FLAGS := $(FLAGS_$(FLAVOUR))
WARN := -Wall -Wextra -Wshadow -Wpointer-arith -Wcast-qual -Wundef -Wvla \
	-Wformat=2
CWARN := $(WARN) -Wstrict-prototypes -Wmissing-prototypes

# The subject is measured: hidden symbols, fixed alignment, no build path.
ALIGN := $(or $(ALIGN_$(FLAVOUR)),-falign-functions=64)
# A word of a shell, whatever is in it.
quoted = '$(subst ','\'',$(1))'

CODEGEN := $(FLAGS) -fPIC -fvisibility=hidden $(ALIGN)
COMMON := $(CODEGEN) -ffile-prefix-map=$(call quoted,$(CURDIR))=. \
	-Iimpl -Icases -I$(B)/gen -MMD -MP
CFLAGS := -std=gnu11 -D_GNU_SOURCE $(CWARN) $(COMMON)
CXXFLAGS := -std=c++17 $(WARN) $(COMMON)

# Libraries that decoders use; the subject links the static ones.
IMPL_LIBS := -lz -l:liblz4.a -l:libprotobuf-c.a -lgcrypt \
	-l:libcrypto.a
TEST_LIBS := -lcmocka -ljson-c $(IMPL_LIBS) -lpthread

PLUMB := scripts/plumb
PREFIX ?= /usr/local
DESTDIR ?=
BASE ?=
FUZZ_SECONDS ?= 20

# ---- sources ---------------------------------------------------------------

IMPL_SRC := $(wildcard impl/*/*.c impl/*/reference/*.c impl/*/sample/*.c)
IMPL_SRC := $(filter-out impl/testkit/% impl/tools/%,$(IMPL_SRC))
TOOLS_SRC := $(wildcard impl/tools/*.c)
TESTKIT_SRC := $(wildcard impl/testkit/*.c)
TEST_SRC := $(wildcard impl/*/tests/test_*.c)
FUZZ_SRC := $(wildcard impl/*/fuzz/fuzz_*.c)
PYTESTS := $(sort $(dir $(wildcard scripts/tests/test_*.py \
	cases/*/tests/test_*.py impl/*/tests/test_*.py)))

# What brings the files that cases read; each is quick when they are there.
DATA_STEPS := $(wildcard impl/*/sample/setup_* impl/*/sample/*_documents.py)

# Written by protoc-c: the oracle of impl/mvt/reference.
GEN_SRC := $(B)/gen/mvt/vector_tile.pb-c.c

IMPL_OBJ := $(IMPL_SRC:%.c=$(B)/%.o) $(GEN_SRC:.c=.o)
TOOLS_OBJ := $(TOOLS_SRC:%.c=$(B)/%.o)
TESTKIT_OBJ := $(TESTKIT_SRC:%.c=$(B)/%.o)
TESTS := $(TEST_SRC:%.c=$(B)/%)
REPLAY_MAIN := $(B)/impl/testkit/replay/replay_main.o
REPLAYS := $(FUZZ_SRC:%.c=$(B)/%.replay)
FUZZERS := $(FUZZ_SRC:%.c=$(B)/%)

# The subject: all cases with what they measure.  The instruments: the rest.
CASES_SRC := $(wildcard cases/*.c) \
	$(filter-out cases/harness/%,$(wildcard cases/*/*.c))
CASES_OBJ := $(CASES_SRC:%.c=$(B)/%.o)
PRELOAD_SRC := $(wildcard cases/harness/heap_preload*.c)
HARNESS_MAIN := $(wildcard cases/harness/*_main.c) $(PRELOAD_SRC)
HARNESS_SRC := $(filter-out $(HARNESS_MAIN),$(wildcard cases/harness/*.c))
HARNESS_OBJ := $(HARNESS_SRC:%.c=$(B)/%.o)
INSTRUMENTS := $(B)/bin/plumb-count $(B)/bin/plumb-probe \
	$(B)/bin/plumb-heap.so $(B)/bin/plumb-wall

# impl/m/fuzz/fuzz_m_topic.c -> impl/m/fuzz/corpus/topic
module_of = $(word 2,$(subst /, ,$(1)))
corpus_of = $(dir $(1))corpus/$(patsubst \
	fuzz_$(call module_of,$(1))_%.c,%,$(notdir $(1)))

# ---- rules -----------------------------------------------------------------

# Kernels that a run-time test of the processor chooses.
KERNEL_avx2 := -mavx2 -funroll-loops
$(B)/%_avx2.o: CFLAGS += $(KERNEL_avx2)
# A block of a checksum is one run of code, each product added when it is made.
STRAIGHT_gcc := -fno-tree-reassoc -fno-tree-ter -fno-tree-pre \
	--param=max-completely-peeled-insns=1000 \
	--param=max-average-unrolled-insns=140
$(B)/%/envelope_hash_avx2.o: CFLAGS += $(STRAIGHT_$(CC))

# One source file that is made more expensive on purpose: ci/canary.sh shows
# with it that the gate turns red.
CANARY ?=
$(CANARY:%.c=$(B)/%.o): CFLAGS += -fpatchable-function-entry=64

# What is built is said on standard error; standard output is for results.
say = @printf '  %-5s %s\n' $(1) $@ >&2

# Rebuild when a flag, the compiler or a static library has changed, not
# whenever the Makefile has: what is measured must be of the toolchain that
# is recorded with it.  Two makes at once must not meet: each writes a file
# of its own.
STATIC_LIBS := $(patsubst -l:%,%,$(filter -l:%,$(IMPL_LIBS)))
$(B)/flags: FORCE
	@mkdir -p $(@D); \
		{ printf '%s\n' $(call quoted,$(CC) $(CFLAGS) $(CXX) $(CXXFLAGS) \
		$(KERNEL_avx2) $(STRAIGHT_$(CC)) $(CANARY) \
		$(IMPL_LIBS) $(SUBJECT_LINK) $(GUARD_LINK)); \
		$(CC) --version | head -n 1; \
		for lib in $(STATIC_LIBS); do $(CC) -print-file-name=$$lib; done | \
			xargs stat -L -c '%n %s %Y'; } > $@.$$$$; \
		cmp -s $@ $@.$$$$ && rm -f $@.$$$$ || mv -f $@.$$$$ $@
.PHONY: FORCE

$(B)/%.o: %.c $(B)/flags
	$(call say,CC)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -c -o $@ $<

$(B)/%.o: %.cc $(B)/flags
	$(call say,CXX)
	@mkdir -p $(@D)
	@$(CXX) $(CXXFLAGS) -c -o $@ $<

$(B)/gen/mvt/%.pb-c.c: impl/mvt/%.proto
	$(call say,GEN)
	@mkdir -p $(@D)
	@protoc-c -Iimpl/mvt --c_out=$(@D) $<
$(B)/gen/mvt/%.pb-c.h: $(B)/gen/mvt/%.pb-c.c ;
$(GEN_SRC:.c=.o): %.o: %.c $(B)/flags
	$(call say,CC)
	@$(CC) $(CFLAGS) -c -o $@ $<
$(B)/impl/mvt/reference/mvt_reference.o: $(GEN_SRC:.c=.h)

$(B)/libimpl.a: $(IMPL_OBJ)
	$(call say,AR)
	@rm -f $@
	@ar rcs $@ $^

$(TESTS): $(B)/%: $(B)/%.o $(TESTKIT_OBJ) $(TEST_EXTRA_$(FLAVOUR)) \
		$(B)/libimpl.a
	$(call say,LINK)
	@$(CC) $(FLAGS) $(TEST_LINK_$(FLAVOUR)) -o $@ $^ $(TEST_LIBS)

$(REPLAYS): $(B)/%.replay: $(B)/%.o $(REPLAY_MAIN) $(TESTKIT_OBJ) \
		$(B)/libimpl.a
	$(call say,LINK)
	@$(CC) $(FLAGS) -o $@ $^ $(TEST_LIBS)

$(FUZZERS): $(B)/%: $(B)/%.o $(TESTKIT_OBJ) $(B)/libimpl.a
	$(call say,LINK)
	@$(CC) $(FLAGS) -fsanitize=fuzzer -o $@ $^ $(TEST_LIBS)

$(B)/plumb-dec: $(TOOLS_OBJ) $(B)/libimpl.a
	$(call say,LINK)
	@$(CC) $(FLAGS) -o $@ $^ $(IMPL_LIBS)

# The subject is self-contained, exports one symbol and has no SONAME.
SUBJECT_LINK := -shared -Wl,-z,now -Wl,-z,defs -Wl,-Bsymbolic \
	-Wl,--exclude-libs,ALL -Wl,--build-id=sha1
$(B)/suite.so: $(CASES_OBJ) $(B)/libimpl.a
	$(call say,LINK)
	@$(CC) $(FLAGS) $(SUBJECT_LINK) -o $@ $^ $(IMPL_LIBS)

# Readers beside their peers, a subject apart: the peers are C++, and none of
# them is what the gate measures.
PEER_OBJ := $(patsubst %,$(B)/%.o,$(basename $(wildcard cases/mvt/peer/*.c \
	cases/mvt/peer/*.cc) cases/mvt/mvt_case_state.c cases/mvt/mvt_case_runs.c))
$(B)/peers.so: $(PEER_OBJ) $(B)/libimpl.a
	$(call say,LINK)
	@$(CXX) $(FLAGS) $(SUBJECT_LINK) -static-libstdc++ -o $@ $^ $(IMPL_LIBS)

# The same with one source file, MUTANT, compiled with MUTANT_FLAGS more; its
# object takes the place of the plain one in the archive.  Several can be
# made at once, each in a folder MUTANT_AT of its own.
MUTANT ?=
MUTANT_FLAGS ?=
MUTANT_AT ?= 0
MUTANT_DIR = $(B)/mutant/$(MUTANT_AT)
MUTANT_OBJ = $(MUTANT_DIR)/$(notdir $(MUTANT:.c=.o))
ENTRY_OBJ := $(B)/cases/harness/mutant/alloc_on_entry.o
# It is a target by its own name, for flags go by names.
$(MUTANT_OBJ): $(MUTANT) FORCE
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(MUTANT_FLAGS) -c -MF /dev/null -o $@ $<
.PHONY: mutant
mutant: $(B)/suite.so $(ENTRY_OBJ) $(MUTANT_OBJ)
	@cp $(B)/libimpl.a $(MUTANT_DIR)/libimpl.a
	@ar r $(MUTANT_DIR)/libimpl.a $(MUTANT_OBJ)
	@$(CC) $(FLAGS) $(SUBJECT_LINK) -o $(MUTANT_DIR)/suite.so $(CASES_OBJ) \
		$(MUTANT_DIR)/libimpl.a $(ENTRY_OBJ) $(IMPL_LIBS)

# Mutants begin with this, side by side.
ifeq ($(FLAVOUR),prove)
suite: $(ENTRY_OBJ)
endif

# The thread guard's names are exported, so that later objects bind to them.
GUARD_LINK := -Wl,--export-dynamic-symbol=pthread_create \
	-Wl,--export-dynamic-symbol=thrd_create

$(B)/bin/plumb-%: $(B)/cases/harness/%_main.o $(HARNESS_OBJ)
	$(call say,LINK)
	@mkdir -p $(@D)
	@$(CC) $(FLAGS) -o $@ $^ $(GUARD_LINK) -lxxhash -ldl

$(B)/bin/plumb-wall: $(B)/cases/harness/wall_main.o \
		$(B)/cases/harness/gb.o $(HARNESS_OBJ)
	$(call say,LINK)
	@mkdir -p $(@D)
	@$(CXX) $(FLAGS) -o $@ $^ $(GUARD_LINK) -lbenchmark -lpthread -ldl

# The unwinder is linked in: another library would be loaded for every case.
$(B)/bin/plumb-heap.so: $(PRELOAD_SRC:%.c=$(B)/%.o)
	$(call say,LINK)
	@mkdir -p $(@D)
	@$(CC) $(FLAGS) -shared -static-libgcc -o $@ $^ -Wl,-z,now

# ---- what plumb.toml and CI call --------------------------------------------

.PHONY: suite peers instruments dec toolchain unit replay
suite: $(B)/suite.so
peers: $(B)/peers.so ## build the readers beside their peers, for plumb-wall
dec: $(B)/plumb-dec
instruments: $(INSTRUMENTS)

toolchain:
	@printf '{"compiler": "%s", "flags": "%s"}\n' \
		"$$($(CC) --version | head -n 1)" "$(CODEGEN)"

unit: $(TESTS)
	@scripts/run_tests --unit $(TESTS)

replay: $(REPLAYS)
	@scripts/run_tests $(foreach f,$(FUZZ_SRC),\
		--replay $(B)/$(f:.c=.replay) $(call corpus_of,$(f)))

# ---- verbs -----------------------------------------------------------------

.PHONY: help setup bench-vs-base gate gate-full accept list report wall test \
	lint sanitize fuzz install clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' \
		Makefile

setup: ## install what is missing
	@scripts/setup
	@set -e; for step in $(DATA_STEPS); do "$$step"; done

bench-vs-base: setup ## compare with BASE (default: the main branch) here
	@$(PLUMB) vs-base --markdown $(BASE)

gate: setup ## compare with the committed baselines
	@$(PLUMB) gate

gate-full: setup ## like gate, with the cases tagged slow
	@$(PLUMB) gate --slow

accept: setup ## make what is measured now the new baselines
	@$(PLUMB) accept

list: setup ## list the cases
	@$(PLUMB) list

report: setup ## write build/report/index.html and reports/latest.md
	@$(PLUMB) report --wall

wall: setup suite instruments ## time the cases with google-benchmark
	@$(B)/bin/plumb-wall --subject=$(B)/suite.so --root=. $(WALL)

test: setup ## run every test
	@$(MAKE) --no-print-directory -s -j"$$(nproc)" run-tests

.PHONY: run-tests
run-tests: $(TESTS) $(REPLAYS) suite instruments dec
	@scripts/run_tests --unit $(TESTS) $(foreach f,$(FUZZ_SRC),\
		--replay $(B)/$(f:.c=.replay) $(call corpus_of,$(f))) \
		--check "scripts/check_layout $(B)/suite.so" --pytest $(PYTESTS)

.PHONY: wabin-peers
wabin-peers: ## fetch the npm packages that test_wabin_oracle runs
	@impl/wabin/tests/fetch_peers.sh data/wabin-peers

C_FILES := $(wildcard impl/*/*.[ch] impl/*/*/*.[ch] cases/*.c cases/*/*.[ch] \
	cases/*/*.cc cases/*/*/*.[ch] cases/*/*/*.cc)
PY_FILES := $(wildcard scripts/plumblib/*.py scripts/plumblib/*/*.py \
	scripts/tests/*.py cases/*/tests/*.py impl/*/tests/*.py \
	impl/*/sample/*.py impl/testkit/*.py) scripts/plumb \
	scripts/check_layout scripts/run_tests

SH_FILES = $(wildcard ci/*.sh .ci/run) $(shell grep -l '^\#!/bin/sh' \
	$(wildcard scripts/* impl/*/sample/*) 2>/dev/null)

lint: setup ## clang-format, clang-tidy, cppcheck, shellcheck, pyflakes3
	@echo "clang-format"
	@clang-format --dry-run -Werror $(C_FILES)
	@echo "clang-tidy"
	@printf '%s\0' $(filter %.c,$(C_FILES)) | xargs -0 -n 4 -P "$$(nproc)" \
		sh -c 'clang-tidy --quiet "$$@" -- -std=gnu11 -D_GNU_SOURCE \
		-Iimpl -Icases -I$(B)/gen 2>/dev/null' clang-tidy
	@echo "cppcheck"
	@cppcheck --quiet --error-exitcode=1 --inline-suppr -j "$$(nproc)" \
		--enable=warning,performance,portability --std=c11 \
		--suppressions-list=.cppcheck -Iimpl -Icases impl cases
	@echo "shellcheck"
	@shellcheck $(SH_FILES)
	@echo "pyflakes3"
	@pyflakes3 $(PY_FILES)

sanitize: setup ## all tests under sanitizers, then under valgrind memcheck
	@$(MAKE) --no-print-directory -s -j"$$(nproc)" FLAVOUR=asan unit replay
	@$(MAKE) --no-print-directory -s -j"$$(nproc)" FLAVOUR=msan run-msan
	@$(MAKE) --no-print-directory -s -j"$$(nproc)" memcheck

# What an envelope's readers decide from, and give, was written by someone.
MSAN_TESTS := $(addprefix $(B)/impl/envelope/tests/test_envelope_,block depth \
	forms map memory offsets paths probe scan sizes store wire)
.PHONY: run-msan
run-msan: $(MSAN_TESTS)
	@scripts/run_tests --unit $(MSAN_TESTS)

.PHONY: memcheck
memcheck: $(TESTS) $(REPLAYS)
	@scripts/run_tests --wrap "valgrind --quiet --error-exitcode=99 \
		--leak-check=full --errors-for-leak-kinds=definite,possible" \
		--unit $(TESTS) $(foreach f,$(FUZZ_SRC),\
		--replay $(B)/$(f:.c=.replay) $(call corpus_of,$(f)))

.PHONY: mutation
mutation: setup ## check that the tests see known faults
	@set -e; for list in $(wildcard impl/*/tests/mutate.py); do "$$list"; done

# What an engine finds goes to build/; what is worth keeping is committed.
fuzz: setup ## fuzz each target for FUZZ_SECONDS
	@$(MAKE) --no-print-directory -s -j"$$(nproc)" FLAVOUR=fuzz run-fuzz

.PHONY: run-fuzz
run-fuzz: $(FUZZERS)
	@set -e; $(foreach f,$(FUZZ_SRC),echo "== $(f)"; \
		mkdir -p $(B)/$(call corpus_of,$(f)); \
		$(B)/$(f:.c=) -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 \
		-artifact_prefix=$(B)/ $(B)/$(call corpus_of,$(f)) \
		$(call corpus_of,$(f));)

# Another project needs the engine and bench.h; the decoders stay here.
HOME_DIR = $(DESTDIR)$(PREFIX)/lib/plumbline

install: setup instruments ## install plumb, its instruments and bench.h
	install -d "$(HOME_DIR)/bin" "$(HOME_DIR)/scripts/plumblib/commands" \
		"$(HOME_DIR)/scripts/plumblib/schemas" "$(HOME_DIR)/reports" \
		"$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/include/plumbline"
	install -m 755 $(INSTRUMENTS) "$(HOME_DIR)/bin"
	install -m 755 scripts/plumb "$(HOME_DIR)/scripts"
	install -m 644 scripts/README.md "$(HOME_DIR)/scripts"
	install -m 644 scripts/plumblib/*.py "$(HOME_DIR)/scripts/plumblib"
	install -m 644 scripts/plumblib/commands/*.py \
		"$(HOME_DIR)/scripts/plumblib/commands"
	install -m 644 scripts/plumblib/schemas/*.json \
		"$(HOME_DIR)/scripts/plumblib/schemas"
	install -m 644 $(wildcard reports/*.j2 reports/report.*s) \
		"$(HOME_DIR)/reports"
	printf '[instruments]\nfolder = "bin"\n' > "$(HOME_DIR)/plumb.toml"
	install -m 644 cases/harness/bench.h \
		"$(DESTDIR)$(PREFIX)/include/plumbline"
	ln -sfn ../lib/plumbline/scripts/plumb "$(DESTDIR)$(PREFIX)/bin/plumb"

clean: ## remove everything that was built
	rm -rf build

# What a goal builds depends on; one that only tells has no need of it.
ifneq ($(MAKECMDGOALS),toolchain)
-include $(wildcard $(B)/*/*.d $(B)/*/*/*.d $(B)/*/*/*/*.d $(B)/*/*/*/*/*.d)
endif
