import type { Role } from '../../../tenants/people/permissions.ts';
import type { Language } from './common.ts';

/** What each role is called, and whom it is for. */
export const roleWords: Record<Language, Record<Role, { name: string; means: string }>> = {
  pt: {
    OWNER: {
      name: 'Proprietário',
      means: 'Pode tudo, e decide quem mais pode o quê.',
    },
    FINANCE: {
      name: 'Finanças',
      means: 'Vê pagamentos, saldo e transferências; reembolsa, transfere e descarrega.',
    },
    SUPPORT: {
      name: 'Atendimento',
      means: 'Cobra, reembolsa e cria links de pagamento; vê os números de telefone inteiros.',
    },
    DEVELOPER: {
      name: 'Programador',
      means: 'Trata das chaves da API e dos webhooks; cobra para experimentar.',
    },
    VIEWER: {
      name: 'Só ver',
      means: 'Vê pagamentos e saldo, e não muda nada.',
    },
  },
  en: {
    OWNER: {
      name: 'Owner',
      means: 'May do everything, and decides who else may do what.',
    },
    FINANCE: {
      name: 'Finance',
      means: 'Sees payments, balance and payouts; refunds, pays out and downloads.',
    },
    SUPPORT: {
      name: 'Support',
      means: 'Charges, refunds and creates payment links; sees whole phone numbers.',
    },
    DEVELOPER: {
      name: 'Developer',
      means: 'Looks after API keys and webhooks; charges to try things out.',
    },
    VIEWER: {
      name: 'Viewer',
      means: 'Sees payments and balance, and changes nothing.',
    },
  },
};
