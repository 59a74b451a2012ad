/** The API reference in a browser: "Test Request" reaches the gateway under every address that serves the page. */
import assert from 'node:assert/strict';
import { createServer, request as forward } from 'node:http';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { testGateway } from '../support/gateway.ts';
import { listen } from '../support/webhook-receiver.ts';
import { launchBrowser } from './browser.ts';

/** Types the key, and sends the example of an operation. @returns the address that was asked, and the status */
async function tryRequest(page: Page, origin: string, key: string) {
  await page.goto(`${origin}/docs#tag/operators/GET/v1/operators`);
  const sample = page.getByText('curl "$ZIMBO_URL/v1/operators"', { exact: false });
  await sample.first().waitFor();
  await page.getByPlaceholder('Token').first().fill(key);
  const button = page.getByRole('button', { name: /^Test Request.*get \/v1\/operators\)?$/ });
  await button.first().click();
  const answered = page.waitForResponse((response) => response.url().endsWith('/v1/operators'));
  await page.getByRole('button', { name: /^Send/ }).last().click();
  const answer = await answered;
  return { url: answer.url(), status: answer.status() };
}

test('sends test requests to the address that served the page', async (context) => {
  const environment = { PUBLIC_URL: 'https://pay.example.cv' };
  const { url, key } = await testGateway(context, { environment });
  const { port } = new URL(url);
  const proxy = createServer((incoming, outgoing) => {
    const path = incoming.url!.replace(/^\/gateway/, '');
    const { method, headers } = incoming;
    const onward = forward(`${url}${path}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  const behind = await listen(context, proxy);
  const browser = await launchBrowser();
  context.after(() => browser.close());
  for (const origin of [
    `http://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    `http://localhost:${behind.port}/gateway`,
  ]) {
    const visitor = await browser.newContext();
    const page = await visitor.newPage();
    const asked = await tryRequest(page, origin, key);
    assert.deepEqual(asked, { url: `${origin}/v1/operators`, status: 200 });
    await visitor.close();
  }
});
