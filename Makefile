# todod: a reminder daemon for your user session.
#
#   make            build the programs
#   make run        make a debug build and run the daemon in this terminal; ARGS="..." are its options
#   make test       run all tests; those in a container need root
#   make test-dates   run the tests on many dates, in several time zones and languages; takes minutes
#   make test-faults  kill todod before each call that changes a file, and make each call fail; takes minutes
#   make test-sync    synchronize with several CalDAV servers and clients, with faults and kills; takes an hour (SEEDS=1000)
#   make test-sync-deps  install the Debian packages of these servers and clients, without starting services
#   make test-sanitizer  run the example server under the thread sanitizer
#   make install    install for this user (PREFIX=~/.local), or for all users with another PREFIX
#   make catalog    register the explanations for journalctl -x; needs root
#   make enable     start the installed daemon, now and at every login
#   make uninstall  stop the daemon and remove the installed files, but never your data
#   make deps       install the Debian packages that the build needs
#   make bench      measure the size, memory use and speed of the programs
#   make fuzz       run the parsers of predicates and of CalDAV answers on generated input
#   make docs       write the documentation of the library for a web server, to build/docs
#   make clean      remove the build

# Installation paths. A PREFIX inside the home directory is for one user; any other PREFIX is for the whole
# machine. DESTDIR is put before every path, for packagers.
PREFIX ?= $(HOME)/.local
DESTDIR ?=

BINDIR ?= $(PREFIX)/bin
DOCDIR ?= $(PREFIX)/share/doc/todod
APPDIR ?= $(PREFIX)/share/applications
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
MANDIR ?= $(PREFIX)/share/man
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
ifneq ($(filter $(HOME)/%,$(PREFIX)),)
# systemd.unit(5) names this directory for packages installed in a home directory; ~/.config is for the user.
UNITDIR ?= $(or $(XDG_DATA_HOME),$(HOME)/.local/share)/systemd/user
# journald reads catalogs from system directories only.
CATALOGDIR ?= /usr/local/lib/systemd/catalog
HOW_TO_ENABLE = make enable
else
UNITDIR ?= $(PREFIX)/lib/systemd/user
CATALOGDIR ?= $(PREFIX)/lib/systemd/catalog
HOW_TO_ENABLE = systemctl --user enable --now $(UNITS)
endif

SWIFT_MINIMUM := 6.3
SWIFT_PACKAGES := libcurl4 libncurses6 libxml2
BUILD_PACKAGES := g++ libcurl4-openssl-dev libical-dev libpcre2-dev libsqlite3-dev libsystemd-dev libutf8proc-dev libxml2-dev pkg-config
TEST_PACKAGES := $(BUILD_PACKAGES) \
    dbus dbus-user-session fish libpam-systemd libpq-dev locales man-db netcat-openbsd nghttp2-proxy openssl postgresql procps python3 \
    python3-dbusmock python3-radicale python3-venv sqlite3 strace systemd systemd-container taskwarrior xandikos zsh

# Servers and clients for test-sync. Their own services are not started.
SYNC_PACKAGES := cyrus-admin cyrus-caldav cyrus-imapd dbus davical evolution-data-server gir1.2-ecal-2.0 gir1.2-edataserver-1.2 \
    libdbd-pg-perl libsasl2-modules-db libyaml-perl php-cli php-curl php-pgsql php-xml postgresql python3-gi python3-radicale \
    python3-venv sasl2-bin sogo util-linux xandikos

# In CI, warnings are errors.
SWIFT_FLAGS := $(if $(CI),-Xswiftc -warnings-as-errors)
# Packed relocations have a hundredth of the size. The dynamic loader of glibc reads them since 2.36.
RELATIVE_RELOCATIONS := $(if $(filter 2.36,$(shell (echo 2.36; getconf GNU_LIBC_VERSION | cut -d' ' -f2) | sort -V | head -n 1)),-Xlinker -z -Xlinker pack-relative-relocs)
# Link the Swift runtime statically, so that the programs run on machines without Swift, and strip the symbols.
RELEASE_FLAGS := --static-swift-stdlib -Xlinker -s -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic $(RELATIVE_RELOCATIONS) $(SWIFT_FLAGS)
# todod-sync waits most of the time. The functions that it runs share pages; Benchmarks/hot-functions lists them again.
SYNC_FLAGS := -Xlinker --symbol-ordering-file=Sources/todod-sync/hot-functions -Xlinker --no-warn-symbol-ordering

