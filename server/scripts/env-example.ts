import { type Variable, variables } from '../src/platform/config/variables.ts';
import { version } from '../src/platform/process/version.ts';

/** What the image and compose.yaml say themselves; another value would break what they say elsewhere. */
export const fixedByCompose = [
  'PORT',
  'HOST',
  'OPERATIONS_PORT',
  'OPERATIONS_HOST',
  'DATA_DIR',
  'DATABASE_URL',
  'DATABASE_URL_FILE',
  'ZIMBO_SECRET_KEY',
  'ZIMBO_SECRET_KEY_FILE',
];

/** Defaults that compose.yaml gives in place of the program's own. */
const defaultsOfCompose: Record<string, string> = {
  PUBLIC_URL: 'https:// and PUBLIC_HOST',
  TRUST_PROXY: 'the Caddy of compose.yaml, and this machine',
};

const widest = 110;

/** The text of deploy/.env.example: every setting that can be chosen, as a comment. */
export function envExample(): string {
  const all: [string, Variable<unknown>][] = Object.entries(variables);
  const chosen = all.filter(
    ([name, { secret }]) => !fixedByCompose.includes(name) && secret !== true,
  );
  const groups = Map.groupBy(chosen, ([, { group }]) => group);
  const sections = [...groups].map(
    ([group, members]) => `\n## ${group}\n\n${members.map(entryOf).join('\n')}`,
  );
  return `${head}${sections.join('')}`;
}

function entryOf([name, variable]: [string, Variable<unknown>]): string {
  const { about, default: value, otherwise = '', example } = variable;
  const last = defaultsOfCompose[name] ?? value ?? otherwise;
  const isFile = name.endsWith('_FILE');
  const words = isFile || last === '' ? about : `${about} Default: ${last}.`;
  return `${comment(plain(words))}\n# ${name}=${example}\n`;
}

/** Without the marks of Markdown. */
const plain = (text: string) => text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');

function comment(text: string): string {
  const lines = ['#'];
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > widest) lines.push('#');
    lines[lines.length - 1] += ` ${word}`;
  }
  return lines.join('\n');
}

const head = `# Written by "npm run docs". deploy/prepare.sh copies it to .env, which compose.yaml and the gateway read.
# Secrets are not for this file: put each into a file in secrets/gateway, and name it /run/secrets/FILE below.

# The name at which the world reaches you. Caddy gets the certificate for it by itself.
PUBLIC_HOST=
# The version of Zimbo to run: the tag of its image.
ZIMBO_VERSION=${version}
# Without "database", give your own in secrets/gateway/database-url; without "caddy", put a proxy of yours before
# 127.0.0.1:3000 (Caddyfile, nginx.conf).
COMPOSE_PROFILES=database,caddy
`;
