/** Whatever stands in an address or in a form of the console, the answer is a page that says so, and never a fault. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pages } from '../../src/console/pages/index.ts';
import type { PageAnswer } from '../support/console.ts';
import { allButtons } from '../support/console-buttons.ts';
import { addressOf, twoShops } from '../support/console-shops.ts';

const shops = twoShops({ after: (work) => after(work as () => void) });

/** As they stand in an address. */
const hostile = [
  '%00',
  '%E0%A4',
  '-1',
  '1e400',
  '0000-01-01',
  '9999-12-31',
  '9999-12-31T23:59',
  '999999999999999.x',
  '%25%5F%5C%27%22%3Cscript%3E',
  `%2B${'9'.repeat(4_000)}`,
];

/** In the place of an id. */
const noIds = ['%00', 'constructor', 'pi_00000000000000000000000000', 'x'.repeat(4_000)];

/** What the page of this file reads of its address, besides what all of them read. */
const asked: Record<string, readonly string[]> = {
  '': ['days', 'csv'],
  payments: [
    ...['q', 'status', 'operator', 'from', 'until', 'amount_from', 'amount_until'],
    ...['customer', 'order', 'column', 'starting_after'],
  ],
  'payments/export': ['from', 'until', 'amount_from', 'amount_until', 'customer', 'order'],
  refunds: ['status', 'starting_after'],
  charge: ['again', 'currency'],
  links: ['status', 'starting_after'],
  'links/new': ['currency'],
  products: ['starting_after'],
  endpoints: ['starting_after'],
  'endpoints/:id': ['status', 'starting_after', 'count', 'since', 'after', 'until', 'of'],
  events: ['type', 'from', 'until', 'starting_after'],
  requests: ['status', 'method', 'route', 'key', 'request_id', 'starting_after'],
  money: ['before', 'currency'],
  settlements: ['status', 'starting_after'],
  'settlements/:id': ['starting_after'],
  statement: ['from', 'until', 'currency', 'print'],
  'statement.csv': ['from', 'until', 'currency'],
  audit: ['action', 'actor', 'subject', 'from', 'until', 'starting_after'],
};

/** A page, a picture or a file; or a page that says what is wrong. */
function check({ status, text, headers }: PageAnswer, address: string, faults: string[]): void {
  const type = headers.get('content-type') ?? '';
  const isPage = type.startsWith('text/html') && (text.includes('<h1') || text.includes('poster'));
  const isFile = status === 200 && /^(image\/|text\/csv|application\/)/.test(type);
  const isDesigned = isPage || isFile || (status >= 300 && status < 400);
  const isPrivate = headers.get('cache-control') === 'no-store';
  const isFramed = !headers.get('content-security-policy')?.includes("frame-ancestors 'none'");
  if (status < 500 && isDesigned && isPrivate && !isFramed) return;
  faults.push(`${status} ${type} ${headers.get('cache-control')} ${address.slice(0, 120)}`);
}

test('no address of a page makes it fail', async () => {
  const { site, ours } = await shops;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const faults: string[] = [];
  const look = async (address: string) => check(await owner.get(address), address, faults);
  for (const { path } of pages) {
    const address = path.includes(':') ? addressOf(path, ours.test) : path;
    for (const name of asked[path] ?? []) {
      for (const value of hostile) await look(`${address}?${name}=${value}`);
      await look(`${address}?${name}=2026-01-01&${name}=%00&${name}`);
    }
    await look(`${address}?done=constructor&lang=%00&lang=pt&=&%&%zz=%zz&=%00`);
    if (!path.includes(':')) continue;
    for (const value of noIds) await look(path.replace(':id', value).replace(':delivery', value));
  }
  for (const nowhere of [
    'nowhere',
    'payments/',
    'payments/x/y/z',
    '/console/',
    '/console/nowhere',
  ]) {
    const answer = await owner.get(nowhere);
    check(answer, nowhere, faults);
    assert.equal(answer.status, 404, nowhere);
  }
  assert.deepEqual(faults, []);
});

test('no value in a form makes a page fail', async () => {
  const { site, ours } = await shops;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const faults: string[] = [];
  const values = [
    ...['\0', '\ud800', '-1', '1e400', '9'.repeat(60), '9999-12-31T23:59', '__proto__'],
    ...['https://[::', 'http://user:pw@x/', 'x'.repeat(9_000), '% _\\\'"<script>'],
  ];
  for (const { name, press } of allButtons) {
    const { path, fields } = press(ours.test);
    for (const field of Object.keys(fields).filter((each) => each !== 'action')) {
      for (const value of values) {
        const sent = { ...press(ours.test).fields, [field]: value };
        check(await owner.post(path, sent), `${name} ${field}=${value}`, faults);
      }
    }
  }
  assert.deepEqual(faults, []);
});

const doors = ['', '/sign-in', '/prove', '/account', '/sign-out', '/invitation/x', '/welcome/x'];

test('neither does one of the ways in', async () => {
  const { site, ours } = await shops;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const faults: string[] = [];
  for (const door of doors) {
    const address = `/console${door}`;
    for (const value of hostile) {
      const query = ['next', 'done', 'lang'].map((name) => `${name}=${value}`).join('&');
      check(await owner.get(`${address}?${query}`), `${door}?${value}`, faults);
    }
    for (const action of ['constructor', '__proto__', 'toString', 'nothing']) {
      const answer = await owner.post(address, { action });
      check(answer, `${door} ${action}`, faults);
      if (answer.status !== 404) faults.push(`${door} ${action}: ${answer.status}`);
    }
  }
  for (const value of ['\0', 'null', '[]', '{"id":7}', '{"id":"\\u0000"}', 'x'.repeat(9_000)]) {
    for (const action of ['password', 'passkey', 'profile', 'codes', 'remove-passkey']) {
      const names = ['name', 'email', 'code', 'draft', 'response', 'passkey', 'label', 'language'];
      const fields = Object.fromEntries(names.map((name) => [name, value]));
      for (const door of ['/account', '/prove', '/sign-in']) {
        const headers = door === '/sign-in' ? { origin: site.origin, cookie: '' } : undefined;
        const answer = await owner.post(`/console${door}`, { ...fields, action }, headers);
        check(answer, `${door} ${action} ${value}`, faults);
      }
    }
  }
  assert.deepEqual(faults, []);
});

test('what is no form at all is answered with a page', async () => {
  const { site, ours } = await shops;
  const owner = await site.signIn('OWNER', ours.merchantId);
  const faults: string[] = [];
  const { origin } = site;
  const address = `${origin}${site.baseOf(ours.merchantId)}/charge`;
  for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', '']) {
    const headers = { origin, cookie: owner.cookie, ...(type !== '' && { 'content-type': type }) };
    const answer = await fetch(address, { method: 'POST', headers, body: '{"action":' });
    const { status, headers: sent } = answer;
    const text = await answer.text();
    check({ status, text, headers: sent, location: null }, type, faults);
  }
  const long = await owner.post('charge', { action: 'charge', amount: 'x'.repeat(300_000) });
  check(long, 'long', faults);
  assert.equal(long.status, 400);
  assert.deepEqual(faults, []);
});
