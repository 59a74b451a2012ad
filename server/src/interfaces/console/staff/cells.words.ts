import type { Language } from '../words/common.ts';

const pt = {
  title: 'Célula',
  all: 'Todas as células',
  mark: (name: string) =>
    `Célula ${name}: o que alterar aqui vale para todos os estabelecimentos desta célula.`,
  createdIn: (name: string) =>
    `O estabelecimento fica na célula ${name}. Para o criar noutra, escolha-a no menu.`,
  oneAlone: (name: string) => `Esta página mostra apenas a célula ${name}. As outras:`,
};

const en: typeof pt = {
  title: 'Cell',
  all: 'All cells',
  mark: (name) => `Cell ${name}: what you change here affects all merchants of this cell.`,
  createdIn: (name) =>
    `The merchant will be in the cell ${name}. To create it in another cell, choose that cell in the menu.`,
  oneAlone: (name) => `This page shows only the cell ${name}. The others:`,
};

export const words: Record<Language, typeof pt> = { pt, en };
