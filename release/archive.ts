import { createWriteStream, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from '../server/src/platform/formats/zip.ts';
import { run } from './run.ts';

/** Packs a folder of `parent`: sorted names, one time, one owner, and git's modes: nothing depends on this machine. */
export function writeTarball(
  parent: string,
  name: string,
  tarball: string,
  modifiedAtSeconds: number,
): void {
  const archive = `${tarball}.tar`;
  const same = ['--sort=name', `--mtime=@${modifiedAtSeconds}`, '--owner=0', '--group=0'];
  const modes = ['--numeric-owner', '--mode=u+rw,go=u,go-w', '--format=gnu'];
  run('tar', ['--create', `--file=${archive}`, ...same, ...modes, name], parent);
  // -n: without its name and time.
  run('gzip', ['-9', '-n', '--force', archive], parent);
  run('mv', [`${archive}.gz`, tarball], parent);
}

/** Writes a ZIP file of these files, by their names in it. The same files make the same bytes. */
export async function writeZip(path: string, files: Record<string, Uint8Array>): Promise<void> {
  const zip = new ZipFile();
  const bytes = async function* () {
    for (const name of Object.keys(files).toSorted()) yield* zip.file(name, [files[name]!]);
    yield zip.end();
  };
  await pipeline(Readable.from(bytes()), createWriteStream(path));
}

/** The files of a folder, by their paths in it after a prefix. */
export function filesOf(folder: string, prefix = ''): Record<string, Uint8Array> {
  const paths = globSync('**/*', { cwd: folder }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  return Object.fromEntries(
    paths.map((path) => [`${prefix}${path}`, readFileSync(join(folder, path))]),
  );
}
