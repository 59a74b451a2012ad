const intervalMs = 500;

/**
 * Calls back once when the process that started this one through npx has ended. A signal that ends npx
 * does not come through to us: unseen, we would go on asking the gateway, at the tenant's rate. Without
 * npx, whoever starts a program in the background may well end before it.
 */
export function onOrphaned(end: () => void, environment = process.env): void {
  if (environment.npm_command !== 'exec') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, intervalMs);
  timer.unref();
}
