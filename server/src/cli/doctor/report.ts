import { styleText } from 'node:util';
import type { Finding, Result } from '../../operations/doctor/check.ts';
import { version } from '../../platform/process/version.ts';
import { printJson } from '../output.ts';

/** Prints results: one by one for people, all at the end for programs. */
export interface Report {
  add: (group: string, name: string, finding: Finding) => void;
  /** @returns whether there was no error */
  end(): boolean;
}

const marks = {
  ok: ['green', '✓'],
  warning: ['yellow', '!'],
  error: ['red', '✗'],
} as const;

const nameWidth = 15;

/** The heading and the summary of the report. */
interface Words {
  title: string;
  well: string;
  /** The nouns after a number. */
  errors: string;
  warnings: string;
}

const usualWords: Words = {
  title: '',
  well: 'All is well.',
  errors: 'error',
  warnings: 'warning',
};

export const liveWords: Words = {
  title: ': ready for live money?',
  well: 'Nothing is missing.',
  errors: 'thing missing',
  warnings: 'warning',
};

export function createReport(json: boolean, words = usualWords): Report {
  const results: Result[] = [];
  let lastGroup = '';
  if (!json) console.log(`\n  ${styleText('bold', `Zimbo ${version}${words.title}`)}`);
  return {
    add(group, name, finding) {
      results.push({ group, name, ...finding });
      if (json) return;
      if (group !== lastGroup) console.log(`\n  ${styleText('bold', group)}`);
      lastGroup = group;
      console.log(linesOf(name, finding));
    },
    end() {
      const errors = results.filter(({ status }) => status === 'error').length;
      const warnings = results.filter(({ status }) => status === 'warning').length;
      if (json) printJson({ ok: errors === 0, errors, warnings, checks: results });
      else console.log(`\n  ${summary(words, errors, warnings)}\n`);
      return errors === 0;
    },
  };
}

function linesOf(name: string, finding: Finding): string {
  const [colour, mark] = marks[finding.status];
  const indent = ' '.repeat(nameWidth + 4);
  const [figure = '', ...more] = finding.figure.split('\n');
  const first = `  ${styleText(colour, mark)} ${name.padEnd(nameWidth)}${figure}`;
  const lines = [first, ...more.map((line) => indent + line.trim())];
  if (finding.status !== 'ok')
    for (const line of finding.advice.split('\n')) lines.push(`${indent}${styleText('dim', line)}`);
  return lines.join('\n');
}

function summary({ well, ...words }: Words, errors: number, warnings: number): string {
  if (errors + warnings === 0) return styleText('green', well);
  const parts = [];
  if (errors > 0) parts.push(styleText('red', counted(errors, words.errors)));
  if (warnings > 0) parts.push(styleText('yellow', counted(warnings, words.warnings)));
  return `${parts.join(', ')}.`;
}

/** `2 things missing` */
const counted = (count: number, words: string) =>
  `${count} ${count === 1 ? words : words.replace(/^\S+/, '$&s')}`;
