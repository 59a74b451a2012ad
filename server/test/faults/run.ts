/**
 * `npm run faults`: plants each fault of list.ts in a copy of the code, and checks that the test it
 * names goes red. A check that never caught anything proves nothing.
 */
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Fault, faults } from './list.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const copy = mkdtempSync(join(tmpdir(), 'zimbo-faults-'));
const wanted = process.argv[2];

function plant({ file, find, replace }: Fault): () => void {
  const path = join(copy, file);
  const code = readFileSync(path, 'utf8');
  if (!code.includes(find)) throw new Error(`${file} no longer holds: ${find}`);
  writeFileSync(path, code.replace(find, replace));
  return () => writeFileSync(path, code);
}

/** Whether the tests are green. */
function isGreen(test: string): Promise<boolean> {
  const child = spawn(process.execPath, ['server/test/run.ts', test], {
    cwd: copy,
    stdio: 'ignore',
  });
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)));
}

const caught = '✓ caught';
const greenWithout = new Map<string, Promise<boolean>>();

/** A test that is red anyway catches nothing. */
async function verdictOn(fault: Fault): Promise<string> {
  const isRed = await withFault(fault);
  if (!isRed) return '✗ not caught';
  if (!greenWithout.has(fault.test)) greenWithout.set(fault.test, isGreen(fault.test));
  return (await greenWithout.get(fault.test)) ? caught : '✗ red without the fault';
}

async function withFault(fault: Fault): Promise<boolean> {
  const restore = plant(fault);
  const isRed = !(await isGreen(fault.test));
  restore();
  return isRed;
}

async function main(): Promise<number> {
  for (const entry of readdirSync(root).filter(
    (name) => !/^(\.git|\.zimbo|node_modules)$/.test(name),
  )) {
    cpSync(join(root, entry), join(copy, entry), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const chosen = faults.filter(({ name }) => wanted === undefined || name.includes(wanted));
  let missed = 0;
  for (const [index, fault] of chosen.entries()) {
    const verdict = await verdictOn(fault);
    if (verdict !== caught) missed += 1;
    console.log(`${index + 1} of ${chosen.length}  ${verdict}  ${fault.name}  (${fault.test})`);
  }
  console.log(missed === 0 ? 'Every fault was caught.' : `${missed} were not caught.`);
  return missed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} finally {
  rmSync(copy, { recursive: true, force: true });
}
