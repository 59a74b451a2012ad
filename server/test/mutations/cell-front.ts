import type { Mutation } from './list.ts';

const seek = { file: 'server/src/app/cells/seek.ts', test: 'server/src/app/cells/seek.test.ts' };
const directory = {
  file: 'server/src/cells/directory.ts',
  test: 'server/src/cells/directory.test.ts',
};

/** Faults of what strangers and outages of a cell may do to a front, and of what it tells. */
export const cellFrontMutations: readonly Mutation[] = [
  {
    ...seek,
    name: 'front of cells: while a cell is away, guesses are free',
    find: 'if (error === notNow || outageOf(error) || prove) giveBack();',
    replace: 'if (error !== undefined) giveBack();',
    only: 'while a further cell is away',
  },
  {
    ...seek,
    name: 'front of cells: while a cell is away, each request asks all the others',
    find: '      else unsaid.add(nameOf(sought), monotonicClock.nowMs());\n',
    replace: '',
    only: 'while a further cell is away',
  },
  {
    ...seek,
    name: 'front of cells: many requests with a key that is new are taken for guesses',
    find: '    if (before) return before;\n',
    replace: '',
    only: 'many requests at once',
  },
  {
    ...directory,
    name: 'front of cells: one that is frozen is waited for',
    find: "kind === 'THING' ? undefined : hurry()",
    replace: "kind === 'THING' || hurry.length === 0 ? undefined : hurry()",
    only: 'a further cell that hangs',
  },
  {
    ...directory,
    name: 'front of cells: who asks for what nobody has keeps out what the home has noted',
    find: `    const known = await findPlace(home, sought);
    if (known) return this.#note(sought, known);
    const found = await this.#askInTurn(sought);`,
    replace: `    const known = await findPlace(home, sought);
    const found = await this.#askInTurn(sought);
    if (known) return this.#note(sought, known);`,
    only: 'is asked of all cells at once',
  },
  {
    ...directory,
    name: 'front of cells: with the home away, links of a merchant fail whose key is known',
    find: "    this.#tenants.set(nameOf({ kind: 'TENANT', id: tenantId }), place);\n",
    replace: '',
    only: 'whose key is found',
  },
  {
    ...directory,
    name: 'front of cells: links of a merchant that has moved lead to where it was',
    find: 'for (const places of [this.#places, this.#tenants]) places.follow',
    replace: 'for (const places of [this.#places]) places.follow',
    only: 'whose key is found',
  },
];
