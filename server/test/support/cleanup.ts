import type { TestContext } from 'node:test';

type Context = Pick<TestContext, 'after'>;

const stacks = new WeakMap<Context, (() => unknown)[]>();

/** Undoes a test's set-up in reverse order: a gateway stops before its database goes. */
export function cleanUp(context: Context, undo: () => unknown): void {
  let stack = stacks.get(context);
  if (!stack) {
    const created: (() => unknown)[] = [];
    stack = created;
    stacks.set(context, created);
    context.after(async () => {
      for (const step of created.reverse()) await step();
    });
  }
  stack.push(undo);
}
