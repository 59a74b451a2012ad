import { labels } from '../../../platform/text/labels.ts';
import type { StaffPermission } from '../../../tenants/people/staff-permissions.ts';
import type { Language } from './common.ts';

/** What each permission of the staff opens, in words. */
const pt: Record<StaffPermission, string> = {
  'merchants.read': 'Ver estabelecimentos, comissões e limites',
  'merchants.write': 'Criar, suspender e alterar estabelecimentos, comissões e limites',
  'api_keys.read': 'Ver chaves da API dos estabelecimentos',
  'api_keys.write': 'Criar e revogar chaves da API dos estabelecimentos',
  'payments.read': 'Ver pagamentos e reembolsos',
  'phones.read': labels.pt.seeFullPhones,
  'operators.read': 'Ver o estado dos operadores',
  'reviews.read': 'Ver os casos por decidir',
  'reviews.resolve': 'Decidir os casos',
  'approvals.read': 'Ver os pedidos de aprovação a que as outras permissões dão acesso',
  'settlements.read': 'Ver as transferências de todos os estabelecimentos',
  'settlements.decide': 'Registar que o banco pagou, ou não pagou, uma transferência',
  'settlements.download': 'Descarregar ordens para o banco, com números de conta completos',
  'bank_accounts.read':
    'Ver contas bancárias dos estabelecimentos, com os últimos 4 algarismos de cada número',
  'bank_accounts.write': 'Alterar contas bancárias dos estabelecimentos e ver os números completos',
  'reconciliations.read': 'Ver reconciliações',
  'reconciliations.write': 'Carregar extratos de operadores e tratar das diferenças',
  'ledger.read': 'Ver contas e lançamentos',
  'system.read': 'Ver trabalho por fazer, diagnóstico, processos e cópias de segurança',
  'notices.read': 'Ver os avisos a que as outras permissões dão acesso',
  'audit.read': 'Procurar, verificar e descarregar o registo de auditoria',
  'staff.read': 'Ver a equipa do gateway',
  'staff.write': 'Convidar e remover pessoas da equipa, alterar funções',
  'admin_keys.read': 'Ver chaves de gestão',
  'admin_keys.write': 'Criar e revogar chaves de gestão',
};

const en: typeof pt = {
  'merchants.read': 'See merchants, their fees and limits',
  'merchants.write': 'Create, suspend and change merchants; set fees and limits',
  'api_keys.read': 'See merchants’ API keys',
  'api_keys.write': 'Create and revoke merchants’ API keys',
  'payments.read': 'See payments and refunds',
  'phones.read': labels.en.seeFullPhones,
  'operators.read': 'See the health of operators',
  'reviews.read': 'See cases that need a decision',
  'reviews.resolve': 'Decide these cases',
  'approvals.read': 'See those requests for approval that the other permissions cover',
  'settlements.read': 'See the payouts of all merchants',
  'settlements.decide': 'Record that the bank paid a payout, or did not pay',
  'settlements.download': 'Download bank orders with full account numbers',
  'bank_accounts.read': 'See merchants’ bank accounts, with the last 4 digits of each number',
  'bank_accounts.write': 'Change merchants’ bank accounts and see the full numbers',
  'reconciliations.read': 'See reconciliations',
  'reconciliations.write': 'Upload operators’ statements and deal with differences',
  'ledger.read': 'See accounts and postings',
  'system.read': 'See due work, doctor, processes and backups',
  'notices.read': 'See those notices that the other permissions cover',
  'audit.read': 'Search, verify and download the audit log',
  'staff.read': 'See the staff',
  'staff.write': 'Invite and remove staff, change roles',
  'admin_keys.read': 'See admin keys',
  'admin_keys.write': 'Create and revoke admin keys',
};

export const staffPermissionWords: Record<Language, typeof pt> = { pt, en };
