import type { RequestListener } from 'node:http';
import type { HttpScope } from './server.ts';
import { once } from './static-response.ts';

/** An app that answers all requests under a path. It is created at the first of these requests. */
export class Annex {
  /** Such as `/console`, matched exactly. */
  readonly path: string;
  /** Returns the app, ready to answer; the first call creates it. */
  readonly app: () => Promise<HttpScope>;
  #opened: Promise<HttpScope> | undefined;

  constructor(path: string, make: () => Promise<HttpScope>) {
    this.path = path;
    this.app = once(() => {
      this.#opened = make();
      return this.#opened;
    });
  }

  isFor(url: string): boolean {
    const { path } = this;
    return url.startsWith(path) && (url.length === path.length || '/?'.includes(url[path.length]!));
  }

  /** Called after its listener has closed. */
  async close(): Promise<void> {
    const app = await this.#opened?.catch(() => undefined);
    await app?.close();
  }
}

/** Routes requests under the path to the lazy app. */
export function withAnnex(
  listener: RequestListener,
  annex: Annex | undefined,
  onError: (error: unknown) => void,
): RequestListener {
  if (annex === undefined) return listener;
  return (request, response) => {
    if (!annex.isFor(request.url!)) return listener(request, response);
    annex.app().then(
      (app) => app.routing(request, response),
      (error: unknown) => {
        onError(error);
        response.writeHead(500).end();
      },
    );
  };
}
