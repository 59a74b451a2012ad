#!/bin/sh
# Makes .env and the secrets that compose.yaml needs, beside it. What is there already stays as it is.
set -eu
cd "$(dirname "$0")"
umask 077

[ -e .env ] || cp .env.example .env

# Nobody else of this machine gets into secrets/. Inside, all may read, since containers read as users of their own.
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
# It encrypts what the database holds: keep a copy elsewhere.
keep gateway/zimbo-secret-key "$(random)"

echo 'Ready: fill in PUBLIC_HOST in deploy/.env, and keep a copy of deploy/secrets/gateway/zimbo-secret-key elsewhere.'
