import type { Logger } from 'pino';
import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { formatId } from '../../platform/values/ids.ts';
import { erasedPhone, maskPhone } from '../../platform/values/phone.ts';
import { eraseDisbursements } from './erase-disbursements.ts';
import {
  type ErasedPayment,
  type ErasePaymentsDependencies,
  eraseEventsOf,
  erasePayments,
} from './erase-payments.ts';
import type { Wait } from './erase-store.ts';
import { appendErasures, readErasures } from './erasures-file.ts';
import {
  addErasing,
  addErasingOfPhone,
  allErasures,
  claimErasing,
  delayErasing,
  type Erasure,
  erasuresToApply,
  finishErasing,
  insertErasures,
  markApplied,
} from './erasures-store.ts';
import { findErased } from './match-erasures.ts';
import type { DigestPhone } from './phone-digest.ts';
import { endpointsNaming, eraseFromKeys, eraseMentions } from './phone-mentions.ts';
import { waitsForBatches } from './unwritten-rows.ts';

export interface ErasureDependencies extends ErasePaymentsDependencies {
  clock: Administration['clock'];
  log: Logger;
  digestPhone: DigestPhone;
  /** Keeps erasures outside the database. */
  file: string;
}

export interface TenantWait extends Wait {
  tenantId: string;
}

/** The outcome of an erasure request. */
export interface Erased {
  erasure: Erasure;
  /** Payments and disbursements. */
  payments: number;
  waits: TenantWait[];
  /** How many other rows of each table mentioned the phone. */
  traces: Record<string, number>;
  /** Webhook endpoints with the phone in their URL, which stay unchanged. */
  endpoints: { id: string; url: string }[];
}

const batchSize = 100;
const leaseLengthMs = 600_000;
/** The interval at which waiting erasures are rechecked. */
const recheckMs = 3_600_000;
/** A webhook in flight is answered within its lease, and the answer may repeat the data: a last pass removes that. */
const lastPassMs = 300_000;

/**
 * Erases a person by phone: unneeded data at once, and the rest when its time has come. The request is stored first,
 * in the database and outside it, so that neither a crash nor a restore loses it.
 */
export async function erasePerson(
  dependencies: ErasureDependencies & Administration,
  phone: string,
): Promise<Erased> {
  const { database, clock, ids, digestPhone } = dependencies;
  const requestedAtMs = clock.nowMs();
  const [{ keyId, digest: phoneDigest }] = digestPhone(phone) as [ReturnType<DigestPhone>[0]];
  const erasure = { id: ids.next(requestedAtMs), keyId, phoneDigest, requestedAtMs };
  const found = await database.transaction(async (transaction) => {
    await insertErasures(transaction, [erasure]);
    const payments = await addErasingOfPhone(transaction, phone, erasure);
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'person.erased',
      subject: formatId('er', erasure.id),
      detail: { phone: maskPhone(phone), phoneDigest: phoneDigest.toString('hex'), payments },
    });
    return payments;
  });
  await appendErasures(dependencies.file, [erasure]);
  const { erased, waits } = await eraseDue(dependencies, erasure.id);
  const wanted = { phone, untilMs: requestedAtMs };
  const traces = await eraseMentions(database, wanted);
  await eraseFromKeys(database, wanted, dependencies.requestHashes);
  await markApplied(database, { ids: [erasure.id], nowMs: clock.nowMs() });
  const endpoints = await endpointsNaming(database, phone);
  return { erasure, payments: Math.min(found, erased), waits, traces, endpoints };
}

/** Erases due payments and disbursements in steps, for one erasure or all. */
export async function eraseDue(
  dependencies: Omit<ErasureDependencies, 'digestPhone' | 'file' | 'log'>,
  erasureId: string | null = null,
): Promise<{ erased: number; waits: TenantWait[] }> {
  const { database, clock } = dependencies;
  const sum = { erased: 0, waits: [] as TenantWait[] };
  for (;;) {
    const nowMs = clock.nowMs();
    const leaseMs = nowMs + leaseLengthMs;
    const claimed = await claimErasing(database, { nowMs, leaseMs, limit: batchSize, erasureId });
    if (claimed.length === 0) return sum;
    for (const [tenantId, rows] of Map.groupBy(claimed, (row) => row.tenantId)) {
      const ids = rows.map(({ paymentId }) => paymentId);
      const { erased, waits } = await eraseTenant(dependencies, tenantId, ids);
      sum.erased += erased;
      sum.waits.push(...waits.map((wait) => ({ ...wait, tenantId })));
    }
  }
}

