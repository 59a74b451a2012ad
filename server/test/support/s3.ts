import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import S3rver, { type Exchange } from '@20minutes/s3rver';
import type { S3Access } from '../../src/platform/config/backup-variables.ts';
import { testFolder } from './backup.ts';

export interface Store {
  access: S3Access;
  bucket: string;
  /** `PUT /bucket/key?…`, in order of arrival. */
  requests: string[];
  /** Requests that get no answer. */
  hangs: (request: IncomingMessage) => boolean;
  /** Requests with an answer of the test's own. */
  answers: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** The keys of unfinished uploads. */
  uploads(): Promise<string[]>;
}

/** An S3-compatible store on loopback, which verifies signatures. */
export async function startStore(context: Pick<TestContext, 'after'>): Promise<Store> {
  const bucket = 'zimbo-backups';
  const s3 = new S3rver({
    directory: await testFolder(context),
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket }],
  });
  await s3.configureBuckets();
  const pending = new Uploads(s3.store.getResourcePath(bucket, undefined, 'uploads'));
  s3.middleware.unshift((exchange, next) => pending.answer(exchange, next));
  const answer = s3.callback();
  const server = createServer((request, response) => {
    store.requests.push(`${request.method} ${request.url}`);
    if (!store.hangs(request) && !store.answers(request, response)) answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const store: Store = {
    access: { endpoint, region: 'us-east-1', ...keys },
    bucket,
    requests: [],
    hangs: () => false,
    answers: () => false,
    uploads: async () => (await pending.list()).map(({ key }) => key),
  };
  return store;
}

/** Operations that the store lacks: it refuses these two after verifying the signature. */
class Uploads {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async list(): Promise<{ id: string; key: string }[]> {
    const ids = await readdir(this.#folder).catch(() => []);
    return Promise.all(
      ids.map(async (id) => ({ id, key: await readFile(join(this.#folder, id, 'key'), 'utf8') })),
    );
  }

  async answer(exchange: Exchange, next: () => Promise<void>): Promise<void> {
    try {
      await next();
    } catch (error) {
      const { method, query } = exchange;
      const { code } = error as { code: string };
      if (method === 'GET' && 'uploads' in query && code === 'NotImplemented') {
        const uploads = await this.list();
        const found = uploads.filter(({ key }) => key.startsWith(query.prefix ?? ''));
        exchange.status = 200;
        exchange.body = `<ListMultipartUploadsResult>${found
          .map(({ id, key }) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
          .join('')}</ListMultipartUploadsResult>`;
      } else if (method === 'DELETE' && 'uploadId' in query && code === 'MethodNotAllowed') {
        await rm(join(this.#folder, query.uploadId!), { recursive: true });
        exchange.status = 204;
      } else throw error;
    }
  }
}
