# Tenfold. `make run` gives the whole product on this machine, `make test` proves it.
# Every target does its own set-up.
SHELL := /bin/bash
export CGO_ENABLED := 0
# One set of flags for builds and tests, so that they share compiled packages.
export GOFLAGS := -trimpath
export npm_config_fund := false
export npm_config_audit := false
export npm_config_update_notifier := false

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
NPM_CI := npm ci --ignore-scripts --no-progress --loglevel=error
DATA_DIR := $(or $(TENFOLD_DATA_DIR),.tenfold)
WEB_SOURCES := $(shell find web catalog -type f \( -path '*/node_modules' -o -path '*/dist' \) -prune -o -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -print 2>/dev/null)

.PHONY: run dev build test e2e lint fmt generate reset prerequisites binaries

run: build ## build everything and start it; Ctrl-C stops it
	@exec bin/tenfold up

dev: build ## the same, with hot reload of the page
	@exec bin/tenfold up --dev

build: prerequisites localnet/node_modules/.package-lock.json web/dist/index.html binaries ## bin/tenfold and bin/localnet

binaries: web/dist/index.html
	@mkdir -p bin
	@go build -ldflags "-s -w -X main.version=$(VERSION)" -o bin/ ./cmd/tenfold ./cmd/localnet

prerequisites:
	@scripts/prerequisites.sh

web/dist/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	@echo "Building the page"
	@cd web && npm run --silent build

%/node_modules/.package-lock.json: %/package-lock.json
	@echo "Installing the npm packages of $*"
	@cd $* && $(NPM_CI)
	@touch $@

test: build e2e/node_modules/.package-lock.json ## Go, TypeScript and browser tests, then one summary line
	@scripts/chromium.sh >/dev/null
	@node scripts/test.mjs

e2e: build e2e/node_modules/.package-lock.json ## only the tests on the real stack
	@scripts/chromium.sh >/dev/null
	@node scripts/test.mjs e2e

lint: build ## vet, staticcheck, formatting, types
	@test -z "$$(go tool -modfile=tools/go.mod gofumpt -l $$(git ls-files '*.go' | grep -v '\.sql\.go$$'))" || { echo "run make fmt"; exit 1; }
	@go vet ./...
	@go tool -modfile=tools/go.mod staticcheck ./...
	@cd web && npm run --silent lint && npm run --silent check
	@cd localnet && npm run --silent typecheck

fmt: web/node_modules/.package-lock.json ## format Go and TypeScript
	@go tool -modfile=tools/go.mod gofumpt -w $$(git ls-files '*.go' | grep -v '\.sql\.go$$')
	@cd web && npm run --silent fmt

generate: tools/openapi/node_modules/.package-lock.json ## queries, the OpenAPI document and the page's client of it
	@go tool -modfile=tools/go.mod sqlc generate
	@go run ./cmd/tenfold openapi > api/app.openapi.json
	@cd tools/openapi && npm run --silent generate

reset: ## forget every account, balance and history of this machine's network
	@scripts/reset.sh "$(DATA_DIR)"
