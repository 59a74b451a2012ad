import type { Logger } from 'pino';
import {
  type DisbursementRequest,
  disburseWith,
  queryDisbursementWith,
} from '../../integrations/operators/operator.ts';
import { nextQueryMs } from '../../integrations/operators/query-schedule.ts';
import {
  leaseOf,
  type Processor,
  type SendingPlan,
} from '../../integrations/operators/request-processor.ts';
import { makeReschedule, type Reschedule } from '../../integrations/operators/reschedule-rows.ts';
import type { Origin } from '../../platform/jobs/worker.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { erasedPhone } from '../../platform/values/phone.ts';
import { createOutgoingProcessor, type OutgoingDependencies } from '../outgoing/process.ts';
import { contradictionOfFailure, decideDisbursement, type Outcome } from './decide.ts';
import { type Disbursement, obstacleMessages } from './disbursement.ts';
import { type FindObstacle, makeFindObstacle } from './find-obstacle.ts';
import { renewDisbursement, rescheduleDisbursements, takeByReference } from './lease-store.ts';
import { makeFindByReference } from './store.ts';
import type { ApplyDisbursementTransition } from './transition.ts';

export interface DisbursementProcessorDependencies extends OutgoingDependencies<Disbursement> {
  log: Logger;
  /** The database of people. */
  home: Database;
  applyTransition: ApplyDisbursementTransition;
  /** The operator has paid what we had given back to the merchant: a loss that a person must look into. */
  onLateSuccess(disbursement: Disbursement): void;
}

interface Parts extends DisbursementProcessorDependencies {
  reschedule: Reschedule;
  findObstacle: FindObstacle;
}

export type DisbursementProcessor = Processor<Disbursement>;

export function createDisbursementProcessor(
  dependencies: DisbursementProcessorDependencies,
): DisbursementProcessor {
  const { database } = dependencies;
  const parts = {
    ...dependencies,
    reschedule: makeReschedule(database, rescheduleDisbursements),
    findObstacle: makeFindObstacle(dependencies),
  };
  const processor = createOutgoingProcessor<Disbursement, Outcome>(dependencies, {
    kind: 'DISBURSEMENT',
    referenceOf: ({ reference }) => reference,
    decide: decideDisbursement,
    find: makeFindByReference(database),
    take: (taking) => takeByReference(database, taking),
    renew: (disbursement, leaseMs) => renewDisbursement(database, disbursement, leaseMs),
    isAtRest: (disbursement) => isHeld(parts, disbursement),
    ask: (operator, disbursement) => queryDisbursementWith(operator, requestOf(disbursement)),
    maySend: (disbursement) => maySend(parts, disbursement),
    send: (operator, disbursement, repeated) =>
      disburseWith(operator, { ...requestOf(disbursement), repeated }),
    begin: (disbursement, plan) => begin(parts, disbursement, plan),
    reschedule: (disbursement, plan) => parts.reschedule(disbursement, plan),
    finish: async (seen, outcome, ...finishing) =>
      finish(dependencies, seen, await explained(parts, seen, outcome), ...finishing),
    contradiction: contradictionOfFailure,
    notReceived,
    unclear: ({ status }) => ({ status }),
  });
  return {
    process: async (disbursement, origin) =>
      processor.process(disbursement, await originOf(dependencies, disbursement, origin)),
    hint: (tenantId, reference) => processor.hint(tenantId, reference),
    notify: (notification) => processor.notify(notification),
  };
}

/** It was never sent, so it may be repeated: with another code, programs would not. */
const notReceived = { to: 'FAILED', failureCode: 'OPERATOR_UNAVAILABLE' } as const;

/** What was not sent because nobody may send it says so, not that the operator was unavailable. */
async function explained(
  { findObstacle }: Parts,
  seen: Disbursement,
  outcome: Outcome,
): Promise<Outcome> {
  if (outcome !== notReceived || seen.sentAtMs !== null) return outcome;
  const obstacle = await findObstacle(seen);
  return obstacle === null
    ? outcome
    : { ...notReceived, failureMessage: obstacleMessages[obstacle] };
}

/**
 * The reference of a disbursement is derived, so after a restore the operator may know one that we have only just
 * written: unless it deduplicates, it is asked first.
 */
