import type { StaffPermission } from '../../../tenants/people/staff-permissions.ts';
import type { Language } from './common.ts';

/** What each permission of the staff opens, in words. */
const pt: Record<StaffPermission, string> = {
  'merchants.read': 'Ver estabelecimentos, comissões e limites',
  'merchants.write': 'Criar, suspender e alterar estabelecimentos, comissões e limites',
  'api_keys.read': 'Ver chaves da API dos estabelecimentos',
  'api_keys.write': 'Criar e revogar chaves da API dos estabelecimentos',
  'payments.read': 'Ver pagamentos e reembolsos',
  'phones.read': 'Ver telefones completos',
  'operators.read': 'Ver o estado dos operadores',
  'reviews.read': 'Ver o que espera por uma decisão',
  'reviews.resolve': 'Decidir o que espera',
  'approvals.read': 'Ver pedidos de aprovação, do que outras permissões abrem',
  'settlements.read': 'Ver transferências de todos',
  'settlements.decide': 'Dizer que uma transferência chegou, ou falhou',
  'settlements.download': 'Descarregar ordens para o banco, com números de conta completos',
  'bank_accounts.read':
    'Ver contas bancárias dos estabelecimentos: de cada número, os últimos 4 algarismos',
  'bank_accounts.write': 'Mudar contas bancárias dos estabelecimentos e ver os números completos',
  'reconciliations.read': 'Ver reconciliações',
  'reconciliations.write': 'Enviar extratos de operadores e tratar das diferenças',
  'ledger.read': 'Ver contas e lançamentos',
  'system.read': 'Ver trabalho por fazer, diagnóstico e processos',
  'notices.read': 'Ver avisos, do que outras permissões abrem',
  'audit.read': 'Procurar, verificar e descarregar o registo de auditoria',
  'staff.read': 'Ver a equipa do gateway',
  'staff.write': 'Convidar e retirar pessoas da equipa, mudar funções',
  'admin_keys.read': 'Ver chaves de /admin/v1',
  'admin_keys.write': 'Criar e revogar chaves de /admin/v1',
};

const en: typeof pt = {
  'merchants.read': 'See merchants, their fees and limits',
  'merchants.write': 'Create, suspend and change merchants; set fees and limits',
  'api_keys.read': "See merchants' API keys",
  'api_keys.write': "Create and revoke merchants' API keys",
  'payments.read': 'See payments and refunds',
  'phones.read': 'See whole phone numbers',
  'operators.read': "See operators' health",
  'reviews.read': 'See what waits for a decision',
  'reviews.resolve': 'Decide what waits',
  'approvals.read': 'See requests for approval, of what other permissions open',
  'settlements.read': 'See payouts of all merchants',
  'settlements.decide': 'Say that a payout arrived, or failed',
  'settlements.download': 'Download orders for the bank, with whole account numbers',
  'bank_accounts.read': "See merchants' bank accounts: the last 4 digits of each number",
  'bank_accounts.write': "Change merchants' bank accounts and see the whole numbers",
  'reconciliations.read': 'See reconciliations',
  'reconciliations.write': "Upload operators' statements and work through differences",
  'ledger.read': 'See accounts and postings',
  'system.read': 'See due work, doctor, processes and backups',
  'notices.read': 'See notices, of what other permissions open',
  'audit.read': 'Search, verify and download the audit log',
  'staff.read': 'See the staff',
  'staff.write': 'Invite and remove staff, change roles',
  'admin_keys.read': 'See keys of /admin/v1',
  'admin_keys.write': 'Create and revoke keys of /admin/v1',
};

export const staffPermissionWords: Record<Language, typeof pt> = { pt, en };
