import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

/** The files that the program needs, as deploy/Containerfile copies them, and the files to run it. */
const parts = [
  'package.json',
  'package-lock.json',
  'LICENSE',
  'CHANGELOG.md',
  'server/package.json',
  'server/bin',
  'server/migrations',
  'server/src',
  'bench/package.json',
  'operator-simulator/package.json',
  'operator-simulator/src',
  'sdk/typescript/package.json',
  'sdk/typescript/src',
  'docs/openapi.json',
  'docs/admin-openapi.json',
  ':(glob)docs/**/*.md',
  'deploy',
  ':(exclude,glob)**/*.test.ts',
];

/**
 * Puts the program into a folder: files of the last commit, and packages of its lock, whose
 * checksums npm verifies.
 */
export function stage(root: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'source.tar');
  run('git', ['archive', `--output=${archive}`, 'HEAD', '--', ...parts], root);
  run('tar', ['--extract', `--file=${archive}`], folder);
  rmSync(archive);
  const only = ['--omit=dev', '--omit=optional', '--ignore-scripts', '--workspace=server'];
  run('npm', ['ci', ...only, '--no-audit', '--no-fund'], folder);
  // npm's own notes, which name the registry of each package.
  rmSync(join(folder, 'node_modules', '.package-lock.json'), { force: true });
}
