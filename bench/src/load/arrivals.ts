/** Counts for each payment how many endpoints have its event. */
export class Arrivals {
  #endpoints: number;
  #awaited = new Map<string, { left: number; resolve: (() => void) | undefined }>();

  constructor(endpoints: number) {
    this.#endpoints = endpoints;
  }

  /** Resolves when all endpoints have the event, which may arrive before the answer to the creation. */
  all(paymentId: string): Promise<void> {
    return new Promise((resolve) => {
      const found = this.#entry(paymentId);
      if (found.left > 0) found.resolve = resolve;
      else {
        this.#awaited.delete(paymentId);
        resolve();
      }
    });
  }

  add(paymentId: string): void {
    const found = this.#entry(paymentId);
    found.left -= 1;
    if (found.left > 0 || !found.resolve) return;
    this.#awaited.delete(paymentId);
    found.resolve();
  }

  #entry(paymentId: string) {
    let found = this.#awaited.get(paymentId);
    if (!found) {
      found = { left: this.#endpoints, resolve: undefined };
      this.#awaited.set(paymentId, found);
    }
    return found;
  }
}
