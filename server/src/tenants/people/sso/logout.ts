import { hash } from 'node:crypto';
import { writeAuditRecord } from '../../../platform/audit/record.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { PeopleDependencies } from '../dependencies.ts';
import { useChallenge } from '../passkey-store.ts';
import { endOrdered } from './session-store.ts';

const longestToken = 16_384;

/**
 * Ends sessions at the provider's request (back-channel logout).
 * @returns false if the provider did not sign the request for us
 * @throws ProviderDown
 */
export async function endByProvider(
  { database, clock, ids, provider }: PeopleDependencies,
  token: string,
): Promise<boolean> {
  if (provider === undefined || token === '' || token.length > longestToken) return false;
  const order = await provider.readLogout(token);
  if (!order) return false;
  await database.transaction(async (transaction) => {
    // A replayed request must not end sessions that began since.
    const once = hash('sha256', `single sign-on logout ${order.issuer} ${order.id}`, 'buffer');
    if (!(await useChallenge(transaction, once, order.expiresAtMs))) return;
    const ended = await endOrdered(transaction, order, clock.nowMs());
    for (const personId of new Set(ended.map((each) => each.personId))) {
      await writeAuditRecord(
        transaction,
        { clock, ids },
        {
          tenantId: null,
          action: 'person.signed_out',
          subject: formatId('pe', personId),
          detail: { sessions: ended.length, by: 'single sign-on' },
        },
      );
    }
  });
  return true;
}
