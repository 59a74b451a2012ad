import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { testDatabase } from '../../test/support/database.ts';
import { runZimbo } from '../../test/support/zimbo.ts';

test('sets and removes a merchant’s name, colour and logo for the payment page', async (context) => {
  const { url, database } = await testDatabase(context);
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-brand-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const zimbo = async (...args: string[]) => {
    const { ended, output } = runZimbo(context, args, { DATABASE_URL: url });
    return { code: await ended, ...output };
  };
  const { id } = JSON.parse((await zimbo('merchants', 'create', '--name', 'A', '--json')).stdout);
  const brand = (...args: string[]) => zimbo('merchants', 'brand', id, ...args);
  const logo = join(folder, 'logo.svg');
  writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>');

  const all = await brand(
    '--name',
    'Loja',
    '--colour',
    '#C2410C',
    '--logo',
    logo,
    '--phone',
    '+238 991 23 45',
    '--tax-number',
    '254 123 456',
    '--languages',
    'pt',
    '--currency',
    'CVE',
    '--json',
  );
  const contact = { contactPhone: '+2389912345', contactEmail: null, website: null };
  const settings = {
    taxNumber: '254123456',
    receiptText: null,
    pageLanguages: ['pt'],
    defaultCurrency: 'CVE',
    timeZone: null,
    timeZoneHistory: [{ from: null, timeZone: 'Atlantic/Cape_Verde' }],
  };
  const set = { name: 'Loja', colour: '#c2410c', logoBytes: 67, ...contact, ...settings };
  assert.deepEqual(JSON.parse(all.stdout), set);
  const less = await brand('--logo', '', '--json');
  assert.deepEqual(JSON.parse(less.stdout), { ...set, logoBytes: null });
  assert.match((await brand()).stdout, /^Colour +#c2410c$/m);

  writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>');
  for (const [args, reason] of [
    [['--logo', logo], /logo must only draw; <script> is not allowed/],
    [['--logo', join(folder, 'none.png')], /none\.png cannot be read/],
    [['--colour', 'red'], /colour must look like #0b5d44/],
  ] as const) {
    const { code, stderr } = await brand(...args);
    assert.equal(code, 1);
    assert.match(stderr, reason);
  }
  assert.match((await zimbo('merchants', 'brand', 'me_nobody')).stderr, /no merchant "me_nobody"/);
  const text = `SELECT count(*)::integer AS count FROM audit_records WHERE action = 'merchant.branded'`;
  const [records] = await database.query<{ count: number }>({ text });
  assert.equal(records!.count, 2);
});
