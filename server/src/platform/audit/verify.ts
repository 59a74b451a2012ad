import type { Database, Queryable } from '../postgres/database.ts';
import { formatId } from '../values/ids.ts';
import { digestOf, hashOf, noHash, type Seal, type StoredRecord } from './digest.ts';
import { findRecords, findStrays, listSeals, unsealed } from './store.ts';

/** The number and the hash of a seal, as somebody has kept them outside the database. */
export interface Head {
  number: bigint;
  hash: Buffer;
}

export interface Verification {
  /** The first {@link mostProblems} problems, as text; if empty, nothing was changed, removed, inserted or cut off. */
  problems: string[];
  /** How many there are in all. */
  problemCount: number;
  seals: bigint;
  records: number;
  unsealed: bigint;
  /** The last seal. */
  head: Head | null;
}

/** Further problems are only counted. */
export const mostProblems = 100;

const sealsAtOnce = 100;
const recordsAtOnce = 1_000;

class Problems {
  readonly first: string[] = [];
  count = 0;

  add(...problems: readonly string[]): void {
    this.first.push(...problems.slice(0, mostProblems - this.first.length));
    this.count += problems.length;
  }
}

/** How far a verification has come. */
export interface VerifiedSoFar {
  /** The number of the last checked seal. */
  seal: bigint;
  records: number;
}

/**
 * Compares every record with its seal, the seals with each other, and with heads that were kept elsewhere.
 * @param onSeal called after each seal; an exception ends the verification
 */
export function verifyAudit(
  database: Database,
  heads: readonly Head[] = [],
  onSeal: (sofar: VerifiedSoFar) => void = () => {},
): Promise<Verification> {
  return database.transaction(async (transaction) => {
    // Reads a consistent snapshot while records are written and sealed.
    await transaction.query({ text: 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY' });
    const problems = new Problems();
    const walked = await walkSeals(transaction, problems, heads, onSeal);
    const strays = await findStrays(transaction, mostProblems);
    problems.add(...strays.map(({ id, kind }) => `${recordName(id)} ${strayWords[kind]}`));
    problems.count += (strays[0]?.total ?? 0) - strays.length;
    const { count } = await unsealed(transaction);
    return { ...walked, problems: problems.first, problemCount: problems.count, unsealed: count };
  });
}

/** A head as `zimbo audit head` prints it, `12:9f86…`; undefined if the text is not a head. */
export function parseHead(text: string): Head | undefined {
  const [, number, hash] = /^(\d{1,18}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (number === undefined || hash === undefined) return undefined;
  return { number: BigInt(number), hash: Buffer.from(hash, 'hex') };
}

export const headText = ({ number, hash }: Head): string => `${number}:${hash.toString('hex')}`;

const recordName = (id: string) => `The record ${formatId('au', id)}`;

const strayWords = {
  UNLISTED:
    'is in no seal and waits for none: a gateway of an older version wrote it during an upgrade (docs/audit.md says how to have it sealed), or it was slipped in, or its seal is gone.',
  GONE: 'was written and is gone; it had not been sealed yet.',
  TWICE: 'is in more than one seal.',
} as const;

async function walkSeals(
  transaction: Queryable,
  problems: Problems,
  heads: readonly Head[],
  onSeal: (sofar: VerifiedSoFar) => void,
): Promise<Pick<Verification, 'seals' | 'records' | 'head'>> {
  const kept = new Map(heads.map((head) => [head.number, head.hash]));
  let last: Seal | undefined;
  let records = 0;
  for (;;) {
    const page = await listSeals(transaction, last?.number ?? 0n, sealsAtOnce);
    for await (const { seal, byId } of withRecords(transaction, page)) {
      problems.add(...chainProblems(seal, last), ...recordProblems(seal, byId));
      const known = kept.get(seal.number);
      if (known && !known.equals(seal.hash)) {
        problems.add(`Seal ${seal.number} is not the one that was kept elsewhere.`);
      }
      records += seal.recordIds.length;
      last = seal;
      onSeal({ seal: seal.number, records });
    }
    if (page.length < sealsAtOnce) break;
  }
  const end = last?.number ?? 0n;
  for (const { number } of heads.filter((head) => head.number > end)) {
    problems.add(
      `Seal ${number} was kept elsewhere, but here the last one is ${end}: the end was cut off, or the database was set back.`,
    );
  }
  return { seals: end, records, head: last ? { number: last.number, hash: last.hash } : null };
}

/** Seals with their records as they are now. Those of small seals are read together. */
async function* withRecords(transaction: Queryable, seals: readonly Seal[]) {
  for (let at = 0; at < seals.length; ) {
    const batch: Seal[] = [];
    const ids: string[] = [];
    do {
      const seal = seals[at++]!;
      batch.push(seal);
      ids.push(...seal.recordIds);
    } while (at < seals.length && ids.length + seals[at]!.recordIds.length <= recordsAtOnce);
    const found = await findRecords(transaction, ids);
    const byId = new Map(found.map((record) => [record.id, record]));
    for (const seal of batch) yield { seal, byId };
  }
}

function chainProblems(seal: Seal, last: Seal | undefined): string[] {
  const problems: string[] = [];
  const expected = (last?.number ?? 0n) + 1n;
  if (seal.number !== expected) problems.push(`Seal ${expected} is missing.`);
  else if (!seal.previousHash.equals(last?.hash ?? noHash)) {
    problems.push(`Seal ${seal.number} does not follow seal ${expected - 1n}.`);
  }
  if (!hashOf(seal).equals(seal.hash)) problems.push(`Seal ${seal.number} was changed.`);
  return problems;
}

function recordProblems(seal: Seal, byId: ReadonlyMap<string, StoredRecord>): string[] {
  return seal.recordIds.flatMap((id, index) => {
    const record = byId.get(id);
    if (!record) return `${recordName(id)} of seal ${seal.number} is gone.`;
    const isSame = digestOf(record).equals(seal.recordDigests[index]!);
    return isSame ? [] : `${recordName(id)} of seal ${seal.number} was changed.`;
  });
}
