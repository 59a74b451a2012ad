import { liveOperatorNames } from '../../platform/config/operator-catalogue.ts';
import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';
import type { RowMemory } from '../../platform/jobs/worker.ts';
import type { ByteBudget, Owner } from '../../platform/memory/byte-budget.ts';
import type { OperatorName } from './operator.ts';

/** The server of a queue: an operator, or the simulator for all of test mode. */
export type OperatorQueue = OperatorName | 'SIMULATOR';

/** The operators that are configured, in the order of the catalogue, and the simulator last. */
export const operatorQueuesOf = (configured: OperatorConfigs): OperatorQueue[] => [
  ...liveOperatorNames.filter((name) => configured[name] !== undefined),
  'SIMULATOR',
];

/** A row that goes to an operator, and its tenant. */
export interface Addressed {
  mode: 'live' | 'test';
  operator: OperatorName;
}

/** Test payments never reach their operator, so they wait only for each other. */
export function queueOf({ mode, operator }: Addressed): OperatorQueue {
  return mode === 'test' ? 'SIMULATOR' : operator;
}

/** The mode of a row's tenant, as SQL. */
export const modeOfRow = (row: string) =>
  `(SELECT t.mode FROM tenants t WHERE t.id = ${row}.tenant_id)`;

/** {@link queueOf} of a row, as SQL. */
export const queueOfRow = (row: string) =>
  `CASE ${modeOfRow(row)} WHEN 'test' THEN 'SIMULATOR' ELSE ${row}.operator END`;

/** The memory of a payment or refund without its metadata. */
const overheadBytes = 1024;

/** Payments and refunds share this limit of memory. */
export const operatorMemory = (
  budget: ByteBudget,
): RowMemory<Owner & { metadata: string | null }> => ({
  budget,
  ownerOf: (row) => row,
  bytesOf: ({ metadata }) => (metadata?.length ?? 0) + overheadBytes,
  testQueue: 'SIMULATOR',
});
