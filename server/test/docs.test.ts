import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import {
  behaviourOf,
  payeeBehaviourOf,
} from '../src/integrations/operators/simulator/behaviour.ts';
import { deliveryTransitions } from '../src/integrations/webhooks/deliveries/delivery.ts';
import { deliveryHeaders, sign } from '../src/integrations/webhooks/signature.ts';
import { paymentTransitions } from '../src/money/payments/payment.ts';
import { sessionTransitions } from '../src/money/payments/session-slot.ts';
import { refundTransitions } from '../src/money/refunds/refund.ts';
import { reversalTransitions } from '../src/money/reversals/reversal.ts';
import { settlementTransitions } from '../src/money/settlements/settlement.ts';
import { variables } from '../src/platform/config/variables.ts';
import { statusOf } from '../src/platform/http/errors.ts';
import type { Transitions } from '../src/platform/values/transitions.ts';
import { backupOf } from './support/backup.ts';
import { testDatabase } from './support/database.ts';
import { runBash, startedCheckout } from './support/docs-checkout.ts';
import { freePort } from './support/free-port.ts';
import { eventually } from './support/gateway.ts';
import { anchorsOf, blocksOf, lacks, read, root } from './support/pages.ts';
import { sharedGateway } from './support/shared-gateway.ts';

const program = join(root, 'server', 'bin', 'zimbo.js');
const pages = globSync(['*.md', 'docs/**/*.md', 'sdk/**/*.md', 'examples/**/*.md'], { cwd: root });

/** The text under a heading of the second level. */
function sectionOf(text: string, heading: string): string {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  assert.ok(section, `there is no section "${heading}"`);
  return section;
}

test('ends the two minutes of the README with a debited payment and a verified event', {
  skip: lacks('bash', 'curl'),
  timeout: 90_000,
}, async (context) => {
  const { url, key } = await sharedGateway();
  const folder = await startedCheckout(context, url, key);
  const blocks = blocksOf(sectionOf(read('README.md'), 'Two minutes'), 'bash');
  const script = blocks.join('\n').replaceAll('4400', String(await freePort()));
  const { output, errors } = await runBash(context, script, folder);
  assert.equal(errors, '');
  const [id] = /pi_\w+/.exec(output) ?? [];
  assert.match(output, new RegExp(`"id":"${id}".*"status":"DEBITED"`));
  assert.match(output, /^payment\.debited {2}pi_\w+ {2}DEBITED {2}\(signature verified\)$/m);
  assert.doesNotMatch(output, /refused|"error"/);
});

test('names every command on the page on the command line', async () => {
  const page = read('docs/cli.md');
  const missing = (await commandsOf()).map(async (command) => {
    if (!page.includes(`zimbo ${command}`)) return [command];
    const names = await commandsOf(command);
    const lost = names.filter((name) => !new RegExp(`[ \`]${name}\\b`).test(page));
    return lost.map((name) => `${command} ${name}`);
  });
  assert.deepEqual((await Promise.all(missing)).flat(), []);
});

/** The commands that the help lists, of the program or of one command. */
async function commandsOf(...path: string[]): Promise<string[]> {
  const help = await promisify(execFile)(process.execPath, [program, ...path, '--help']);
  if (!/^Usage: .*\[command\]$/m.test(help.stdout)) return [];
  const listed =
    path.length > 0 ? help.stdout.split('\nCommands:')[1]!.split('\n\n')[0]! : help.stdout;
  const lines = listed.matchAll(/^ {2}([a-z][a-z-]*)(?= .* {2}|$)/gm);
  return [...lines].map(([, name]) => name!).filter((name) => name !== 'help');
}

test('rejects a wrong or old signature in the example of verification', async () => {
  const { isGenuine } = await exampleOfVerification();
  const secret = 'whsec_example';
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const signature = sign(secret, nowSeconds, '{}');
  assert.equal(isGenuine(secret, `${nowSeconds}`, [signature], '{}'), true);
  assert.equal(isGenuine(secret, `${nowSeconds}`, [signature], '{ }'), false);
  assert.equal(isGenuine(secret, `${nowSeconds}`, ['no signature'], '{}'), false);
  for (const [ageSeconds, isFresh] of [
    [290, true],
    [301, false],
    [400, false],
  ] as const) {
    const seconds = nowSeconds - ageSeconds;
    const signed = sign(secret, seconds, '{}');
    assert.equal(isGenuine(secret, `${seconds}`, [signed], '{}'), isFresh, `${ageSeconds} s`);
  }
});

