/** Runs docs/going-live.md like a newcomer: its blocks, in one shell, with its own folder and home. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testFolder } from './support/backup.ts';
import { eventually } from './support/eventually.ts';
import { freePort } from './support/free-port.ts';
import { type LiveWorld, liveWorld } from './support/going-live.ts';
import { inFolder, machine } from './support/own-machine.ts';
import { blocksOf, lacks, read } from './support/pages.ts';

const mostSteps = 12;
const limitMs = 240_000;

/** Parts of the page that belong to the reader's company, replaced by those of the test. */
function asHere(script: string, world: LiveWorld, ports: { api: number; operations: number }) {
  const here: [there: string, here: string][] = [
    ['localhost:5432', `127.0.0.1:${world.database.port}`],
    ['https://pay.example.cv', world.publicUrl],
    ['https://api.operator.example/v1.2/mm', world.operator.url],
    ['the-secret-of-the-operator', world.operator.secret],
    ['203.0.113.7', '127.0.0.1'],
    ['smtps://zimbo:secret@mail.example.cv:465', world.smtpUrl],
    ['https://shop.example.cv/zimbo', world.shopUrl],
    ['3000', `${ports.api}`],
    ['3001', `${ports.operations}`],
  ];
  return here.reduce((text, [there, given]) => {
    assert.ok(text.includes(there), `the page no longer says ${there}`);
    return text.replaceAll(there, given);
  }, script);
}

/** Runs a script as if pasted into one terminal; ends its background processes with the test. */
async function paste(
  context: TestContext,
  script: string,
  { folder, world }: { folder: string; world: LiveWorld },
): Promise<{ code: number | null; output: string }> {
  const bash = spawn('bash', ['-c', script], {
    cwd: join(folder, 'opt/zimbo'),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      HOME: folder,
      PATH: [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...world.environment,
    },
  });
  let output = '';
  for (const stream of [bash.stdout, bash.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const end = () => {
    try {
      process.kill(-bash.pid!, 'SIGKILL');
    } catch {
      // All its processes have ended.
    }
  };
  const timer = setTimeout(end, limitMs);
  context.after(end);
  const code = await new Promise<number | null>((resolve) => bash.on('exit', resolve));
  clearTimeout(timer);
  return { code, output };
}

test('leads from a clone to the first live payment in at most twelve steps', {
  skip: lacks('bash', 'curl', 'psql', 'openssl'),
  timeout: limitMs + 60_000,
}, async (context) => {
  const steps = blocksOf(read('docs/going-live.md'), 'bash');
  assert.ok(steps.length <= mostSteps, `${steps.length} steps`);
  const world = await liveWorld(context);
  const folder = await testFolder(context);
  machine(folder);
  const ports = { api: await freePort(), operations: await freePort() };
  world.serve(ports.api);
  const startedMs = performance.now();
  const script = ['set -eu -o pipefail', ...steps, 'echo all of it'].join('\n');
  const pasted = paste(context, inFolder(asHere(script, world, ports), folder), { folder, world });
  await Promise.race([world.follow(), pasted]);
  const { code, output } = await pasted;
  const log = await readFile(join(folder, 'journal'), 'utf8').catch(() => '');
  assert.equal(code, 0, `${output}\n${log}`);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  context.diagnostic(`${steps.length} steps, ${seconds} s`);
  assert.match(output, /\nall of it\n$/);
  assert.match(output, /DEBITED/);
  const { totals } = await world.operator.totals();
  assert.equal(
    totals.find(({ currency }) => currency === 'CVE')?.debits,
    1,
    JSON.stringify(totals),
  );
  await eventually('the shop gets the event', () =>
    world.receiver.received.some(({ event }) => event.type === 'payment.debited'),
  );
  assert.equal(world.callbacks(), 1);
  const [payout] = await readdir(join(folder, 'var/lib/zimbo/payouts'));
  const bank = await readFile(join(folder, 'var/lib/zimbo/payouts', payout!), 'utf8');
  assert.match(bank, /CV64000500000020108215144/);
  const backups = await readdir(join(folder, 'var/backups/zimbo'));
  assert.match(backups.join(), /^zimbo-\w+-\w+\.backup\.gz\.age$/);
  // Encrypted and verified.
  assert.match(output, / kB +yes +yes +\S+\.age +good$/m);
  assert.equal((await stat(join(folder, 'etc/zimbo/zimbo.env'))).mode & 0o777, 0o600);
  // Parts that only a company has: a real operator, a second disk, a second person.
  assert.match(output, /\n {2}3 warnings\.\n/);
});