async function originOf(
  { clock, operatorFor }: DisbursementProcessorDependencies,
  disbursement: Disbursement,
  origin: Origin,
): Promise<Origin> {
  if (origin === 'DATABASE' || clock.nowMs() >= disbursement.expiresAtMs) return 'DATABASE';
  const { deduplicates } = await operatorFor(disbursement).traits(disbursement);
  return deduplicates ? 'MEMORY' : 'DATABASE';
}

const requestOf = (disbursement: Disbursement): DisbursementRequest => ({
  tenantId: disbursement.tenantId,
  reference: disbursement.reference,
  operator: disbursement.operator,
  amountMinor: disbursement.amountMinor,
  currency: disbursement.currency,
  phone: disbursement.operatorPhone ?? erasedPhone,
  statementDescriptor: disbursement.statementDescriptor,
  repeated: false,
});

/** How long an unsent disbursement waits at least while its operator is down; nobody waits for it at a page. */
const heldWaitMs = 30_000;
/** How long it waits before it checks again whether its author may disburse. */
const unauthorizedWaitMs = 900_000;

/** While the operator is down an unsent disbursement waits, until it expires. */
async function isHeld(
  { reschedule, clock, operatorFor, wake }: Parts,
  disbursement: Disbursement,
): Promise<boolean> {
  const nowMs = clock.nowMs();
  const { expiresAtMs, sentAtMs } = disbursement;
  if (nowMs >= expiresAtMs) return false;
  const heldUntilMs = await operatorFor(disbursement).heldUntilMs?.(disbursement);
  if (typeof heldUntilMs !== 'number') return false;
  const dueAtMs = Math.min(Math.max(heldUntilMs, nowMs + heldWaitMs), expiresAtMs);
  const isMine = await reschedule(disbursement, { dueAtMs, sentAtMs }, false);
  if (isMine) wake(dueAtMs);
  return true;
}

/** The merchant may have been suspended, the key revoked, or the person may have left: then nothing is sent, and the disbursement waits. */
async function maySend(
  { reschedule, findObstacle, clock, timing, wake }: Parts,
  disbursement: Disbursement,
): Promise<boolean> {
  if ((await findObstacle(disbursement)) === null) return true;
  const nowMs = clock.nowMs();
  const { expiresAtMs, sentAtMs } = disbursement;
  const dueAtMs =
    sentAtMs === null
      ? Math.min(nowMs + unauthorizedWaitMs, expiresAtMs)
      : Math.min(nextQueryMs(disbursement, nowMs, timing), sentAtMs + timing.watchMs);
  if (await reschedule(disbursement, { dueAtMs, sentAtMs })) wake(dueAtMs);
  return false;
}

async function begin(
  { reschedule, applyTransition }: Parts,
  disbursement: Disbursement,
  plan: SendingPlan,
): Promise<Disbursement | undefined> {
  if (disbursement.status === 'CREATED') {
    return applyTransition(disbursement, { to: 'PROCESSING', ...plan }, leaseOf(disbursement));
  }
  const isMine = await reschedule(disbursement, plan);
  return isMine ? { ...disbursement, ...plan } : undefined;
}

/**
 * False if the disbursement had moved on, the lease had passed to another worker, or the transaction is booked for
 * something else.
 */
async function finish(
  { clock, log, applyTransition, ...dependencies }: DisbursementProcessorDependencies,
  seen: Disbursement,
  outcome: Outcome,
  account: string | null,
  leaseMs?: number,
): Promise<boolean> {
  let disbursement = seen;
  if (seen.status === 'CREATED' && outcome.to === 'SUCCEEDED') {
    // The operator has paid what was never sent according to our records: the database was restored.
    const nowMs = clock.nowMs();
    const change = { to: 'PROCESSING', dueAtMs: leaseMs ?? nowMs, sentAtMs: nowMs } as const;
    const processing = await applyTransition(seen, change, leaseMs);
    if (!processing) return false;
    disbursement = processing;
  }
  const change = { ...outcome, account, dueAtMs: null };
  const moved = await applyTransition(disbursement, change, leaseMs);
  if (moved && moved.status === seen.status) {
    const { id, tenantId, status, operatorTxId } = moved;
    log.error(
      { disbursement: id, tenantId, status, operatorTxId },
      'a disbursement succeeded at the operator after it had failed or been cancelled: its amount is missing in suspense',
    );
    dependencies.onLateSuccess(moved);
  }
  return moved !== undefined;
}
