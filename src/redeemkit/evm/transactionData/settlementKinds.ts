import type { TransactionDataKind } from '../../schema/transactionDataKind.ts'

/** What a redeem executes, by the name of the shape that asks for it. */
export type SettlementKind = TransactionDataKind

/**
 * The settlement kinds, written once (PROTOCOL.md 4.2, 6.2, 11.6). Everything that tells kinds apart reads this table, so a
 * further kind is one row here, and then whatever the type checker names.
 */
export const settlementShapes = {
  token: { number: 0, does: 'transfer', nft: 'none', required: ['type', 'destination'], optional: [] },
  normal: { number: 1, does: 'call', nft: 'none', required: ['transaction'], optional: ['type'] },
  safeMint: {
    number: 2,
    does: 'call',
    nft: 'contract',
    required: ['type', 'transaction'],
    optional: ['nftContract'],
  },
  returned: {
    number: 3,
    does: 'call',
    nft: 'contract',
    required: ['type', 'transaction'],
    optional: ['nftContract'],
  },
  knownTokenId: {
    number: 4,
    does: 'call',
    nft: 'token',
    required: ['transaction', 'nftContract', 'nftId'],
    optional: ['type'],
  },
  decent: {
    number: 5,
    does: 'bridge',
    nft: 'none',
    required: ['type', 'dstChainId', 'dstToken', 'contractAddress', 'contractData', 'cost'],
    optional: [],
  },
} as const satisfies Record<SettlementKind, SettlementShape>

type SettlementShape = {
  /** In the settlement hash, in the contract and in its event. */
  number: number
  /** Pays a destination, makes a call on this chain, or has a bridge make one on another. Decides where its target stands. */
  does: 'transfer' | 'call' | 'bridge'
  /** What it says of the tokens that go on to the customer: nothing, where they come from, or which one it is. */
  nft: 'none' | 'contract' | 'token'
  /** Fields of the wire record, besides `waitForHash`. A shape that requires `type` is recognised by it. */
  required: readonly string[]
  optional: readonly string[]
}

/** The number of each kind: `settlementKinds.token` is 0. */
export const settlementKinds = /* @__PURE__ */ numbersOf(settlementShapes)

/**
 * The kind of a number in a settlement or a `Redeemed` event.
 *
 * @returns `undefined` for a number that is none
 */
export function settlementKindOf(number: SettlementNumber): SettlementKind
export function settlementKindOf(number: number): SettlementKind | undefined
export function settlementKindOf(number: number): SettlementKind | undefined {
  // the keys of the table are the kinds
  return (Object.keys(settlementKinds) as SettlementKind[]).find((kind) => settlementKinds[kind] === number)
}

export type SettlementNumber = (typeof settlementShapes)[SettlementKind]['number']

function numbersOf<const shapes extends Record<string, { number: number }>>(shapes: shapes) {
  // each key with the number of its row
  return Object.fromEntries(Object.entries(shapes).map(([kind, { number }]) => [kind, number])) as {
    readonly [kind in keyof shapes]: shapes[kind]['number']
  }
}
