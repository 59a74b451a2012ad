// Preloaded into a process: at exit, writes the URLs of all loaded modules into MODULES_FILE, one
// per line.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = new Set();

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) loaded.add(url);
    return next(url, context);
  },
});

process.on('exit', () => writeFileSync(process.env.MODULES_FILE, [...loaded].join('\n')));
