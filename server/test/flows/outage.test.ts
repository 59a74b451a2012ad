import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../cleanup.ts';
import { testDatabase } from '../database.ts';
import { anotherGateway, apiOf, eventually, testKey } from '../gateway.ts';

/** Stands between the gateway and PostgreSQL, and can cut the line or let it hang. */
class Line {
  url = '';
  #server: Server;
  #sockets = new Set<Socket>();
  #state: 'open' | 'cut' | 'hanging' = 'open';

  constructor(context: TestContext, databaseUrl: string) {
    const target = new URL(databaseUrl);
    const folder = target.searchParams.get('host');
    const port = target.searchParams.get('port') ?? target.port;
    const dial = () =>
      folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(Number(port), target.hostname);
    this.#server = createServer((socket) => {
      this.#keep(socket);
      if (this.#state === 'cut') socket.destroy();
      if (this.#state !== 'open') return;
      const upstream = this.#keep(dial());
      socket.pipe(upstream).pipe(socket);
      socket.on('close', () => upstream.destroy());
      upstream.on('close', () => socket.destroy());
    });
    this.url = `postgres://${target.username}:${target.password}@127.0.0.1:0${target.pathname}?sslmode=disable`;
    cleanUp(context, () => {
      this.#drop();
      this.#server.close();
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as { port: number };
    this.url = this.url.replace(':0/', `:${port}/`);
  }

  set(state: 'open' | 'cut' | 'hanging'): void {
    this.#state = state;
    this.#drop();
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  #drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };

for (const outage of ['cut', 'hanging'] as const) {
  test(`while the line to the database is ${outage}, requests get 500 soon; afterwards all goes on`, async (context) => {
    const { url: databaseUrl, database } = await testDatabase(context);
    const key = await testKey(database);
    const line = new Line(context, databaseUrl);
    await line.listen();
    const gateway = await anotherGateway(context, line.url);
    const api = apiOf(gateway.url, key);
    const { body: before } = await api('POST', '/v1/payments', payment);

    line.set(outage);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api('POST', '/v1/payments', payment)),
    );
    for (const { status, body } of answers) {
      assert.equal(status, 500);
      assert.equal(body.error.code, 'INTERNAL_ERROR');
      assert.doesNotMatch(body.error.message, /connect|database|ECONN/i);
    }
    assert.equal((await fetch(`${gateway.url}/readyz`)).status, 503);
    assert.equal((await fetch(`${gateway.url}/healthz`)).status, 200);

    line.set('open');
    const after = await eventually('payments are accepted again', async () => {
      const { status, body } = await api('POST', '/v1/payments', payment);
      return status === 200 && body;
    });
    for (const { id } of [before, after]) {
      await eventually(
        'the payment is debited',
        async () => {
          const { body } = await api('GET', `/v1/payments/${id}`);
          return body.status === 'DEBITED';
        },
        30_000,
      );
    }
  });
}
