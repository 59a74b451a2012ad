import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type {
  DebitRequest,
  OperatorNotification,
} from '../../src/integrations/operators/operator.ts';
import { Simulator } from '../../src/integrations/operators/simulator/simulator.ts';
import type { SimulatedTransaction } from '../../src/integrations/operators/simulator/store.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { cleanUp } from '../support/cleanup.ts';
import { silentLog, testDatabase } from '../support/database.ts';
import { addTenants } from '../support/tenants.ts';

export const [tenantId, otherTenantId] = [randomUUID(), randomUUID()] as const;

interface Options {
  delayMs?: number;
  /** The receiver of callbacks; by default they arrive. */
  onNotification?: (notification: OperatorNotification) => Promise<void>;
}

/** A running simulator on a database of its own, and its notifications. */
export async function startSimulator(
  context: TestContext,
  { delayMs = 20, onNotification }: Options = {},
) {
  const { database } = await testDatabase(context);
  await addTenants(database, tenantId, otherTenantId);
  const notifications: OperatorNotification[] = [];
  const newSimulator = () =>
    new Simulator({
      database,
      clock: systemClock,
      log: silentLog,
      delayMs,
      notify: async (notification) => {
        notifications.push(notification);
        await onNotification?.(notification);
      },
    });
  const simulator = newSimulator();
  simulator.start();
  cleanUp(context, () => simulator.stop());
  const rows = () =>
    database.query<Pick<SimulatedTransaction, 'reference' | 'kind' | 'status' | 'failureCode'>>({
      text: `SELECT reference, kind, status, failure_code AS "failureCode" FROM simulator_transactions`,
    });
  const reported = (reference: string) =>
    notifications
      .filter((notification) => notification.reference === reference)
      .map(({ answer }) => answer);
  const confirm = async (request: DebitRequest) =>
    (await simulator.enterPin(request.tenantId, request.reference))?.decide(database);
  return { simulator, newSimulator, rows, reported, confirm };
}
