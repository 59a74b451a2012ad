import { createHash, createHmac } from 'node:crypto';
import { canonicalJson } from '../formats/canonical-json.ts';

/** An audit record, as stored. */
export interface StoredRecord {
  id: string;
  tenantId: string | null;
  atMs: number;
  actor: string;
  origin: string | null;
  action: string;
  subject: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  detail: Record<string, unknown>;
}

/** A batch of records, with the hash of them and the previous seal. */
export interface Seal {
  number: bigint;
  sealedAtMs: number;
  recordIds: string[];
  recordDigests: Buffer[];
  previousHash: Buffer;
  hash: Buffer;
}

/** The previous hash of the first seal. */
export const noHash = Buffer.alloc(32);

/** SHA-256 of a record as canonical JSON: any change of the record changes the digest. */
export function digestOf({ atMs, ...record }: StoredRecord): Buffer {
  const at = new Date(atMs).toISOString();
  return createHash('sha256')
    .update(canonicalJson({ ...record, at }))
    .digest();
}

/** SHA-256 of a seal as lines of text (docs/audit.md), so that it can be computed without Zimbo. */
export function hashOf(seal: Omit<Seal, 'hash'>): Buffer {
  const { number, sealedAtMs, recordIds, recordDigests, previousHash } = seal;
  const lines = [
    'zimbo audit seal 1',
    String(number),
    new Date(sealedAtMs).toISOString(),
    previousHash.toString('hex'),
    ...recordIds.map((id, index) => `${id} ${recordDigests[index]!.toString('hex')}`),
  ];
  return createHash('sha256')
    .update(`${lines.join('\n')}\n`)
    .digest();
}

/** Shows whether two texts were the same without revealing them; without the key, nobody can test guesses. */
export type KeyedDigest = (text: string) => string;

export function createKeyedDigest(secretKey: Buffer): KeyedDigest {
  return (text) =>
    createHmac('sha256', secretKey).update('zimbo audit\0').update(text).digest('hex').slice(0, 16);
}
