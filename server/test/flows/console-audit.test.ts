/** The audit log as people read it: amounts, words and names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeAuditRecord } from '../../src/platform/audit/record.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { sharedConsole } from '../support/shared-gateway.ts';

const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test('says amounts, words and names instead of centavos, field names and ids', async () => {
  const { gateway, merchantId, ...site } = await sharedConsole();
  const { database } = gateway;
  const parts = { clock: systemClock, ids: randomIds() };
  const terms = { label: 'caixa 3' };
  const order = { merchantId, mode: 'test', terms } as const;
  const { id } = await issueKey({ ...parts, database }, order);
  const [tenant] = await database.query<{ id: string }>(
    { text: `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'` },
    [merchantId],
  );
  const actor = `key:${formatId('ak', id)}`;
  const about = { tenantId: tenant!.id, subject: 'pr_x' };
  await writeAuditRecord(
    database,
    { ...parts, actor },
    {
      ...about,
      action: 'product.changed',
      before: { price: '150000', currency: 'CVE', active: true },
      after: { price: '200050', currency: 'CVE', active: false },
    },
  );
  await writeAuditRecord(
    database,
    { ...parts, actor: `person:${formatId('pe', randomIds().next(Date.now()))}` },
    {
      ...about,
      action: 'person.role_changed',
      before: { role: 'VIEWER' },
      after: { role: 'OWNER' },
    },
  );
  await writeAuditRecord(database, parts, {
    ...about,
    action: 'merchant.terms_changed',
    after: { fees: { ALL: { basisPoints: 150, fixedMinor: '500' } }, maxPayment: '5000000' },
  });
  const owner = await site.signIn();
  const english = plain((await owner.get('audit')).text);
  assert.match(english, /Price of the product: 1,500\.00 CVE → 2,000\.50 CVE; Active: Yes → No/);
  assert.match(english, /Key caixa 3 …\w{4}/);
  assert.match(english, /Role: \w+ → Owner/);
  assert.match(english, /a removed account/);
  assert.match(english, /Fees: ALL: fixed part of: 5\.00; percentage: 1\.50 %; .*50,000\.00/);
  assert.doesNotMatch(english, /150000|person:pe_|key:ak_|basisPoints/);
});

test('shows neither the names of fields nor the digests of texts in Portuguese', async () => {
  const { gateway, ...site } = await sharedConsole();
  await gateway.zimbo.products.create({
    name: 'Cachupa rica',
    price: 45_000,
    description: 'Para seis',
    metadata: { shelf: 7 },
  });
  const parts = { clock: systemClock, ids: randomIds() };
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  const [tenant] = await gateway.database.query<{ id: string }>({ text }, [site.merchantId]);
  await writeAuditRecord(gateway.database, parts, {
    tenantId: tenant!.id,
    action: 'disbursement_batch.created',
    subject: 'dib_x',
    after: { totals: [{ currency: 'CVE', amountMinor: '900' }] },
  });
  const owner = await site.signIn();
  const page = await owner.get('audit?lang=pt');
  const shown = plain(page.text.replaceAll(/<pre[\s\S]*?<\/pre>/g, ''));
  assert.match(shown, /Nome: …; Preço do produto: 450,00 CVE; .*Metadados: …/);
  assert.match(shown, /Soma: Valor: 9,00 CVE/);
  assert.doesNotMatch(shown, /metadata:|totals:|\([0-9a-f]{16}\)/);
});
