/** The libraries on the PHP, Pythons and Go that this machine has. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ifThere, Missing, outputOf, type Runtime, sdk } from './runtime.ts';

export const php: Runtime[] = [
  {
    name: 'PHP of this machine',
    test: async () => {
      await ifThere('php', ['--version']);
      const vectors = await outputOf('php', ['runtimes/vectors.php'], { cwd: sdk });
      const units = ['--bootstrap', 'tests/autoload.php', 'tests'];
      const cwd = join(sdk, 'php');
      const hasUnits = spawnSync('phpunit', ['--version']).status === 0;
      if (!hasUnits) return `${vectors.trim()}; skipped: unit tests, without phpunit`;
      const [passed] = /OK \(.*\)/.exec(await outputOf('phpunit', units, { cwd })) ?? [];
      return `${vectors.trim()}; phpunit: ${passed}`;
    },
  },
];

/** Each version from 3.10 once, wherever it is: on the PATH, or where pyenv keeps it. */
export function python(): Runtime[] {
  const pyenv = process.env.PYENV_ROOT ?? join(homedir(), '.pyenv');
  const names = ['python3', ...[10, 11, 12, 13, 14, 15].map((minor) => `python3.${minor}`)];
  const programs = [...names, ...globSync(join(pyenv, 'versions', '*', 'bin', 'python3'))];
  const found = new Map<string, string>();
  for (const program of programs) {
    const ask =
      'import platform, sys, venv; print(platform.python_version()); sys.exit(sys.version_info < (3, 10))';
    const { status, stdout } = spawnSync(program, ['-c', ask], { encoding: 'utf8' });
    if (status === 0) found.set(stdout.trim(), program);
  }
  if (found.size === 0) found.set('3.10 or later', 'python3');
  return [...found].map(([version, program]) => ({
    name: `Python ${version}`,
    test: async (folder) => {
      const own = join(folder, `python-${version}`);
      await ifThere(program, ['-m', 'venv', own]);
      const interpreter = join(own, 'bin', 'python');
      const library = join(sdk, 'python');
      const install = ['-m', 'pip', 'install', '--quiet', library];
      await outputOf(interpreter, install).catch((error: Error) => {
        throw new Missing(
          `pip does not install: ${error.message.slice(-200).replaceAll('\n', ' ')}`,
        );
      });
      // Warnings of what a later Python will drop are failures.
      const tests = ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'];
      const output = await outputOf(interpreter, tests, { cwd: library });
      return `${/Ran (\d+ tests)/.exec(output)![1]} passed`;
    },
  }));
}

export const go: Runtime[] = [
  {
    name: 'Go of this machine',
    test: async () => {
      // Another version would be downloaded.
      const env = { GOTOOLCHAIN: 'local' };
      const version = /go1\S+/.exec(await ifThere('go', ['version']))![0];
      const output = await outputOf('go', ['test', '-count=1', '-v', './...'], {
        cwd: join(sdk, 'go'),
        env,
      });
      return `${version}: ${output.match(/^ *--- PASS/gm)!.length} tests passed`;
    },
  },
];
