/** Demo products with a single variant: SKU, title, vendor, type, price, cost. */
export const singles: readonly (readonly [string, string, string, string, string, string])[] = [
  ['MUG-STN-350', 'Stoneware mug, 350 ml — oat', 'Northgate Ceramics', 'Tableware', '9.50', '2.85'],
  ['BWL-STN-18', 'Stoneware bowl, 18 cm — oat', 'Northgate Ceramics', 'Tableware', '12.00', '3.60'],
  ['QC-POT-600', '青瓷茶壶 600 ml', '景德镇青瓷坊', 'Tea', '42.00', '11.75'],
  ['QC-CUP-6', '青瓷茶杯（6 只装）', '景德镇青瓷坊', 'Tea', '28.00', '7.20'],
  ['QC-TRAY', '竹制茶盘 — Bamboo tea tray', '景德镇青瓷坊', 'Tea', '34.00', '9.95'],
  ['OIL-EV-500', 'Εξαιρετικό παρθένο ελαιόλαδο 500 ml', 'Αιγαίο Ελαιόλαδο Α.Ε.', 'Deli', '14.50', '5.40'],
  ['OLV-KAL-250', 'Ελιές Καλαμών 250 g', 'Αιγαίο Ελαιόλαδο Α.Ε.', 'Deli', '6.20', '2.15'],
  ['SOAP-LRL-200', 'صابون الغار ٢٠٠ غ', 'مؤسسة الياسمين للعطور', 'Bath', '5.80', '1.90'],
  ['ROSE-WTR-250', 'ماء الورد — Rose water 250 ml', 'مؤسسة الياسمين للعطور', 'Bath', '9.90', '3.35'],
  ['NAP-LIN-4', 'Serviettes en lin lavé (lot de 4)', 'Atelier Lefèvre & Fils', 'Linen', '39.00', '14.50'],
  [
    'TBL-LIN-250',
    'Nappe en lin 150 × 250 cm, bleu pétrole',
    'Atelier Lefèvre & Fils',
    'Linen',
    '89.00',
    '31.05',
  ],
  ['TWL-KTC', 'Torchon à carreaux', 'Atelier Lefèvre & Fils', 'Linen', '8.50', '2.98'],
  ['BRD-OLV-40', 'Olive wood board, 40 cm', 'Αιγαίο Ελαιόλαδο Α.Ε.', 'Kitchen', '36.00', '13.20'],
  ['SPN-OLV', 'Olive wood spoon', 'Αιγαίο Ελαιόλαδο Α.Ε.', 'Kitchen', '7.90', '2.10'],
  ['MIL-PEP-18', 'Pepper mill, 18 cm', 'Harbour Works', 'Kitchen', '29.00', '10.40'],
  ['GRD-OLV-JAR', 'Olive jar with ladle', 'Northgate Ceramics', 'Kitchen', '24.00', '8.30'],
  ['WHK-BAM', 'Bamboo matcha whisk', '景德镇青瓷坊', 'Tea', '16.50', '4.80'],
  ['TEA-LJ-100', '龙井 — Longjing green tea 100 g', '景德镇青瓷坊', 'Tea', '18.00', '6.90'],
  ['TEA-TGY-100', '铁观音 — Tieguanyin oolong 100 g', '景德镇青瓷坊', 'Tea', '17.00', '6.20'],
  ['TEA-PE-357', '普洱茶饼 357 g', '景德镇青瓷坊', 'Tea', '46.00', '19.00'],
  ['SLT-FLK-150', 'Sea salt flakes 150 g', 'Αιγαίο Ελαιόλαδο Α.Ε.', 'Deli', '4.40', '1.20'],
  ['HNY-THM-400', 'Thyme honey 400 g', 'Αιγαίο Ελαιόλαδο Α.Ε.', 'Deli', '11.90', '5.10'],
  ['CAP-SLT-100', 'Capers in salt 100 g', 'Αιγαίο Ελαιόλαδο Α.Ε.', 'Deli', '4.90', '1.75'],
  ['VIN-RED-500', 'Red wine vinegar 500 ml', 'Αιγαίο Ελαιόλαδο Α.Ε.', 'Deli', '7.30', '2.60'],
  ['OUD-BRN', 'مبخرة — Incense burner', 'مؤسسة الياسمين للعطور', 'Home', '31.00', '11.00'],
  ['JAS-OIL-30', 'زيت الياسمين ٣٠ مل', 'مؤسسة الياسمين للعطور', 'Bath', '22.00', '8.60'],
  ['LMP-STN', 'Stoneware table lamp', 'Northgate Ceramics', 'Home', '74.00', '28.50'],
  ['CLK-OAK', 'Oak wall clock', 'Harbour Works', 'Home', '58.00', '22.40'],
  ['HK-BRS-3', 'Brass hooks, set of 3', 'Harbour Works', 'Home', '19.50', '6.30'],
  ['BSK-WLW-L', 'Willow log basket', 'Harbour Works', 'Home', '65.00', '26.00'],
]

