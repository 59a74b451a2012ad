/** What staff do about disbursements, in a real browser. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { formatId } from '../../src/platform/values/ids.ts';
import type { StaffRole } from '../../src/tenants/people/staff-permissions.ts';
import { heldBatches } from '../support/batches.ts';
import { bookDisbursement } from '../support/booked-disbursement.ts';
import { countOf } from '../support/checkout.ts';
import { type TestConsole, testConsole } from '../support/console.ts';
import { firstTenant } from '../support/disbursing.ts';
import { launchBrowser } from './browser.ts';
import { lookAt } from './look.ts';
import { newPage, openContext, says } from './pages.ts';
import { signIn } from './walk.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let browser: Browser;

before(async () => {
  const environment = { ZIMBO_ROLE: 'api', FOUR_EYES: 'top-ups' };
  const context = { after: (step: () => unknown) => undo.unshift(step) };
  site = await testConsole(context as Parameters<typeof testConsole>[0], { environment });
  browser = await launchBrowser();
  undo.unshift(() => browser.close());
});
after(async () => {
  for (const step of undo) await step();
});

const merchant = () => `merchants/${formatId('me', site.merchantId)}`;

test('tops a balance up by two people: form, summary, request and approval', async () => {
  const page = await open('FINANCE', merchant());
  await page.getByRole('link', { name: 'Carregar o saldo' }).click();
  await page.getByRole('heading', { name: 'Carregar o saldo' }).waitFor();
  await lookAt(page, 'staff-top-up');
  await page.getByLabel('Valor').fill('muito');
  await page.getByLabel('Referência do banco').fill('BCA 2026-11-29/0077');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.locator('#amount-error').waitFor();
  await lookAt(page, 'staff-top-up-wrong');
  await page.getByLabel('Valor').fill('50.000');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('heading', { name: 'Confirme o carregamento' }).waitFor();
  await says(page, '50.000,00 CVE');
  await says(page, 'BCA 2026-11-29/0077');
  await lookAt(page, 'staff-top-up-summary');
  await page.getByRole('button', { name: 'Alterar' }).click();
  assert.equal(await page.getByLabel('Valor').inputValue(), '50.000');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: 'Pedir aprovação' }).dblclick();
  await says(page, 'Outra pessoa da equipa tem de o aprovar.');
  await says(page, 'À espera da aprovação de outra pessoa');
  await lookAt(page, 'staff-top-up-card');
  assert.equal(await countOf(site.gateway, 'top_ups'), 0, 'nobody has approved it');
  await page.context().close();
  const other = await open('ADMIN', 'approvals', 'en-GB');
  await says(other, 'Top-up of the balance');
  await says(other, '50,000.00 CVE');
  await lookAt(other, 'staff-top-up-approval');
  await other.getByRole('button', { name: 'Approve' }).click();
  await says(other, 'Approved.');
  assert.equal(await countOf(site.gateway, 'top_ups'), 1);
  await other.goto(`${site.origin}/console/staff/${merchant()}/top-up`);
  await other.getByLabel('Amount').fill('50,000.00');
  await other.getByLabel('Bank reference').fill('BCA 2026-11-29/0077');
  await other.getByRole('button', { name: 'Continue' }).click();
  await says(other, 'This transfer is booked already');
  await lookAt(other, 'staff-top-up-booked');
  await other.context().close();
});

test('cancels what was not sent, after one has opened the confirmation', async () => {
  const { database } = site.gateway;
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'live'`;
  const [tenant] = await database.query<{ id: string }>({ text }, [site.merchantId]);
  const later = { expiresAtMs: Date.now() + 86_400_000, dueAtMs: Date.now() + 86_400_000 };
  const { id } = await bookDisbursement(database, { tenantId: tenant!.id, ...later });
  const page = await open('OPERATIONS', 'merchants');
  await page.locator('input[name=q]').first().fill(formatId('di', id));
  await page.keyboard.press('Enter');
  await says(page, 'Ainda não foi entregue ao operador.');
  await lookAt(page, 'staff-disbursement');
  const button = page.getByRole('button', { name: 'Cancelar o envio' });
  assert.equal(await button.isVisible(), false);
  await page.locator('summary', { hasText: 'Cancelar este envio' }).click();
  await says(page, 'voltam ao saldo do estabelecimento. Não se pode desfazer.');
  await lookAt(page, 'staff-disbursement-cancel');
  await button.click();
  await says(page, 'O envio foi cancelado. O dinheiro voltou ao saldo do estabelecimento.');
  await page.goto(`${page.url().split('?')[0]}?lang=en`);
  await says(page, 'It was not sent. Amount and fee are back in the balance.');
  await lookAt(page, 'staff-disbursement-cancelled');
  await page.context().close();
});

test('cancels what was not sent of a batch', async () => {
  const { database } = site.gateway;
  const { batch } = await heldBatches(database, await firstTenant(database));
  const page = await open('OPERATIONS', 'payments');
  await page.locator('input[name=q]').first().fill(batch);
  await page.keyboard.press('Enter');
  await says(page, 'Cancelar o que falta');
  await lookAt(page, 'staff-batch');
  const button = page.getByRole('button', { name: 'Cancelar o que falta' });
  assert.equal(await button.isVisible(), false);
  await page.locator('summary', { hasText: 'Cancelar o que falta' }).click();
  await lookAt(page, 'staff-batch-cancel');
  await button.click();
  await says(page, 'O que ainda não tinha sido entregue foi cancelado.');
  await lookAt(page, 'staff-batch-cancelled');
  await page.context().close();
});

async function open(role: StaffRole, path: string, locale = 'pt-PT'): Promise<Page> {
  const { cookie } = await site.signInStaff(role);
  const browsing = await openContext(browser, { locale });
  await signIn(browsing, cookie, site.origin);
  const page = await newPage(browsing);
  await page.goto(`${site.origin}/console/staff/${path}`);
  return page;
}
