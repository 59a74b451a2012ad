#!/bin/sh
# Installs the services for the program in /opt/zimbo, as root. Existing settings and secrets stay unchanged,
# so it can be run again after an upgrade.
set -eu
cd "$(dirname "$0")"
umask 077

id zimbo > /dev/null 2>&1 ||
  useradd --system --user-group --home-dir /var/lib/zimbo --shell /usr/sbin/nologin zimbo

# Readable only by root: systemd and /usr/local/bin/zimbo pass them on.
mkdir -p /etc/zimbo/secrets
touch /etc/zimbo/zimbo.env /etc/zimbo/secrets/database-url
# Encrypts data in the database: keep a copy elsewhere.
key=/etc/zimbo/secrets/zimbo-secret-key
[ -s "$key" ] || openssl rand -base64 32 > "$key"

(umask 022 && mkdir -p /var/backups)
mkdir -p /var/backups/zimbo
chown zimbo:zimbo /var/backups/zimbo

install -m 0755 zimbo /usr/local/bin/zimbo
install -m 0644 zimbo.service zimbo-backup.service zimbo-backup.timer /etc/systemd/system/
systemctl daemon-reload
