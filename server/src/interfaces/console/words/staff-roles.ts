import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { StaffRole } from '../../../tenants/people/staff-permissions.ts';
import type { Language } from './common.ts';

/** What each role of the staff is called, and whom it is for. */
export const staffRoleWords: Record<
  Language,
  Record<StaffRole, { name: string; means: string }>
> = {
  pt: {
    ADMIN: {
      name: 'Administração',
      means: messages.pt.canDoEverything,
    },
    OPERATIONS: {
      name: 'Operações',
      means: 'Trata de estabelecimentos, operadores e casos por decidir.',
    },
    FINANCE: {
      name: labels.pt.finance,
      means: 'Confirma transferências, reconcilia extratos e vê o livro-razão.',
    },
    AUDITOR: {
      name: 'Auditoria',
      means: 'Vê tudo, exceto números de telefone completos, e não altera nada.',
    },
  },
  en: {
    ADMIN: { name: 'Admin', means: messages.en.canDoEverything },
    OPERATIONS: {
      name: 'Operations',
      means: 'Looks after merchants, operators and cases that need a decision.',
    },
    FINANCE: {
      name: labels.en.finance,
      means: 'Confirms payouts, reconciles statements and sees the ledger.',
    },
    AUDITOR: {
      name: 'Auditor',
      means: 'Sees everything except full phone numbers, and changes nothing.',
    },
  },
};