UNITS := todod.socket todod.service
# Only those who synchronize enable it.
SYNC_UNIT := todod-sync.service
MANUALS := $(wildcard docs/man/*)
PROGRAMS := build/bin/todod build/bin/todod-sync build/bin/todoctl
# Directories are in the list, too: their times change when a file is removed.
SOURCES := Package.swift $(shell find Sources)

.PHONY: all run test test-dates test-faults test-sanitizer test-sync bench fuzz docs deps test-deps test-sync-deps install catalog enable uninstall clean
# If a build fails or is interrupted, the programs of the last build stay.
.PRECIOUS: $(PROGRAMS)

# --- Build ----------------------------------------------------------------------------------------

all: deps $(PROGRAMS)

$(PROGRAMS) &: $(SOURCES) | deps
	@$(require-swift)
	swift build -c release --product todod $(RELEASE_FLAGS)
	swift build -c release --product todod-sync $(RELEASE_FLAGS) $(SYNC_FLAGS)
	swift build -c release --product todoctl $(RELEASE_FLAGS)
	install -D -t build/new -m 755 .build/release/todod .build/release/todod-sync .build/release/todoctl
	mkdir -p build/bin
	mv build/new/todod build/new/todod-sync build/new/todoctl build/bin

# A debug build takes less than half the time.
run: deps
	@$(if $(ARGS),true,$(refuse-second-daemon))
	@$(require-swift)
	swift build --product todoctl $(SWIFT_FLAGS)
	swift build --product todod $(SWIFT_FLAGS)
	@exec .build/debug/todod $(ARGS)

clean:
	rm -rf .build build

# --- Test -----------------------------------------------------------------------------------------

# The container tests come last. Their last line says whether they could run on this machine.
test: test-deps
	@$(require-swift)
	swift format lint --strict --parallel --recursive Package.swift Sources Tests Benchmarks
	Tests/Style/prose
	Tests/Style/layers
	Tests/Style/labels
	Tests/Style/map --check
	@$(swift-test)
	$(write-docs)
	Tests/Consumer/run $(SWIFT_FLAGS)
	Tests/Dates/run --short
	Tests/Certification/run
	Tests/Interchange/run
	$(MAKE) --no-print-directory all
	$(check-stores)
	Tests/Container/run

# "make test" runs a sample of these. DATES="-k auckland" selects tests by name.
test-dates: test-deps
	@$(require-swift)
	swift build --build-tests $(SWIFT_FLAGS)
	Tests/Dates/run $(DATES)

# "make test" runs a sample of these.
test-faults: test-deps
	@$(require-swift)
	TODOD_FAULTS=all swift test $(SWIFT_FLAGS) --filter FaultTests

# SYNC="convergence --server cyrus --seed 12" repeats one seed.
SEEDS ?= 1000
test-sync: test-sync-deps
	@$(require-swift)
	swift build --product todod $(SWIFT_FLAGS)
	swift build --product todod-sync $(SWIFT_FLAGS)
	swift build --product todoctl $(SWIFT_FLAGS)
	Tests/Sync/run --seeds $(SEEDS) --table build/sync-results.md $(SYNC)

# "make test" runs these tests without the thread sanitizer, which reports races.
test-sanitizer: test-deps
	@$(require-swift)
	swift test --package-path Tests/Consumer --scratch-path .build/sanitizer --sanitize=thread --filter RecipeServerTests

bench: test-deps all
	Benchmarks/footprint build/bin
	Benchmarks/queue build/bin
	Benchmarks/memory build/bin
	Benchmarks/sync build/bin
	swift build -c release --product Benchmarks $(RELEASE_FLAGS)
	.build/release/Benchmarks
	swift build -c release --product APIBenchmarks $(RELEASE_FLAGS)
	.build/release/APIBenchmarks build/bin
	Benchmarks/clients build/bin

# FUZZ="parser 600" runs one fuzz target for ten minutes.
fuzz: deps
	@$(require-swift)
	Tests/Fuzz/run $(FUZZ)

# The articles are Markdown in build/ObjectStore.docc, too.
docs: deps
	@$(require-swift)
	@$(call require-packages,libpq-dev)
	swift build --target ObjectStoreFoundation $(SWIFT_FLAGS)
	swift build --target ObjectStoreXML $(SWIFT_FLAGS)
	swift build --target ObjectStorePostgreSQL $(SWIFT_FLAGS)
	$(write-docs)

# --- Install --------------------------------------------------------------------------------------

install: all
	install -D -t "$(DESTDIR)$(BINDIR)" -m 755 $(PROGRAMS)
	install -D -t "$(DESTDIR)$(UNITDIR)" -m 644 systemd/todod.socket
	$(foreach unit,todod todod-sync,sed 's|@BINDIR@|$(subst %,%%,$(BINDIR))|' systemd/$(unit).service.in > build/$(unit).service &&) true
	install -t "$(DESTDIR)$(UNITDIR)" -m 644 build/todod.service build/todod-sync.service
	install -D -t "$(DESTDIR)$(DOCDIR)" -m 644 config/todod.conf LICENSE
	install -D -t "$(DESTDIR)$(APPDIR)" -m 644 config/todod.desktop
	$(foreach page,$(MANUALS),install -D -t "$(DESTDIR)$(call man-section,$(page))" -m 644 $(page) &&) true
	install -D -m 644 Sources/TodoClient/Completion/todoctl.bash "$(DESTDIR)$(BASHDIR)/todoctl"
	install -D -t "$(DESTDIR)$(FISHDIR)" -m 644 Sources/TodoClient/Completion/todoctl.fish
	install -D -m 644 Sources/TodoClient/Completion/todoctl.zsh "$(DESTDIR)$(ZSHDIR)/_todoctl"
	@$(install-catalog)
	@$(say-what-next)

catalog:
	@$(install-catalog)

enable:
	@$(require-user-manager)
	systemctl --user daemon-reload
	systemctl --user enable $(UNITS)
	systemctl --user start todod.socket
	systemctl --user restart todod.service
	systemctl --user try-restart $(SYNC_UNIT)
	@echo 'todod is running, and starts at every login. To run it also while you are not logged in:'
	@echo '  loginctl enable-linger'

uninstall:
	@test -n "$(DESTDIR)" || { $(disable); }
	rm -f $(foreach program,$(PROGRAMS),"$(DESTDIR)$(BINDIR)/$(notdir $(program))")
	rm -f $(foreach unit,$(UNITS) $(SYNC_UNIT),"$(DESTDIR)$(UNITDIR)/$(unit)")
	rm -f "$(DESTDIR)$(DOCDIR)/todod.conf" "$(DESTDIR)$(DOCDIR)/LICENSE" "$(DESTDIR)$(APPDIR)/todod.desktop"
	rm -f $(foreach page,$(MANUALS),"$(DESTDIR)$(call man-section,$(page))/$(notdir $(page))")
	rm -f "$(DESTDIR)$(BASHDIR)/todoctl" "$(DESTDIR)$(FISHDIR)/todoctl.fish" "$(DESTDIR)$(ZSHDIR)/_todoctl"
	@rmdir --ignore-fail-on-non-empty "$(DESTDIR)$(DOCDIR)" 2>/dev/null || true
	@$(uninstall-catalog)
	@echo 'Your items and your configuration were not removed.'

# --- Debian packages ------------------------------------------------------------------------------

deps:
	@$(call require-packages,$(BUILD_PACKAGES))

# PostgreSQL would start a service of the machine.
test-deps:
	@$(keep-services-off); $(call require-packages,$(TEST_PACKAGES))

# Cyrus and PostgreSQL would start services of the machine.
test-sync-deps:
	@$(keep-services-off); $(call require-packages,$(SYNC_PACKAGES))

# --- How ------------------------------------------------------------------------------------------

# The directory of a page, such as man1 for docs/man/todoctl.1.
man-section = $(MANDIR)/man$(patsubst .%,%,$(suffix $(1)))

NEEDS_SWIFT := todod needs Swift $(SWIFT_MINIMUM) or later: https://www.swift.org/install

# The toolchain needs libraries that it does not include. Running it shows whether they are installed.
define require-swift
if ! command -v swift >/dev/null; then \
    echo 'swift is not in your PATH. $(NEEDS_SWIFT)' >&2; \
    echo '(sudo has its own PATH. To keep yours:  sudo env "PATH=$$PATH" make ...)' >&2; \
    exit 1; \
fi; \
if ! error=$$(swift build --version 2>&1); then \
    echo "$$error" >&2; \
    missing=' $(SWIFT_PACKAGES)'; \
    $(install-missing); \
fi; \
version=$$(swift build --version | sed 's/.*Swift \([0-9.]*\).*/\1/'); \
if ! printf '%s\n' $(SWIFT_MINIMUM) "$$version" | sort --check=quiet --version-sort; then \
    echo "This is Swift $$version. $(NEEDS_SWIFT)" >&2; \
    exit 1; \
fi
endef

# This runs before every target, so it calls dpkg-query only once.
define require-packages
installed=$$(dpkg-query --show --showformat='$${Package}=$${db:Status-Status} ' $(1) 2>/dev/null); \
missing=; \
for package in $(1); do \
    case " $$installed" in *" $$package=installed "*) ;; *) missing="$$missing $$package" ;; esac; \