test('rejects a forged event and accepts a genuine one in the example receiver', {
  skip: lacks('bash'),
  timeout: 90_000,
}, async (context) => {
  const port = await freePort();
  const secret = 'whsec_example';
  const script = `ZIMBO_WEBHOOK_SECRET=${secret} exec node examples/receiver.js ${port} payment.debited`;
  const receiver = runBash(context, script, root);
  const body = '{"id":"evt_1","type":"payment.debited","data":{"id":"pi_1","status":"DEBITED"}}';
  const timestampSeconds = Math.floor(Date.now() / 1_000);
  const event = { eventId: '019aa5d4-e0fb-7000-8000-000000000001', sequence: 1 };
  const post = (withSecret: string) =>
    fetch(`http://localhost:${port}/`, {
      method: 'POST',
      headers: deliveryHeaders({ ...event, secret: withSecret, timestampSeconds, body }),
      body,
    }).catch(() => undefined);
  const forged = await eventually('the receiver listens', () => post('another secret'));
  assert.equal(forged.status, 400);
  const large = fetch(`http://localhost:${port}/`, { method: 'POST', body: 'x'.repeat(5_000_000) });
  // The receiver hangs up on a sender that keeps sending, who may notice before the answer.
  assert.equal(await large.then(({ status }) => status).catch(() => 413), 413);
  assert.equal((await post(secret))?.status, 200);
  assert.match(
    (await receiver).output,
    /^refused.*\nrefused: the body is too large\npayment\.debited {2}pi_1 {2}DEBITED/,
  );
});

type Verify = (secret: string, timestamp: string, signatures: string[], body: string) => boolean;

async function exampleOfVerification(): Promise<{ isGenuine: Verify }> {
  const blocks = blocksOf(read('docs/webhooks.md'), 'js');
  const code = blocks.find((block) => block.includes('isGenuine'));
  return import(`data:text/javascript,${encodeURIComponent(code!)}`);
}

test('computes the signature of the page with openssl', {
  skip: lacks('bash', 'openssl'),
}, async (context) => {
  const page = read('docs/webhooks.md');
  const script = blocksOf(page, 'bash').find((block) => block.includes('whsec_'))!;
  const said = /The example prints `(\w{64})`/.exec(page)![1]!;
  const recipe = blocksOf(page, 'bash').find((block) => block.startsWith('# hmac KEY'))!;
  const { output } = await runBash(context, `${recipe}\n${script}`, root);
  assert.ok(output.includes(said), output);
  const value = (name: string) => new RegExp(`^${name}='?(.*?)'?$`, 'm').exec(script)![1]!;
  assert.equal(sign(value('secret'), Number(value('timestamp')), value('body')), said);
});

test('verifies a backup by the commands of its page', {
  skip: lacks('bash', 'gzip'),
}, async (context) => {
  const { url } = await testDatabase(context);
  const { folder } = await backupOf(context, url);
  const [script] = blocksOf(read('docs/backup.md'), 'bash');
  const { output } = await runBash(context, script!, folder);
  const [, sum, said] = /^(\w{64}) .*\n.*"sha256":"(\w{64})"\}\n$/.exec(output)!;
  assert.equal(sum, said);
});

test('resolves every relative link of the pages', () => {
  const broken = pages.flatMap((page) => {
    const text = read(page).replace(/^```.*?^```$/gms, '');
    return targetsOf(text)
      .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(page, target))
      .map((target) => `${page} → ${target}`);
  });
  assert.deepEqual(broken, []);
});

test('finds every source file that the pages name', () => {
  const folders = ['', 'server', 'server/src', 'server/test', 'sdk/typescript'];
  const isThere = (path: string) => folders.some((folder) => existsSync(join(root, folder, path)));
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/`([\w./-]+\/[\w.-]+\.ts)`/g)]
      .map(([, path]) => path!)
      .filter((path) => !path.includes('NAME') && !isThere(path))
      .map((path) => `${page}: ${path}`),
  );
  assert.deepEqual(missing, []);
});

/** Targets of links, and of pictures in Markdown or HTML. */
const targetsOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, source]) => (link ?? source)!,
  );

test('shows every picture of docs/pictures on a page, in a small file', () => {
  const shown = new Set(
    pages.flatMap((page) =>
      targetsOf(read(page)).map((target) => normalize(join(dirname(page), target))),
    ),
  );
  const pictures = globSync('docs/pictures/*', { cwd: root });
  assert.deepEqual(
    pictures.filter((picture) => !shown.has(picture)),
    [],
  );
  for (const picture of pictures) {
    assert.ok(statSync(join(root, picture)).size <= 120_000, picture);
  }
});

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(root, file))) return false;
  return anchor === undefined || anchorsOf(read(file)).includes(anchor);
}

test('finds every page that code, messages and deploy/ name', () => {
  const where = [
    'server/{src,test,scripts,bin}/**/*',
    'deploy/**/*',
    'sdk/{scripts,test,typescript}/**/*',
    'release/*',
  ];
  const files = globSync(where, { cwd: root }).filter((file) =>
    /\.(ts|js|yaml|service)$/.test(file),
  );
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(/\bdocs\/[\w./-]+\.md(#[\w-]+)?/g)]
      .map(([target]) => target)
      .filter((target) => !leadsSomewhere('README.md', target))
      .map((target) => `${file} → ${target}`),
  );
  assert.ok(files.length > 500);
  assert.deepEqual(broken, []);
});

test('lists each page once in the index, at most 45', () => {
  const listed = linksOfRows('docs/README.md');
  const pages = globSync(['*.md', 'runbooks/*.md'], { cwd: join(root, 'docs') });
  const expected = [...pages.filter((page) => page !== 'README.md'), 'decisions/README.md'];
  const own = listed.filter((page) => !page.startsWith('../'));
  assert.deepEqual(own.toSorted(), expected.toSorted());
  assert.ok(listed.length <= 45, `${listed.length}`);
});

test('lists each page once in the index of decisions', () => {
  const pages = globSync('[0-9]*.md', { cwd: join(root, 'docs/decisions') });
  assert.deepEqual(linksOfRows('docs/decisions/README.md').toSorted(), pages.toSorted());
});

/** The first link of each row of the page's tables. */
const linksOfRows = (page: string): string[] =>
  [...read(page).matchAll(/^\|.*?\]\(([\w./-]+\.md)\)/gm)].map(([, file]) => file!);

