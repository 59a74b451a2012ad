/** A month's statement over HTTP, on the command line, and in the console. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { formatId } from '../../src/platform/values/ids.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { changeTables } from '../support/database.ts';
import { reach } from '../support/gateway.ts';
import { book } from '../support/history.ts';
import { sharedConsole } from '../support/shared-gateway.ts';

const order = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
/** The present month in Praia. */
const month = new Date(Date.now() - 3_600_000).toISOString().slice(0, 7);

async function tenantOf({ gateway, merchantId }: TestConsole) {
  const { database } = gateway;
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  const [tenant] = await database.query<{ id: string }>({ text }, [merchantId]);
  return { database, tenantId: tenant!.id };
}

/** Two debits, one of them refunded in part, and a payout of the balance before the refund. */
async function history(site: TestConsole) {
  const { zimbo } = site.gateway;
  const pay = async () => {
    const { id } = await zimbo.payments.create(order);
    await reach(zimbo.payments, id, 'DEBITED');
    return id;
  };
  const [first, second] = [await pay(), await pay()];
  const settlement = (await zimbo.settlements.process({ currency: 'CVE' }))!.id;
  await reach(zimbo.settlements, settlement, 'COMPLETED');
  const refund = await zimbo.refunds.create({ paymentIntentId: first, amount: 2_500 });
  await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
  return { first, second, settlement, refund: refund.id };
}

test("adds up a month's statement, and each movement in the file to its closing balance", async (context) => {
  const site = await testConsole(context);
  const { zimbo, database } = site.gateway;
  const { first, settlement, refund } = await history(site);
  const statement = await zimbo.settlements.statement({ month, currency: 'CVE' });
  assert.deepEqual(
    [statement.amount, statement.feeTotal, statement.refundTotal, statement.payoutTotal],
    ['20000', '400', '2500', '19600'],
  );
  assert.deepEqual([statement.openingBalance, statement.closingBalance], ['0', '-2500']);
  assert.deepEqual([statement.timeZone, statement.isOver], ['Atlantic/Cape_Verde', false]);
  assert.equal(statement.from, `${month}-01T01:00:00.000Z`);
  assert.equal(statement.days.at(-1)!.closingBalance, '-2500');
  const csv = await zimbo.settlements.statementCsv({ month, currency: 'CVE' });
  const [titles, opening, ...rest] = csv.trim().split('\n');
  const closing = rest.pop()!;
  assert.equal(titles, 'at,type,id,payment_intent_id,amount,balance,currency');
  assert.equal(opening, `${month}-01T00:00:00.000-01:00,OPENING_BALANCE,,,,0,CVE`);
  const [endsAt, ...last] = closing.split(',');
  assert.deepEqual(last, ['BALANCE_SO_FAR', '', '', '', '-2500', 'CVE'], 'the month is not over');
  const lastAt = rest.at(-1)!.split(',')[0]!;
  assert.ok(Date.parse(endsAt!) >= Date.parse(lastAt), `${endsAt} is before ${lastAt}`);
  assert.ok(Date.parse(endsAt!) <= Date.now(), `${endsAt} has not come yet`);
  const lines = rest.map((line) => line.split(','));
  assert.deepEqual(
    lines.map(([, type, , , amount]) => [type, amount]),
    [
      ['PAYMENT', '10000'],
      ['FEE', '-200'],
      ['PAYMENT', '10000'],
      ['FEE', '-200'],
      ['PAYOUT', '-19600'],
      ['REFUND', '-2500'],
    ],
  );
  assert.equal(lines[0]![2], first);
  assert.deepEqual(lines[4]!.slice(2, 4), [settlement, '']);
  assert.deepEqual(lines[5]!.slice(2, 4), [refund, first]);
  const text = `SELECT actor, subject, detail FROM audit_records WHERE action = 'statement.exported'`;
  const records = await database.query<{ actor: string; subject: string; detail: object }>({
    text,
  });
  assert.equal(records.length, 1, 'the file, and not the page');
  const [record] = records;
  assert.match(record!.actor, /^key:ak_/);
  assert.equal(record!.subject, formatId('me', site.merchantId));
  assert.deepEqual(record!.detail, { month, currency: 'CVE' });
});

test('rejects an invalid month or currency, and returns an empty month without movements', async () => {
  const { api } = (await sharedConsole()).gateway;
  for (const path of ['statements', 'statements.csv']) {
    for (const query of [
      '',
      '?month=2026-10',
      '?currency=CVE',
      '?month=2026-13&currency=CVE',
      '?month=2026-1&currency=CVE',
      '?month=2026-10&currency=EUR',
      '?month=2026-10&currency=CVE&mode=live',
    ]) {
      const { status, body } = await api('GET', `/v1/${path}${query}`);
      assert.equal(status, 400, `${path}${query}`);
      assert.equal(body.error.code, 'VALIDATION_ERROR');
    }
  }
  const { body } = await api('GET', '/v1/statements?month=2026-10&currency=AOA');
  assert.deepEqual(
    [body.openingBalance, body.closingBalance, body.days, body.isOver],
    ['0', '0', [], true],
  );
  assert.deepEqual(
    [body.from, body.until],
    ['2026-09-30T23:00:00.000Z', '2026-10-31T23:00:00.000Z'],
  );
});

