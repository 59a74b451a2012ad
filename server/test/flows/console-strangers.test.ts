/** Requests of strangers to the console, and their cost. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { TestConsole } from '../support/console.ts';
import { sharedConsole } from '../support/shared-gateway.ts';

const urlencoded = 'application/x-www-form-urlencoded';
const doors = ['/console/sign-in', '/console/invitation/x', '/console/account'];

/** Sends the head of a form without its body. @returns the status line of the answer */
function announce(site: TestConsole, path: string, headers: Record<string, string>) {
  const { port } = new URL(site.origin);
  const lines = Object.entries({ host: `localhost:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), 'localhost');
    socket.once('error', reject);
    socket.once('data', (bytes) => {
      socket.destroy();
      resolve(bytes.toString().split('\r\n', 1)[0]!);
    });
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  });
}

const sent = (
  site: TestConsole,
  path: string,
  body: URLSearchParams | FormData,
  origin = site.origin,
) =>
  fetch(`${site.origin}${path}`, { method: 'POST', redirect: 'manual', body, headers: { origin } });

function fileForm(bytes: number): FormData {
  const form = new FormData();
  form.append('action', 'profile');
  form.append('file', new Blob([new Uint8Array(bytes)]), 'a.png');
  return form;
}

test('rejects a form of another site without reading its body', async () => {
  const site = await sharedConsole();
  const headers = {
    origin: 'https://evil.example',
    'content-type': urlencoded,
    'content-length': '10000',
  };
  for (const path of [...doors, `${site.base}/charge`, '/console/staff/team', '/console/none']) {
    assert.match(await announce(site, path, headers), /^HTTP\/1\.1 403 /, path);
  }
});

test('accepts only short forms without files on sign-in pages', async () => {
  const site = await sharedConsole();
  // A form that is read leads to sign-in.
  const statusOf = async (body: URLSearchParams | FormData) =>
    (await sent(site, '/console/account', body)).status;
  assert.equal(await statusOf(new URLSearchParams({ action: 'profile' })), 303);
  assert.equal(
    await statusOf(new URLSearchParams({ action: 'profile', name: 'x'.repeat(16_384) })),
    400,
  );
  assert.equal(await statusOf(fileForm(10)), 400);
});

test("does not read a stranger's form", async () => {
  const site = await sharedConsole();
  const headers = {
    origin: site.origin,
    'content-type': 'multipart/form-data; boundary=x',
    cookie: 'zimbo=stranger',
  };
  for (const path of [`${site.base}/charge`, '/console/staff/merchants/me_x']) {
    const given = { method: 'POST', redirect: 'manual', body: 'no form', headers } as const;
    const answer = await fetch(`${site.origin}${path}`, given);
    assert.equal(answer.status, 302, path);
    assert.match(answer.headers.get('location')!, /\/console\/sign-in\?next=/);
  }
  const owner = await site.signIn();
  const own = { ...headers, cookie: owner.cookie };
  const url = `${site.origin}${site.base}/charge`;
  assert.equal((await fetch(url, { method: 'POST', body: 'no form', headers: own })).status, 400);
});
