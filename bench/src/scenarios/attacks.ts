/**
 * `npm run bench -- --attacks`: how tenants that request all they can get affect live payments,
 * another merchant's webhooks, and the gateway's memory.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../server/src/platform/process/clock.ts';
import { randomIds } from '../../../server/src/platform/values/ids.ts';
import { createMerchant } from '../../../server/src/tenants/merchants/create-merchant.ts';
import { issueKey } from '../../../server/src/tenants/merchants/keys.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { createRequest, runLoad } from '../gateway/load.ts';
import { makeTenants } from '../gateway/rows.ts';
import { startHanging } from '../load/hanging.ts';
import { runSteps } from '../progress.ts';
import { printTable } from '../report/terminal.ts';
import { endpointsOf, paymentsOf, slowReceiver } from './attackers/endpoints.ts';
import { largeSessions, makeThemDue, pester } from './attackers/memory.ts';

const ratePerSecond = 60;
const connections = 16;
const loadSeconds = 15;
const limitRatio = 2;
const limitMegabytes = 300;
const manyEndpoints = 10_000;
/** The defaults. */
const endpointsPerTenant = 100;

interface Found {
  liveAloneMs: number;
  liveBesideMs: number;
  memoryMegabytes: number;
  answers: Record<string, number>;
  thirdAloneMs: number;
  thirdBesideMs: number;
  registered: Record<string, number>;
}

export async function benchAttacks(): Promise<void> {
  const found: Partial<Found> = {};
  let gateway: BenchGateway;
  let liveKey: string;
  let keys: string[];
  const hanging = await startHanging();
  const start = async () => {
    gateway = await startGateway({ environment: environment(hanging.url) });
    liveKey = await liveKeyOf(gateway);
    keys = await makeTenants(gateway.database, 7);
    await creates(gateway, liveKey, 5);
  };
  const alone = async () => {
    found.liveAloneMs = await creates(gateway, liveKey, loadSeconds);
  };
  const memory = async () => {
    const attackers = keys.slice(0, 4);
    await endpointsOf(gateway, attackers, `${hanging.url}/`, 2, 'checkout.expired');
    const attack = pester(gateway, attackers);
    await delay(1_000);
    await makeThemDue(gateway);
    found.liveBesideMs = await creates(gateway, liveKey, loadSeconds);
    found.answers = await attack.end();
    found.memoryMegabytes = gateway.peakMegabytes();
  };
  const thirdAlone = async () => {
    found.thirdAloneMs = await told(gateway, keys[4]!);
  };
  const turns = async () => {
    const attackers = keys.slice(5, 7);
    const receiver = await slowReceiver();
    await endpointsOf(gateway, attackers, receiver.url, endpointsPerTenant, 'payment.created');
    const stop = paymentsOf(gateway, attackers);
    await delay(500);
    found.thirdBesideMs = await told(gateway, keys[4]!);
    await stop();
    receiver.close();
  };
  const endpoints = async () => {
    const [key] = await makeTenants(gateway.database, 1);
    const url = 'https://shop.example/';
    found.registered = await endpointsOf(gateway, [key!], url, manyEndpoints, 'payment.failed');
    await gateway.stop();
    hanging.close();
  };
  await runSteps([
    { name: 'a gateway starts, and is warmed up', seconds: 12, run: start },
    { name: 'live payments alone', seconds: loadSeconds + 1, run: alone },
    {
      name: '60 sessions of 26,000 items',
      seconds: 20,
      run: () => largeSessions(gateway, keys.slice(0, 4), 15),
    },
    {
      name: 'live payments beside those who list, claim and do not read them',
      seconds: loadSeconds + 3,
      run: memory,
    },
    { name: 'webhooks of a third tenant alone', seconds: loadSeconds + 1, run: thirdAlone },
    { name: 'beside two whose endpoints answer after 14 s', seconds: loadSeconds + 3, run: turns },
    { name: '10,000 endpoints of one tenant', seconds: 20, run: endpoints },
  ]);
  report(found as Found);
}

/** Like a user's, with an operator that never answers: only creations are measured. */
const environment = (operatorUrl: string) => ({
  RATE_LIMIT: '1000/5000',
  OPERATOR_CVMOVEL_URL: operatorUrl,
  OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@1234',
  OPERATOR_CVMOVEL_SECRET: 'secret',
  // Its receivers are on this machine.
  WEBHOOK_ALLOW_PRIVATE: 'true',
  LOG_LEVEL: 'fatal',
});

async function liveKeyOf({ database }: BenchGateway): Promise<string> {
  const dependencies = { database, clock: systemClock, ids: randomIds() };
  const { id: merchantId } = await createMerchant(dependencies, 'Bench');
  return (await issueKey(dependencies, { merchantId, mode: 'live' })).key;
}

/** From the scheduled time of a creation to its answer, at a constant rate. */
async function creates({ url }: BenchGateway, key: string, seconds: number): Promise<number> {
  const requests = [createRequest(key, 'CVMOVEL')];
  const job = { address: url, requests, connections, seconds, ratePerSecond, endpoints: 0 };
  return (await runLoad(job)).answer.p99Ms;
}

/** From the scheduled time of a creation to the arrival of its webhook, at a constant rate. */
async function told({ url }: BenchGateway, key: string): Promise<number> {
  const requests = [createRequest(key)];
  const rate = { connections, seconds: loadSeconds, ratePerSecond };
  const { done, unfinished } = await runLoad({ address: url, requests, ...rate, endpoints: 1 });
  if (unfinished > 0) throw new Error(`${unfinished} webhooks never arrived`);
  return done.p99Ms;
}

const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([answer, count]) => `${count} × ${answer}`)
    .join(', ');

function report(found: Found): void {
  const { liveAloneMs, liveBesideMs, thirdAloneMs, thirdBesideMs, registered } = found;
  console.log('');
  printTable([
    ['p99 of live creates alone', `${liveAloneMs.toFixed(1)} ms`],
    ['p99 beside the attacks on memory', `${liveBesideMs.toFixed(1)} ms`],
    ['answers to these attacks', listed(found.answers)],
    ['most memory of the gateway by then', `${found.memoryMegabytes.toFixed(0)} MB`],
    ['p99 of a third tenant’s webhooks alone', `${thirdAloneMs.toFixed(1)} ms`],
    ['p99 beside 200 endpoints that answer after 14 s', `${thirdBesideMs.toFixed(1)} ms`],
    ['answers to 10,000 new endpoints', listed(registered)],
  ]);
  const live = liveBesideMs / liveAloneMs;
  const third = thirdBesideMs / thirdAloneMs;
  const isRefused = registered['200'] === endpointsPerTenant;
  console.log('');
  verdict(
    live <= limitRatio,
    `live creates beside at most ${limitRatio} times alone: ${live.toFixed(2)}`,
  );
  verdict(found.memoryMegabytes <= limitMegabytes, `memory at most ${limitMegabytes} MB`);
  verdict(
    third <= limitRatio,
    `webhooks beside at most ${limitRatio} times alone: ${third.toFixed(2)}`,
  );
  verdict(isRefused, `endpoints beyond ${endpointsPerTenant} are refused`);
}

function verdict(holds: boolean, words: string): void {
  console.log(`  ${holds ? '✓' : '✗'} ${words}`);
}
