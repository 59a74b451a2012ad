import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

const publisher = 'https://nodejs.org/dist';
const list = 'SHASUMS256.txt';
const limitMs = 120_000;

const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export interface NodeOptions {
  /** A folder or URL with the list of checksums and the archive; undefined for the publisher's. */
  from: string | undefined;
  /** Whether to release even if nothing could be compared. */
  isUncheckedAllowed: boolean;
}

export interface Compared {
  /** Of the program in the package; undefined if there is none for this machine. */
  sha256: string | undefined;
  words: string;
}

/**
 * Compares the repackaged Node from npm with the one that nodejs.org publishes. The published list
 * only has checksums of archives, so this fetches the archive, verifies its checksum, and compares
 * the program in it. @throws Error if they differ, or if the comparison is impossible and that is
 * not allowed
 */
export async function compareNode(root: string, options: NodeOptions): Promise<Compared> {
  const place = `linux-${process.arch}`;
  const folder = join(root, 'node_modules', `node-${place}`);
  const unchecked = (sha256: string | undefined, why: string): Compared => {
    const words = `Node was NOT compared with its publisher's build: ${why}`;
    if (!options.isUncheckedAllowed) throw new Error(`${words}\n${advice}`);
    return { sha256, words };
  };
  if (!existsSync(folder)) return unchecked(undefined, `there is no node-${place} here`);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const sha256 = sum(readFileSync(join(folder, 'bin', 'node')));
  const name = `node-v${version}-${place}`;
  const from = options.from ?? `${publisher}/v${version}`;
  let published: Published;
  try {
    published = await publishedAt(from, name);
  } catch (error) {
    return unchecked(sha256, `${from}: ${reasonOf(error as Error)}`);
  }
  if (programIn(published, name) !== sha256)
    throw new Error(`node-${place} ${version} is not the Node of ${from}`);
  return { sha256, words: `node-${place} ${version} is the Node of ${from}` };
}

const advice = `Download ${list} and the archive from ${publisher} where it can be reached, and give their folder:
  npm run release -- --node-from FOLDER
--node-unchecked releases without.`;

const reasonOf = ({ message, cause }: Error) =>
  cause instanceof Error ? `${message}: ${cause.message}` : message;

interface Published {
  sums: string;
  archive: Uint8Array;
}

async function publishedAt(from: string, name: string): Promise<Published> {
  const get = (file: string) =>
    /^https?:/.test(from) ? download(`${from}/${file}`) : readFileSync(join(from, file));
  const sums = Buffer.from(await get(list)).toString('utf8');
  return { sums, archive: await get(`${name}.tar.gz`) };
}

async function download(url: string): Promise<Uint8Array> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) });
  if (!answer.ok) throw new Error(`${url}: status ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** The SHA-256 of bin/node in an archive whose own is in the list. */
export function programIn({ sums, archive }: Published, name: string): string {
  const [, listed] = new RegExp(`^([0-9a-f]{64})  ${name}\\.tar\\.gz$`, 'm').exec(sums) ?? [];
  if (listed === undefined) throw new Error(`SHASUMS256.txt does not list ${name}.tar.gz`);
  if (listed !== sum(archive)) throw new Error(`${name}.tar.gz is not what SHASUMS256.txt lists`);
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-node-'));
  try {
    writeFileSync(join(folder, 'node.tar.gz'), archive);
    run('tar', ['--extract', '--file=node.tar.gz', `${name}/bin/node`], folder);
    return sum(readFileSync(join(folder, name, 'bin', 'node')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
