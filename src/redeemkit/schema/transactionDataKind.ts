/** `true` if records of the shape have its name as `type`. */
const kinds = {
  safeMint: true,
  returned: true,
  token: true,
  decent: true,
  knownTokenId: false,
  normal: false,
} as const

export type TransactionDataKind = keyof typeof kinds

type WireType = {
  [kind in TransactionDataKind]: (typeof kinds)[kind] extends true ? kind : never
}[TransactionDataKind]

export const wireTypes = /* @__PURE__ */ Object.entries(kinds).flatMap(([kind, isOnWire]) =>
  isOnWire ? kind : [],
)

/**
 * Returns the name of the shape of a parsed `transactionData`.
 *
 * @see PROTOCOL.md 6.2
 *
 * @example
 * ```ts
 * import { transactionDataKind } from 'redeemkit/schema'
 * transactionDataKind({ type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
 * // 'token'
 * ```
 */
export function transactionDataKind(
  transactionData: Readonly<Record<string, unknown>> & { type?: WireType | undefined },
): TransactionDataKind {
  return kindOf(transactionData) as TransactionDataKind // a parsed record always has a known shape
}

export declare namespace transactionDataKind {
  type ErrorType = never
}

/** A record without `type` is a `knownTokenId` if it has `nftContract` or `nftId`, otherwise `normal`. */
export function kindOf(record: Readonly<Record<string, unknown>>): TransactionDataKind | undefined {
  const { type, nftContract, nftId } = record
  if (type === undefined) return nftContract === undefined && nftId === undefined ? 'normal' : 'knownTokenId'
  return wireTypes.some((known) => known === type) ? (type as TransactionDataKind) : undefined // `wireTypes` has it
}