test('parses every block marked json', () => {
  for (const page of pages) {
    for (const block of blocksOf(read(page), 'json')) {
      assert.doesNotThrow(() => JSON.parse(block), `${page}:\n${block}`);
    }
  }
});

/** The failure code of each suffix in a table of the page on the simulator. */
function saidOfPhones(page: string): Map<string, string | undefined> {
  const rows = page.matchAll(/^\| (\d{3}) \| (.*) \|$/gm);
  return new Map(
    [...rows].map(([, suffix, words]) => [suffix!, /FAILED: `(\w+)`/.exec(words!)?.[1]]),
  );
}

test('names every special phone with its failure code on the page on the simulator', () => {
  const said = saidOfPhones(read('docs/simulator.md').split('\n## Disbursements')[0]!);
  const done = new Map<string, string | undefined>();
  for (let number = 0; number < 1_000; number++) {
    const suffix = String(number).padStart(3, '0');
    const { outcome, callbacks, failureCode, refundFailureCode } = behaviourOf(`+2389910${suffix}`);
    const reason = failureCode ?? refundFailureCode;
    if (outcome !== 'DEBIT' || callbacks !== 1 || reason) done.set(suffix, reason);
  }
  assert.deepEqual(said, done);
});

test('names every special phone of a recipient on the page on the simulator', () => {
  const said = saidOfPhones(sectionOf(read('docs/simulator.md'), 'Disbursements'));
  const done = new Map<string, string | undefined>();
  for (let number = 0; number < 1_000; number++) {
    const suffix = String(number).padStart(3, '0');
    const { outcome, callbacks, failureCode } = payeeBehaviourOf(`+2389910${suffix}`);
    if (outcome !== 'PAY' || callbacks !== 1) done.set(suffix, failureCode);
  }
  assert.deepEqual(said, done);
});

test('gives each code its status on the page on errors', () => {
  const rows = read('docs/errors.md').matchAll(/^\|.*\| (\d{3}) \| `(\w+)` \|$/gm);
  const said = [...rows].map(([, status, code]) => [code, Number(status)]);
  assert.deepEqual(Object.fromEntries(said), statusOf);
});

const tablesOfStates: Record<string, Transitions<string>> = {
  'Payment states': paymentTransitions,
  Refunds: refundTransitions,
  'Late debits': reversalTransitions,
  Settlements: settlementTransitions,
  'Checkout sessions': sessionTransitions,
  Deliveries: deliveryTransitions,
};

test('shows exactly the allowed transitions in the diagram and the tables of states', () => {
  const page = read('docs/payment-states.md');
  for (const [heading, transitions] of Object.entries(tablesOfStates)) {
    const section =
      heading === 'Payment states' ? page.split('\n## ')[0]! : sectionOf(page, heading);
    const rows = [...section.matchAll(/^\| ([A-Z_, ]+) \| .* \| ([A-Z_]+) \| .* \|$/gm)];
    const listed = rows.flatMap(([, from, to]) =>
      from!.split(', ').map((status) => `${status} → ${to}`),
    );
    const allowed = Object.entries(transitions).flatMap(([from, next]) =>
      next.map((to) => `${from} → ${to}`),
    );
    const inOrder = (some: string[]) => [...new Set(some)].sort();
    assert.deepEqual(inOrder(listed), inOrder(allowed), heading);
    const drawing = blocksOf(section, 'mermaid').join('\n');
    const arrows = [...drawing.matchAll(/^ {2}([A-Z_]+) --> ([A-Z_]+)/gm)];
    const drawn = arrows.map(([, from, to]) => `${from} → ${to}`);
    assert.deepEqual(inOrder(drawn), heading === 'Payment states' ? inOrder(allowed) : [], heading);
  }
});

test('names every table and the defaults on the page on personal data', async (context) => {
  const { database } = await testDatabase(context);
  const page = read('docs/privacy.md');
  const tables = await database.query<{ name: string }>({
    text: "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  });
  assert.deepEqual(
    tables.map(({ name }) => name).filter((name) => !page.includes(`\`${name}\``)),
    [],
  );
  for (const name of [
    'PERSONAL_DATA_RETENTION_DAYS',
    'LEGAL_RETENTION_DAYS',
    'RETENTION_DAYS',
  ] as const) {
    assert.ok(page.includes(`| \`${name}\` | ${variables[name].default}`), name);
  }
});