async function eraseTenant(
  dependencies: Omit<ErasureDependencies, 'digestPhone' | 'file' | 'log'>,
  tenantId: string,
  ids: readonly string[],
): Promise<{ erased: number; waits: Wait[] }> {
  const { database, clock } = dependencies;
  const nowMs = clock.nowMs();
  const { erased, waits } = await database.transaction(async (transaction) => {
    const inBatches = await waitsForBatches(transaction, { tenantId, ids });
    const unwritten = new Set(inBatches.map(({ id }) => id));
    const wanted = { tenantId, ids: ids.filter((id) => !unwritten.has(id)), nowMs };
    const outcomes = [
      await erasePayments(transaction, dependencies, wanted),
      await eraseDisbursements(transaction, dependencies, wanted),
    ];
    const outcome = {
      erased: outcomes.flatMap((each) => each.erased),
      waits: [...inBatches, ...outcomes.flatMap((each) => each.waits)],
    };
    const again = outcome.erased
      .filter(isFresh)
      .map(({ id }) => ({ id, dueAtMs: nowMs + lastPassMs }));
    const waits = [...outcome.waits.map(delayOf(nowMs)), ...again];
    await delayErasing(transaction, { tenantId, waits });
    return outcome;
  });
  await eraseEventsOf(database, tenantId, erased);
  const fresh = erased.filter(isFresh);
  const waiting = new Set([...waits, ...fresh].map(({ id }) => id));
  await finishErasing(database, { tenantId, paymentIds: ids.filter((id) => !waiting.has(id)) });
  return { erased: fresh.length, waits };
}

const isFresh = ({ phone }: ErasedPayment) => phone !== erasedPhone;

/** When to recheck waiting payments. */
export const delayOf =
  (nowMs: number) =>
  ({ id, reason, keptUntilMs }: Wait) => ({
    id,
    dueAtMs: Math.max(reason === 'KEPT_BY_LAW' ? 0 : nowMs + recheckMs, keptUntilMs ?? 0),
  });

/**
 * Synchronizes the erasures of the database and the file: a restored database lacks those after its backup, and a new
 * machine has no file yet.
 * @returns how many were missing in the database
 */
export async function shareErasures(
  dependencies: Pick<ErasureDependencies, 'database' | 'log' | 'file'>,
): Promise<number> {
  const { database, log, file } = dependencies;
  const { erasures, unreadable } = await readErasures(file);
  if (unreadable > 0) log.warn({ file, unreadable }, 'some lines of the file are not erasures');
  const inFile = new Set(erasures.map(({ id }) => id));
  const added = await insertErasures(database, erasures);
  if (added > 0) log.warn({ erasures: added }, 'erasures that the database lacks were repeated');
  const known = await allErasures(database);
  await appendErasures(
    file,
    known.filter(({ id }) => !inFile.has(id)),
  );
  return added;
}

export interface Applied {
  erasures: number;
  payments: number;
  /** Erasures under a key that this gateway does not have: their phones are unknown. */
  underOtherKeys: Erasure[];
}

/** Runs erasures that are incomplete after a restore or a crash. */
export async function applyErasures(dependencies: ErasureDependencies): Promise<Applied> {
  const { database, log, clock, digestPhone } = dependencies;
  const own = new Set(digestPhone('').map(({ keyId }) => keyId.toString('hex')));
  const open = await erasuresToApply(database);
  const readable = open.filter(({ keyId }) => own.has(keyId.toString('hex')));
  const underOtherKeys = open.filter((erasure) => !readable.includes(erasure));
  if (underOtherKeys.length > 0) {
    const keyIds = [...new Set(underOtherKeys.map(({ keyId }) => keyId.toString('hex')))];
    const words = 'erasures are impossible: another secret key digested their phones';
    log.error({ erasures: underOtherKeys.length, keyIds }, words);
  }
  if (readable.length === 0) return { erasures: 0, payments: 0, underOtherKeys };
  const phones = new Map<string, number>();
  for await (const { erasure, phone, payments } of findErased(database, readable, digestPhone)) {
    phones.set(phone, Math.max(phones.get(phone) ?? 0, erasure.requestedAtMs));
    const due = payments.map((row) => ({ ...row, dueAtMs: erasure.requestedAtMs }));
    await addErasing(database, { payments: due, erasureId: erasure.id });
  }
  const { erased } = await eraseDue(dependencies);
  for (const [phone, untilMs] of phones) {
    await eraseMentions(database, { phone, untilMs });
    await eraseFromKeys(database, { phone, untilMs }, dependencies.requestHashes);
  }
  const ids = readable.map(({ id }) => id);
  await markApplied(database, { ids, nowMs: clock.nowMs() });
  log.info({ erasures: ids.length, payments: erased }, 'erasures are done');
  return { erasures: ids.length, payments: erased, underOtherKeys };
}
