import type { StaffRole } from '../../../tenants/people/staff-permissions.ts';
import type { Language } from './common.ts';

/** What each role of the staff is called, and whom it is for. */
export const staffRoleWords: Record<
  Language,
  Record<StaffRole, { name: string; means: string }>
> = {
  pt: {
    ADMIN: { name: 'Administração', means: 'Pode tudo, e decide quem mais pode o quê.' },
    OPERATIONS: {
      name: 'Operações',
      means: 'Trata de estabelecimentos, operadores e do que espera por uma decisão.',
    },
    FINANCE: {
      name: 'Finanças',
      means: 'Confirma transferências, reconcilia extratos e vê a contabilidade.',
    },
    AUDITOR: { name: 'Auditoria', means: 'Vê tudo menos números de telefone, e não muda nada.' },
  },
  en: {
    ADMIN: { name: 'Admin', means: 'May do everything, and decides who else may do what.' },
    OPERATIONS: {
      name: 'Operations',
      means: 'Looks after merchants, operators and whatever waits for a decision.',
    },
    FINANCE: {
      name: 'Finance',
      means: 'Confirms payouts, reconciles statements and sees the ledger.',
    },
    AUDITOR: {
      name: 'Auditor',
      means: 'Sees everything but whole phone numbers, and changes nothing.',
    },
  },
};
