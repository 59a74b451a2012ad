/** The owner's page for the sites that may show the payment page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedConsole } from '../support/shared-gateway.ts';

const path = 'settings/checkout';

test('an owner lists the sites that may show the payment page, and the audit log says so', async () => {
  const site = await sharedConsole();
  const owner = await site.signIn('OWNER');
  assert.match((await owner.get('settings')).text, /href="[^"]*\/settings\/checkout"/);
  const save = (origins: string) => owner.send(path, { action: 'save', origins });
  const saved = await save('https://Shop.cv/\r\n\r\n http://localhost:8080 \r\n');
  assert.equal(saved.status, 303);
  const frameOrigins = ['https://shop.cv', 'http://localhost:8080'];
  const settings = () => site.gateway.api('GET', '/v1/checkout/settings');
  assert.deepEqual((await settings()).body, { frameOrigins });
  const { text } = await owner.get(path);
  assert.ok(text.includes('>https://shop.cv\nhttp://localhost:8080</textarea>'), text);
  assert.ok(text.includes('/pay/checkout.js&quot; defer'), 'it shows what to write into the page');
  const wrong = await save('https://shop.cv\nhttps://*.shop.cv');
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /https:\/\/\*\.shop\.cv<\/p>/, 'it names the line');
  const many = Array.from({ length: 21 }, (_, index) => `https://${index}.cv`);
  assert.equal((await save(many.join('\n'))).status, 400);
  assert.deepEqual((await settings()).body, { frameOrigins });
  assert.match((await owner.get('audit')).text, /https:\/\/shop\.cv, http:\/\/localhost:8080/);
  assert.equal((await save('')).status, 303);
  assert.deepEqual((await settings()).body, { frameOrigins: [] });
});

test('nobody but owners sees or changes the list', async () => {
  const site = await sharedConsole();
  for (const role of ['DEVELOPER', 'FINANCE', 'SUPPORT', 'VIEWER'] as const) {
    const member = await site.signIn(role);
    assert.equal((await member.get(path)).status, 403, role);
    assert.equal((await member.send(path, { action: 'save', origins: '' })).status, 403, role);
  }
});
