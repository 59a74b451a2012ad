/** The payout order as XML, validated against the schema of the standard. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { painProblems } from '../../../test/support/pain-schema.ts';
import {
  begin,
  claim,
  cut,
  fail,
  filesOf,
  now,
  partsOf,
  type World,
} from '../../../test/support/payouts.ts';
import type { PayoutSettings } from '../../platform/config/payout-account.ts';
import { noFourEyes } from '../../platform/values/four-eyes.ts';
import { formatId, randomIds } from '../../platform/values/ids.ts';
import { changeBankAccount } from '../../tenants/merchants/change-bank-account.ts';
import { paySettlement } from './pay.ts';
import { payoutFiles } from './payout-file.ts';
import { type Payable, payoutFile } from './payout-order.ts';

const ids = randomIds();
const iban = 'CV64000500000020108215144';
const nib = '004400006729503010102';
const own = { accountNumber: iban, holder: 'Zimbo Pagamentos, SA', bic: 'BCATCVCV' };
const settings: PayoutSettings = { format: 'pain.001', accounts: { CVE: own } };

async function withAccount(world: World, change: object = {}): Promise<void> {
  const account = { currency: 'CVE', accountNumber: iban, holder: 'Loja, Lda', bic: null };
  const { database, clock, merchantId } = world;
  const dependencies = { database, clock, ids, fourEyes: noFourEyes };
  await changeBankAccount(dependencies, merchantId, { ...account, ...change });
}

const pay = async (world: World, chosen = settings) =>
  paySettlement(partsOf(world, { payout: payoutFiles(world.folder, chosen) }), await claim(world));

const example: Payable = {
  ...({} as Payable),
  id: '019ae8f0-0000-7000-8000-000000000001',
  merchantId: '019ae8f0-0000-7000-8000-000000000002',
  currency: 'CVE',
  netMinor: 123_456_789n,
  grossMinor: 123_456_789n,
  feeMinor: 0n,
  refundMinor: 0n,
  disbursementMinor: 0n,
  itemCount: 3n,
  periodStartMs: Date.parse('2026-11-20T03:00:00Z'),
  periodEndMs: Date.parse('2026-11-21T03:00:00Z'),
  payoutRef: 'se_01kbmf00000000000000000001.xml',
  processedAtMs: Date.parse('2026-11-21T00:30:00Z'),
  bankAccount: {
    ...({} as NonNullable<Payable['bankAccount']>),
    accountNumber: nib,
    holder: 'Panificação São João & Filhos, Lda.',
    bic: null,
  },
};

const inXml = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(
    ([, text]) => text,
  );

test('states payer, payee, amount and reference in an order that is valid by the schema of ISO 20022', async () => {
  const { content: xml, fileName } = payoutFile(example, settings);
  assert.deepEqual(await painProblems(xml), []);
  assert.equal(fileName, example.payoutRef);
  const reference = 'se-01kbmf00000000000000000001';
  assert.ok(reference.length <= 35);
  for (const name of ['MsgId', 'PmtInfId', 'InstrId', 'EndToEndId', 'Ustrd']) {
    assert.deepEqual(inXml(xml, name), [reference], name);
  }
  assert.deepEqual(inXml(xml, 'InstdAmt'), ['1234567.89']);
  assert.deepEqual(inXml(xml, 'CtrlSum'), ['1234567.89', '1234567.89']);
  assert.match(xml, /<InstdAmt Ccy="CVE">/);
  assert.deepEqual(inXml(xml, 'Nm'), [
    own.holder,
    own.holder,
    'Panificacao Sao Joao + Filhos, Lda.',
  ]);
  assert.match(xml, new RegExp(`<DbtrAcct><Id><IBAN>${iban}</IBAN></Id>`));
  assert.match(
    xml,
    new RegExp(`<CdtrAcct><Id><Othr><Id>${nib}</Id><SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr></Id>`),
  );
  assert.deepEqual(inXml(xml, 'BICFI'), ['BCATCVCV']);
  // Half an hour after midnight in London is still the day before in Praia.
  assert.deepEqual(inXml(xml, 'Dt'), ['2026-11-20']);
});

test('finds errors by the schema', async () => {
  const { content: xml } = payoutFile(example, settings);
  const wrong = {
    'a name of 141 letters': xml.replace('<Cdtr><Nm>', `<Cdtr><Nm>${'x'.repeat(141)}`),
    'an account of 35 digits': xml.replace(nib, '0'.repeat(35)),
    'an amount with six decimals': xml.replace('">1234567.89', '">1234567.890001'),
    'an element in another place': xml.replace(
      /<InstrId>.*?<\/InstrId>(<EndToEndId>.*?<\/EndToEndId>)/,
      '$1<InstrId>x</InstrId>',
    ),
    'no account to pay from': xml.replace(/<DbtrAcct>.*<\/DbtrAcct>/, ''),
  };
  for (const [what, text] of Object.entries(wrong)) {
    assert.notEqual(text, xml, what);
    assert.notDeepEqual(await painProblems(text), [], what);
  }
});

test('writes a valid order for any holder and amount', async () => {
  const order = fc.record({
    holder: fc.string({ unit: 'grapheme', maxLength: 139 }),
    accountNumber: fc.constantFrom(iban, nib, 'AO06004400006729503010102'),
    bic: fc.constantFrom(null, 'BCATCVCV', 'BAIPAOLUXXX'),
    netMinor: fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }),
    currency: fc.constantFrom('CVE', 'AOA'),
  });
  const both = { CVE: own, AOA: { ...own, bic: null } };
  const property = fc.asyncProperty(fc.array(order, { minLength: 50 }), async (orders) => {
    const messages = orders.map(({ holder, accountNumber, bic, ...of }) => {
      const bankAccount = { ...example.bankAccount!, holder: `Z${holder}`, accountNumber, bic };
      return payoutFile({ ...example, ...of, bankAccount }, { accounts: both }).content;
    });
    for (const message of messages) assert.doesNotMatch(message, /[^\x20-\x7e\n]/);
    assert.deepEqual(await painProblems(...messages), []);
  });
  await fc.assert(property, { numRuns: 4 });
});

const lacking: [string, Partial<Payable>, PayoutSettings['accounts'], RegExp][] = [
  ['an account of its own', {}, {}, /PAYOUT_ACCOUNT_CVE is not set/],
  ['an account of another currency only', {}, { AOA: own }, /PAYOUT_ACCOUNT_CVE is not set/],
  ['an account of the merchant', { bankAccount: null }, { CVE: own }, /had no bank account in CVE/],
  ['room for the amount', { netMinor: 10n ** 18n }, { CVE: own }, /18 digits/],
  [
    'a letter of the holder',
    { bankAccount: { ...example.bankAccount!, holder: '東京' } },
    { CVE: own },
    /no letter/,
  ],
];

for (const [what, change, accounts, message] of lacking) {
  test(`writes no order without ${what}`, () => {
    assert.throws(() => payoutFile({ ...example, ...change }, { accounts }), message);
  });
}

test('writes a settlement as one file with one name and always the same bytes', async (context) => {
  const world = await begin(context);
  await withAccount(world);
  const settlement = await cut(world);
  const name = `${formatId('se', settlement.id)}.xml`;
  const broken = payoutFiles(world.folder, settings);
  const first: string[] = [];
  const half = {
    ...broken,
    pay: async (...args: Parameters<typeof broken.pay>) => {
      await broken.pay(...args);
      first.push(readFileSync(join(world.folder, name), 'utf8'));
      throw new Error('the process died here');
    },
  };
  await paySettlement(partsOf(world, { payout: half }), await claim(world));
  world.wait(86_400_000);
  // Meanwhile someone switches to CSV: a settlement begun as XML stays XML, or the bank would get two orders.
  await pay(world, { ...settings, format: 'csv' });
  assert.deepEqual(filesOf(world), [name]);
  assert.equal(readFileSync(join(world.folder, name), 'utf8'), first[0]);
  const paid = await now(world, settlement);
  assert.deepEqual([paid.status, paid.payoutRef, paid.payoutError], ['PROCESSING', name, null]);
  await fail(world, settlement);
});

test('says in the list of payouts what an order lacks, and writes no file', async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  await pay(world);
  const { status, payoutError } = await now(world, settlement);
  assert.equal(status, 'PROCESSING');
  assert.match(payoutError!, /had no bank account in CVE/);
  assert.deepEqual(filesOf(world), []);
});

test('needs no bank accounts for a settlement in test mode', async (context) => {
  const world = await begin(context);
  await world.database.query({ text: `UPDATE tenants SET mode = 'test'` });
  const settlement = await cut(world);
  await pay(world);
  assert.equal((await now(world, settlement)).status, 'COMPLETED');
  assert.deepEqual(filesOf(world), [`test-${formatId('se', settlement.id)}.csv`]);
});

test('shows the bank its future orders in test mode, with both accounts', async (context) => {
  const world = await begin(context);
  await world.database.query({ text: `UPDATE tenants SET mode = 'test'` });
  await withAccount(world);
  const settlement = await cut(world);
  await pay(world);
  const name = `test-${formatId('se', settlement.id)}.xml`;
  assert.deepEqual(filesOf(world), [name]);
  const xml = readFileSync(join(world.folder, name), 'utf8');
  assert.deepEqual(await painProblems(xml), []);
  assert.deepEqual(inXml(xml, 'MsgId'), [name.slice(0, -4).replaceAll('_', '-')]);
  assert.ok(name.length - 4 <= 35);
});
