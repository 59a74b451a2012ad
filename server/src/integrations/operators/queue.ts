import { liveOperatorNames } from '../../platform/config/operator-catalogue.ts';
import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';
import type { RowMemory } from '../../platform/jobs/worker.ts';
import type { ByteBudget, Owner } from '../../platform/memory/byte-budget.ts';
import type { OperatorName } from './operator.ts';

/** Who serves them: an operator, or the simulator for all that is of test mode. */
export type OperatorQueue = OperatorName | 'SIMULATOR';

/** Those that are configured, in the order of the catalogue, and the simulator last. */
export const operatorQueuesOf = (configured: OperatorConfigs): OperatorQueue[] => [
  ...liveOperatorNames.filter((name) => configured[name] !== undefined),
  'SIMULATOR',
];

/** What goes to an operator, and whose it is. */
export interface Addressed {
  mode: 'live' | 'test';
  operator: OperatorName;
}

/** Test payments of an operator never reach it, so they wait for each other only. */
export function queueOf({ mode, operator }: Addressed): OperatorQueue {
  return mode === 'test' ? 'SIMULATOR' : operator;
}

/** The mode of a row's tenant, as SQL. */
export const modeOfRow = (row: string) =>
  `(SELECT t.mode FROM tenants t WHERE t.id = ${row}.tenant_id)`;

/** {@link queueOf} of a row, as SQL. */
export const queueOfRow = (row: string) =>
  `CASE ${modeOfRow(row)} WHEN 'test' THEN 'SIMULATOR' ELSE ${row}.operator END`;

/** What a payment or refund costs beside its metadata. */
const overheadBytes = 1024;

/** Payments and refunds share what they may hold of the memory. */
export const operatorMemory = (
  budget: ByteBudget,
): RowMemory<Owner & { metadata: string | null }> => ({
  budget,
  ownerOf: (row) => row,
  bytesOf: ({ metadata }) => (metadata?.length ?? 0) + overheadBytes,
  testQueue: 'SIMULATOR',
});
