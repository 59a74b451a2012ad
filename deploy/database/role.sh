#!/bin/sh
# Runs once, on an empty volume. The gateway's role is no superuser, so that it cannot edit postings.
set -eu
psql --set=ON_ERROR_STOP=1 --username=postgres --set=password="$(cat /run/secrets/database-password)" <<'SQL'
CREATE ROLE zimbo LOGIN PASSWORD :'password';
CREATE DATABASE zimbo OWNER zimbo ENCODING 'UTF8' TEMPLATE template0;
SQL
