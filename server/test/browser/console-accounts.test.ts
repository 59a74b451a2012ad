/** What an accountant does: match a payout with the bank, and read what the gateway has charged. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { formatMajor } from '../../src/platform/formats/display-format.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { book } from '../support/history.ts';
import { processingSettlement } from '../support/settled.ts';
import { launchBrowser } from './browser.ts';
import { newPage, openContext, says } from './pages.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let browser: Browser;
let payout: string;

const company = {
  COMPANY_NAME: 'Zimbo Pagamentos, SA',
  COMPANY_TAX_NUMBER: '254123456',
  COMPANY_ADDRESS: 'Avenida Amílcar Cabral 1, Praia',
  FEE_TAX_CVE: '15',
};

before(async () => {
  const context = { after: (step: unknown) => undo.unshift(step as () => unknown) };
  site = await testConsole(context as Parameters<typeof testConsole>[0], { environment: company });
  browser = await launchBrowser();
  undo.unshift(() => browser.close());
  payout = await processingSettlement(site.gateway, 150_000);
});
after(async () => {
  for (const step of undo) await step();
});

async function pageOf({ cookie }: { cookie: string }): Promise<Page> {
  const context = await openContext(browser, { locale: 'en-GB' });
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: site.origin }]);
  return newPage(context);
}

const entry = (amount: string, bank: string, ours: string) =>
  `<Ntry><Amt Ccy="CVE">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>${new Date().toISOString().slice(0, 10)}</Dt></BookgDt><AcctSvcrRef>${bank}</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>${ours}</EndToEndId></Refs><RmtInf><Ustrd>Renda da Maria Lopes</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;

const statement = (entries: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`;

async function upload(page: Page, text: string): Promise<void> {
  await page.goto(`${site.origin}/console/staff/bank-statements`);
  await page.getByRole('link', { name: 'Upload a statement' }).first().click();
  const file = { name: 'extrato.xml', mimeType: 'text/xml', buffer: Buffer.from(text) };
  await page.locator('#file').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload and search' }).click();
}

const merchantPages = () => site.base.replace(/test$/, 'live');

test('matches a payout with the bank’s statement, and shows its reference to the merchant', async () => {
  const page = await pageOf(await site.signInStaff('FINANCE'));
  await upload(page, '<!DOCTYPE x [<!ENTITY y "z">]><x>&y;</x>');
  await says(page, 'The file has a document type (DOCTYPE) or entities, which are not accepted.');
  const ours = payout.replaceAll('_', '-').toUpperCase();
  const settlement = await site.gateway.zimbo.settlements.get(payout);
  const amount = formatMajor(BigInt(settlement.netAmount));
  const unknown = 'SE-01M7YHP3GGE018XPAK30BBSQ3S';
  const lines = [entry(amount, 'BCA/77', ours), entry('9.99', 'BCA/78', 'RENDA')];
  await upload(page, statement([...lines, entry('5.00', 'BCA/79', unknown)].join('')));
  await says(page, 'The statement has been read.');
  await says(page, 'Reference and amount agree');
  await says(page, 'It looks like ours, but the bank has no such order');
  const { database } = site.gateway;
  const stored = await database.query({ text: 'SELECT * FROM bank_statement_lines' });
  assert.equal(stored.length, 2, 'lines of other parties are not stored');
  assert.doesNotMatch(
    JSON.stringify(stored, (_, each) => String(each)),
    /Maria|RENDA/,
  );
  assert.equal((await site.gateway.zimbo.settlements.get(payout)).status, 'PROCESSING');
  await page.getByRole('checkbox', { name: 'Also complete' }).check();
  await page.getByRole('button', { name: 'Confirm all that agree (1)' }).click();
  await says(page, 'The lines are confirmed, and the payouts completed.');
  assert.equal((await site.gateway.zimbo.settlements.get(payout)).status, 'COMPLETED');
  const owner = await pageOf(await site.signIn('FINANCE'));
  await owner.goto(`${site.origin}${merchantPages()}/settlements/${payout}`);
  await says(owner, 'BCA/77');
  await says(owner, payout.replaceAll('_', '-'));
  const actions = await database.query<{ action: string }>({
    text: `SELECT action FROM audit_records WHERE action ~ '^(bank_|settlement.(bank|comp))' ORDER BY id`,
  });
  assert.deepEqual(
    actions.map(({ action }) => action),
    [
      'bank_statement.uploaded',
      'settlement.bank_reference_recorded',
      'bank_statement.matched',
      'settlement.completed',
    ],
  );
});

/** The amounts that a page shows, in minor units. */
async function amountOf(page: Page, name: string): Promise<string> {
  const value = page
    .locator('.sums dt', { hasText: name })
    .locator('xpath=following-sibling::dd[1]');
  return (await value.first().innerText()).replace(/[^0-9]/g, '');
}

test('states the fees of a month as the balance’s statement has them, once and for all', async () => {
  const { database } = site.gateway;
  const [tenant] = await database.query<{ id: string }>(
    {
      text: `SELECT id FROM tenants WHERE mode = 'live' AND merchant_id = $1`,
    },
    [site.merchantId],
  );
  const world = { database, tenantId: tenant!.id };
  // The first and the last instant of October in Praia, and those beside them.
  const [begin, end] = [Date.parse('2026-10-01T01:00:00Z'), Date.parse('2026-11-01T01:00:00Z')];
  for (const [minor, atMs] of [
    [100_100n, begin - 1],
    [123_457n, begin],
    [99_999n, end - 1],
    [50_000n, end],
  ] as const) {
    await book(world, 'debit', randomUUID(), minor, atMs);
  }
  const page = await pageOf(await site.signIn('FINANCE'));
  const base = `${site.origin}${merchantPages()}`;
  await page.goto(`${base}/statement?from=2026-10-01&until=2026-10-31&currency=CVE`);
  const fees = await amountOf(page, 'Fees');
  assert.equal(BigInt(fees), 123_457n / 50n + 99_999n / 50n);
  await page.getByRole('link', { name: 'Statement of fees' }).click();
  assert.equal(await amountOf(page, 'Total fees'), fees);
  await says(page, 'It is not an invoice');
  await says(page, 'Zimbo Pagamentos, SA');
  const tax = await amountOf(page, 'Tax included (15%)');
  const net = await amountOf(page, 'Before tax');
  assert.equal(BigInt(tax) + BigInt(net), BigInt(fees));
  const number = await page.locator('dd code.id').first().innerText();
  assert.match(number, /^FEES-2026-10-CVE-[0-9A-Z]{10}$/);
  const text = `UPDATE merchants SET name = 'Outro nome' WHERE id = $1`;
  await database.query({ text }, [site.merchantId]);
  await page.reload();
  await says(page, 'Loja de teste');
  await page.getByRole('link', { name: 'Print' }).click();
  await says(page, number);
  const current = await page.goto(`${base}/fee-statement?month=2026-11&currency=CVE`);
  assert.equal(current!.status(), 200);
  await says(page, 'provisional: the month is not over');
});
