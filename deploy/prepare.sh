#!/bin/sh
# Creates .env and the secrets for compose.yaml, next to it. Existing files stay unchanged.
set -eu
cd "$(dirname "$0")"
umask 077

[ -e .env ] || cp .env.example .env

# Other users of this machine cannot enter secrets/. Inside, all may read, because containers read
# as their own users.
mkdir -p secrets/gateway secrets/database
chmod 0700 secrets
chmod 0755 secrets/gateway secrets/database

random() { head -c 32 /dev/urandom | od -An -vtx1 | tr -d ' \n'; }
keep() { # FILE TEXT
  [ -s "secrets/$1" ] || printf '%s\n' "$2" > "secrets/$1"
  chmod 0444 "secrets/$1"
}

keep database/postgres-password "$(random)"
keep database/database-password "$(random)"
keep gateway/database-url "postgres://zimbo:$(cat secrets/database/database-password)@database/zimbo?sslmode=disable"
# Encrypts data in the database: keep a copy elsewhere.
keep gateway/zimbo-secret-key "$(random)"

echo 'Ready: fill in PUBLIC_HOST in deploy/.env, and keep a copy of deploy/secrets/gateway/zimbo-secret-key elsewhere.'
