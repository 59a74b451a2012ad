/** The shop's products. Prices are whole centavos, as everywhere in the API: never fractions. */
export const products = [
  {
    id: 'cafe',
    name: 'Café do Fogo',
    about: 'Torrado na ilha, em grão, 250 g.',
    price: 850_00,
    drawing:
      'M5 8h11v6a4 4 0 0 1-4 4H9a4 4 0 0 1-4-4zM16 9h1.5a2.5 2.5 0 0 1 0 5H16M8 2v3M13 2v3M4 21h13',
  },
  {
    id: 'doce',
    name: 'Doce de papaia',
    about: 'Feito em Santo Antão, frasco de 300 g.',
    price: 420_00,
    drawing: 'M8 3h8v3H8zM8 6 7 9v10a2 2 0 0 0 2 2h6a2 2 0 0 0 2-2V9l-1-3M7 12h10M7 17h10',
  },
  {
    id: 'pano',
    name: 'Pano di terra',
    about: 'Tecido à mão em Santiago, 60 × 170 cm.',
    price: 4_200_00,
    drawing: 'M4 3h16v15H4zM9 3v15M15 3v15M6 21v-3M10 21v-3M14 21v-3M18 21v-3',
  },
];
