#!/bin/sh
# Patroni runs it once, on the first primary, with a connection string. The gateway's role is not a superuser, so it
# cannot edit postings.
set -eu
psql --set=ON_ERROR_STOP=1 --dbname="$1" --set=password="$DATABASE_PASSWORD" <<'SQL'
CREATE ROLE zimbo LOGIN PASSWORD :'password';
CREATE DATABASE zimbo OWNER zimbo ENCODING 'UTF8' TEMPLATE template0;
SQL
