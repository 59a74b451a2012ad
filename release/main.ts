/**
 * Builds the release from the last commit: `npm run release [-- OPTIONS FOLDER]` (default:
 * release/out). Two runs on one commit produce the same bytes. docs/install.md explains each file
 * and option. Needs git, npm, GNU tar, and buildah for the image.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { releaseImage } from './image.ts';
import { compareNode } from './node-binary.ts';
import { licences, provenance, sbom } from './records.ts';
import { run } from './run.ts';
import { stage } from './stage.ts';

const root = resolve(import.meta.dirname, '..');
const { values: given, positionals } = parseArgs({
  options: {
    'node-from': { type: 'string' },
    'node-unchecked': { type: 'boolean', default: false },
    'image-base': { type: 'string' },
  },
  allowPositionals: true,
});
const out = resolve(positionals[0] ?? join(root, 'release', 'out'));
const git = (...args: string[]) => run('git', args, root).trim();
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

const { version } = JSON.parse(git('show', 'HEAD:server/package.json')) as { version: string };
const commit = git('rev-parse', 'HEAD');
const committedAtSeconds = Number(git('log', '-1', '--format=%ct'));
if (git('status', '--porcelain')) console.error('Uncommitted changes are not released.');

// First, because it may end the release.
const node = await compareNode(root, {
  from: given['node-from'],
  isUncheckedAllowed: given['node-unchecked'],
}).catch((error: Error): never => {
  console.error(`${error.message}\nNothing was built.`);
  process.exit(1);
});
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
  const files = [tarball, bill];
  const subjects = files.map((path) => ({ name: basename(path), sha256: sha256(path) }));
  const base = given['image-base'];
  const image = base && releaseImage({ base, root, scratch, out, release });
  if (image) {
    files.push(image.file);
    subjects.push({ name: image.tag, sha256: image.sha256 });
  }
  const statement = join(out, `${name}.intoto.json`);
  writeFileSync(statement, provenance(release, { subjects, node: node.sha256 }));
  const sums = [...files, statement].map((path) => `${sha256(path)}  ${basename(path)}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  console.log(`${sums.join('')}${node.words}`);
  if (image) console.log(`${image.tag} is sha256:${image.sha256}`);
  console.log(
    'Nothing is signed: sign SHA256SUMS and the statement yourself (docs/install.md#releasing).',
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Sorted names, one time, one owner, and git's modes: nothing depends on this machine. */
function pack(parent: string, name: string, tarball: string): void {
  const archive = `${tarball}.tar`;
  const same = ['--sort=name', `--mtime=@${committedAtSeconds}`, '--owner=0', '--group=0'];
  const modes = ['--numeric-owner', '--mode=u+rw,go=u,go-w', '--format=gnu'];
  run('tar', ['--create', `--file=${archive}`, ...same, ...modes, name], parent);
  // -n: without its name and time.
  run('gzip', ['-9', '-n', '--force', archive], parent);
  run('mv', [`${archive}.gz`, tarball], parent);
}
