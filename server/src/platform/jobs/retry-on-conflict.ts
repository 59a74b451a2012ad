const maxTries = 10;

/**
 * Tries again while the row changes under each try: undefined says that it has. What a person or an operator
 * says must not be lost to whoever was quicker, and nobody is quicker ten times.
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
