/**
 * A folder that stands for a server's disk, so that a test can install deploy/systemd without root
 * and without systemd: paths lead into the folder, and short scripts replace programs that would
 * change the machine.
 */
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

const paths =
  /\/(opt\/zimbo|etc\/(zimbo|caddy|systemd)|var\/(lib\/zimbo|backups)|usr\/local\/bin\/zimbo)\b/g;

/** Replaces the server's paths in a text by the folder's. */
export const inFolder = (text: string, folder: string) =>
  text.replaceAll(paths, (path) => `${folder}${path}`);

/** Nobody to switch to, and no owners. */
const sudo = `while [ "\${1#-}" != "$1" ]; do [ "$1" = -u ] && shift; shift; done
exec env PATH="$HERE/usr/local/bin:$PATH" "$@"`;

/** Starts a service like systemd: with the unit's environment and credentials, and nothing of the caller's. */
const systemctl = `units=$HERE/etc/systemd/system
run() {
  unit=$units/$1.service credentials=$HERE/credentials/$1
  mkdir -p "$credentials"
  sed -n 's/^LoadCredential=//p' "$unit" | while IFS=: read -r name file; do
    cp "$file" "$credentials/$name" || exit 1
  done || exit 1
  said=$(sed -n "s|%d|$credentials|g; s/^Environment=//p" "$unit" | tr '\\n' ' ')
  exec env -i PATH="$PATH" NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS" WEBHOOK_ALLOW_PRIVATE=true sh -c "
    set -ae; . $(sed -n 's/^EnvironmentFile=//p' "$unit"); export $said
    exec $(sed -n 's/^ExecStart=//p' "$unit")" >> "$HERE/journal" 2>&1
}
case "$*" in
  daemon-reload) ;;
  'reload caddy') grep -q '^pay.example.cv {$' "$HERE/etc/caddy/Caddyfile" ;;
  'enable --now zimbo') (run zimbo) & ;;
  'enable --now zimbo-backup.timer') grep -q OnCalendar "$units/zimbo-backup.timer" ;;
  'start zimbo-backup') (run zimbo-backup) ;;
  *) echo "systemctl $* is not known here" >&2; exit 1 ;;
esac`;

const programs = {
  sudo,
  systemctl,
  useradd: ':',
  chown: ':',
  setpriv: `while [ "\${1#--}" != "$1" ]; do shift; done; exec "$@"`,
};

/** Creates the disk of a server with PostgreSQL, Caddy and this checkout; `bin` is first in its PATH. */
export function machine(folder: string): void {
  const folders = [
    'bin',
    'etc/caddy',
    'etc/systemd/system',
    'opt/zimbo',
    'usr/local/bin',
    'var/lib',
  ];
  for (const each of folders) mkdirSync(join(folder, each), { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    const text = `#!/bin/sh\nHERE='${folder}'\n${script}\n`;
    writeFileSync(join(folder, 'bin', name), text, { mode: 0o755 });
  }
  symlinkSync(join(root, 'server'), join(folder, 'opt/zimbo/server'));
  const deploy = join(folder, 'opt/zimbo/deploy');
  for (const part of ['Caddyfile', 'database', 'systemd'])
    cpSync(join(root, 'deploy', part), join(deploy, part), { recursive: true });
  for (const file of globSync(join(deploy, 'systemd/*')))
    writeFileSync(file, inFolder(readFileSync(file, 'utf8'), folder));
}
