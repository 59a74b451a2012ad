import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface Asset {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
}

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

const folder = join(import.meta.dirname, 'assets');
const require = createRequire(import.meta.url);

/** Files for browsers, taken from packages. */
const foreign: Record<string, string> = {
  'uplot.js': require.resolve('uplot/dist/uPlot.iife.min.js'),
  'uplot.css': require.resolve('uplot/dist/uPlot.min.css'),
  // The package only exports its entry; the files for browsers are next to it.
  'webauthn.js': join(
    require.resolve('@simplewebauthn/browser'),
    '../../dist/bundle/index.umd.min.js',
  ),
};

const read = (name: string) => readFileSync(foreign[name] ?? join(folder, name));

const byName = new Map<string, string>();
const byServedName = new Map<string, Asset>();

for (const name of [...readdirSync(folder), ...Object.keys(foreign)]) {
  const type = types[extname(name)];
  if (type === undefined) continue;
  const bytes = read(name);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const served = name.replace(/(?=\.\w+$)/, `-${hash}`);
  byName.set(name, served);
  byServedName.set(served, { type, bytes, gzipped: gzipSync(bytes, { level: 9 }) });
}

/**
 * The address of a file, below the console's folder. The address changes with the contents, so
 * browsers may cache it forever. @throws Error if the file does not exist: a bug of ours
 */
export function assetPath(name: string): string {
  const served = byName.get(name);
  if (served === undefined) throw new Error(`the console has no file ${name}`);
  return `/console/assets/${served}`;
}

/** The file under a name; undefined for names of other versions. */
export const assetOf = (served: string): Asset | undefined => byServedName.get(served);
