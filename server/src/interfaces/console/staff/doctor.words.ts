import type { Language } from '../words/common.ts';

const pt = {
  title: 'Diagnóstico',
  process: 'Verificado pelo processo',
  again: 'Verificar de novo',
  running: (done: string) => `A verificar… ${done} feitas. A página atualiza-se automaticamente.`,
  broken: 'As verificações foram interrompidas. Tente de novo.',
  fine: 'Está tudo em ordem.',
  found: (errors: string, warnings: string) => `Erros: ${errors}. Avisos: ${warnings}.`,
  groups: {
    Settings: 'Definições',
    Data: 'Dados desta máquina',
    Database: 'Base de dados',
    Work: 'Trabalho',
    Cells: 'Células',
  } as Record<string, string>,
  check: 'Verificação',
  state: 'Estado',
  states: { ok: 'Em ordem', warning: 'Aviso', error: 'Erro' },
  finding: 'Resultado',
  hint: 'São as verificações de zimbo doctor, em inglês como no comando. O disco, os ficheiros e o relógio são os da máquina do processo que respondeu. O resultado vale durante 30 segundos.',
};

const en: typeof pt = {
  title: 'Doctor',
  process: 'Checked by the process',
  again: 'Check again',
  running: (done) => `Checking… ${done} done. The page updates automatically.`,
  broken: 'The checks were interrupted. Try again.',
  fine: 'All is well.',
  found: (errors, warnings) => `Errors: ${errors}. Warnings: ${warnings}.`,
  groups: {
    Settings: 'Settings',
    Data: 'Data of this machine',
    Database: 'Database',
    Work: 'Work',
    Cells: 'Cells',
  },
  check: 'Check',
  state: 'Status',
  states: { ok: 'Fine', warning: 'Warning', error: 'Error' },
  finding: 'Result',
  hint: 'These are the checks of zimbo doctor. Disk, files and clock are those of the machine whose process answered. A result is kept for 30 seconds.',
};

export const words: Record<Language, typeof pt> = { pt, en };
