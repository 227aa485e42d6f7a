/** A page of scanning shows what was scanned last, in its second step. */
export const readScanStep = ({ step }: Record<string, unknown>): { step?: 'review' } =>
  step === 'review' ? { step } : {}
