import { createDigestKey } from '../../src/platform/secrets/digest-key.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-box.ts';
import { parseId } from '../../src/platform/values/ids.ts';
import { createReceiptLinks } from '../../src/storefront/checkout/receipt-link.ts';
import { silentLog } from './database.ts';
import type { TestGateway } from './gateway.ts';
import { testKeys } from './privacy.ts';

/** The token of a payment's receipt, made as links to it are made. */
export async function receiptTokenOf(
  { database }: Pick<TestGateway, 'database'>,
  payment: { id: string },
): Promise<string> {
  const id = parseId('pi', payment.id)!;
  const text = 'SELECT tenant_id AS "tenantId" FROM payments WHERE id = $1';
  const [row] = await database.query<{ tenantId: string }>({ text }, [id]);
  const secrets = createSecretBox(testKeys.current);
  const digestKey = createDigestKey({ database, secrets, log: silentLog });
  const links = createReceiptLinks({ digestKey, publicUrl: 'https://pay.example.cv' });
  const link = (await links.linkOf({ tenantId: row!.tenantId, id }))!;
  return /^https:\/\/pay\.example\.cv\/receipt\/([\w-]{64})$/.exec(link)![1]!;
}
