import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { settleTransitions } from '../../src/money/payments/settle.ts';
import { findPayment } from '../../src/money/payments/store.ts';
import { transitionPayments } from '../../src/money/payments/transition-store.ts';
import { eraseDue, erasePerson } from '../../src/operations/privacy/erasures.ts';
import { keyedTables, mentionTables } from '../../src/operations/privacy/mention-tables.ts';
import { parseId, randomIds } from '../../src/platform/values/ids.ts';
import { confirmPhone, openSession, pageOf, reachStatus } from '../support/checkout.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually, reach, type TestGateway, testGateway } from '../support/gateway.ts';
import { columnsWith, privacyDependencies, textColumns } from '../support/privacy.ts';

const phone = '+2389917654';
const digits = phone.slice(1);
const national = phone.slice(4);
const otherPhone = '+2389911234';

/** A merchant's server that echoes each request. */
async function echo(context: TestContext): Promise<string> {
  const server = createServer((request, response) => void request.pipe(response.writeHead(500)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Stores the phone in every place that accepts one. */
async function leaveTraces(gateway: TestGateway, endpointUrl: string) {
  const { zimbo, api, database } = gateway;
  const events = ['payment.created', 'payment.debited', 'refund.created', 'checkout.completed'];
  const endpoint = { url: endpointUrl, events, description: `of ${phone}` };
  await api('POST', '/v1/webhooks', endpoint);
  const session = await openSession(gateway, {
    externalId: `basket ${digits}`,
    customerId: `customer ${phone}`,
    metadata: { whatsapp: national },
    returnUrl: `https://shop.example/?phone=${digits}`,
    items: [{ name: `Top-up of ${phone}`, quantity: 1, unitPrice: 5_000 }],
    amount: undefined,
  } as never);
  await pageOf(gateway, session).pay(phone);
  const completed = await reachStatus(gateway, session, 'COMPLETED');
  const calls = { one: '+238 991 76 54', two: '+238/991/7654', three: '238 - 991 - 7654' };
  await openSession(gateway, { metadata: calls, externalId: `call ${phone}` });
  const body = {
    amount: 10_000,
    operator: 'MOCK',
    operatorPhone: phone,
    externalId: `order ${digits}`,
    customerId: `c ${national}`,
    description: `For ${national}`,
    statementDescriptor: `SHOP ${digits}`,
    metadata: { phone, other: national },
  };
  const headers = { 'idempotency-key': `first of ${phone}` };
  const created = await api('POST', '/v1/payments', body, headers);
  await reach(zimbo.payments, created.body.id, 'DEBITED');
  const reason = `the customer ${national} called`;
  const paymentIntentId = created.body.id;
  const wanted = { paymentIntentId, amount: 1_000, reason, metadata: { national } };
  const refund = await api('POST', '/v1/refunds', wanted, { 'idempotency-key': 'back' });
  await reach(zimbo.refunds, refund.body.id, 'SUCCEEDED');
  const failed = await zimbo.payments.create({
    amount: 70,
    operator: 'MOCK',
    operatorPhone: otherPhone,
    metadata: { friend: `00${digits}` },
  });
  await zimbo.products.create({ name: `Card for ${phone}`, price: 5 });
  const [row] = await database.query<{ tenantId: string }>({
    text: 'SELECT tenant_id AS "tenantId" FROM payments LIMIT 1',
  });
  const id = parseId('pi', created.body.id);
  const callback = JSON.stringify({ debitParty: [{ key: 'msisdn', value: phone }] });
  await database.query(
    {
      text: `INSERT INTO operator_callbacks (tenant_id, operator, reference, outcome, kind, body, received_at)
        VALUES ($1, 'MOCK', $2, 'x', 'DEBIT', $3, now()), ($1, 'MOCK', gen_random_uuid(), 'x', 'DEBIT', $3, now())`,
    },
    [row!.tenantId, id, callback],
  );
  await database.query(
    {
      text: `INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at, closed_at, closed_by, reason)
        VALUES ($1, gen_random_uuid(), 'CLASH', 'PAYMENT', $2, 'MOCK', $3, now(), now(), 'cli:maria', $4)`,
    },
    [row!.tenantId, id, JSON.stringify({ told: { payer: phone } }), `${phone} says so`],
  );
  const attempts = { text: `SELECT FROM deliveries WHERE attempts::text LIKE '%${digits}%'` };
  await eventually('an answer is kept', async () => (await database.query(attempts)).length > 0);
  return { created, body, headers, refund, wanted, completed, failed };
}

/** All deliveries are answered, and no further one follows. */
async function stopDeliveries({ api, database }: TestGateway): Promise<void> {
  const { data } = (await api('GET', '/v1/webhooks')).body;
  for (const { id } of data) await api('PATCH', `/v1/webhooks/${id}`, { status: 'DISABLED' });
  const isOver = async () => {
    const text = "SELECT FROM deliveries WHERE status = 'PENDING' AND due_at IS NOT NULL";
    return (await database.query({ text })).length === 0;
  };
  // Other processes learn of the erasure within 25 seconds.
  await eventually('nothing is being sent', isOver, 40_000);
}

test('leaves no trace of the phone in any column after an erasure, and all else unchanged', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo, api, database } = gateway;
  const done = await leaveTraces(gateway, await echo(context));
  const before = await columnsWith(database, national);
  for (const column of ['payments.operator_phone', 'events.body', 'simulator_transactions.phone']) {
    assert.ok(before.includes(column), `${column} is among ${before.join()}`);
  }
  await stopDeliveries(gateway);
  const dependencies = privacyDependencies(context, database);
  const { payments, waits } = await erasePerson(dependencies, phone);
  assert.deepEqual({ payments, waits }, { payments: 2, waits: [] });
  for (const trace of [national, '991 76 54', '991/7654', '991 - 7654']) {
    assert.deepEqual(await columnsWith(database, trace), []);
  }
  assert.deepEqual(await checkLedger(database), []);

  const payment = await zimbo.payments.get(done.created.body.id);
  assert.equal(payment.operatorPhone, '+00000000');
  assert.deepEqual([payment.customerId, payment.metadata, payment.description], [null, null, null]);
  assert.deepEqual([payment.externalId, payment.amount], ['order 0', '10000']);
  assert.equal(payment.status, 'PARTIALLY_REFUNDED');
  const other = await zimbo.payments.get(done.failed.id);
  assert.deepEqual([other.operatorPhone, other.metadata], [otherPhone, { friend: '000' }]);
  const ofSession = await zimbo.checkout.sessions.get(done.completed.id);
  assert.equal(ofSession.externalId, 'basket 0');
  const events = (await api('GET', '/v1/events?type=payment.debited')).body.data;
  const mine = events.find(({ data }: { data: { id: string } }) => data.id === payment.id);
  const then = { status: 'DEBITED', operatorTxId: payment.operatorTxId };
  assert.deepEqual(mine.data, { ...payment, ...then, updatedAt: mine.data.updatedAt });

  // The keys still identify their objects, and nothing else.
  const again = await api('POST', '/v1/payments', done.body, done.headers);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(again.body, {
    ...done.created.body,
    operatorPhone: '+00000000',
    externalId: 'order 0',
    statementDescriptor: 'SHOP 0',
    customerId: null,
    description: null,
    metadata: null,
  });
  const reused = await api('POST', '/v1/payments', { ...done.body, amount: 1 }, done.headers);
  assert.equal(reused.body.error.code, 'IDEMPOTENCY_KEY_REUSED');
  const refundAgain = await api('POST', '/v1/refunds', done.wanted, { 'idempotency-key': 'back' });
  const erased = { externalId: 'order 0', reason: null, metadata: null };
  assert.deepEqual(refundAgain.body, { ...done.refund.body, ...erased });
  const refunded = (await api('GET', '/v1/events?type=refund.created')).body.data;
  const orders = refunded.map(({ data }: { data: { externalId: string } }) => data.externalId);
  assert.deepEqual(orders, ['order 0']);
  // Money can still be returned.
  const { id } = await zimbo.refunds.create({ paymentIntentId: payment.id });
  await reach(zimbo.refunds, id, 'SUCCEEDED');
});

test('keeps values that only share digits with an erased phone: addresses, order numbers, amounts', async (context) => {
  const { zimbo, api, database } = await testGateway(context);
  const url = `http://localhost:3790/v/${digits}`;
  const { body: endpoint } = await api('POST', '/v1/webhooks', { url, events: ['refund.created'] });
  const body = {
    amount: 10_000,
    operator: 'MOCK' as const,
    operatorPhone: otherPhone,
    externalId: digits,
    metadata: { [digits]: 1, [phone]: 2, rate: `0.${digits}`, share: '238.9917654' },
  };
  const { id } = await zimbo.payments.create(body);
  await reach(zimbo.payments, id, 'DEBITED');
  const { endpoints } = await erasePerson(privacyDependencies(context, database), phone);
  assert.deepEqual(endpoints, [{ id: parseId('we', endpoint.id), url }]);
  assert.equal((await api('GET', `/v1/webhooks/${endpoint.id}`)).body.url, url);
  const { externalId, metadata } = await zimbo.payments.get(id);
  const kept = { [digits]: 1, '+0': 2, rate: `0.${digits}`, share: '238.9917654' };
  assert.deepEqual([externalId, metadata], [digits, kept]);
});

test("hides erased people in another person's payment that waits for erasure", async (context) => {
  const { zimbo, database } = await testGateway(context);
  const dependencies = privacyDependencies(context, database);
  const waits = await zimbo.payments.create({
    amount: 10_000,
    operator: 'MOCK',
    operatorPhone: confirmPhone,
    description: `with ${phone}`,
  });
  assert.equal((await erasePerson(dependencies, confirmPhone)).waits.length, 1);
  await erasePerson(dependencies, phone);
  const { description, operatorPhone } = await zimbo.payments.get(waits.id);
  assert.deepEqual([description, operatorPhone], ['with +0', confirmPhone]);
  assert.deepEqual(await columnsWith(database, national), []);
});

test('erases what a receiver answers during an erasure in a final pass', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo, api, database } = gateway;
  await api('POST', '/v1/webhooks', { url: await echo(context), events: ['payment.created'] });
  const { id } = await zimbo.payments.create({
    amount: 10_000,
    operator: 'MOCK',
    operatorPhone: phone,
  });
  await reach(zimbo.payments, id, 'DEBITED');
  await stopDeliveries(gateway);
  const dependencies = privacyDependencies(context, database);
  let aheadMs = 0;
  const clock = { nowMs: () => Date.now() + aheadMs };
  assert.equal((await erasePerson({ ...dependencies, clock }, phone)).payments, 1);
  await database.query({
    text: `UPDATE deliveries SET attempts = '[{"at": "", "response": "${phone}"}]'`,
  });
  assert.deepEqual(await columnsWith(database, national), ['deliveries.attempts']);
  assert.equal((await eraseDue({ ...dependencies, clock })).erased, 0);
  aheadMs = 600_000;
  assert.equal((await eraseDue({ ...dependencies, clock })).erased, 0, 'it was erased before');
  assert.deepEqual(await columnsWith(database, national), []);
  assert.deepEqual(await database.query({ text: 'SELECT FROM erasing_payments' }), []);
});

