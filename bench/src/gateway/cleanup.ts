const open = new Set<() => Promise<void>>();

/** Remembers what must be undone, however the bench ends; gives a function that does it once. */
export function cleanUp(undo: () => Promise<void>): () => Promise<void> {
  let undone: Promise<void> | undefined;
  const once = () => {
    undone ??= undo().finally(() => open.delete(once));
    return undone;
  };
  open.add(once);
  return once;
}

/** Undoes what is still open, the latest first. */
export async function cleanUpAll(): Promise<void> {
  for (const undo of [...open].reverse()) {
    await undo().catch((error: unknown) => console.error(error));
  }
}
