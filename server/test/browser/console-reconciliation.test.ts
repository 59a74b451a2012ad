/**
 * Processes a statement with 50 differences of five kinds in a browser until it matches; it has
 * 10,000 lines, or STATEMENT_LINES.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { inspectLedger } from '../../src/money/ledger/check.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { eventually } from '../support/gateway.ts';
import { bookMany, bookUnheard, linesOf } from '../support/many-payments.ts';
import { compared, stepsOf, newPage as uploadPage } from '../support/reconciliations.ts';
import { heading } from '../support/statement.ts';
import { launchBrowser } from './browser.ts';
import { lookAt } from './look.ts';
import { newPage, openContext, says } from './pages.ts';

const lineCount = Number(process.env.STATEMENT_LINES ?? 10_000);
const ofEachKind = 10;
const undo: (() => unknown)[] = [];
let site: TestConsole;
let browser: Browser;

before(async () => {
  site = await testConsole({ after: (step) => undo.unshift(step as () => unknown) });
  browser = await launchBrowser();
  undo.unshift(() => browser.close());
});
after(async () => {
  for (const step of undo) await step();
});

const fromMs = Date.now() - 86_400_000;

/** The operator's statement, of which 50 lines differ from our records, or are missing. */
async function statement(): Promise<string> {
  const { database } = site.gateway;
  const text = `SELECT id FROM tenants WHERE mode = 'test' AND merchant_id = $1`;
  const [tenant] = await database.query<{ id: string }>({ text }, [site.merchantId]);
  const tenantId = tenant!.id;
  await bookMany(database, { tenantId, count: lineCount - 2 * ofEachKind, fromMs });
  const unheard = { tenantId, count: ofEachKind / 2, fromMs: fromMs + 200_000 };
  await bookUnheard(database, unheard, 'OPERATOR_PENDING');
  await bookUnheard(database, { ...unheard, fromMs: fromMs + 300_000 }, 'EXPIRED');
  assert.deepEqual((await inspectLedger(database)).problems, [], 'the ledger is right');
  const lines = await linesOf(database, tenantId);
  assert.equal(lines.length, lineCount - ofEachKind);
  const at = new Date(fromMs + 50_000).toISOString();
  const unknown = Array.from({ length: ofEachKind }, (_, index) => {
    const reference = `019aa5d4-e0fb-7000-8000-0000000000${10 + index}`;
    return `X${index},${reference},DEBIT,7.00,CVE,COMPLETED,${at}`;
  });
  const wrong = lines.map((line, index) =>
    index >= 3_000 && index < 3_000 + ofEachKind ? line.replace(/,DEBIT,\d+/, ',DEBIT,777') : line,
  );
  const twice = lines.slice(5_000, 5_000 + ofEachKind);
  wrong.splice(1_000, ofEachKind);
  const half = lineCount / 2;
  const all = [...wrong.slice(0, half), ...unknown, ...wrong.slice(half), ...twice];
  assert.equal(all.length, lineCount);
  return `${[heading, ...all].join('\n')}\n`;
}

async function signedIn(): Promise<Page> {
  const { cookie } = await site.signInStaff('FINANCE');
  const context = await openContext(browser, { locale: 'en-GB' });
  const [name, value] = cookie.split('=') as [string, string];
  await context.addCookies([{ name, value, url: site.origin }]);
  return newPage(context);
}

const counted = async (page: Page, kind: string, column: number) => {
  const row = page.locator('main table').first().locator('tr', { hasText: kind });
  return (await row.locator('td').nth(column).innerText()).trim();
};

/** Filters the open differences of a kind, selects the first ones, and explains them together. */
async function explain(page: Page, kind: string, count: number, reason: string): Promise<void> {
  await page.locator('#kind').selectOption(kind);
  await page.locator('#status').selectOption('OPEN');
  await page.getByRole('button', { name: 'Filter' }).click();
  for (let each = 0; each < count; each += 1) {
    await page.locator('input[name=difference]').nth(each).check();
  }
  await page.locator('#reason').selectOption(reason);
  await page.locator('#note').fill(`${kind} <b>`);
  await page.locator('#operatorReference').fill('OP-2026-77');
  await page.getByRole('button', { name: 'Explain the selected differences' }).click();
  await says(page, 'The differences have been explained.');
}

