import { connect, createServer, type Server, type Socket } from 'node:net';

interface Pair {
  socket: Socket;
  upstream: Socket;
}

/** A proxy between a gateway and PostgreSQL that can cut connections, stall them, or lose answers. */
export class Line {
  /** The gateway's DATABASE_URL. */
  url = '';
  #server: Server;
  #dial: () => Socket;
  #pairs = new Set<Pair>();
  #state: 'open' | 'cut' | 'hanging' = 'open';
  #stalled = false;
  #brokenBy: string | undefined;
  #deaf = new WeakSet<Pair>();

  private constructor(target: URL) {
    const folder = target.searchParams.get('host');
    const port = target.searchParams.get('port') ?? target.port;
    this.#dial = () =>
      folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(Number(port), target.hostname);
    this.#server = createServer((socket) => this.#accept(socket));
  }

  static async open(databaseUrl: string): Promise<Line> {
    const target = new URL(databaseUrl);
    const line = new Line(target);
    await new Promise<void>((resolve) => line.#server.listen(0, '127.0.0.1', resolve));
    const { port } = line.#server.address() as { port: number };
    const { username, password, pathname } = target;
    line.url = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}?sslmode=disable`;
    return line;
  }

  /** Ends all connections; new ones then work, are refused, or never get an answer. */
  set(state: 'open' | 'cut' | 'hanging'): void {
    this.#state = state;
    for (const { socket, upstream } of this.#pairs) {
      socket.destroy();
      upstream.destroy();
    }
  }

  /** Holds back every byte in both directions until released. */
  stall(stalled: boolean): void {
    this.#stalled = stalled;
    for (const pair of this.#pairs) hold(pair, stalled);
  }

  /** From now on, PostgreSQL runs each statement, and the connection breaks before its answer arrives. */
  loseAnswers(): void {
    for (const pair of this.#pairs) this.#deaf.add(pair);
  }

  /** Breaks the next connection that sends this text, before PostgreSQL gets the text. */
  breakOn(text: string): void {
    this.#brokenBy = text;
  }

  /** Whether such a connection was broken. */
  get isBroken(): boolean {
    return this.#brokenBy === undefined;
  }

  close(): void {
    this.set('cut');
    this.#server.close();
  }

  #accept(socket: Socket): void {
    if (this.#state === 'cut') socket.destroy();
    const upstream = this.#state === 'open' ? this.#dial() : socket;
    const pair = { socket, upstream };
    this.#pairs.add(pair);
    for (const end of [socket, upstream]) {
      end.on('error', () => end.destroy());
      end.on('close', () => {
        this.#pairs.delete(pair);
        socket.destroy();
        upstream.destroy();
      });
    }
    if (upstream === socket) return;
    socket.on('data', (chunk) => {
      if (this.#brokenBy === undefined || !chunk.includes(this.#brokenBy)) upstream.write(chunk);
      else {
        this.#brokenBy = undefined;
        socket.resetAndDestroy();
      }
    });
    upstream.on('data', (chunk) => {
      if (this.#deaf.has(pair)) socket.destroy();
      else socket.write(chunk);
    });
    if (this.#stalled) hold(pair, true);
  }
}

function hold({ socket, upstream }: Pair, held: boolean): void {
  for (const end of [socket, upstream]) {
    if (held) end.pause();
    else end.resume();
  }
}
