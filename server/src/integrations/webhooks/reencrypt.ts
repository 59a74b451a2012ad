import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { isUnder, type SecretBox } from '../../platform/secrets/secret-box.ts';
import { secretContext } from './endpoint.ts';
import { allBoxes, type EndpointBoxes, replaceBoxes } from './secret-store.ts';

export interface ReencryptDependencies extends Administration {
  database: Database;
  secrets: SecretBox;
  /** Endpoints per transaction; fewer in tests. */
  batchSize?: number;
}

export interface Reencrypted {
  /** Endpoints whose secrets are now under the current key. */
  changed: number;
  /** Endpoints that changed meanwhile: another run examines them again. */
  raced: number;
  /** Endpoints that neither key decrypts; deleted ones lose nothing. */
  unreadable: EndpointBoxes[];
}

/**
 * Encrypts every stored secret with the current key, in batches. Secrets already under it stay as they are, so the
 * run may be interrupted at any instant and started again. The secrets themselves do not change, and neither does the
 * endpoint's version: nobody needs to read it anew.
 * @param onBatch gets the sum after each batch
 */
export async function reencrypt(
  dependencies: ReencryptDependencies,
  onBatch: (sofar: Reencrypted) => void = () => {},
): Promise<Reencrypted> {
  const { database, secrets, batchSize = 200 } = dependencies;
  const sum: Reencrypted = { changed: 0, raced: 0, unreadable: [] };
  for await (const page of allBoxes(database, batchSize)) {
    const changes = [];
    for (const seen of page.filter((boxes) => !isCurrent(boxes, secrets))) {
      const next = resealed(seen, secrets);
      if (next) changes.push({ seen, next });
      else if (!seen.deleted) sum.unreadable.push(seen);
    }
    if (changes.length === 0) continue;
    const changed = await replaceRecorded(dependencies, changes);
    sum.changed += changed;
    sum.raced += changes.length - changed;
    onBatch(sum);
  }
  return sum;
}

/** How many endpoints have their secrets under the current key, under the previous one, or under another. */
export async function countByKey(
  dependencies: Pick<ReencryptDependencies, 'database' | 'secrets'>,
): Promise<{ current: number; previous: number; unreadable: EndpointBoxes[] }> {
  const { database, secrets } = dependencies;
  const count = { current: 0, previous: 0, unreadable: [] as EndpointBoxes[] };
  for await (const page of allBoxes(database, 1_000)) {
    for (const boxes of page) {
      if (resealed(boxes, secrets)) count[isCurrent(boxes, secrets) ? 'current' : 'previous'] += 1;
      else if (!boxes.deleted) count.unreadable.push(boxes);
    }
  }
  return count;
}

function isCurrent(boxes: EndpointBoxes, secrets: SecretBox): boolean {
  const { secretBox, nextSecretBox, answerBox } = boxes;
  return [secretBox, nextSecretBox, answerBox].every((box) => !box || isUnder(box, secrets));
}

/** Re-encrypted with the current key; undefined if no key decrypts it. */
function resealed(boxes: EndpointBoxes, secrets: SecretBox): EndpointBoxes | undefined {
  const context = secretContext(boxes);
  const again = (box: Buffer) => secrets.encrypt(secrets.decrypt(box, context), context);
  try {
    const { secretBox, nextSecretBox, answerBox } = boxes;
    return {
      ...boxes,
      secretBox: again(secretBox),
      nextSecretBox: nextSecretBox && again(nextSecretBox),
      answerBox: answerBox && again(answerBox),
    };
  } catch {
    return undefined;
  }
}

function replaceRecorded(
  dependencies: ReencryptDependencies,
  changes: { seen: EndpointBoxes; next: EndpointBoxes }[],
): Promise<number> {
  return dependencies.database.transaction(async (transaction) => {
    const endpoints = await replaceBoxes(transaction, changes);
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'secrets.reencrypted',
      subject: `key ${dependencies.secrets.header.subarray(1).toString('hex')}`,
      detail: { endpoints },
    });
    return endpoints;
  });
}
