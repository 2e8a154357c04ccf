# Plumbline: settings, sources, verbs.  `make help` lists the verbs.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/sh

# ---- settings --------------------------------------------------------------

FLAVOUR ?= $(if $(filter fuzz,$(MAKECMDGOALS)),fuzz,release)
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

CC := $(CC_$(FLAVOUR))
CXX := $(CXX_$(FLAVOUR))
WARN := -Wall -Wextra -Wshadow -Wpointer-arith -Wcast-qual -Wundef \
	-Wvla -Wformat=2
CWARN := $(WARN) -Wstrict-prototypes -Wmissing-prototypes

# The subject is measured: hidden symbols, fixed alignment, no build path.
CODEGEN := $(FLAGS_$(FLAVOUR)) -fPIC -fvisibility=hidden \
	-falign-functions=64
COMMON := $(CODEGEN) '-ffile-prefix-map=$(CURDIR)=.' -Iimpl -Icases -MMD -MP
CFLAGS := -std=gnu11 -D_GNU_SOURCE $(CWARN) $(COMMON)
CXXFLAGS := -std=c++17 $(WARN) $(COMMON)

# ---- sources ---------------------------------------------------------------

IMPL_SRC := $(filter-out impl/testkit/%,$(wildcard impl/*/*.c)) \
	$(wildcard impl/*/reference/*.c)
IMPL_SRC := $(filter-out impl/tools/%,$(IMPL_SRC))
TESTKIT_SRC := $(wildcard impl/testkit/*.c)
TEST_SRC := $(wildcard impl/*/tests/test_*.c)
FUZZ_SRC := $(wildcard impl/*/fuzz/fuzz_*.c)

IMPL_OBJ := $(IMPL_SRC:%.c=$(B)/%.o)
TESTKIT_OBJ := $(TESTKIT_SRC:%.c=$(B)/%.o)
TESTS := $(TEST_SRC:%.c=$(B)/%)
REPLAY_MAIN := $(B)/impl/testkit/replay/replay_main.o
REPLAYS := $(FUZZ_SRC:%.c=$(B)/%.replay)
FUZZERS := $(FUZZ_SRC:%.c=$(B)/%)

# The subject: all cases with what they measure.  The instruments: the rest.
CASES_SRC := $(wildcard cases/*.c) \
	$(filter-out cases/harness/%,$(wildcard cases/*/*.c))
CASES_OBJ := $(CASES_SRC:%.c=$(B)/%.o)
HARNESS_MAIN := $(wildcard cases/harness/*_main.c) cases/harness/heap_preload.c
HARNESS_SRC := $(filter-out $(HARNESS_MAIN),$(wildcard cases/harness/*.c))
HARNESS_OBJ := $(HARNESS_SRC:%.c=$(B)/%.o)
INSTRUMENTS := $(B)/bin/plumb-count $(B)/bin/plumb-probe \
	$(B)/bin/plumb-heap.so $(B)/bin/plumb-wall

# impl/m/fuzz/fuzz_m_topic.c -> impl/m/fuzz/corpus/topic
module_of = $(word 2,$(subst /, ,$(1)))
corpus_of = $(dir $(1))corpus/$(patsubst \
	fuzz_$(call module_of,$(1))_%.c,%,$(notdir $(1)))

# Libraries that decoders use; the subject links the static ones.
IMPL_LIBS :=

# ---- rules -----------------------------------------------------------------

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

$(B)/%.o: %.cc
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -c -o $@ $<

$(B)/libimpl.a: $(IMPL_OBJ)
	@rm -f $@
	ar rcs $@ $^

$(TESTS): $(B)/%: $(B)/%.o $(TESTKIT_OBJ) $(B)/libimpl.a
	$(CC) $(FLAGS_$(FLAVOUR)) -o $@ $^ -lcmocka -ljson-c $(IMPL_LIBS) -lpthread

.PHONY: unit
unit: $(TESTS)
	@set -e; for t in $(TESTS); do echo "== $$t"; $$t; done

$(REPLAYS): $(B)/%.replay: $(B)/%.o $(REPLAY_MAIN) $(TESTKIT_OBJ) $(B)/libimpl.a
	$(CC) $(FLAGS_$(FLAVOUR)) -o $@ $^ -lcmocka -ljson-c $(IMPL_LIBS) -lpthread

$(FUZZERS): $(B)/%: $(B)/%.o $(TESTKIT_OBJ) $(B)/libimpl.a
	$(CC) $(FLAGS_$(FLAVOUR)) -fsanitize=fuzzer -o $@ $^ -lcmocka -ljson-c \
		$(IMPL_LIBS) -lpthread

.PHONY: replay
replay: $(REPLAYS) ## replay the fuzz corpora without a fuzzing engine
	@set -e; $(foreach f,$(FUZZ_SRC),$(B)/$(f:.c=.replay) $(call corpus_of,$(f));)

# What an engine finds goes to build/; what is worth keeping is committed.
FUZZ_SECONDS ?= 20
.PHONY: fuzz
fuzz: $(FUZZERS) ## fuzz each target for FUZZ_SECONDS
	@set -e; $(foreach f,$(FUZZ_SRC),echo "== $(f)"; \
		mkdir -p $(B)/$(call corpus_of,$(f)); \
		$(B)/$(f:.c=) -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 \
		-artifact_prefix=$(B)/ $(B)/$(call corpus_of,$(f)) $(call corpus_of,$(f));)

# The subject is self-contained, exports one symbol and has no SONAME.
$(B)/suite.so: $(CASES_OBJ) $(B)/libimpl.a
	$(CC) $(FLAGS_$(FLAVOUR)) -shared -o $@ $^ -Wl,-z,now -Wl,-z,defs \
		-Wl,-Bsymbolic -Wl,--exclude-libs,ALL -Wl,--build-id=sha1 \
		$(IMPL_LIBS)

# The thread guard's names are exported, so that later objects bind to them.
GUARD_LINK := -Wl,--export-dynamic-symbol=pthread_create \
	-Wl,--export-dynamic-symbol=thrd_create

$(B)/bin/plumb-%: $(B)/cases/harness/%_main.o $(HARNESS_OBJ)
	@mkdir -p $(@D)
	$(CC) $(FLAGS_$(FLAVOUR)) -o $@ $^ $(GUARD_LINK) -lxxhash -ldl

$(B)/bin/plumb-wall: $(B)/cases/harness/wall_main.o $(B)/cases/harness/gb.o \
	$(HARNESS_OBJ)
	@mkdir -p $(@D)
	$(CXX) $(FLAGS_$(FLAVOUR)) -o $@ $^ $(GUARD_LINK) -lbenchmark -lpthread -ldl

$(B)/bin/plumb-heap.so: $(B)/cases/harness/heap_preload.o
	@mkdir -p $(@D)
	$(CC) $(FLAGS_$(FLAVOUR)) -shared -o $@ $^ -Wl,-z,now

.PHONY: suite instruments
suite: $(B)/suite.so
instruments: $(INSTRUMENTS)

# What decides the code that is generated, for plumb; see plumb.toml.
.PHONY: toolchain
toolchain:
	@: $(info {"compiler": "$(CC)", "flags": "-std=gnu11 $(CODEGEN)"})

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' Makefile

.PHONY: clean
clean: ## remove everything that was built
	rm -rf build

-include $(shell find build -name '*.d' 2>/dev/null)