test('writes nothing after an erasure that was read before', async (context) => {
  const { zimbo, database } = await testGateway(context);
  const { id } = await zimbo.payments.create({
    amount: 10_000,
    operator: 'MOCK',
    operatorPhone: phone,
  });
  await reach(zimbo.payments, id, 'DEBITED');
  const { tenantId } = (
    await database.query<{ tenantId: string }>({
      text: 'SELECT tenant_id AS "tenantId" FROM payments',
    })
  )[0]!;
  const seen = (await findPayment(database, tenantId, parseId('pi', id)!))!;
  await erasePerson(privacyDependencies(context, database), phone);
  const transitions = settleTransitions([seen], randomIds(), Date.now());
  const { ids } = await transitionPayments(database, transitions, Date.now());
  assert.equal(ids.size, 0, 'it is read anew');
  assert.deepEqual(await columnsWith(database, national), []);
});

/** Columns without customers: our own texts, digests, masked values, closed lists, and people who work here. */
const ours = `
act_keys.key_hash act_keys.request_hash api_request_chunks.entries exports.actor exports.format exports.state
admin_keys.allowed_addresses admin_keys.created_by admin_keys.key_hash admin_keys.label admin_keys.last4
admin_keys.permissions
approvals.asked_identity approvals.asked_mailbox approvals.failure approvals.kind approvals.request approvals.status
approvals.subject_state
bank_accounts.account_number bank_accounts.bic bank_accounts.currency bank_accounts.holder
api_keys.allowed_addresses api_keys.key_hash api_keys.last4 api_keys.permissions
audit_records.action audit_records.actor audit_records.after audit_records.before audit_records.detail
audit_records.origin audit_records.subject audit_seals.hash audit_seals.previous_hash audit_seals.record_digests
audit_seals.record_ids api_key_refund_days.currency
blocked_phones.blocked_by blocked_phones.masked_phone blocked_phones.phone_digest
phone_digest_key.box phone_prompt_totals.phone_digest phone_prompts.phone_digest
balances.account balances.currency
checkout_sessions.currency checkout_sessions.link_secret checkout_sessions.request_hash checkout_sessions.status
cell_keys.key_hash cell_tenants.cell cells.engine cells.name
cell_merchants.name cells.schema_name this_cell.name
disbursements.currency disbursements.failure_code disbursements.failure_message disbursements.operator
disbursements.operator_tx_id disbursements.request_hash disbursements.status disbursement_batches.items_digest
disbursement_batches.request_hash disbursement_batches.status disbursement_batches.totals disbursement_days.currency disbursement_days.scope
disbursement_days.scope_key
deliveries.status erasures.key_id erasures.phone_digest events.type
notice_mails.error notice_mails.status notice_recipients.kind notice_recipients.place notice_settings.choices
notice_settings.time_zone notices.detail notices.kind notices.subject
merchants.brand_colour merchants.brand_logo merchants.brand_logo_type merchants.contact_email
merchants.contact_phone merchants.contact_website merchants.default_currency merchants.fees
merchants.keep_balances merchants.page_languages merchants.tax_number merchants.time_zone merchants.time_zone_history
operator_callbacks.kind operator_callbacks.operator operator_callbacks.outcome
operator_requests.operator operator_requests.request_id
operator_transactions.account operator_transactions.kind operator_transactions.operator operator_transactions.operator_tx_id
outgoing_transactions.account outgoing_transactions.kind outgoing_transactions.operator outgoing_transactions.operator_tx_id
payments.currency payments.failure_code payments.failure_message payments.operator payments.operator_tx_id
payments.request_hash payments.status personal_data_walks.kind
postings.currency postings.from_account postings.kind postings.to_account
products.currency products.request_hash payment_links.currency payment_links.request_hash
refunds.currency refunds.failure_code refunds.failure_message refunds.operator refunds.operator_refund_id
refunds.operator_tx_id refunds.request_hash refunds.status
reversals.currency reversals.failure_code reversals.operator reversals.operator_reversal_id
reversals.operator_tx_id reversals.reason reversals.status
review_items.closed_by review_items.kind review_items.operator review_items.subject_kind
operator_measurements.answer operator_measurements.call operator_measurements.durations operator_measurements.operator operator_measurements.outcome
operator_statuses.announced_status
operator_statuses.announcement
operator_statuses.operator
operator_statuses.status
operator_watchers.states
approvals.remark
alerts.rule alerts.subject backups.error backups.name backups.place
bank_statements.file_name bank_statements.first_day bank_statements.format bank_statements.last_day
bank_statements.uploaded_by bank_statement_lines.bank_reference bank_statement_lines.confirmed_by
bank_statement_lines.currency bank_statement_lines.day bank_statement_lines.kind fee_statements.content
fee_statements.currency fee_statements.month fee_statements.number
merchants.payout_schedule running_processes.figures
running_processes.host running_processes.role running_processes.settings running_processes.version
schema_migrations.checksum schema_migrations.name schema_migrations.oldest_program schema_migrations.program_version
settlement_periods.currency till_charges.items till_closings.lines bank_statements.file_digest
merchant_roles.name merchant_roles.permissions people.pin_hash till_devices.label till_devices.token_hash
settlements.currency settlements.payout_error
disbursements.late_outcome top_ups.bank_reference top_ups.created_by top_ups.currency
settlements.bank_reference settlements.payout_ref settlements.request_hash settlements.status
simulator_transactions.currency simulator_transactions.failure_code simulator_transactions.kind
simulator_transactions.operator simulator_transactions.operator_tx_id simulator_transactions.reversed_tx_id
simulator_transactions.status tenants.frame_origins tenants.mode unsettled.currency payable_hours.currency
webhook_endpoints.answer_box webhook_endpoints.disabled_reason webhook_endpoints.events
webhook_endpoints.next_secret_box webhook_endpoints.request_hash
webhook_endpoints.secret_box webhook_endpoints.status
invitations.email invitations.invited_by invitations.kind invitations.role invitations.staff_role invitations.token_hash memberships.role staff.role
passkeys.credential_id passkeys.label passkeys.public_key passkeys.transports
people.email people.language people.name people.password_hash people.totp_box
payment_day_totals.currency payment_day_totals.failure_code payment_day_totals.operator payment_day_totals.outcome
payment_totals.currency payment_totals.failure_code payment_totals.operator payment_totals.outcome
payment_total_deltas.currency payment_total_deltas.failure_code payment_total_deltas.operator payment_total_deltas.outcome
identities.issuer identities.subject person_sessions.sso_box person_sessions.sso_issuer
person_sessions.sso_sid person_sessions.sso_subject
person_sessions.address person_sessions.signed_in_with person_sessions.token_hash person_sessions.user_agent
recovery_codes.code_hash sign_in_tries.account_digest used_challenges.challenge
reconciliations.asked_by reconciliations.asked_origin reconciliations.closed_by reconciliations.currency
reconciliations.failure reconciliations.file_digest reconciliations.file_name reconciliations.mode
reconciliations.operator reconciliations.status reconciliations.uploaded_by reconciliation_lines.bytes
reconciliation_differences.booked_currency reconciliation_differences.booked_status
reconciliation_differences.decided_by reconciliation_differences.identity reconciliation_differences.kind
reconciliation_differences.listed_currency reconciliation_differences.listed_status
reconciliation_differences.note reconciliation_differences.operator_reference reconciliation_differences.reason
reconciliation_differences.reference reconciliation_differences.status reconciliation_differences.transaction_id
reconciliation_differences.type`;

test('classifies each column as able to contain a phone or not', async (context) => {
  const { database } = await testGateway(context);
  const erased = [
    'payments.operator_phone',
    'disbursements.operator_phone',
    'disbursement_batches.items',
    'simulator_transactions.phone',
    ...keyedTables.map(({ table }) => `${table}.idempotency_key`),
  ];
  const traced = mentionTables.flatMap(({ table, columns, json = [], kept = [] }) =>
    [...columns, ...json, ...kept].map((column) => `${table}.${column}`),
  );
  const said = [...ours.trim().split(/\s+/), ...erased, ...traced].toSorted();
  const columns = await textColumns(database);
  const found = columns.map(({ table, column }) => `${table}.${column}`).toSorted();
  const words =
    'a column that may hold a phone goes into operations/privacy/mention-tables.ts, another into "ours" here';
  assert.deepEqual(
    found.filter((column) => !said.includes(column)),
    [],
    words,
  );
});
