import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startDemo } from '../../../test/support/demo-client.ts';
import { openPages } from './docs-pages.ts';

test('serves each page of docs as Markdown, and nothing else of the machine', async (t) => {
  const demo = await startDemo(t);
  for (const path of ['/docs/webhooks.md', '/docs/README.md', '/docs/runbooks/review.md']) {
    const { status, headers, text } = await demo.send('GET', path, { headers: {} });
    assert.equal(status, 200, path);
    assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.match(headers.get('cache-control') ?? '', /max-age=/);
    assert.match(text, /^# /);
  }
  for (const tail of [
    'nothing.md',
    'openapi.json',
    'pictures/home-light.webp',
    '../package.json',
    '..%2f..%2fREADME.md',
    '%2e%2e/README.md',
    'runbooks/..%2f..%2fREADME.md',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    'webhooks.md%00',
    'webhooks.md/',
    'constructor',
    '__proto__',
    '../README.md',
  ]) {
    const path = `/docs/${tail}`;
    const { payload, statusCode } = await demo.app.inject({ url: path });
    assert.equal(statusCode, 404, `${path} ${payload.slice(0, 80)}`);
  }
});

test('lists the pages for language models, each under an address that answers', async (t) => {
  const demo = await startDemo(t);
  const { headers, text } = await demo.send('GET', '/llms.txt', { headers: {} });
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
  const [title, , quote] = text.split('\n');
  assert.equal(title, '# Zimbo');
  assert.match(quote!, /^> Zimbo is /);
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  assert.ok(lines.length > 40, `${lines.length} links`);
  for (const line of lines) {
    const [, path] = /^- \[[^\]]+\]\(([^)]+)\): \S/.exec(line) ?? assert.fail(line);
    // The demo has no API for staff.
    if (path === 'admin/openapi.json') continue;
    assert.equal((await demo.send('GET', `/${path}`, { headers: {} })).status, 200, line);
  }
});

test('reads no page outside its folder through a link, and needs none', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-pages-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const docs = join(folder, 'docs');
  await mkdir(docs);
  await mkdir(join(folder, 'secret'));
  await writeFile(join(folder, 'secret', 'key.md'), 'secret');
  await symlink(join(folder, 'secret'), join(docs, 'linked'));
  const pages = await openPages(docs);
  assert.equal(await pages.page('linked/key.md'), undefined);
  assert.equal(await pages.list(), undefined);
  assert.equal(await (await openPages(join(folder, 'none'))).page('README.md'), undefined);
});
