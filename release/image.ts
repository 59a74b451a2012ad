import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit, Release } from './records.ts';
import { run } from './run.ts';

interface Image {
  /** By digest, so that a release names its exact base. */
  base: string;
  tag: string;
  /** The source, with deploy/Containerfile. */
  source: string;
  release: Commit;
  /** The storage of buildah, if not in its usual place. */
  storage?: readonly string[];
  /** Further options of the build. */
  options?: readonly string[];
}

/** Builds the image of deploy/Containerfile, with the commit's time. */
export function buildImage({
  base,
  tag,
  source,
  release,
  storage = [],
  options = [],
}: Image): void {
  const { version, commit, committedAtSeconds } = release;
  const given = [`NODE_IMAGE=${base}`, `VERSION=${version}`, `REVISION=${commit}`];
  const recipe = ['--file', join(source, 'deploy/Containerfile'), '--format', 'docker'];
  const time = ['--timestamp', `${committedAtSeconds}`];
  const named = [...given.flatMap((each) => ['--build-arg', each]), ...time, '--tag', tag];
  run('buildah', [...storage, 'build', ...options, ...recipe, ...named, source], source);
}

/** Writes an image to a file for `docker load` and `podman load`. Returns the SHA-256 of its manifest. */
export function exportImage(tag: string, file: string, storage: readonly string[] = []): string {
  const digest = `${file}.digest`;
  rmSync(file, { force: true });
  const to = `docker-archive:${file}:${tag}`;
  run('buildah', [...storage, 'push', '--digestfile', digest, tag, to], '/');
  const [, sha256] = /^sha256:([0-9a-f]{64})$/.exec(readFileSync(digest, 'utf8').trim()) ?? [];
  rmSync(digest);
  if (sha256 === undefined) throw new Error(`buildah reported no digest for ${tag}`);
  return sha256;
}

interface Place {
  base: string;
  root: string;
  scratch: string;
  out: string;
  release: Release;
}

/** The image of the last commit. @throws Error if its base has no digest */
export function releaseImage({ base, root, scratch, out, release }: Place) {
  if (!/@sha256:[0-9a-f]{64}$/.test(base))
    throw new Error(`--image-base ${base} has no digest: a tag may name another image tomorrow.`);
  const source = join(scratch, 'source');
  mkdirSync(source);
  const archive = `${source}.tar`;
  run('git', ['archive', `--output=${archive}`, 'HEAD'], root);
  run('tar', ['--extract', `--file=${archive}`], source);
  const tag = `localhost/zimbo:${release.version}`;
  buildImage({ base, tag, source, release });
  const file = join(out, `zimbo-${release.version}.image.tar`);
  return { tag, file, sha256: exportImage(tag, file) };
}
