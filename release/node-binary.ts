import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run.ts';

const publisher = 'https://nodejs.org/dist';
const limitMs = 120_000;

const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export interface Compared {
  /** Of the program in the package; undefined if there is none for this machine. */
  sha256: string | undefined;
  words: string;
}

/**
 * Compares the Node of the npm package, a repackaging, with what nodejs.org publishes. Its list has sums of archives
 * only, so the archive is fetched, its sum compared, and then the program in it.
 * @throws Error if they differ
 */
export async function compareNode(root: string): Promise<Compared> {
  const place = `linux-${process.arch}`;
  const folder = join(root, 'node_modules', `node-${place}`);
  if (!existsSync(folder))
    return { sha256: undefined, words: `There is no node-${place} here to compare.` };
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const sha256 = sum(readFileSync(join(folder, 'bin', 'node')));
  const name = `node-v${version}-${place}`;
  let published: Published;
  try {
    published = await download(version, name);
  } catch (error) {
    const why = (error as Error).message;
    return { sha256, words: `node-${place} ${version} was NOT compared with ${publisher}: ${why}` };
  }
  const found = programIn(published, name);
  if (found !== sha256) throw new Error(`node-${place} ${version} is not the Node of ${publisher}`);
  return { sha256, words: `node-${place} ${version} is the Node of ${publisher}` };
}

interface Published {
  sums: string;
  archive: Uint8Array;
}

async function download(version: string, name: string): Promise<Published> {
  const get = async (file: string) => {
    const answer = await fetch(`${publisher}/v${version}/${file}`, {
      signal: AbortSignal.timeout(limitMs),
    });
    if (!answer.ok) throw new Error(`${file}: status ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const sums = Buffer.from(await get('SHASUMS256.txt')).toString('utf8');
  return { sums, archive: await get(`${name}.tar.gz`) };
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
