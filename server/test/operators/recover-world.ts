/** A ledger, and an operator whose list the test writes. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { answerLookUp, lookedUpIn } from './operator-records.ts';
import { reviewWorld } from './review-world.ts';

export interface Listed {
  type: 'merchantpay' | 'reversal';
  transactionReference: string;
  transactionStatus: string;
  amount: string;
  currency?: string;
  requestingOrganisationTransactionReference?: string;
  originalTransactionReference?: string;
  creationDate?: string;
}

/** The operator's answer for a part of its list. */
export interface Part {
  rows: unknown[];
  offset: number;
  limit: number;
}

/** An operator that answers requests for its list, and confirms every number. */
async function listOf(context: TestContext, rows: unknown[]) {
  const requests: string[] = [];
  const habits = {
    give: ({ rows: all, offset, limit }: Part): unknown => all.slice(offset, offset + limit),
  };
  const server = createServer((request, response) => {
    const lookedUp = lookedUpIn(request);
    if (lookedUp !== '') return answerLookUp(response, lookedUp, {});
    requests.push(`${request.method} ${request.url}`);
    const url = new URL(request.url!, 'http://localhost');
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)));
    const given = habits.give({ rows, offset: offset!, limit: limit! });
    const body = JSON.stringify(given);
    response.writeHead(Array.isArray(given) ? 200 : 400, {
      'content-type': 'application/json',
      'x-records-available-count': String(rows.length),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(context, () => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mm`, requests, habits };
}

/** A debit as the operator lists it. */
export const debit = (
  id: string,
  reference: string | null,
  change: Partial<Listed> = {},
): Listed => ({
  type: 'merchantpay',
  transactionReference: id,
  transactionStatus: 'completed',
  amount: '100',
  currency: 'CVE',
  creationDate: new Date().toISOString(),
  ...(reference !== null && { requestingOrganisationTransactionReference: reference }),
  ...change,
});

/** A return of a debit, as the operator lists it. */
export const givenBack = (
  id: string,
  reference: string | null,
  of: string,
  amount = '40',
): Listed => ({
  ...debit(id, reference, { type: 'reversal', amount }),
  originalTransactionReference: of,
});

type Counts = Record<string, { count: number; sums: Record<string, string> }>;

/** A ledger, and an operator whose list the test writes. */
export async function recoverWorld(context: TestContext) {
  const base = await reviewWorld(context);
  const rows: unknown[] = [];
  const { url, requests, habits } = await listOf(context, rows);
  Object.assign(base.environment, { OPERATOR_CVMOVEL_URL: url });
  const runAs = async (code: number, ...args: string[]) => {
    const command = ['operators', 'recover', '--since', '1d', '--json'];
    const ended = await base.zimbo(...command, ...args);
    assert.deepEqual([ended.code, ended.stderr], [code, '']);
    const [found] = JSON.parse(ended.stdout);
    return found;
  };
  const run = async (...args: string[]): Promise<Record<string, number>> => {
    const found = await runAs(0, ...args);
    const all = Object.entries(found.found as Counts).filter(([, { count }]) => count > 0);
    return Object.fromEntries(all.map(([name, { count }]) => [name, count]));
  };
  const amounts = async (): Promise<Record<string, number>> => {
    const text = 'SELECT account, sum(balance_minor) AS minor FROM balances GROUP BY 1';
    const all = await base.harness.database.query<{ account: string; minor: bigint }>({ text });
    return Object.fromEntries(all.map(({ account, minor }) => [account, Number(minor)]));
  };
  return { ...base, rows, requests, habits, run, runAs, amounts };
}
