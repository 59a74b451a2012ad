#!/bin/sh
# Runs once, on an empty volume or a server of your own: DATABASE_PASSWORD, or else a file, has the password of the
# gateway's role. The role is not a superuser, so it cannot edit postings.
set -eu
password=${DATABASE_PASSWORD:-$(cat /run/secrets/database-password)}
psql --set=ON_ERROR_STOP=1 --username=postgres --set=password="$password" <<'SQL'
CREATE ROLE zimbo LOGIN PASSWORD :'password';
CREATE DATABASE zimbo OWNER zimbo ENCODING 'UTF8' TEMPLATE template0;
-- Stays empty: backups are tried in it (BACKUP_VERIFY_DATABASE_URL).
CREATE DATABASE zimbo_verify OWNER zimbo ENCODING 'UTF8' TEMPLATE template0;
SQL
