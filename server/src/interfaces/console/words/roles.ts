import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { MemberRole, Role } from '../../../tenants/people/permissions.ts';
import type { Language } from './common.ts';

/** What each role is called, and whom it is for. */
export const roleWords: Record<Language, Record<Role, { name: string; means: string }>> = {
  pt: {
    OWNER: {
      name: 'Proprietário',
      means: messages.pt.canDoEverything,
    },
    FINANCE: {
      name: labels.pt.finance,
      means:
        'Vê pagamentos, saldo e transferências; faz reembolsos e transferências, e descarrega ficheiros.',
    },
    SUPPORT: {
      name: 'Atendimento',
      means: 'Cobra, reembolsa e cria links de pagamento; vê os números de telefone completos.',
    },
    DEVELOPER: {
      name: 'Programador',
      means: 'Gere as chaves da API e os webhooks; pode cobrar para experimentar.',
    },
    VIEWER: {
      name: 'Consulta',
      means: 'Vê pagamentos e saldo, e não altera nada.',
    },
    CASHIER: {
      name: 'Caixa',
      means: 'Cobra, vê as próprias cobranças de hoje e envia recibos. Nada mais.',
    },
  },
  en: {
    OWNER: {
      name: 'Owner',
      means: messages.en.canDoEverything,
    },
    FINANCE: {
      name: labels.en.finance,
      means: 'Sees payments, balance and payouts; makes refunds, payouts and downloads.',
    },
    SUPPORT: {
      name: 'Support',
      means: 'Charges, refunds and creates payment links; sees full phone numbers.',
    },
    DEVELOPER: {
      name: 'Developer',
      means: 'Manages API keys and webhooks; can charge to try things out.',
    },
    VIEWER: {
      name: 'Viewer',
      means: 'Sees payments and balance, and changes nothing.',
    },
    CASHIER: {
      name: 'Cashier',
      means: 'Charges, sees the own charges of today, and sends receipts. Nothing else.',
    },
  },
};

const ownRole: Record<Language, string> = { pt: 'Função própria', en: 'Custom role' };

/** The name of a member's role: of the table, or the one that owners gave it. */
export const roleName = (
  language: Language,
  { role, roleName: own }: { role: MemberRole; roleName: string | null },
): string => (role === 'CUSTOM' ? (own ?? ownRole[language]) : roleWords[language][role].name);
