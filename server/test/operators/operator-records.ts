import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';

/** The fields of the operator's record that a test states; null: the operator has no such transaction. */
export type OperatorRecord = Record<string, unknown> | null;

/**
 * An operator that answers GET /transactions/… for people who look a number up. It confirms every number, as an
 * operator does that leaves out all that it may leave out, except for those that a test puts into `records`.
 */
export async function openOperatorRecords(context: TestContext) {
  const records = new Map<string, OperatorRecord>();
  const lookedUp: string[] = [];
  const server = createServer((request, response) => {
    const id = lookedUpIn(request);
    lookedUp.push(id);
    answerLookUp(response, id, records.get(id) ?? (records.has(id) ? null : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, records, lookedUp };
}

/** The operator's number that a request looks up; empty: it asks for something else. */
export const lookedUpIn = ({ url = '' }: IncomingMessage): string =>
  decodeURIComponent(/\/transactions\/([^/?]+)$/.exec(url)?.[1] ?? '');

export function answerLookUp(response: ServerResponse, id: string, record: OperatorRecord): void {
  const isKnown = id !== '' && record !== null;
  response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
  const completed = { transactionReference: id, transactionStatus: 'completed', ...record };
  const unknown = { errorCategory: 'identification', errorCode: 'identifierError' };
  response.end(JSON.stringify(isKnown ? completed : unknown));
}
