/** Waits until a condition holds; a timeout names the condition. The limit allows for a busy machine. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = 60_000,
): Promise<T> {
  const deadlineMs = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadlineMs) throw new Error(`timed out after ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
