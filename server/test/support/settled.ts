import { checkLedger } from '../../src/money/ledger/check.ts';
import { parseId } from '../../src/platform/values/ids.ts';
import { eventually, reach, type TestGateway } from './gateway.ts';

/** Treats the test tenant's money as real from now on: only a person completes its settlements. */
export async function makeLive({ database }: Pick<TestGateway, 'database'>): Promise<void> {
  await database.query({ text: `DELETE FROM tenants WHERE mode = 'live'` });
  await database.query({ text: `UPDATE tenants SET mode = 'live'` });
}

/** Skips the comparison with the simulator, which covers test tenants only. */
export async function ledgerProblems({ database }: Pick<TestGateway, 'database'>) {
  return (await checkLedger(database)).filter(({ check }) => check !== 'operator');
}

/** A payout whose order is in the folder for the bank, not paid yet. @returns its id, se_… */
export async function processingSettlement(
  gateway: TestGateway,
  amount = 150_000,
): Promise<string> {
  const { zimbo, api, database } = gateway;
  const order = { amount, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  const { id } = await zimbo.payments.create(order);
  await reach(zimbo.payments, id, 'DEBITED');
  await makeLive(gateway);
  const { body } = await api('POST', '/v1/settlements/process', {});
  await reach(zimbo.settlements, body.id, 'PROCESSING');
  const text = 'SELECT 1 FROM settlements WHERE id = $1 AND due_at IS NULL';
  const uuid = parseId('se', body.id);
  await eventually('its order is handed over', async () => {
    return (await database.query({ text }, [uuid])).length > 0;
  });
  return body.id;
}
