import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { type Database, timestamp } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';

/**
 * The merchant, with one tenant, of debits without a payment of ours: an operator's list has our references, but no
 * merchants (docs/decisions/0022). The ids are the same in every installation.
 */
export const unassigned = {
  merchantId: '5c0f6f2a-7f0e-5d0a-9c55-0a4a0b9e7d01',
  tenantId: '5c0f6f2a-7f0e-5d0a-9c55-0a4a0b9e7d02',
  name: 'Unassigned',
};

/** Creates it if it does not exist; it has neither keys nor a test mode. */
export async function ensureUnassigned(
  database: Database,
  administration: Administration,
): Promise<void> {
  const { merchantId, tenantId, name } = unassigned;
  const createdAt = timestamp(administration.clock.nowMs());
  await database.transaction(async (transaction) => {
    const merchant = `INSERT INTO merchants (id, name, created_at) VALUES ($1, $2, $3)
      ON CONFLICT DO NOTHING RETURNING id`;
    const made = await transaction.query({ text: merchant }, [merchantId, name, createdAt]);
    if (made.length === 0) return;
    const tenant = `INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $2, 'live', $3)`;
    await transaction.query({ text: tenant }, [tenantId, merchantId, createdAt]);
    await writeAuditRecord(transaction, administration, {
      tenantId: null,
      action: 'merchant.created',
      subject: formatId('me', merchantId),
      after: { name },
    });
  });
}
