import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import S3rver from '@20minutes/s3rver';
import type { S3Access } from '../../src/config/backup-variables.ts';
import { testFolder } from './backup.ts';

export interface Store {
  access: S3Access;
  bucket: string;
  /** `PUT /bucket/key?…`, in the order in which they came. */
  requests: string[];
  /** What is not answered at all. */
  hangs: (request: IncomingMessage) => boolean;
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
  const answer = s3.callback();
  const server = createServer((request, response) => {
    store.requests.push(`${request.method} ${request.url}`);
    if (!store.hangs(request)) answer(request, response);
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
  };
  return store;
}
