/** `npm run bench -- --page`: a customer's wait, and the cost of open payment pages. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { findBrowser, launchBrowser } from '../../../server/test/browser/browser.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { closedLoad } from '../gateway/load.ts';
import { residentMegabytes } from '../gateway/resources.ts';
import type { LoadResult } from '../load/job.ts';
import { printTable } from '../report/terminal.ts';

const runs = 50;
const openPages = 300;
const connections = 16;
const seconds = 8;

export async function benchPage(): Promise<void> {
  const gateway = await startGateway();
  try {
    const toSuccess = await measurePaying(gateway);
    const links = await Promise.all(Array.from({ length: openPages }, () => newLink(gateway)));
    const before = await residentMegabytes(gateway.processId);
    const streams = await Promise.all(links.map(open));
    const after = await residentMegabytes(gateway.processId);
    const kilobytesPerPage = ((after - before) * 1_024) / openPages;
    // A warm-up for the JIT compiler, so that both measured rounds start alike.
    await creates(gateway);
    const withPages = await creates(gateway);
    for (const stream of streams) stream.destroy();
    const without = await creates(gateway);
    report({ toSuccess, without, withPages, kilobytesPerPage });
  } finally {
    await gateway.stop();
  }
}

/** From the press of the button to the success page, in milliseconds, in a real browser. */
async function measurePaying(gateway: BenchGateway): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-browser-'));
  let browser: Browser | undefined;
  try {
    browser = await launchBrowser(await findBrowser(folder));
    const timesMs: number[] = [];
    for (let run = 0; run < runs; run++) {
      const page = await browser.newPage({ locale: 'pt-PT' });
      timesMs.push(await payOnce(gateway, page));
      await page.close();
    }
    return timesMs.sort((a, b) => a - b);
  } finally {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function payOnce(gateway: BenchGateway, page: Page): Promise<number> {
  await page.goto(await newLink(gateway));
  await page.locator('#phone').fill('9912345');
  await page.locator('input[value=MOCK]').check();
  const startedMs = performance.now();
  await page.locator('form button').click({ noWaitAfter: true });
  await page.getByText('O seu pagamento foi recebido').waitFor();
  return performance.now() - startedMs;
}

async function newLink({ url, key }: BenchGateway): Promise<string> {
  const answer = await fetch(`${url}/v1/checkout/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 100_000 }),
  });
  const session = (await answer.json()) as { url: string };
  return `${url}${new URL(session.url).pathname}`;
}

/** The stream of an open page, from several addresses, because each may hold only a few. */
async function open(link: string, at: number): Promise<ClientRequest> {
  const request = get(link.replace('/pay/', '/pay/live/'), {
    agent: false,
    localAddress: `127.0.0.${2 + (at % 4)}`,
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`a stream was answered ${answer.statusCode}`);
  await once(answer, 'data');
  answer.on('error', () => {}).resume();
  return request;
}

const creates = (gateway: BenchGateway) => closedLoad(gateway, connections, seconds);

interface PageFigures {
  toSuccess: number[];
  without: LoadResult;
  withPages: LoadResult;
  kilobytesPerPage: number;
}

function report({ toSuccess, without, withPages, kilobytesPerPage }: PageFigures): void {
  const quantile = (share: number) => toSuccess[Math.ceil(toSuccess.length * share) - 1]!;
  const row = (name: string, { perSecond, answer }: LoadResult) => [
    name,
    perSecond.toFixed(0),
    answer.p50Ms.toFixed(1),
    answer.p99Ms.toFixed(1),
  ];
  console.log(`\nFrom "pay" to success, ${runs} runs in a browser, simulator without delay:`);
  console.log(`  p50 ${quantile(0.5).toFixed(0)} ms, p95 ${quantile(0.95).toFixed(0)} ms\n`);
  printTable([
    ['creates', 'per second', 'p50 ms', 'p99 ms'],
    row('no page open', without),
    row(`${openPages} pages open`, withPages),
  ]);
  console.log(`\n  memory per open page ${kilobytesPerPage.toFixed(0)} KiB\n`);
}
