import { createHash, createHmac } from 'node:crypto';
import { canonicalJson } from '../formats/canonical-json.ts';

/** What somebody did, as it is kept. */
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

/** Some records, and the hash of them and of the seal before. */
export interface Seal {
  number: bigint;
  sealedAtMs: number;
  recordIds: string[];
  recordDigests: Buffer[];
  previousHash: Buffer;
  hash: Buffer;
}

/** Of the seal before the first. */
export const noHash = Buffer.alloc(32);

/** SHA-256 of a record as canonical JSON: whatever is changed of it changes this. */
export function digestOf({ atMs, ...record }: StoredRecord): Buffer {
  const at = new Date(atMs).toISOString();
  return createHash('sha256')
    .update(canonicalJson({ ...record, at }))
    .digest();
}

/** SHA-256 of a seal as lines of text (docs/audit.md), so that nothing of Zimbo is needed to compute it. */
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

/** Tells whether two texts were the same without telling either; who lacks the key cannot try what it was. */
export type KeyedDigest = (text: string) => string;

export function createKeyedDigest(secretKey: Buffer): KeyedDigest {
  return (text) =>
    createHmac('sha256', secretKey).update('zimbo audit\0').update(text).digest('hex').slice(0, 16);
}
