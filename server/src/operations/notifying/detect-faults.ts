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
 * A posting moves as much from one account as to another, so all balances together are 0. Suspense lacks what a refund
 * took out after it had FAILED. One row for each account of a tenant is read.
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

export interface ObserveDependencies {
  database: Database;
  clock: Clock;
  config: { operators: OperatorConfigs };
}

/** Of the operators of live payments; of the simulator nobody has to hear. */
async function findDown(dependencies: ObserveDependencies): Promise<string[]> {
  const operators = operatorQueuesOf(dependencies.config.operators);
  const live = operators.filter((name) => name !== 'SIMULATOR');
  const states = await operatorStates(dependencies, live);
  return states.filter(({ state }) => state === 'DOWN').map(({ operator }) => operator);
}

/** Writes down what is so now. One that is on already was seen once more. */
export async function observe(dependencies: ObserveDependencies): Promise<void> {
  await writeNotices(dependencies.database, await statesNow(dependencies));
}

async function statesNow(dependencies: ObserveDependencies): Promise<NewNotice[]> {
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
