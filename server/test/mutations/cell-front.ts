import type { Mutation } from './list.ts';

const seek = { file: 'server/src/app/cells/seek.ts', test: 'server/src/app/cells/seek.test.ts' };
const directory = {
  file: 'server/src/cells/directory.ts',
  test: 'server/src/cells/directory.test.ts',
};
const sought = {
  file: 'server/src/app/cells/sought.ts',
  test: 'server/src/app/cells/sought.test.ts',
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
  {
    name: 'front of cells: what is not the cell that it is called is asked for what it has',
    file: 'server/src/cells/not-served.ts',
    find: 'if (!isServed()) throw',
    replace: 'if (isServed === undefined) throw',
    test: 'server/test/cells/operation.long.test.ts',
    only: 'what is no cell, or another',
  },
  {
    ...sought,
    name: 'front of cells: a stranger makes an error of each picture',
    find: "const shop = tenantOfPicture(picture.exec(url)?.[1] ?? '', attemptProofs);",
    replace: 'const shop = picture.exec(url)?.[1]?.slice(0, 36);',
  },
  {
    ...sought,
    name: 'front of cells: a stranger makes an error of what is no UUID',
    find: '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}',
    replace: '[\\da-f-]{36}',
  },
  {
    ...sought,
    name: 'front of cells: the whole address of a request is no address',
    find: "url.replace(/^https?:\\/\\/[^/]*(?=\\/)/, '')",
    replace: 'url',
  },
  {
    ...sought,
    name: 'front of cells: another spelling of a path leads home',
    find: "if (!path!.includes('%')) return address;",
    replace: 'if (path !== undefined) return address;',
  },
  {
    name: 'front of cells: an address may guess as often again in each cell',
    file: 'server/src/app/cells/compose.ts',
    find: 'withCommonBuckets(surroundings.machine ?? aloneOn(config))',
    replace: '[surroundings.machine ?? aloneOn(config), withCommonBuckets][0] as Machine',
    test: 'server/test/cells/front.test.ts',
    only: 'whoever guesses links',
  },
  {
    name: 'front of cells: one that comes back is not served before the home is',
    file: 'server/src/app/compose/base.ts',
    find: '    if (!cell) throw err;',
    replace: '    if (cell) throw err;',
    test: 'server/test/cells/operation.long.test.ts',
    only: 'comes back while the home',
  },
  {
    ...directory,
    name: 'front of cells: moves are heard of only when payments leave a connection',
    find: 'const seen = await findMoves(looks,',
    replace: 'const seen = await findMoves(this.#options.home,',
    only: 'all connections to the home are busy',
  },
  {
    ...directory,
    name: 'front of cells: nobody is told that moves are not followed',
    find: '          this.#tell(error);\n',
    replace: '          void error;\n',
    only: 'all connections to the home are busy',
  },
];
