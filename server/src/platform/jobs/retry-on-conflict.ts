const maxTries = 10;

/**
 * Retries while concurrent changes interfere: an attempt returns undefined if the row changed. A person's or operator's statement must not get lost to a concurrent change, and ten conflicts in a row do not happen.
 * @param what for the error: `a payment changed under every try to cancel it`
 */
export async function untilUnchanged<Result>(
  what: string,
  attempt: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let left = maxTries; left > 0; left--) {
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new Error(what);
}
