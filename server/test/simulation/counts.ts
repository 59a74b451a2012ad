/** Counts how often each dial took effect: a run in which little happened proves little. */
export class Counts {
  readonly byName: Record<string, number> = {};

  add(name: string, times = 1): void {
    this.byName[name] = (this.byName[name] ?? 0) + times;
  }

  addAll(others: Readonly<Record<string, number>>): void {
    for (const [name, times] of Object.entries(others)) this.add(name, times);
  }

  /** The most frequent first. */
  toString(): string {
    const sorted = Object.entries(this.byName).sort(([, one], [, other]) => other - one);
    return sorted.map(([name, times]) => `${name} ${times}`).join(', ');
  }
}
