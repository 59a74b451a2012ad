#!/usr/bin/env node
// Plain JavaScript, so that an old Node can say what is wrong instead of failing on a type.
const needed = 26;
if (Number.parseInt(process.versions.node, 10) < needed) {
  console.error(`Zimbo needs Node ${needed}; this is Node ${process.versions.node}.
The project brings its own: run "npm ci" once, then "npm start" or "npx zimbo".`);
  process.exit(1);
}
await import('../src/cli/main.ts');
