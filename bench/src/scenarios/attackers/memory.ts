import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchGateway } from '../../gateway/gateway.ts';
import { type Counts, count, request } from './request.ts';

/** As many as fit into a request body. */
const itemCount = 26_000;
const readersOfDocs = 100;
const readersOfLists = 100;
const loopsPerTenant = 4;
const list = '/v1/checkout/sessions?limit=60';

/** Each tenant creates sessions of 3.4 MB. */
export async function largeSessions(
  gateway: BenchGateway,
  keys: string[],
  perTenant: number,
): Promise<void> {
  const items = Array.from({ length: itemCount }, () => ({ name: 'a', quantity: 1, unitPrice: 1 }));
  const body = JSON.stringify({ items });
  await Promise.all(
    keys.map(async (key) => {
      for (let made = 0; made < perTenant; ) {
        const { status } = await request(gateway, key, 'POST', '/v1/checkout/sessions', body);
        if (status === 200) made += 1;
        else await delay(500);
      }
    }),
  );
}

/** The sessions expire: the worker claims them, and writes an event of each. */
export async function makeThemDue({ database }: BenchGateway): Promise<void> {
  const text = "UPDATE checkout_sessions SET due_at = now() WHERE status = 'OPEN'";
  await database.query({ text });
}

/** Lists and redelivers without end, with readers that do not read; returns the answers. */
export function pester(gateway: BenchGateway, keys: string[]): { end(): Promise<Counts> } {
  const counts: Counts = {};
  let ended = false;
  const sockets = unreading(gateway, keys);
  const loop = async (key: string, number: number) => {
    while (!ended) {
      const answer =
        number === 0 ? await redeliver(gateway, key) : await request(gateway, key, 'GET', list);
      count(counts, String(answer.status));
      if (answer.status !== 200) await delay(100);
    }
  };
  const loops = keys.flatMap((key) =>
    Array.from({ length: loopsPerTenant }, (_, number) => loop(key, number)),
  );
  return {
    async end() {
      ended = true;
      for (const socket of sockets) socket.destroy();
      await Promise.all(loops);
      return counts;
    },
  };
}

async function redeliver(gateway: BenchGateway, key: string) {
  const { text } = await request(gateway, key, 'GET', '/v1/webhooks?limit=1');
  const id = /"id":"(we_\w+)"/.exec(text)?.[1];
  await delay(200);
  const body = JSON.stringify({ since: '2020-01-01T00:00:00Z' });
  return request(gateway, key, 'POST', `/v1/webhooks/${id}/redeliver`, body);
}

/** Clients that request the docs and lists, and read nothing. */
function unreading({ url }: BenchGateway, keys: string[]) {
  const { hostname, port } = new URL(url);
  const ask = (path: string, key?: string) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => {});
    socket.pause();
    const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
    socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${authorization}\r\n`);
    return socket;
  };
  return [
    ...Array.from({ length: readersOfDocs }, () => ask('/docs/scalar.js')),
    ...Array.from({ length: readersOfLists }, (_, index) => ask(list, keys[index % keys.length])),
  ];
}