done; \
test -z "$$missing" || { $(install-missing); }
endef

define keep-services-off
if test "$$(id -u)" = 0 -a ! -e /usr/sbin/policy-rc.d; then \
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT; \
    printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d; \
    chmod 755 /usr/sbin/policy-rc.d; \
fi
endef

define install-missing
if ! command -v apt-get >/dev/null; then \
    echo "This is not Debian. Install these packages, which may have other names here:$$missing" >&2; \
elif test "$$(id -u)" = 0; then \
    export DEBIAN_FRONTEND=noninteractive; \
    apt-get update && apt-get install --yes --no-install-recommends $$missing || exit; \
else \
    echo 'Debian packages are missing. To install them:' >&2; \
    echo "  sudo apt-get update && sudo apt-get install --no-install-recommends$$missing" >&2; \
    exit 1; \
fi
endef

# This fails if a public symbol has no comment, and if a link leads nowhere. It reads the symbols from the debug build.
define write-docs
rm -rf build/symbols
Tests/Style/documented build/symbols
docs/make-catalog build
docc convert build/ObjectStore.docc --additional-symbol-graph-dir build/symbols --output-path build/docs \
    --fallback-display-name ObjectStore --fallback-bundle-identifier dev.todod.ObjectStore \
    --transform-for-static-hosting --hosting-base-path ObjectStore --warnings-as-errors
