export const nowMs = Date.parse('2026-11-21T09:30:00.123Z');
export const at = new Date(nowMs).toISOString();

/** A row before the statement, and the statement's changes. */
export interface Row {
  tenantId: string;
  id: string;
}

export const stamps = { created_at: at, updated_at: at };
const money = { amount_minor: 10_000, currency: 'CVE', operator: 'MOCK' };
export const keyOf = ({ tenantId, id }: Row) => ({ tenant_id: tenantId, id });

export const paymentRow = (row: Row, status: string, more: object = {}) => ({
  ...keyOf(row),
  ...money,
  ...stamps,
  status,
  version: 1,
  fee_minor: 200,
  operator_phone: '+2389912345',
  ask_count: 0,
  due_at: at,
  expires_at: at,
  ...more,
});

export const refundRow = (row: Row, status: string, paymentId: string = row.id) => ({
  ...keyOf(row),
  ...money,
  ...stamps,
  status,
  payment_id: paymentId,
  version: 1,
  operator_tx_id: 'OP-1',
  ask_count: 0,
  due_at: at,
});

/** A session with its last attempt in flight: the payment with the same id. */
export const sessionRow = (row: Row, status: string, more: object) => ({
  ...keyOf(row),
  ...stamps,
  status,
  amount_minor: 10_000,
  currency: 'CVE',
  version: 1,
  items: '[]',
  link_secret: Buffer.alloc(8),
  attempt_in_flight: false,
  attempt_count: 10,
  expires_at: at,
  ...more,
});
