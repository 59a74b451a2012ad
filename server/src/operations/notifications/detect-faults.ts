import { operatorStates } from '../../integrations/operators/health.ts';
import { operatorQueuesOf } from '../../integrations/operators/queue.ts';
import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';
import type { NewNotice } from '../../platform/notices/notice.ts';
import { writeNotices } from '../../platform/notices/write.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import type { Clock } from '../../platform/process/clock.ts';

interface WrongBalance {
  what: 'IMBALANCE' | 'SUSPENSE_MISSING';
  currency: string;
}

/*
 * A posting takes from one account what it adds to another, so all balances sum to 0. Suspense is negative after a
 * refund that had FAILED took money out. The statement reads one row for each account of a tenant.
 */
const findWrongBalances = rowsQuery<WrongBalance, []>({
  name: 'notices.wrong_balances',
  text: `
SELECT 'IMBALANCE' AS what, b.currency
FROM balances b JOIN tenants t ON t.id = b.tenant_id AND t.mode = 'live'
GROUP BY b.currency HAVING sum(b.balance_minor) <> 0
UNION ALL
SELECT DISTINCT 'SUSPENSE_MISSING', b.currency
FROM balances b JOIN tenants t ON t.id = b.tenant_id AND t.mode = 'live'
WHERE b.account = 'suspense' AND b.balance_minor < 0`,
});

export interface DetectFaultsDependencies {
  database: Database;
  clock: Clock;
  config: { operators: OperatorConfigs };
}

/** Finds the live operators that are DOWN. The simulator needs no notice. */
async function findDown(dependencies: DetectFaultsDependencies): Promise<string[]> {
  const operators = operatorQueuesOf(dependencies.config.operators);
  const live = operators.filter((name) => name !== 'SIMULATOR');
  const states = await operatorStates(dependencies, live);
  return states.filter(({ state }) => state === 'DOWN').map(({ operator }) => operator);
}

/** Writes a notice for each current fault; an ongoing notice is only marked as seen again. */
export async function detectFaults(dependencies: DetectFaultsDependencies): Promise<void> {
  await writeNotices(dependencies.database, await currentFaults(dependencies));
}

async function currentFaults(dependencies: DetectFaultsDependencies): Promise<NewNotice[]> {
  const down = await findDown(dependencies);
  const wrong = await findWrongBalances(dependencies.database);
  const atMs = dependencies.clock.nowMs();
  const common = { tenantId: null, atMs };
  return [
    ...down.map(
      (subject): NewNotice => ({ ...common, kind: 'OPERATOR_DOWN', subject, detail: {} }),
    ),
    ...wrong.map(
      (detail): NewNotice => ({
        ...common,
        kind: 'BALANCE_WRONG',
        subject: `${detail.what} ${detail.currency}`,
        detail,
      }),
    ),
  ];
}
