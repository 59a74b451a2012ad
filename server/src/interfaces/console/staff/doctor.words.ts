import type { Language } from '../words/common.ts';

const pt = {
  title: 'Diagnóstico',
  process: 'Verificado pelo processo',
  again: 'Verificar de novo',
  running: (done: string) => `A verificar… ${done} feitas. A página atualiza-se sozinha.`,
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
  states: { ok: 'Em ordem', warning: 'A ver', error: 'Erro' },
  finding: 'O que se encontrou',
  hint: 'São as verificações de zimbo doctor, em inglês como no comando. Disco, ficheiros e relógio são os da máquina do processo que respondeu. O resultado vale durante 30 segundos.',
};

const en: typeof pt = {
  title: 'Doctor',
  process: 'Checked by the process',
  again: 'Check again',
  running: (done) => `Checking… ${done} done. The page renews itself.`,
  broken: 'The checks broke off. Try again.',
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
  states: { ok: 'Fine', warning: 'Look at it', error: 'Error' },
  finding: 'What was found',
  hint: 'These are the checks of zimbo doctor. Disk, files and clock are those of the machine whose process answered. A result is kept for 30 seconds.',
};

export const words: Record<Language, typeof pt> = { pt, en };
