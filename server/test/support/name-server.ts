import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** The addresses of a name, or that the server does not answer. */
type Name = { A?: string; AAAA?: Buffer; CNAME?: string } | 'silent';

const types = { A: 1, CNAME: 5, AAAA: 28 } as const;

/** A name server on this machine that knows only these names. */
export async function testNameServer(context: TestContext, names: Record<string, Name>) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, end } = nameIn(query);
    const type = query.readUInt16BE(end);
    asked.push(name);
    const known = names[name];
    if (known === 'silent') return;
    socket.send(
      answerTo(query, end + 4, known ? recordsOf(names, name, type) : undefined),
      from.port,
      from.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  context.after(() => socket.close());
  return { server: `127.0.0.1:${(socket.address() as AddressInfo).port}`, asked };
}

function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (; query[at] !== 0; at += query[at]! + 1)
    labels.push(query.toString('ascii', at + 1, at + 1 + query[at]!));
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function recordsOf(names: Record<string, Name>, name: string, type: number): Buffer[] {
  const known = names[name];
  if (known === undefined || known === 'silent') return [];
  const owner = written(name);
  if (known.CNAME !== undefined) {
    const alias = record(owner, types.CNAME, written(known.CNAME));
    return [alias, ...recordsOf(names, known.CNAME, type)];
  }
  if (type === types.A && known.A)
    return [record(owner, types.A, Buffer.from(known.A.split('.').map(Number)))];
  return type === types.AAAA && known.AAAA ? [record(owner, types.AAAA, known.AAAA)] : [];
}

const written = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ]);

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, head, data]);
}

function answerTo(query: Buffer, questionEnd: number, records: Buffer[] | undefined): Buffer {
  const answer = Buffer.from(query.subarray(0, questionEnd));
  answer.writeUInt16BE(records ? 0x8180 : 0x8183, 2);
  answer.writeUInt16BE(records?.length ?? 0, 6);
  answer.writeUInt32BE(0, 8);
  return Buffer.concat([answer, ...(records ?? [])]);
}
