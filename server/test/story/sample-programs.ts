/** Runs all code samples of the API reference in one language, one after the other, in one process. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

interface Language {
  /** The program that runs it, and how it says its version. */
  program: string;
  version: string;
  file: string;
  /** One program that does what all samples do, in their order. */
  join(sources: readonly string[]): string;
  /** The arguments before the file. */
  before: string[];
}

const separately = (sources: readonly string[]) => sources.join('\n\n');

export const languages: Record<string, Language> = {
  curl: {
    program: 'bash',
    version: '--version',
    file: 'samples.sh',
    before: ['-eu'],
    join: separately,
  },
  JavaScript: {
    program: process.execPath,
    version: '--version',
    file: 'samples.mjs',
    before: [],
    join: joinJavascript,
  },
  Python: {
    program: 'python3',
    version: '--version',
    file: 'samples.py',
    before: [],
    join: separately,
  },
  PHP: {
    program: 'php',
    version: '--version',
    file: 'samples.php',
    before: [],
    join: (sources) => `<?php\n${separately(sources.map((each) => each.replace('<?php\n', '')))}`,
  },
  Go: {
    program: 'go',
    version: 'version',
    file: 'samples.go',
    before: ['run'],
    join: joinGo,
  },
};

/** Each in a block, with what all of them import in front. */
function joinJavascript(sources: readonly string[]): string {
  const importing = /^import .*\n/gm;
  const imports = new Set(sources.flatMap((source) => source.match(importing) ?? []));
  const blocks = sources.map((source) => `{\n${source.replaceAll(importing, '')}\n}`);
  return [...imports, ...blocks].join('\n');
}

/** One `main` calls that of each sample, under another name. */
function joinGo(sources: readonly string[]): string {
  const packages = sources.flatMap((source) => {
    const [, list = ''] = /^import \(\n([^)]*)\)/m.exec(source) ?? [];
    return list.split('\n').filter((line) => line !== '');
  });
  const functions = sources.map((source, index) =>
    source.slice(source.indexOf('func main()')).replace('main()', `sample${index}()`),
  );
  const calls = sources.map((_source, index) => `\tsample${index}()`);
  const imports = [...new Set(packages)].join('\n');
  const main = `func main() {\n${calls.join('\n')}\n}`;
  return `package main\n\nimport (\n${imports}\n)\n\n${[...functions, main].join('\n\n')}\n`;
}

/** Whether the language is on this machine. */
export function isThere({ program, version }: Language): boolean {
  try {
    execFileSync(program, [version], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A program under way. */
export interface Running {
  child: ChildProcess;
  /** What it printed, once it has ended well. @throws Error with what it complained about */
  ended: Promise<string>;
}

/** The samples of one language, and what they need around them. */
export interface Samples {
  sources: readonly string[];
  environment: Record<string, string>;
  /** The files that they send, by name. */
  files?: Record<string, string>;
}

/** Starts the samples. */
export function startSamples(
  context: Pick<TestContext, 'after'>,
  language: Language,
  { sources, environment, files = {} }: Samples,
): Running {
  const folder = mkdtempSync(join(tmpdir(), 'zimbo-samples-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, language.file);
  writeFileSync(file, language.join(sources));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const child = spawn(language.program, [...language.before, file], {
    cwd: folder,
    env: { ...process.env, ...environment, GO111MODULE: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => child.kill());
  const texts = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      texts[stream] += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => {
    if (code !== 0) throw new Error(`${language.program} ended with ${code}: ${texts.stderr}`);
    return texts.stdout;
  });
  return { child, ended };
}
