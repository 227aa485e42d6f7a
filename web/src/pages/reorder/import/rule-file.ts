/** One manual and one automatic rule. */
export const sampleFile = [
  'sku,reorderPoint,reorderQuantity,supplier,location,mode,serviceLevel,reviewDays',
  'MUG-STN-350,20,50,Northgate Ceramics,,manual,,',
  'MUG-STN-500,,,Northgate Ceramics,,auto,95,7',
  '',
].join('\r\n')
