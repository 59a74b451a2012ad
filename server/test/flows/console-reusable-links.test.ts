import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countOf } from '../support/checkout.ts';
import { testConsole } from '../support/console.ts';
import { hiddenValue } from '../support/stranger.ts';

test('a link that is paid again and again is made on the console, once, and turned off', async (context) => {
  const site = await testConsole(context);
  const owner = await site.signIn('OWNER');
  const path = 'links/reusable';
  const key = hiddenValue((await owner.get(path)).text, 'key');
  const asked = { action: 'create', key, description: 'Donativo <b>', currency: 'CVE' };
  for (const wrong of [
    {},
    { amount: '0' },
    { amount: '5', least: '1', most: '2' },
    { least: '5', most: '2' },
    { amount: '5', uses: '1.5' },
  ]) {
    assert.equal(
      (await owner.send(path, { ...asked, ...wrong })).status,
      400,
      JSON.stringify(wrong),
    );
  }
  const right = { ...asked, least: '10,00', most: '5.000', uses: '3' };
  for (let times = 0; times < 2; times++) assert.equal((await owner.send(path, right)).status, 303);
  assert.equal(await countOf(site.gateway, 'payment_links'), 1);
  const { text } = await owner.get(path);
  assert.ok(text.includes('<bdi>Donativo &lt;b&gt;</bdi>'), text);
  assert.match(text, /0 \/ 3/);
  const link = /name="link" value="(pl_\w+)"/.exec(text)![1]!;
  assert.match(text, /\/pay\/link\/[\w-]{64}/);
  await owner.send(path, { action: 'turn-off', link });
  assert.equal(await countOf(site.gateway, 'payment_links WHERE NOT active'), 1);
  const viewer = await site.signIn('VIEWER');
  assert.equal((await viewer.send(path, { action: 'turn-on', link })).status, 403);
  assert.doesNotMatch((await viewer.get(path)).text, /name="action"/);
});
