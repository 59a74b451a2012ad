import { bankAccountMutations } from './bank-accounts.ts';
import type { Mutation } from './list.ts';
import { noticeMutations } from './notices.ts';

const store = 'server/src/approvals/store.ts';
const effects = 'server/src/approvals/effects.ts';
const decide = 'server/src/approvals/decide.ts';
const test = 'server/src/approvals/approvals.test.ts';
const staffTest = 'server/src/approvals/staff-kinds.test.ts';
const guises = 'whoever asked cannot approve';
const changes = 'what changed meanwhile';

/** Faults of what one asks for and another approves. */
export const approvalMutations: Mutation[] = [
  {
    name: 'approvals: the account that asked approves',
    file: store,
    find: '  AND a.asked_by <> p.id\n',
    replace: '',
    test,
    only: guises,
  },
  {
    name: 'approvals: another account of the same mailbox approves',
    file: store,
    find: '  AND a.asked_mailbox <> ',
    replace: '  AND a.tenant_id::text <> ',
    test,
    only: guises,
  },
  {
    name: 'approvals: another account of the same identity approves',
    file: store,
    find: '  AND (a.asked_identity IS NULL OR a.asked_identity IS DISTINCT FROM $4)\n',
    replace: '  AND ($4::text IS NULL OR true)\n',
    test,
    only: guises,
  },
  {
    name: 'approvals: an expired request is approved',
    file: store,
    find: '  AND a.expires_at > $5\n',
    replace: '',
    test,
    only: changes,
  },
  {
    name: 'approvals: who lost the role approves',
    file: store,
    find: "may('p.id', '$8::text[]'",
    replace: "may('p.id', `($8::text[] || ARRAY['SUPPORT'])`",
    test,
    only: changes,
  },
  {
    name: 'approvals: who asked has lost the role',
    file: store,
    find: "may('a.asked_by', '$7::text[]'",
    replace: "may('a.asked_by', `($7::text[] || ARRAY['VIEWER'])`",
    test,
    only: changes,
  },
  {
    name: 'approvals: two decide one request',
    file: store,
    find: '  AND a.status IN ',
    replace: "  AND 'PENDING' IN ",
    test,
    only: 'two who approve at once',
  },
  {
    name: 'approvals: what changed meanwhile is approved',
    file: decide,
    find: '=== row.subjectState;',
    replace: "!== '';",
    test,
    only: changes,
  },
  {
    name: 'approvals: an effect has a new idempotency key with each try',
    file: effects,
    find: 'idempotency: idempotentRequest(',
    replace: 'idempotency: idempotentRequest(dependencies.ids.next(0) + ',
    test,
    only: 'a process that dies',
  },
  {
    name: 'approvals: a request of the API takes the idempotency key of an effect',
    file: effects,
    find: '`approval → ${id}`',
    replace: '`approval:${id}`',
    test,
    only: 'no request of the API',
  },
  {
    name: 'approvals: an effect that was interrupted is forgotten',
    file: 'server/src/approvals/worker.ts',
    find: 'for (const approval of approved) await carryOut(approval);',
    replace: 'void carryOut;',
    test,
    only: 'a process that dies',
  },
  {
    name: 'approvals: refunds of a payment are counted one by one',
    file: 'server/src/four-eyes.ts',
    find: 'takenMinor + amountMinor <= limitMinor',
    replace: 'amountMinor <= limitMinor',
    test,
    only: 'a refund alone',
  },
  {
    name: 'approvals: the limit itself needs an approval',
    file: 'server/src/four-eyes.ts',
    find: 'takenMinor + amountMinor <= limitMinor',
    replace: 'takenMinor + amountMinor < limitMinor',
    test,
    only: 'a refund alone',
  },
  {
    name: 'approvals: somebody else collects the key',
    file: effects,
    find: 'if (approval.askedBy !== by.personId)',
    replace: "if (by.personId === '')",
    test,
    only: 'a live key that was approved',
  },
  {
    name: 'approvals: a settlement is completed by one',
    file: 'server/src/settlements/finish.ts',
    find: "  requireNoApproval(dependencies.fourEyes, 'settlements');\n",
    replace: '',
    test: staffTest,
    only: 'a settlement is completed',
  },
  {
    name: 'approvals: members of the merchant decide for the staff',
    file: store,
    find: 'return { asks: [], decides: [], staff:',
    replace: "return { asks: ['OWNER'], decides: ['OWNER'], staff:",
    test: staffTest,
    only: 'a settlement is completed',
  },
  {
    name: 'approvals: a live key is made by one',
    file: 'server/src/merchants/keys.ts',
    find: "if (mode === 'live') requireNoApproval",
    replace: "if (mode !== 'live' && mode !== 'test') requireNoApproval",
    test: staffTest,
    only: 'a live key needs two',
  },
  {
    name: 'approvals: in live mode somebody approves without proof of who they are',
    file: 'server/src/console/pages/approvals.ts',
    find: "  isSensitive: how !== 'cancel',",
    replace: "  isSensitive: how === 'cancel',",
    test: 'server/test/flows/approvals.test.ts',
    only: 'a live key is asked for',
  },
  {
    name: 'approvals: a key that reads none of what they are about sees them',
    file: 'server/src/admin/approval-routes.ts',
    find: 'staffKindsFor((permission) => permissions.has(permission))',
    replace: 'staffKindsFor(() => permissions.size > 0)',
    test: 'server/test/flows/console-staff-approvals.test.ts',
    only: 'whoever asked approves in no guise',
  },
  ...bankAccountMutations,
  // Who hears of a request for approval, and of what else.
  ...noticeMutations,
];
