import { okPhone } from './checkout.ts';
import { reach, type TestGateway } from './gateway.ts';

/** The open settlement has ended, and there is another debit to settle. */
export async function freeToSettle({ api, zimbo, database }: TestGateway): Promise<void> {
  await database.query({ text: `UPDATE settlements SET status = 'COMPLETED', due_at = NULL` });
  const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: okPhone };
  const made = await api('POST', '/v1/payments', payment);
  await reach(zimbo.payments, made.body.id, 'DEBITED');
}
