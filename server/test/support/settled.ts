import type { TestConsole } from './console.ts';
import { reach } from './gateway.ts';

/** A payout of the test merchant whose order lies in the folder for the bank. @returns its id, se_… */
export async function processingSettlement(
  { gateway }: Pick<TestConsole, 'gateway'>,
  amount = 150_000,
): Promise<string> {
  const { zimbo, api } = gateway;
  const order = { amount, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  const { id } = await zimbo.payments.create(order);
  await reach(zimbo.payments, id, 'DEBITED');
  const { body } = await api('POST', '/v1/settlements/process', {});
  await reach(zimbo.settlements, body.id, 'PROCESSING');
  return body.id;
}
