import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../platform/errors/start-error.ts';
import type { Erasure } from './erasures-store.ts';

/** Keeps erasures outside the database, so that they also apply to older backups. */
export const erasuresFile = (dataDir: string) => join(dataDir, 'erasures.jsonl');

interface Line {
  id: string;
  requestedAt: string;
  keyId: string;
  phoneDigest: string;
}

/** Appends lines to the file and flushes them to disk. */
export async function appendErasures(path: string, erasures: readonly Erasure[]): Promise<void> {
  if (erasures.length === 0) return;
  const lines = erasures.map((erasure) => `${JSON.stringify(lineOf(erasure))}\n`);
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  await using file = await open(path, 'a', 0o600);
  // A line truncated by a crash or a full disk must not spoil the next one.
  await file.appendFile(`${(await isCutOff(path)) ? '\n' : ''}${lines.join('')}`);
  await file.sync();
}

async function isCutOff(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8');
  return text !== '' && !text.endsWith('\n');
}

function lineOf({ id, requestedAtMs, keyId, phoneDigest }: Erasure): Line {
  return {
    id,
    requestedAt: new Date(requestedAtMs).toISOString(),
    keyId: keyId.toString('hex'),
    phoneDigest: phoneDigest.toString('hex'),
  };
}

export interface KeptErasures {
  erasures: Erasure[];
  /** Malformed lines, truncated by a crash or changed. The data of their erasures returns with a backup. */
  unreadable: number;
}

/**
 * The content of the file; empty without a file.
 * @param mustExist a person named the file, and must learn of a typing error
 */
export async function readErasures(path: string, mustExist = false): Promise<KeptErasures> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && !mustExist) return '';
    throw new StartError(`The erasures in ${path} cannot be read: ${error.message}.`);
  });
  const lines = text.split('\n').filter((line) => line !== '');
  const erasures = lines.flatMap((line) => parseLine(line) ?? []);
  return { erasures, unreadable: lines.length - erasures.length };
}

function parseLine(text: string): Erasure | undefined {
  try {
    const { id, requestedAt, keyId, phoneDigest } = JSON.parse(text) as Line;
    const requestedAtMs = Date.parse(requestedAt);
    if (!/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id) || Number.isNaN(requestedAtMs)) return undefined;
    if (!/^[0-9a-f]{8}$/.test(keyId) || !/^[0-9a-f]{64}$/.test(phoneDigest)) return undefined;
    const bytes = {
      keyId: Buffer.from(keyId, 'hex'),
      phoneDigest: Buffer.from(phoneDigest, 'hex'),
    };
    return { id, requestedAtMs, ...bytes };
  } catch {
    return undefined;
  }
}
