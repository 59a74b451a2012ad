import { AddressLimiter } from '../../platform/http/address-limit.ts';
import type { PeopleDependencies } from '../../tenants/people/dependencies.ts';
import { createPeopleKeys } from '../../tenants/people/derived-keys.ts';
import { createPasswordHasher } from '../../tenants/people/password.ts';
import { signInRate } from '../../tenants/people/sign-in.ts';
import { createProvider } from '../../tenants/people/sso/provider.ts';
import { peopleSweep } from '../../tenants/people/sweep.ts';
import { Pauses } from '../../tenants/people/throttle.ts';
import type { Base } from './base.ts';

/** Composes the sign-in of the console. */
export function composePeople(base: Base) {
  const { home, clock, ids, log, secrets, config, keys } = base;
  const people: PeopleDependencies = {
    database: home,
    clock,
    ids,
    log,
    secrets,
    consoleUrl: config.consoleUrl,
    peopleKeys: createPeopleKeys(keys.current),
    passwords: createPasswordHasher(),
    pauses: new Pauses(),
    signInLimit: new AddressLimiter(base.makeBuckets('sign-ins', signInRate)),
    provider: config.signOn && createProvider(config.signOn, clock),
  };
  // People are stored in one cell, the home.
  return { people, peopleSweeps: base.cell ? [] : [peopleSweep(base)] };
}
