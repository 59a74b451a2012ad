import type { EventData } from 'node:test';
import type { TestEvent } from 'node:test/reporters';

/** Why a test went red. */
export interface Reason {
  test: string;
  message: string;
  /**
   * Whether it was the test that said so. One that did not load, that took too long, or that stumbled
   * over an error of the language would go red at any fault: it has not seen this one.
   */
  isProof: boolean;
}

type Failure = Error & { failureType?: string };

const stumbles = ['SyntaxError', 'ReferenceError', 'TypeError'];

/** A property that does not hold has what was found at the end of its causes. */
function rootOf(error: Error): Error {
  return error.cause instanceof Error ? rootOf(error.cause) : error;
}

function reasonOf({ name, details: { error } }: EventData.TestFail): Reason {
  const { failureType }: Failure = error;
  const root = rootOf(error);
  const isSaid = failureType === 'testCodeFailure' && root !== error;
  return {
    test: name,
    message: root.message.trim() || root.name,
    isProof: isSaid && !stumbles.includes(root.name),
  };
}

/** A reporter for `node --test`: each test that goes red, as a line of JSON. */
export default async function* reasons(events: AsyncIterable<TestEvent>) {
  for await (const { type, data } of events) {
    if (type !== 'test:fail') continue;
    const { failureType }: Failure = data.details.error;
    if (failureType !== 'subtestsFailed') yield `${JSON.stringify(reasonOf(data))}\n`;
  }
}
