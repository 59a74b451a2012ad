/**
 * Builds the release from the last commit: `npm run release [-- OPTIONS FOLDER]` (default:
 * release/out). Two runs on one commit produce the same bytes. docs/install.md explains each file
 * and option. Needs git, npm, GNU tar, and buildah for the image.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeTarball } from './archive.ts';
import { releaseImage } from './image.ts';
import { compareNode } from './node-binary.ts';
import { releasePackages } from './packages.ts';
import { licences, provenance, sbom } from './records.ts';
import { run } from './run.ts';
import { stage } from './stage.ts';

const root = resolve(import.meta.dirname, '..');
const { values: given, positionals } = parseArgs({
  options: {
    'node-from': { type: 'string' },
    'node-unchecked': { type: 'boolean', default: false },
    'image-base': { type: 'string' },
    'packages-only': { type: 'boolean', default: false },
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

const release = { version, commit, committedAtSeconds };
const scratch = mkdtempSync(join(tmpdir(), 'zimbo-release-'));
try {
  mkdirSync(out, { recursive: true });
  if (given['packages-only']) writeSums(await releasePackages({ root, scratch, out, release }));
  else await releaseAll();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function releaseAll(): Promise<void> {
  // First, because it may end the release.
  const node = await compareNode(root, {
    from: given['node-from'],
    isUncheckedAllowed: given['node-unchecked'],
  }).catch((error: Error) => {
    console.error(`${error.message}\nNothing was built.`);
    process.exitCode = 1;
  });
  if (!node) return;
  const name = `zimbo-${version}`;
  const folder = join(scratch, name);
  stage(root, folder);
  writeFileSync(join(folder, 'LICENCES.txt'), licences(folder));
  const bill = join(out, `${name}.cdx.json`);
  writeFileSync(bill, sbom({ ...release, folder }));
  const tarball = join(out, `${name}.tar.gz`);
  writeTarball(scratch, name, tarball, committedAtSeconds);
  const packages = await releasePackages({ root, scratch, out, release });
  const files = [tarball, bill, ...packages];
  const subjects = files.map((path) => ({ name: relative(out, path), sha256: sha256(path) }));
  const base = given['image-base'];
  const image = base && releaseImage({ base, root, scratch, out, release: { ...release, folder } });
  if (image) {
    files.push(image.file);
    subjects.push({ name: image.tag, sha256: image.sha256 });
  }
  const statement = join(out, `${name}.intoto.json`);
  const built = { subjects, node: node.sha256 };
  writeFileSync(statement, provenance({ ...release, folder }, built));
  writeSums([...files, statement]);
  console.log(node.words);
  if (image) console.log(`${image.tag} is sha256:${image.sha256}`);
}

/** For `sha256sum --check` in the folder of the results. */
function writeSums(files: readonly string[]): void {
  const sums = files.map((path) => `${sha256(path)}  ${relative(out, path)}\n`).join('');
  writeFileSync(join(out, 'SHA256SUMS'), sums);
  console.log(sums);
  console.log(
    'Nothing is signed: sign SHA256SUMS and the statement yourself (docs/install.md#releasing).',
  );
}
