import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..', '..');

/** The text of a page, by its path in the repository. */
export const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** The fenced blocks of a language. */
export function blocksOf(text: string, language: string): string[] {
  const fences = text.matchAll(/^```(\w*)\n(.*?)^```$/gms);
  return [...fences].filter(([, found]) => found === language).map(([, , block]) => block!);
}

/** Why a test is skipped if a program is missing; otherwise false. */
export function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}

/** Why a test is skipped, where a program is not installed; else false. */
export const lacks = (...programs: string[]) =>
  programs
    .filter((program) => spawnSync(program, ['version']).error)
    .map((program) => `${program} is not installed`)
    .join(', ') || false;
