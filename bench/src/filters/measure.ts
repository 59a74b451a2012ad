import type { apiOf } from '../../../server/test/support/gateway.ts';
import { type Explainer, type Reads, statementsOf } from './statements.ts';

/** The times of a page with filters are compared with those of the plain page, measured in turns. */
const turns = 5;
/** A request that takes this long is measured once. */
const longMs = 300;

/** One query of a list: its answer, what it reads, and its times in milliseconds. */
export interface Measured {
  query: string;
  status: number;
  /** Of the answer, or of the refusal. */
  said: string;
  /** Whether it had the limit of time of newer filters. */
  isLimited: boolean;
  rowsAnswered: number;
  reads: Reads | undefined;
  ms: number[];
  /** The plain list's, in between. */
  plainMs: number[];
}

export interface Asked {
  explainer: Explainer;
  api: ReturnType<typeof apiOf>;
  path: string;
  query: string;
}

export async function measure({ explainer, api, path, query }: Asked): Promise<Measured> {
  const ask = (with_: string) => api('GET', `${path}?limit=20${with_ && `&${with_}`}`);
  let answer: Awaited<ReturnType<typeof ask>> | undefined;
  let firstMs = 0;
  const { sent, isLimited } = await statementsOf(async () => {
    firstMs = await msOf(async () => {
      answer = await ask(query);
    });
  });
  const { status, body } = answer!;
  const isAnswered = status === 200;
  const reads = isAnswered ? await explainer.readsOf(sent) : undefined;
  const ms = firstMs > longMs ? [firstMs] : [];
  const plainMs: number[] = [];
  for (let turn = 0; turn < turns && firstMs <= longMs; turn += 1) {
    plainMs.push(await msOf(() => ask('')));
    ms.push(await msOf(() => ask(query)));
  }
  const said = isAnswered ? '' : `${body.error.param}: ${body.error.message}`;
  const rowsAnswered = isAnswered ? body.data.length : 0;
  return { query, status, said, isLimited, rowsAnswered, reads, ms, plainMs };
}

async function msOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
