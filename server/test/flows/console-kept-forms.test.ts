/** Input that a proof of identity interrupts comes back: nobody types a form twice. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testConsole } from '../support/console.ts';
import { Stranger } from '../support/stranger.ts';

const forms: readonly [page: string, fields: Record<string, string>, shown: RegExp[]][] = [
  [
    'keys/new',
    { action: 'create', label: 'Caixa 3', permissions: 'payments:read', maxPayment: '123' },
    [/value="Caixa 3"/, /value="123"/, /value="payments:read" checked/],
  ],
  [
    'endpoints/new',
    {
      action: 'create',
      url: 'https://loja.cv/hook',
      description: 'Loja 7',
      events: 'payment.debited',
    },
    [/value="https:\/\/loja\.cv\/hook"/, /value="Loja 7"/, /value="payment\.created">/],
  ],
  ['settings/checkout', { action: 'save', origins: 'https://loja.cv' }, [/>https:\/\/loja\.cv</]],
  [
    'team',
    { action: 'invite', email: 'eva@loja.cv', role: 'FINANCE' },
    [/value="eva@loja\.cv"/, /value="FINANCE" selected/],
  ],
];

for (const [page, fields, shown] of forms) {
  test(`brings the input back after a proof of identity: ${page}`, async (context) => {
    const site = await testConsole(context);
    const { database } = site.gateway;
    const owner = await site.signIn('OWNER');
    const browser = new Stranger(site);
    browser.cookies.set('zimbo', owner.cookie.replace('zimbo=', ''));
    const proven = (when: string) =>
      database.query({ text: `UPDATE person_sessions SET reauthenticated_at = ${when}` });
    await proven(`now() - interval '1 hour'`);
    const address = `${site.baseOf(site.merchantId, 'live')}/${page}`;
    const asked = await browser.send(address, fields);
    assert.match(asked.location!, /\/console\/prove\?next=/);
    await proven('now()');
    const { status, text } = await browser.get(address);
    assert.equal(status, 200);
    for (const each of shown) assert.match(text, each);
  });
}