/** Chooses the file and the scope, and waits for the page to update automatically. */
async function uploadIt(page: Page): Promise<string> {
  await page.goto(`${site.origin}/console/staff/reconciliations`);
  await page.getByRole('link', { name: 'Upload a statement' }).click();
  assert.equal(new URL(page.url()).pathname, uploadPage);
  await page.locator('#operator').selectOption('MOCK');
  await page.locator('#mode').selectOption('test');
  const buffer = Buffer.from(await statement());
  // Its last day has ended, because today's returns are in a later statement.
  const dayOf = new Intl.DateTimeFormat('en-CA', { timeZone: 'Atlantic/Cape_Verde' });
  await page.locator('#from').fill(dayOf.format(fromMs));
  await page.locator('#to').fill(dayOf.format(fromMs + 360_000));
  await page.locator('#file').setInputFiles({ name: 'mock.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Upload and compare' }).click();
  await says(page, '0 of 50 dealt with');
  return page.url().split('?')[0]!;
}

/** One by one, after a mistake that the page reports. */
async function explainOne(page: Page, address: string): Promise<void> {
  await page.goto(`${address}?kind=DIFFERENT_AMOUNT&status=OPEN`);
  await page.getByRole('link', { name: 'Different amount' }).last().click();
  await page.locator('#reason').selectOption('OTHER');
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  await says(page, 'Explain why, in up to 500 characters.');
  await page.locator('#note').fill('A typing error of the operator');
  await page.getByRole('button', { name: 'Explain', exact: true }).click();
  await says(page, 'The differences have been explained.');
  await page.getByRole('link', { name: 'Next open difference' }).click();
}

/** Queries about the open difference, then about all others; waits for the answers. */
async function askOperator(page: Page, address: string): Promise<void> {
  await page.getByRole('button', { name: 'Ask the operator' }).click();
  await says(page, 'The operator will be asked now.');
  await page.goto(`${address}?kind=DIFFERENT_STATUS&status=OPEN`);
  for (const box of await page.locator('input[name=difference]').all()) await box.check();
  await page.getByRole('button', { name: 'Ask the operator' }).click();
  await says(page, 'The operator will be asked now.');
  const { database } = site.gateway;
  await eventually('the operator has answered all', async () => {
    const text = `SELECT id FROM payments WHERE status = 'OPERATOR_PENDING'
      UNION ALL SELECT id FROM reconciliation_differences WHERE due_at IS NOT NULL`;
    return (await database.query({ text })).length === 0;
  });
  await eventually('late debits have gone back', async () => {
    const text = `SELECT id FROM reversals WHERE status = 'SUCCEEDED'`;
    return (await database.query({ text })).length === ofEachKind / 2;
  });
}

const kinds = [
  'Missing from the statement',
  'Missing from the ledger',
  'Listed twice',
  'Different amount',
  'Different status',
];
const expectedSteps = [
  'uploaded',
  'compared',
  ...Array<string>(5).fill('explained'),
  'operator_asked',
  'operator_asked',
  'compare_asked',
  'compared',
  'matched',
];

test('processes fifty differences of five kinds until the statement matches', async () => {
  const { database } = site.gateway;
  const page = await signedIn();
  const address = await uploadIt(page);
  for (const kind of kinds) assert.equal(await counted(page, kind, 1), String(ofEachKind), kind);
  assert.equal((await compared(database))[0]!.open, 50);
  await page.goto(address);
  await lookAt(page, 'reconciliation');
  await explain(page, 'MISSING_IN_STATEMENT', ofEachKind, 'NEXT_STATEMENT');
  await explain(page, 'LISTED_TWICE', ofEachKind, 'OPERATOR_CORRECTED');
  await explain(page, 'DIFFERENT_AMOUNT', ofEachKind - 1, 'SETTLED_WITH_OPERATOR');
  await explain(page, 'MISSING_IN_LEDGER', ofEachKind, 'REFUNDED_BY_OPERATOR');
  await explainOne(page, address);
  await askOperator(page, address);
  await page.getByRole('button', { name: 'Compare again' }).click();
  await says(page, '50 of 50 dealt with');
  await page.goto(address);
  await says(page, 'The statement and the ledger agree, or each difference has been explained.');
  assert.equal(await counted(page, 'Different status', 2), String(ofEachKind), 'solved');
  const [row] = await compared(database);
  assert.deepEqual([row!.status, row!.open, row!.all], ['MATCHED', 0, 50]);
  assert.deepEqual((await inspectLedger(database)).problems, [], 'and the ledger is right');
  const steps = await stepsOf(database);
  const actions = steps.map(({ action }) => action.replace('reconciliation.', ''));
  assert.deepEqual(actions, expectedSteps);
  assert.equal(new Set(steps.map(({ actor }) => actor)).size, 1);
  assert.match(steps[0]!.actor, /^person:pe_/);
  await page.goto(`${site.origin}/console/staff/reconciliations`);
  await says(page, '50 of 50 dealt with');
  await page.context().close();
});
