#!/usr/bin/env -S node --disable-sigusr1 --v8-pool-size=1 --max-semi-space-size=8 --heap-growing-percent=100
// Plain JavaScript, so that an old Node can say what is wrong instead of failing on a type.
// One thread beside the main one: several would take the cores of PostgreSQL while they collect garbage,
// and each holds memory. Some of that memory lets the old generation be collected half as often.
const needed = 26;
if (Number.parseInt(process.versions.node, 10) < needed) {
  console.error(`Zimbo needs Node ${needed}; this is Node ${process.versions.node}.
The project brings its own: run "npm ci" once, then "npm start" or "npx zimbo".`);
  process.exit(1);
}
// npm and npx pass a signal on to their shell alone, and it ends without a word to us: so its end counts as one.
if (process.env.npm_command && !process.env.NODE_UNIQUE_ID) {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
const { enableCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
// Stripping types and compiling are half of a start, and needed once. What was compiled lies beside the
// packages: whoever may write there may change the program anyway. Where we may not, it starts without.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/zimbo', import.meta.url)));
await import('../src/cli/main.ts');
