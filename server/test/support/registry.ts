import type { TestContext } from 'node:test';

const outOfReach =
  /ENOTFOUND|ECONNREFUSED|ENOTCACHED|EAI_AGAIN|ETIMEDOUT|No matching distribution|dial tcp/;

/**
 * Whether commands that ask a package registry succeed. What a registry that is out of reach cannot give, no test can
 * use: the test is then skipped. @throws any other failure of the commands
 */
export async function isReached(
  context: TestContext,
  commands: Promise<unknown>,
): Promise<boolean> {
  return commands.then(
    () => true,
    (error: Error) => {
      if (!outOfReach.test(error.message)) throw error;
      context.skip(`the registry is out of reach: ${error.message.slice(0, 200)}`);
      return false;
    },
  );
}
