import { authorOf, endSession } from '../../../tenants/people/sessions.ts';
import type { Door, OwnCaller } from './door.ts';

/** Signs out: ends the session of the cookie. */
export const signOutDoor: Door<OwnCaller> = {
  path: '/sign-out',
  show: ({ address }) => Promise.resolve({ to: address('/console') }),
  actions: {
    async ''(caller) {
      const { who, people, visitor, address } = caller;
      const session = { personId: who.person.id, id: who.sessionId };
      await endSession({ ...people, ...authorOf(who.person.id, visitor) }, session);
      caller.leave();
      if (who.isAtTill) return { to: address('/console/till') };
      return { to: address('/console/sign-in?done=signed-out') };
    },
  },
};
