/**
 * Makes what is released, from the last commit: `npm run release [-- FOLDER]` (default: release/out). Two runs on one
 * commit make the same bytes. docs/install.md says what each file is for. Needs git, npm and GNU tar.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compareNode } from './node-binary.ts';
import { licences, provenance, sbom } from './records.ts';
import { run } from './run.ts';
import { stage } from './stage.ts';

const root = resolve(import.meta.dirname, '..');
const out = resolve(process.argv[2] ?? join(root, 'release', 'out'));
const git = (...args: string[]) => run('git', args, root).trim();
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

const { version } = JSON.parse(git('show', 'HEAD:server/package.json')) as { version: string };
const commit = git('rev-parse', 'HEAD');
const committedAtSeconds = Number(git('log', '-1', '--format=%ct'));
if (git('status', '--porcelain')) console.error('What is not committed is not released.');

const scratch = mkdtempSync(join(tmpdir(), 'zimbo-release-'));
try {
  const name = `zimbo-${version}`;
  const folder = join(scratch, name);
  stage(root, folder);
  const release = { version, commit, committedAtSeconds, folder };
  writeFileSync(join(folder, 'LICENCES.txt'), licences(folder));
  mkdirSync(out, { recursive: true });
  const bill = join(out, `${name}.cdx.json`);
  writeFileSync(bill, sbom(release));
  const tarball = join(out, `${name}.tar.gz`);
  pack(scratch, name, tarball);
  const node = await compareNode(root);
  const files = [tarball, bill];
  const subjects = files.map((path) => ({ path, sha256: sha256(path) }));
  const statement = join(out, `${name}.intoto.json`);
  writeFileSync(statement, provenance(release, { subjects, node: node.sha256 }));
  const sums = [...files, statement].map(
    (path) => `${sha256(path)}  ${path.slice(out.length + 1)}\n`,
  );
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  console.log(`${sums.join('')}${node.words}`);
  console.log(
    'Nothing is signed: who releases signs SHA256SUMS and the statement (docs/install.md#releasing).',
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Names in order, one time, one owner, and the modes of git: nothing of this machine is in it. */
function pack(parent: string, name: string, tarball: string): void {
  const archive = `${tarball}.tar`;
  const same = ['--sort=name', `--mtime=@${committedAtSeconds}`, '--owner=0', '--group=0'];
  const modes = ['--numeric-owner', '--mode=u+rw,go=u,go-w', '--format=gnu'];
  run('tar', ['--create', `--file=${archive}`, ...same, ...modes, name], parent);
  // -n: without its name and time.
  run('gzip', ['-9', '-n', '--force', archive], parent);
  run('mv', [`${archive}.gz`, tarball], parent);
}
