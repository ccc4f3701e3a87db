/** What a line of a payment's total is for: the field of the totals record that it adds to. */
export type PaymentLineKind = 'subtotal' | 'payInFees' | 'marketplaceFees' | 'gasFees' | 'rent'

/** A line of a payment's total, in cents of the currency that is charged. Plain JSON. */
export type PaymentLine = { kind: PaymentLineKind; label: string; cents: number }
