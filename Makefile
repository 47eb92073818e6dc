# Two commands do everything: make run, make test. Each sets up .venv by itself.
PYTHON := .venv/bin/python
DENO := DENO_DIR=build/deno DENO_NO_UPDATE_CHECK=1 .venv/bin/deno

MINUTES ?= 60
# tests at a time: two more than there are processors, for many wait; each starts a browser of its own
WORKERS ?= $(shell n=$$(($$(nproc) + 2)); [ $$n -lt 4 ] && echo $$n || echo 4)

.PHONY: lock types drawings help run test soak check bench pictures format clean install uninstall install-previous test-picamera try-install deb release

help:
	@echo "make run     the companion with a simulated table, on http://localhost:8000; PLACE=round for another than a lid"
	@echo "make test    all tests, browser tests included"
	@echo "make soak    an hour of phones that play by themselves, killed every five minutes; MINUTES=5 for less"
	@echo "make check   format, lint, imports, types, of Python and scripts; locked versions"
	@echo "make bench   the figures: speed and accuracy"
	@echo "make pictures  the pictures of the README, from the running program"
	@echo "make drawings  the start page's picture and the icons, from tools/drawings.py"
	@echo "make format  put the code into shape"
	@echo "make deb     the package for Raspberry Pi OS and Debian, into dist/"
	@echo "make release wheel, source archive, package, checksums and what is inside, into dist/; from what is committed"
	@echo "make lock    the newest versions of what it is built on, locked for every installation"
	@echo "make types   what the interface gives and takes, as the pages' scripts name it"
	@echo ""
	@echo "sudo make try-install       the package by apt in a clean Debian folder, up to the first page"
	@echo "sudo make test-picamera     the real picamera2 with a virtual camera, in a Debian 13 folder"
	@echo "sudo make install           a service of this machine (Raspberry Pi OS, Debian); again: upgrade"
	@echo "sudo make install-previous  back to the version before"
	@echo "sudo make uninstall         takes the service away, keeps games and settings"

run:
	@tools/setup.sh run
	@.venv/bin/boxlid run --simulate $(if $(PLACE),--place $(PLACE))

test:
	@tools/setup.sh dev
	@$(PYTHON) -m pytest --numprocesses $(WORKERS) --dist worksteal --cov --cov-report=term-missing:skip-covered --cov-fail-under=100

soak:
	@tools/setup.sh dev
	@$(PYTHON) -m tools.soak --minutes $(MINUTES) --report build/soak.txt

check:
	@tools/setup.sh dev
	@.venv/bin/ruff format --check .
	@.venv/bin/ruff check .
	@.venv/bin/lint-imports --no-cache
	@.venv/bin/mypy
	@$(DENO) fmt --quiet --check
	@$(DENO) lint --quiet
	@$(PYTHON) -m tools.api_types --check
	@$(DENO) check --quiet web/static/*.js
	@$(PYTHON) tools/check_locked.py

bench:
	@tools/setup.sh dev
	@.venv/bin/boxlid bench
	@$(PYTHON) -m tools.bench

pictures:
	@tools/setup.sh dev
	@$(PYTHON) -m tools.pictures

deb:
	@tools/setup.sh dev
	@$(PYTHON) -m tools.packages.deb

release:
	@tools/setup.sh dev
	@$(PYTHON) -m tools.packages.release

drawings:
	@tools/setup.sh dev
	@$(PYTHON) -m tools.drawings

format:
	@tools/setup.sh dev
	@.venv/bin/ruff format .
	@.venv/bin/ruff check --fix .
	@$(DENO) fmt --quiet

lock:
	@tools/lock.sh

types:
	@tools/setup.sh dev
	@$(PYTHON) -m tools.api_types

clean:
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

install:
	@systemd/install.sh

install-previous:
	@systemd/previous.sh

uninstall:
	@systemd/uninstall.sh

test-picamera:
	@tools/try_picamera.sh

try-install:
	@tools/try_install.sh
