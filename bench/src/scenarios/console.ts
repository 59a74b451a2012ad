/**
 * `npm run bench -- --console`: the most used pages, requested like a browser, for one merchant
 * with 1,000,000 payments, or `PAYMENTS`, and for the gateway's staff, with 999 further merchants:
 * from the request to the last byte; for a download, to the first.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../../server/src/platform/postgres/database.ts';
import { systemClock } from '../../../server/src/platform/process/clock.ts';
import { formatId, randomIds, shortReference } from '../../../server/src/platform/values/ids.ts';
import { openSession } from '../../../server/src/tenants/people/sessions.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { bodyOf, customerId } from '../growth/payments.ts';
import { seed } from '../growth/seed.ts';
import { runSteps } from '../progress.ts';
import { printTable } from '../report/terminal.ts';
import { seedStaff, signInStaff, staffPaths } from './staff-pages.ts';

const rounds = 200;
const warmUps = 10;
const millionLimitMs = 100;
const largerLimitMs = 200;
const staffLimitMs = 150;
const dayMs = 86_400_000;
/** Accepts forms of this site, wherever the gateway listens. */
const consoleUrl = 'http://localhost:3000';
/** Payments seeded per second, an estimate for the progress line. */
const seedRate = 8_000;

/** The subject of the pages: a merchant's history, and its owner, signed in. */
interface Scene {
  gateway: BenchGateway;
  cookie: string;
  /** `/console/me_…/test` */
  base: string;
  count: number;
  merchantId: string;
  samples: Sample[];
}

/** Of payments all over the history. */
interface Sample {
  id: string;
  order: string;
  phone: string;
  transaction: string | null;
  createdAtMs: number;
}

type Figure = [name: string, ms: number[]];

interface Page {
  name: string;
  path: (scene: Scene, turn: number) => string;
  /** A download requested by a form: the time to its first byte. */
  action?: string;
}

export async function benchConsole(): Promise<void> {
  const count = Number(process.env.PAYMENTS ?? 1_000_000);
  const figures: Figure[] = [];
  const ofStaff: Figure[] = [];
  let scene: Scene | undefined;
  const gateway = await startGateway({
    environment: { ZIMBO_ROLE: 'api', CONSOLE_URL: consoleUrl },
  });
  await runSteps([
    {
      name: `seeding ${count.toLocaleString('en')} payments`,
      seconds: count / seedRate,
      async run(tell) {
        await seed(gateway, count, tell);
        scene = await sceneOf(gateway, count);
      },
    },
    ...pages.map((page) => ({
      name: page.name,
      seconds: 5,
      run: async () => void figures.push([page.name, await measure(scene!, page)]),
    })),
    {
      name: 'more merchants, and what waits for the staff',
      seconds: 20,
      async run() {
        scene = await sceneOfStaff(scene!);
      },
    },
    ...staffPaths.map(([name, path]) => ({
      name: `staff: ${name}`,
      seconds: 5,
      run: async () => {
        const asked = page(name, () => path(scene!));
        ofStaff.push([name, await measure(scene!, asked)]);
      },
    })),
  ]);
  await gateway.stop();
  report(figures, count > 1_000_000 ? largerLimitMs : millionLimitMs);
  console.log("\n  The gateway's staff, with 1,000 merchants");
  report(ofStaff, staffLimitMs);
}

async function sceneOf(gateway: BenchGateway, count: number): Promise<Scene> {
  const { database } = gateway;
  const [merchant] = await database.query<{ id: string }>({ text: 'SELECT id FROM merchants' });
  const samples = await samplesOf(database, count);
  const cookie = `zimbo=${await signIn(database, merchant!.id)}`;
  const base = `/console/${formatId('me', merchant!.id)}/test`;
  return { gateway, cookie, base, count, merchantId: merchant!.id, samples };
}

async function sceneOfStaff(scene: Scene): Promise<Scene> {
  const { database } = scene.gateway;
  await seedStaff(database);
  return { ...scene, base: '/console/staff', cookie: await signInStaff(database) };
}

/** An owner, signed in without proof. */
async function signIn(database: Database, merchantId: string): Promise<string> {
  const [clock, ids] = [systemClock, randomIds()];
  const personId = ids.next(clock.nowMs());
  const person = `INSERT INTO people (id, email, name, language, created_at) VALUES ($1, 'dona@loja.cv', 'Dona', 'pt', now())`;
  const member = `INSERT INTO memberships (merchant_id, person_id, role, created_at) VALUES ($1, $2, 'OWNER', now())`;
  await database.query({ text: person }, [personId]);
  await database.query({ text: member }, [merchantId, personId]);
  const session = await database.transaction((transaction) =>
    openSession(
      transaction,
      { clock, ids },
      { personId, signedInWith: 'PASSKEY', address: null, userAgent: null },
    ),
  );
  return session!.token;
}

/** A prime step avoids any order of the history that suits the disk. */
const placeOf = (turn: number, count: number) => (turn * 104_729) % count;

async function samplesOf(database: Database, count: number): Promise<Sample[]> {
  const orders = Array.from(
    { length: warmUps + rounds },
    (_, turn) => bodyOf(placeOf(turn, count), count).externalId,
  );
  const text = `
SELECT id, external_id AS order, operator_phone AS phone, operator_tx_id AS transaction, created_at AS "createdAtMs"
FROM payments WHERE external_id = ANY ($1::text[]) ORDER BY array_position($1::text[], external_id)`;
  return await database.query<Sample>({ text }, [orders]);
}

const sampleOf = ({ samples }: Scene, turn: number) => samples[turn % samples.length]!;
const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);

