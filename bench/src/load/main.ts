/**
 * The load, in its own process, so that its cost is separate from the gateway's. Reads a LoadJob as
 * JSON from standard input, and prints lines: at the start and the end of the measured window, and
 * a LoadResult.
 */
import { text } from 'node:stream/consumers';
import { eventIdIn, openEndpoints, paymentIdIn } from './endpoints.ts';
import type { LoadJob, LoadResult } from './job.ts';
import { closedLoop, openLoop, type Send } from './loops.ts';
import { httpRequest, RawClient } from './raw-client.ts';
import { Recorder, Window } from './recorder.ts';
import { Requests } from './requests.ts';

/** How long to wait at the end for missing webhooks. */
const patienceMs = 15_000;

const job = JSON.parse(await text(process.stdin)) as LoadJob;
const url = new URL(job.address);
const requests = new Requests(job);
const { opens } = job.requests[0]!;
const opened = opens === undefined ? undefined : new RegExp(opens);

async function run(): Promise<LoadResult> {
  const clients = await Promise.all(
    Array.from({ length: job.connections }, () => RawClient.open(url)),
  );
  const received: [string, number][] = [];
  let deliveries = 0;
  let window: Window | undefined;
  const endpoints = await openEndpoints(job, (body) => {
    const nowMs = performance.now();
    if (!window?.counts(nowMs)) return;
    deliveries += 1;
    if (job.ratePerSecond) received.push([eventIdIn(body), performance.timeOrigin + nowMs]);
  });
  window = new Window(job.seconds);
  const tellEdges = edgesTold(window);
  const answers = new Recorder(window);
  const ends = new Recorder(window);
  let sent = 0;
  let finished = 0;
  const send: Send = async (client, startedMs) => {
    sent += 1;
    const body = await answerOf(client);
    answers.add(startedMs);
    const told = job.endpoints > 0 ? endpoints.arrivals.all(paymentIdIn(body)) : Promise.resolve();
    const done = told.then(() => {
      finished += 1;
      ends.add(startedMs);
    });
    return { done };
  };
  const before = process.cpuUsage();
  const loop = job.ratePerSecond
    ? openLoop(window, clients, job.ratePerSecond, send)
    : closedLoop(window, clients, send);
  await Promise.race([loop, giveUp()]);
  tellEdges();
  const { user, system } = process.cpuUsage(before);
  const elapsedMs = performance.now() - window.startMs;
  for (const client of clients) client.close();
  await endpoints.close();
  return {
    perSecond: ends.perSecond,
    count: ends.count,
    ended: ends.ended,
    done: ends.latencies(),
    answer: answers.latencies(),
    deliveriesPerSecond: deliveries / window.seconds,
    arrivals: received,
    unfinished: sent - finished,
    cores: (user + system) / 1_000 / elapsedMs,
  };
}

/** Reports the start and the end of the measured window; a loop may finish before the timer. */
function edgesTold(window: Window): () => void {
  let left = 2;
  const tell = () => {
    if (left > 0) process.stdout.write('\n');
    left -= 1;
  };
  for (const edgeMs of [window.fromMs, window.endMs])
    setTimeout(tell, edgeMs - window.startMs).unref();
  return () => {
    while (left > 0) tell();
  };
}

async function answerOf(client: RawClient): Promise<string> {
  const body = await bodyOf(client, requests.next());
  if (!opened) return body;
  const path = opened.exec(body)![1]!;
  return bodyOf(client, httpRequest(url, { method: 'GET', path }));
}

async function bodyOf(client: RawClient, request: string): Promise<string> {
  const { status, body } = await client.send(request);
  if (status !== 200) throw new Error(`answered ${status}: ${body}`);
  return body;
}

function giveUp(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, job.seconds * 1_000 + patienceMs).unref();
  });
}

const result = await run();
process.stdout.write(JSON.stringify(result), () => process.exit(0));
