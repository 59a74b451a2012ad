import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  type Case,
  canary,
  capture,
  forgedCases,
  genuineCases,
  metacharacters,
} from './support/deliveries.ts';
import { blocksOf, lacks, read, root } from './support/pages.ts';
import { recipes } from './support/recipes.ts';

const page = read('docs/webhooks.md');
/** The function that computes the HMAC, and its caller. */
function shellRecipe(): string {
  const blocks = blocksOf(page, 'bash');
  const recipe = blocks.find((block) => block.startsWith('# hmac KEY'))!;
  return `${recipe}\n${blocks.find((block) => block.includes('/v1/events/'))!}`;
}

async function folderOf(context: TestContext, recipe: (typeof recipes)[0]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-recipe-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const blocks = blocksOf(page, 'js').filter((block) => block.includes(recipe.holds));
  assert.equal(blocks.length, 1, `the page has one recipe for ${recipe.name}`);
  const source = join(root, 'sdk', 'typescript', 'src', 'index.ts');
  const code = blocks[0]!.replace("'@zimbo/sdk'", JSON.stringify(source));
  await writeFile(join(folder, 'recipe.mjs'), code);
  await writeFile(join(folder, 'main.mjs'), recipe.main);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The output of a command; the project's Node comes first. */
async function run(
  [program, ...args]: string[],
  cwd: string,
  environment: Record<string, string> = {},
  input: Buffer | string = '',
): Promise<string> {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH, ...environment };
  const child = spawn(program!, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  child.stdin.on('error', () => {}).end(input);
  const printed = await text(child.stdout);
  assert.equal(await closed, 0, `${program} ${args.join(' ')}`);
  return printed.trim();
}

function environmentOf({ secret, headers }: Case): Record<string, string> {
  const signatures = [headers['x-service-signature'], headers['x-service-signature-next']];
  return {
    SECRET: secret,
    ZIMBO_WEBHOOK_SECRET: secret,
    HEADERS: JSON.stringify(headers),
    TIMESTAMP: String(headers['x-service-timestamp']),
    SIGNATURES: signatures.filter((signature) => signature !== undefined).join(' '),
  };
}

for (const recipe of recipes) {
  test(`the recipe for ${recipe.name} accepts real deliveries and rejects forged ones`, {
    timeout: 180_000,
  }, async (context) => {
    const folder = await folderOf(context, recipe);
    const captured = await capture(context);
    const verdict = (one: Case) => run(['node', 'main.mjs'], folder, environmentOf(one), one.body);
    for (const [name, one] of Object.entries(genuineCases(captured)))
      assert.equal(await verdict(one), 'genuine', name);
    for (const [name, one] of Object.entries(forgedCases(captured)))
      assert.equal(await verdict(one), 'forged', name);
  });
}

test('covers every recipe of the page', () => {
  assert.equal(blocksOf(page, 'js').length, recipes.length);
});

test('the recipe for curl and openssl distinguishes a real delivery of the log from a forged one', {
  skip: lacks('bash', 'curl', 'openssl'),
}, async (context) => {
  const { url, key, before, oldSecret, newSecret } = await capture(context);
  const script = shellRecipe();
  const verdict = (timestamp: string, signature: string, secret: string) => {
    const event = before.event.id;
    const settings = { ZIMBO_URL: url, ZIMBO_API_KEY: key, event, timestamp, signature, secret };
    return run(['bash', '-c', script], tmpdir(), settings);
  };
  const timestamp = String(before.headers['x-service-timestamp']);
  const signature = String(before.headers['x-service-signature']);
  assert.equal(await verdict(timestamp, signature, oldSecret), 'genuine');
  assert.equal(await verdict(timestamp, signature, newSecret), 'forged');
  assert.equal(await verdict(`${Number(timestamp) + 1}`, signature, oldSecret), 'forged');
  assert.equal(await verdict(timestamp, signature.replace(/^./, 'g'), oldSecret), 'forged');
  for (const forged of metacharacters(signature)) {
    assert.equal(await verdict(timestamp, forged, oldSecret), 'forged', forged);
    assert.equal(await verdict(forged, signature, oldSecret), 'forged', forged);
  }
  assert.equal(existsSync(join(tmpdir(), canary)), false, 'no part of a header is executed');
});

test('the recipe for curl and openssl says "forged" where openssl is missing', {
  skip: lacks('bash'),
}, async (context) => {
  const empty = await mkdtemp(join(tmpdir(), 'zimbo-recipe-'));
  context.after(() => rm(empty, { recursive: true, force: true }));
  const settings = { signature: '', secret: 'x', timestamp: '1', event: 'evt_1', PATH: empty };
  assert.equal(await run(['/bin/bash', '-c', `${shellRecipe()}`], empty, settings), 'forged');
});

test('the recipe for curl and openssl shows no secret among the arguments of a program', {
  skip: lacks('bash', 'curl', 'openssl'),
}, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-recipe-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const told = join(folder, 'arguments');
  for (const program of ['curl', 'openssl']) {
    const path = execFileSync('bash', ['-c', `type -P ${program}`], { encoding: 'utf8' }).trim();
    const wrapper = `#!/bin/sh\nprintf '%s\\n' "${program} $*" >> '${told}'\nexec '${path}' "$@"\n`;
    await writeFile(join(folder, program), wrapper, { mode: 0o755 });
  }
  const { url, key, before, oldSecret } = await capture(context);
  const settings = {
    ZIMBO_URL: url,
    ZIMBO_API_KEY: key,
    event: before.event.id,
    timestamp: String(before.headers['x-service-timestamp']),
    signature: String(before.headers['x-service-signature']),
    secret: oldSecret,
    PATH: `${folder}${delimiter}${process.env.PATH}`,
  };
  assert.equal(await run(['bash', '-c', shellRecipe()], folder, settings), 'genuine');
  const seen = await readFile(told, 'utf8');
  assert.match(seen, /^curl /m);
  assert.match(seen, /^openssl /m);
  assert.ok(!seen.includes(oldSecret.slice(8)) && !seen.includes(key.slice(8)), seen);
});

test('the library standardwebhooks verifies real deliveries as they are, also during a rotation', async (context) => {
  const captured = await capture(context);
  const verify = ({ secret, headers, body }: Case) =>
    new Webhook(secret).verify(body, headers as Record<string, string>);
  for (const [name, one] of Object.entries(genuineCases(captured)))
    assert.deepEqual(verify(one), JSON.parse(one.body.toString()), name);
  for (const [name, one] of Object.entries(forgedCases(captured)))
    assert.throws(() => verify(one), { name: /WebhookVerificationError|Error/ }, name);
  const { during } = captured;
  assert.equal(during.headers['webhook-id'], during.event.id);
});
