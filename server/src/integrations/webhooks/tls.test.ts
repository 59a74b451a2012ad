import assert from 'node:assert/strict';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createSilentServer } from 'node:net';
import { test } from 'node:test';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { selfSigned, skipWithoutCertificates } from '../../../test/support/certificate.ts';
import { listen, requestTo, senderFor } from '../../../test/support/webhook-receiver.ts';

const skip = skipWithoutCertificates;

test('verifies TLS against the name in the url, not against the address', {
  skip,
}, async (t) => {
  const certificate = selfSigned('hooks.example');
  const names: unknown[] = [];
  const server = createServer(
    {
      ...certificate,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    },
    (request, response) =>
      response.end(`${request.headers.host} ${(request.socket as TLSSocket).alpnProtocol}`),
  );
  const { port } = await listen(t, server);
  const allowPrivate = { live: true, test: true };
  const sender = senderFor(t, { allowPrivate, lookup: async () => [{ address: '127.0.0.1' }] });
  const send = (host: string) => sender.send(requestTo(`https://${host}:${port}/`, 'live'));

  const untrusted = await send('hooks.example');
  assert.deepEqual(
    [untrusted.delivered, untrusted.error],
    [false, 'the certificate is self-signed'],
  );
  assert.deepEqual(names, ['hooks.example']);

  const systemCertificates = getCACertificates('default');
  setDefaultCACertificates([...systemCertificates, certificate.cert]);
  t.after(() => setDefaultCACertificates(systemCertificates));
  const trusted = await send('hooks.example');
  assert.deepEqual([trusted.delivered, trusted.error], [true, null]);
  assert.equal(trusted.responseSnippet, `hooks.example:${port} http/1.1`);
  for (const host of ['other.example', '127.0.0.1'])
    assert.equal((await send(host)).error, 'the certificate is for another name', host);
});

test('fails at a plain receiver behind https, and at a silent one', { skip }, async (t) => {
  const plain = await listen(t, createPlainServer());
  const silent = await listen(t, createSilentServer());
  const sender = senderFor(t, { timeoutMs: 1_500 });
  const send = (port: number) => sender.send(requestTo(`https://127.0.0.1:${port}/`));
  assert.equal((await send(plain.port)).error, 'the TLS handshake failed');
  assert.match((await send(silent.port)).error ?? '', /^timed out/);
});
