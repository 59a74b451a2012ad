import type pg from 'pg';
import { CopyTable, instant } from './copy.ts';
import type { Life } from './payments.ts';

/** The tables with rows of a payment. */
export class LifeTables {
  #payments = new CopyTable(
    'payments',
    `tenant_id, id, version, status, amount_minor, fee_minor, currency, operator, operator_phone,
    operator_tx_id, failure_code, external_id, customer_id, metadata, idempotency_key, request_hash,
    ask_count, sent_at, expires_at, created_at, updated_at, refund_reserved_minor, refunded_minor`,
  );
  #refunds = new CopyTable(
    'refunds',
    `tenant_id, id, payment_id, version, status, amount_minor, currency, operator, operator_tx_id,
    operator_refund_id, reason, ask_count, created_at, updated_at`,
  );
  #events = new CopyTable('events', 'tenant_id, id, type, object_id, sequence, body, created_at');
  #postings = new CopyTable(
    'postings',
    `tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at, period`,
  );
  #simulator = new CopyTable(
    'simulator_transactions',
    `tenant_id, reference, kind, operator, phone, amount_minor, currency, status, failure_code,
    operator_tx_id, reversed_tx_id, expires_at, created_at`,
  );

  add(life: Life): void {
    this.#addPayment(life);
    if (life.refund) this.#addRefund(life);
    for (const { tenantId, id, type, objectId, sequence, body, createdAtMs } of life.events) {
      this.#events.add(tenantId, id, type, objectId, sequence, body, instant(createdAtMs));
    }
    for (const posting of life.postings) {
      const { tenantId, sourceId, kind, from, to, currency, amountMinor, createdAtMs } = posting;
      const period = from === 'payable' || to === 'payable' ? life.period : null;
      const at = instant(createdAtMs);
      this.#postings.add(tenantId, sourceId, kind, from, to, currency, amountMinor, at, period);
    }
  }

  #addPayment({ payment: p, refund }: Life): void {
    const refundedMinor = refund?.amountMinor ?? 0n;
    const createdAt = instant(p.createdAtMs);
    const expiresAt = instant(p.expiresAtMs);
    this.#payments.add(
      p.tenantId,
      p.id,
      p.version,
      p.status,
      p.amountMinor,
      p.feeMinor,
      p.currency,
      p.operator,
      p.operatorPhone,
      p.operatorTxId,
      p.failureCode,
      p.externalId,
      p.customerId,
      p.metadata,
      p.idempotencyKey,
      p.requestHash,
      p.queryCount,
      p.sentAtMs === null ? null : instant(p.sentAtMs),
      expiresAt,
      createdAt,
      instant(p.updatedAtMs),
      refundedMinor,
      refundedMinor,
    );
    if (p.sentAtMs === null) return;
    const status = p.operatorTxId === null ? 'FAILED' : 'SUCCEEDED';
    this.#simulator.add(
      p.tenantId,
      p.id,
      'DEBIT',
      p.operator,
      p.operatorPhone,
      p.amountMinor,
      p.currency,
      status,
      p.failureCode,
      p.operatorTxId ?? `SIM-${p.id}`,
      null,
      expiresAt,
      createdAt,
    );
  }

  #addRefund({ payment, refund }: Life): void {
    const r = refund!;
    const createdAt = instant(r.createdAtMs);
    this.#refunds.add(
      r.tenantId,
      r.id,
      r.paymentId,
      r.version,
      r.status,
      r.amountMinor,
      r.currency,
      r.operator,
      r.operatorTxId,
      r.operatorRefundId,
      r.reason,
      r.queryCount,
      createdAt,
      instant(r.updatedAtMs),
    );
    this.#simulator.add(
      r.tenantId,
      r.id,
      'REFUND',
      r.operator,
      payment.operatorPhone,
      r.amountMinor,
      r.currency,
      'SUCCEEDED',
      null,
      r.operatorRefundId!,
      r.operatorTxId,
      createdAt,
      createdAt,
    );
  }

  /** Writes the added rows. */
  async flush(client: pg.Client): Promise<void> {
    const all = [this.#payments, this.#refunds, this.#events, this.#postings, this.#simulator];
    for (const table of all) await table.flush(client);
  }
}