endef

# The failures come last, because other tests have written much since then.
define swift-test
mkdir -p .build; rm -f .build/test-result; \
{ swift test $(SWIFT_FLAGS) 2>&1 && touch .build/test-result; } \
	| tee .build/test.log; \
if ! test -e .build/test-result; then \
	echo; echo "swift test failed. All output is in .build/test.log."; \
	grep -a '^✘.* recorded an issue' .build/test.log | cut -c 1-2000; \
	exit 1; \
fi
endef

# The optimizer has broken a store before. Tests of a debug build cannot detect that.
define check-stores
swift build -c release --product StoreCheck $(RELEASE_FLAGS)
directory=$$(mktemp -d); trap 'rm -rf "$$directory"' EXIT; .build/release/StoreCheck keep "$$directory"
endef

# With ARGS, the daemon may use another socket and another store.
define refuse-second-daemon
if systemctl --user --quiet is-active todod.service todod.socket 2>/dev/null; then \
    echo 'The todod service is running and uses the same items. Stop it first:' >&2; \
    echo '  systemctl --user stop todod.socket todod.service' >&2; \
    exit 1; \
fi
endef

define require-user-manager
systemctl --user show-environment >/dev/null 2>&1 || { \
    echo 'There is no systemd user manager, so todod cannot be enabled. Log in as the user, without' >&2; \
    echo 'sudo or su, and try again. To run todod without a service: make run' >&2; \
    exit 1; \
}
endef

define disable
if systemctl --user show-environment >/dev/null 2>&1; then \
    systemctl --user disable --now $(UNITS) $(SYNC_UNIT) || true; \
else \
    echo 'There is no systemd user manager here. Log in as the user of todod to stop it:'; \
    echo '  systemctl --user disable --now $(UNITS) $(SYNC_UNIT)'; \
fi
endef

define install-catalog
if test -n "$(DESTDIR)" -o "$$(id -u)" = 0; then \
    install -D -t "$(DESTDIR)$(CATALOGDIR)" -m 644 systemd/todod.catalog; \
    $(update-catalog); \
else \
    echo 'Only root can register the explanations for "journalctl -x". To register them:'; \
    echo '  sudo make -C $(CURDIR) catalog'; \
fi
endef

define uninstall-catalog
catalog="$(DESTDIR)$(CATALOGDIR)/todod.catalog"; \
if ! test -e "$$catalog"; then \
    exit 0; \
elif test -w "$$(dirname "$$catalog")"; then \
    rm "$$catalog"; \
    $(update-catalog); \
else \
    echo 'To remove the catalog as root:'; \
    echo "  sudo rm $$catalog && sudo journalctl --update-catalog"; \
fi
endef

define update-catalog
test -n "$(DESTDIR)" || ! command -v journalctl >/dev/null || journalctl --update-catalog
endef

define say-what-next
echo 'Installed. To start todod now and at every login:'; \
echo '  $(HOW_TO_ENABLE)'; \
case ":$$PATH:" in *":$(BINDIR):"*) ;; *) echo 'todoctl is in $(BINDIR), which is not in your PATH:'; \
    echo '  export PATH="$(BINDIR):$$PATH"' ;; \
esac
endef
