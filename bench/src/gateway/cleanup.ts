const open = new Set<() => Promise<void>>();

/** Registers a function to undo, however the bench ends; returns a function that undoes once. */
export function cleanUp(undo: () => Promise<void>): () => Promise<void> {
  let undone: Promise<void> | undefined;
  const once = () => {
    undone ??= undo().finally(() => open.delete(once));
    return undone;
  };
  open.add(once);
  return once;
}

/** Undoes everything left, in reverse order. */
export async function cleanUpAll(): Promise<void> {
  for (const undo of [...open].reverse()) {
    await undo().catch((error: unknown) => console.error(error));
  }
}