/**
 * Demo products with several variants: SKU stem, title, vendor, type, price, cost, then each option with its
 * values. Every combination of values is a variant.
 */
export const families: readonly {
  stem: string
  title: string
  vendor: string
  type: string
  price: number
  cost: number
  options: Readonly<Record<string, readonly string[]>>
}[] = [
  ...['Dinner plate', 'Side plate', 'Pasta bowl', 'Espresso cup', 'Jug', 'Butter dish', 'Vase'].map(
    (title, index) => ({
      stem: `STN-${index + 1}`,
      title: `Stoneware ${title.toLowerCase()}`,
      vendor: 'Northgate Ceramics',
      type: 'Tableware',
      price: 11 + index * 3.5,
      cost: 3.4 + index * 1.1,
      options: { Glaze: ['Oat', 'Slate', 'Sea', 'Ember'] },
    }),
  ),
  ...['Apron', 'Bed throw', 'Cushion cover', 'Table runner', 'Curtain'].map((title, index) => ({
    stem: `LIN-${index + 1}`,
    title: `Washed linen ${title.toLowerCase()}`,
    vendor: 'Atelier Lefèvre & Fils',
    type: 'Linen',
    price: 28 + index * 9,
    cost: 10.5 + index * 3.2,
    options: { Colour: ['Flax', 'Rust', 'Ink', 'Sage', 'Pétrole'] },
  })),
  ...['Beeswax candle', 'Room spray', 'Hand soap', 'Hand cream'].map((title, index) => ({
    stem: `SCN-${index + 1}`,
    title,
    vendor: 'Harbour Works',
    type: 'Bath',
    price: 9 + index * 2.5,
    cost: 2.7 + index * 0.8,
    options: { Scent: ['Fig', 'Cedar', 'Sea salt'], Size: ['Small', 'Large'] },
  })),
  {
    stem: 'SMK',
    title: 'Fisherman’s smock',
    vendor: 'Harbour Works',
    type: 'Clothing',
    price: 68,
    cost: 26.4,
    options: { Colour: ['Navy', 'Brick', 'Ecru'], Size: ['XS', 'S', 'M', 'L', 'XL'] },
  },
  {
    stem: 'BNI',
    title: 'Ribbed wool beanie',
    vendor: 'Harbour Works',
    type: 'Clothing',
    price: 24,
    cost: 8.9,
    options: { Colour: ['Navy', 'Brick', 'Ecru', 'Moss', 'Mustard', 'Charcoal'] },
  },
  {
    stem: 'NTB',
    title: 'Cloth-bound notebook',
    vendor: 'Harbour Works',
    type: 'Stationery',
    price: 12.5,
    cost: 4.1,
    options: { Paper: ['Plain', 'Ruled', 'Dotted'], Size: ['A6', 'A5', 'A4'] },
  },
  {
    stem: 'SOK',
    title: 'Boot socks',
    vendor: 'Harbour Works',
    type: 'Clothing',
    price: 14,
    cost: 4.6,
    options: { Colour: ['Navy', 'Brick', 'Ecru', 'Moss', 'Mustard', 'Charcoal'], Size: ['S', 'M', 'L'] },
  },
  {
    stem: 'JAR',
    title: 'Stoneware storage jar',
    vendor: 'Northgate Ceramics',
    type: 'Kitchen',
    price: 22,
    cost: 7.8,
    options: { Glaze: ['Oat', 'Slate', 'Sea', 'Ember'], Volume: ['0.5 l', '1 l', '2 l'] },
  },
  {
    stem: 'PST',
    title: 'Letterpress harbour print',
    vendor: 'Harbour Works',
    type: 'Stationery',
    price: 32,
    cost: 9.4,
    options: { View: ['Boats', 'Bridge', 'Cranes', 'Gulls', 'Docks'], Size: ['A4', 'A3'] },
  },
  {
    stem: 'YRN',
    title: 'Hand-dyed yarn, 100 g',
    vendor: 'Harbour Works',
    type: 'Yarn',
    price: 18.5,
    cost: 7.15,
    options: {
      Colour: [
        ...['Indigo', 'Woad', 'Teal', 'Fern', 'Moss', 'Olive', 'Weld', 'Saffron', 'Marigold', 'Apricot'],
        ...['Coral', 'Madder', 'Brick', 'Rose', 'Orchid', 'Plum', 'Heather', 'Slate', 'Ash', 'Walnut'],
        ...['Oat', 'Sand', 'Peat', 'Ink'],
      ],
      Tone: ['Pale', 'Light', 'Middle', 'Deep', 'Dark'],
    },
  },
]
