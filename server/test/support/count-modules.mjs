// Preloaded into a process: writes the URLs of all modules that it loads, one a line, into MODULES_FILE at its end.
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