const page = (name: string, path: string | Page['path'], action?: string): Page => ({
  name,
  path: typeof path === 'string' ? () => path : path,
  ...(action !== undefined && { action }),
});

const search = (name: string, typed: (scene: Scene, turn: number) => string): Page =>
  page(`search: ${name}`, (scene, turn) => {
    return `payments?q=${encodeURIComponent(typed(scene, turn))}`;
  });

const pages: Page[] = [
  page('home, today', ''),
  page('home, 7 days', '?days=7'),
  page('home, 30 days', '?days=30'),
  page('home, 90 days', '?days=90'),
  page('payments', 'payments'),
  page('payments: failed', 'payments?status=FAILED'),
  page('payments: three statuses', 'payments?status=FAILED&status=EXPIRED&status=CANCELLED'),
  page('payments: open', 'payments?status=CREATED&status=OPERATOR_PENDING&status=USER_CONFIRMING'),
  page('payments: an operator', 'payments?operator=UNITEL_TMAIS'),
  page('payments: a page far back', (scene, turn) => {
    return `payments?starting_after=${formatId('pi', sampleOf(scene, turn).id)}`;
  }),
  page('payments: failed, an operator, one day', (scene, turn) => {
    const day = dayOf(sampleOf(scene, turn).createdAtMs);
    return `payments?status=FAILED&operator=CVMOVEL&from=${day}&until=${day}`;
  }),
  page('payments: an amount, one day', (scene, turn) => {
    const day = dayOf(sampleOf(scene, turn).createdAtMs);
    return `payments?amount_from=900,00&amount_until=901,00&from=${day}&until=${day}`;
  }),
  search('phone', (scene, turn) => sampleOf(scene, turn).phone.slice('+238'.length)),
  search('payment', (scene, turn) => formatId('pi', sampleOf(scene, turn).id)),
  search('order', (scene, turn) => sampleOf(scene, turn).order),
  search('customer', ({ count }, turn) => customerId(placeOf(turn, count), count)),
  search("operator's transaction", (scene, turn) => sampleOf(scene, turn).transaction ?? 'SIM1'),
  search('reference on a receipt', (scene, turn) => shortReference(sampleOf(scene, turn).id)),
  search('last digits of a phone', (scene, turn) => sampleOf(scene, turn).phone.slice(-4)),
  search('nothing is found', (_, turn) => `nothing ${turn}`),
  page('payment', (scene, turn) => `payments/${formatId('pi', sampleOf(scene, turn).id)}`),
  page('download: first byte', 'payments/export', 'csv'),
  page(
    'download of a day: first byte',
    (scene, turn) => {
      const day = dayOf(sampleOf(scene, turn).createdAtMs);
      return `payments/export?from=${day}&until=${day}`;
    },
    'csv',
  ),
  page('till', 'charge'),
  page('sales of a day', 'sales'),
  page('links', 'links'),
  page('refunds', 'refunds'),
  page('balance', 'money'),
  page('payouts', 'settlements'),
  page('statement of a month', () => {
    const [from, until] = [dayOf(Date.now() - 30 * dayMs), dayOf(Date.now())];
    return `statement?from=${from}&until=${until}`;
  }),
  page('statement of fees', () => {
    return `fee-statement?month=${dayOf(Date.now() - 31 * dayMs).slice(0, 7)}`;
  }),
  page('settings', 'settings'),
  page('team', 'team'),
  page('events', 'events'),
  page('audit log', 'audit'),
];

async function measure(scene: Scene, { path, action }: Page): Promise<number[]> {
  const { gateway, base, cookie } = scene;
  const ms: number[] = [];
  for (let turn = 0; turn < warmUps + rounds; turn++) {
    const given = path(scene, turn);
    const url = `${gateway.url}${base}${given === '' || given.startsWith('?') ? '' : '/'}${given}`;
    const sent = action === undefined ? {} : await formOf(url, cookie, action);
    const startMs = performance.now();
    const answer = await fetch(url, { headers: { cookie }, ...sent });
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`);
    if (action === undefined) await answer.arrayBuffer();
    else await firstByte(answer);
    if (turn >= warmUps) ms.push(performance.now() - startMs);
    if (action !== undefined) await exportsEnd(gateway.database);
  }
  return ms.sort((one, other) => one - other);
}

/** The request of a browser when a person presses the page's button. */
async function formOf(url: string, cookie: string, action: string): Promise<RequestInit> {
  const text = await (await fetch(url, { headers: { cookie } })).text();
  const csrf = /name="csrf" value="([^"]*)"/.exec(text)![1]!;
  return {
    method: 'POST',
    headers: { cookie, origin: consoleUrl },
    body: new URLSearchParams({ csrf, action }),
  };
}

async function firstByte(answer: Response): Promise<void> {
  const reader = answer.body!.getReader();
  await reader.read();
  await reader.cancel();
}

/** A merchant may have few downloads at once, and a gateway takes a moment to notice that a reader left. */
async function exportsEnd(database: Database): Promise<void> {
  const text = `SELECT FROM exports WHERE state = 'RUNNING' LIMIT 1`;
  while ((await database.query({ text })).length > 0) await delay(10);
}

function report(figures: readonly Figure[], limitMs: number): void {
  const at = (ms: number[], share: number) => ms[Math.floor(ms.length * share)]!;
  const rows = figures.map(([name, ms]) => {
    const [p50, p95] = [at(ms, 0.5), at(ms, 0.95)];
    return [name, p50.toFixed(1), p95.toFixed(1), p95 <= limitMs ? '✓' : '✗'];
  });
  console.log('');
  printTable([['ms', 'p50', 'p95', `≤ ${limitMs}`], ...rows], true);
}
