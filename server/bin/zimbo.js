#!/usr/bin/env -S node --max-semi-space-size=8
// Plain JavaScript, so that an old Node can say what is wrong instead of failing on a type.
// The small young generation keeps a busy gateway under 300 MB; its price in speed was below the noise.
const needed = 26;
if (Number.parseInt(process.versions.node, 10) < needed) {
  console.error(`Zimbo needs Node ${needed}; this is Node ${process.versions.node}.
The project brings its own: run "npm ci" once, then "npm start" or "npx zimbo".`);
  process.exit(1);
}
await import('../src/cli/main.ts');