test('refuses a statement of a month that has not begun, and names the rule', async (context) => {
  const site = await testConsole(context);
  const { api } = site.gateway;
  for (const path of ['statements', 'statements.csv']) {
    const { status, body } = await api('GET', `/v1/${path}?month=2999-01&currency=CVE`);
    assert.deepEqual([status, body.error?.code], [400, 'VALIDATION_ERROR'], path);
    assert.match(
      body.error.message,
      /^month must be one that has begun: in Atlantic\/Cape_Verde it is /,
    );
  }
  const text = `SELECT FROM audit_records WHERE action = 'statement.exported'`;
  const rows = await site.gateway.database.query({ text });
  assert.equal(rows.length, 0, 'nothing left');
  const member = await site.signIn('VIEWER');
  const query = 'from=2999-01-01&until=2999-01-31&currency=CVE&lang=en';
  const page = await member.get(`statement?${query}`);
  assert.deepEqual([page.status, /Choose a first day that has begun/.test(page.text)], [400, true]);
  for (const file of ['statement.csv', 'statement/movements.csv']) {
    assert.equal((await member.get(`${file}?${query}`)).status, 404, file);
  }
});

test('returns the closing balance of a past month at its end', async (context) => {
  const site = await testConsole(context);
  const { zimbo } = site.gateway;
  await book(
    await tenantOf(site),
    'debit',
    randomUUID(),
    10_000n,
    Date.parse('2026-10-31T23:30:00Z'),
  );
  const csv = await zimbo.settlements.statementCsv({ month: '2026-10', currency: 'CVE' });
  const closing = csv.trim().split('\n').at(-1);
  assert.equal(closing, '2026-11-01T00:00:00.000-01:00,CLOSING_BALANCE,,,,9800,CVE');
  const member = await site.signIn('VIEWER');
  const query = 'from=2026-10-01&until=2026-10-31&currency=CVE&lang=pt';
  for (const file of ['statement.csv', 'statement/movements.csv']) {
    assert.match(
      (await member.get(`${file}?${query}`)).text,
      /Saldo final;.*98,00;CVE(;0,00|;;;;;Atlantic\/Cape_Verde)\r\n$/,
      file,
    );
  }
});

test('fails instead of writing a file if days and postings disagree', async (context) => {
  const site = await testConsole(context);
  await history(site);
  const { api, database } = site.gateway;
  await database.query({ text: 'UPDATE payable_hours SET fee_minor = fee_minor + 1' });
  const { status, body } = await api('GET', `/v1/statements.csv?month=${month}&currency=CVE`);
  assert.deepEqual([status, body.error?.code], [500, 'INTERNAL_ERROR']);
});

test('prints each movement in the console, and writes a file for a spreadsheet in Portuguese', async () => {
  const site = await sharedConsole();
  const { refund } = await history(site);
  const member = await site.signIn('VIEWER');
  const shown = await member.get('statement?lang=pt');
  assert.match(shown.text, /Movimentos \(CSV\)/);
  const address = /href="([^"]*statement\/movements\.csv[^"]*)"/.exec(shown.text)![1]!;
  const { text, headers } = await member.get(`${address.replaceAll('&amp;', '&')}&lang=pt`);
  assert.match(headers.get('content-disposition')!, /movimentos-.*-cve\.csv/);
  const lines = text.replace('\ufeff', '').trim().split('\r\n');
  assert.equal(
    lines[0],
    'Data e hora;Movimento;Referência;Do pagamento;Valor;Saldo;Moeda;Encomenda;Cliente;Operador;Transação do operador;Fuso horário',
  );
  assert.equal(lines[1]!.split(';')[1], 'Saldo inicial');
  assert.match(
    lines.at(-2)!,
    new RegExp(
      `;Reembolso;${refund};pi_\\w+;-25,00;-25,00;CVE;;;Simulador;\\w+;Atlantic\\/Cape_Verde$`,
    ),
  );
  assert.match(lines.at(-1)!, /;Saldo até agora;;;;-25,00;CVE;;;;;Atlantic\/Cape_Verde$/);
  const [lastAt, endsAt] = lines.slice(-2).map((line) => line.split(';')[0]!);
  assert.equal(endsAt!.slice(0, 8), lastAt!.slice(0, 8), 'today, and not the end of the month');
  assert.match(shown.text, /Saldo até agora/);
  const paper = await member.get('statement?print=1&lang=pt');
  for (const words of ['Transferência para o banco', 'Reembolso', refund, '−196,00']) {
    assert.ok(paper.text.includes(words), words);
  }
});

test("uses Luanda's own days in the console too", async (context) => {
  const site = await testConsole(context);
  const tenant = await tenantOf(site);
  await book(tenant, 'debit', randomUUID(), 10_000n, Date.parse('2026-10-31T23:30:00Z'));
  await changeTables(site.gateway.cellUrl, 'GRANT ALL ON postings TO CURRENT_USER');
  for (const table of ['postings', 'balances', 'payable_hours', 'unsettled']) {
    await tenant.database.query({ text: `UPDATE ${table} SET currency = 'AOA'` });
  }
  const member = await site.signIn('VIEWER');
  const of = (day: string) => member.get(`statement.csv?from=${day}&until=${day}&currency=AOA`);
  assert.match((await of('2026-11-01')).text, /2026-11-01,100\.00/);
  assert.doesNotMatch((await of('2026-10-31')).text, /100\.00/);
});
