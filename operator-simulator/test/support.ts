import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { cleanUp } from '../../server/test/support/cleanup.ts';
import { silentLog } from '../../server/test/support/database.ts';
import { eventually } from '../../server/test/support/eventually.ts';
import { type OperatorSimulatorOptions, startOperatorSimulator } from '../src/start.ts';

type Context = Pick<TestContext, 'after'>;

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of all shapes.
type Json = any;

export interface Given {
  status: number;
  type: string | null;
  headers: Headers;
  body: Json;
}

export interface SentCallback {
  path: string;
  headers: Record<string, unknown>;
  body: Json;
}

export const secret = 'the secret';
export const account = [{ key: 'organisationid', value: '1234' }];

export function testOptions(dataDir: string): OperatorSimulatorOptions {
  return {
    provider: {
      account: account[0]!,
      currencies: ['CVE', 'AOA'],
      pollLimit: 1_000,
      duplicates: 'state',
      stateFirst: false,
      lateCallbackMs: 0,
      queueMs: 0,
      floatMinor: null,
      feeMinor: 150n,
      mostListed: 100,
      listClock: 'right',
      promptMs: 0,
      confirmMs: 0,
      lateConfirmMs: 0,
      expiryMs: 600_000,
    },
    access: { auth: 'api-key', clientId: 'zimbo', tokenLifeSeconds: 300 },
    secret,
    host: '127.0.0.1',
    port: 0,
    dataDir,
    faults: {},
    seed: 1,
    answerMs: 0,
    slowMs: 0,
    silenceMs: 0,
    clientTimeoutMs: 0,
    edgeMs: 0,
  };
}

export function temporaryFolder(context: Context): string {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-operator-simulator-'));
  cleanUp(context, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A simulator in the test's process, with its own data. */
export async function testSimulator(
  context: Context,
  change: (options: OperatorSimulatorOptions) => void = () => {},
) {
  const options = testOptions(temporaryFolder(context));
  change(options);
  const running = await startOperatorSimulator(options, silentLog);
  cleanUp(context, () => running.stop());
  return { ...running, client: clientOf(running.url, { 'x-api-key': options.secret! }) };
}

export type Client = ReturnType<typeof clientOf>;

/** A client that sends only what the test tells it to. */
export function clientOf(url: string, proof: Record<string, string>) {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Given> {
    const response = await fetch(path.startsWith('/_') ? new URL(url).origin + path : url + path, {
      method,
      headers: { ...proof, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const type = response.headers.get('content-type');
    return {
      status: response.status,
      type,
      headers: response.headers,
      body: type?.includes('json') ? JSON.parse(text) : text,
    };
  }
  const pay = (
    suffix: string,
    { reference = randomUUID() as string, amount = '15.2', callbackUrl = '' } = {},
  ) =>
    send('POST', '/transactions/type/merchantpay', paymentBody(suffix, amount, reference), {
      'x-correlationid': reference,
      ...(callbackUrl !== '' && { 'x-callback-url': callbackUrl }),
    });
  const disburse = (
    suffix: string,
    { reference = randomUUID() as string, amount = '15.2', callbackUrl = '' } = {},
  ) =>
    send('POST', '/transactions/type/disbursement', disbursementBody(suffix, amount, reference), {
      'x-correlationid': reference,
      ...(callbackUrl !== '' && { 'x-callback-url': callbackUrl }),
    });
  return {
    send,
    pay,
    disburse,
    totals: async () => (await send('GET', '/_simulator/totals')).body,
  };
}

export const paymentBody = (suffix: string, amount = '15.2', reference: string = randomUUID()) => ({
  amount,
  currency: 'CVE',
  debitParty: [{ key: 'msisdn', value: `+2389910${suffix}` }],
  creditParty: account,
  requestingOrganisationTransactionReference: reference,
  requestDate: new Date().toISOString(),
});

export const disbursementBody = (suffix: string, amount?: string, reference?: string) => {
  const { debitParty, creditParty, ...body } = paymentBody(suffix, amount, reference);
  return { ...body, debitParty: creditParty, creditParty: debitParty };
};

/** The state of a request once it has an outcome. */
export function ended(client: Client, { body }: Given): Promise<Json> {
  return eventually('the outcome', async () => {
    const state = await client.send('GET', `/requeststates/${body.serverCorrelationId}`);
    return state.body.status !== 'pending' && state.body;
  });
}

/** Receives callbacks; returns `answers` one after another, then 204. */
export async function callbackReceiver(context: Context, answers: number[] = []) {
  const taken: SentCallback[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    taken.push({ path: `${request.method} ${request.url}`, headers: request.headers, body });
    response.writeHead(answers.shift() ?? 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`, taken };
}
