import type { Address, Hex } from 'viem'
import { InvalidAmountError } from '../../core/amount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { TransactionData, TransactionDataOf } from '../../schema/transactionData.ts'
import { type TransactionDataKind, transactionDataKind } from '../../schema/transactionDataKind.ts'
import { checkAddress, checkNonZeroAddress, zeroAddress } from '../checkAddress.ts'
import {
  checkBoolean,
  checkChainId,
  checkHex,
  checkKeys,
  checkRecord,
  type InvalidChainIdError,
  type InvalidFlagError,
  type InvalidHexError,
  parseUint,
} from '../values.ts'

/** A settlement kind. It has the same name as its transactionData shape. */
export type SettlementKind = TransactionDataKind

/**
 * The settlement kinds (PROTOCOL.md 4.2, 6.2, 11.6). All code that distinguishes kinds reads this table. To add a kind, add a row: the
 * type checker then reports the other places to change, and fields that differ from the schema.
 */
export const settlementShapes = {
  token: { number: 0, does: 'transfer', nft: 'none', fields: { type: true, destination: true } },
  normal: { number: 1, does: 'call', nft: 'none', fields: { type: false, transaction: true } },
  safeMint: {
    number: 2,
    does: 'call',
    nft: 'contract',
    fields: { type: true, transaction: true, nftContract: false },
  },
  returned: {
    number: 3,
    does: 'call',
    nft: 'contract',
    fields: { type: true, transaction: true, nftContract: false },
  },
  knownTokenId: {
    number: 4,
    does: 'call',
    nft: 'token',
    fields: { type: false, transaction: true, nftContract: true, nftId: true },
  },
  decent: {
    number: 5,
    does: 'bridge',
    nft: 'none',
    fields: {
      type: true,
      dstChainId: true,
      dstToken: true,
      contractAddress: true,
      contractData: true,
      cost: true,
    },
  },
} as const satisfies { [kind in SettlementKind]: SettlementShape<TransactionDataOf<kind>> }

type SettlementShape<record> = {
  /** The kind's number in the settlement hash, in the contract and in its event. */
  number: number
  /** `transfer` pays a destination, `call` calls a contract, `bridge` has a bridge call a contract on another chain. */
  does: 'transfer' | 'call' | 'bridge'
  /** The tokens that the credits contract forwards to the customer: none, tokens of one contract, or one token by its id. */
  nft: 'none' | 'contract' | 'token'
  /** The fields of the record except `waitForHash`, and whether each is required. A required `type` identifies the shape. */
  fields: { [name in Exclude<keyof record, 'waitForHash'>]-?: undefined extends record[name] ? false : true }
}

/** The number of each settlement kind: `settlementKinds.token` is 0. */
export const settlementKinds = /* @__PURE__ */ numbersOf(settlementShapes)

export function settlementKindOf(number: SettlementNumber): SettlementKind
export function settlementKindOf(number: number): SettlementKind | undefined
export function settlementKindOf(number: number): SettlementKind | undefined {
  // the keys of the table are the settlement kinds
  return (Object.keys(settlementKinds) as SettlementKind[]).find((kind) => settlementKinds[kind] === number)
}

export function shapeOf(settlement: { kind: SettlementNumber }): (typeof settlementShapes)[SettlementKind]
export function shapeOf(settlement: { kind: number }): (typeof settlementShapes)[SettlementKind] | undefined
export function shapeOf({ kind }: { kind: number }) {
  const known = settlementKindOf(kind)
  return known && settlementShapes[known]
}

type SettlementNumber = (typeof settlementShapes)[SettlementKind]['number']

function numbersOf<const shapes extends Record<string, { number: number }>>(shapes: shapes) {
  // the result has the same keys, each with the number of its row
  return Object.fromEntries(Object.entries(shapes).map(([kind, { number }]) => [kind, number])) as {
    readonly [kind in keyof shapes]: shapes[kind]['number']
  }
}

/** `ICredits.Settlement`, the struct that a redeem executes. Unused fields are zero. */
export type Settlement = {
  kind: SettlementNumber
  target: Address
  data: Hex
  nftContract: Address
  nftId: bigint
  bridge: { dstChainId: bigint; dstToken: Address; isNative: boolean; cost: bigint }
}

/** The value of `bridge` for every kind except `decent`. */
export const noBridge = { dstChainId: 0n, dstToken: zeroAddress, isNative: false, cost: 0n } as const

/**
 * Converts a `transactionData` record to the struct that the credits contract executes and hashes.
 *
 * Omits `waitForHash`. If `safeMint` or `returned` has no `nftContract`, it becomes `to` (PROTOCOL.md 4).
 *
 * @throws {@link NativeValueError} for a `value` in the native coin; {@link UnknownTransactionTypeError};
 * InvalidAddressError, InvalidHexError, InvalidAmountError, MissingFieldError, UnknownFieldError, InvalidRecordError
 * @example
 * ```ts
 * import { settlementOf } from 'redeemkit/evm'
 * settlementOf({ type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }).kind // 0
 * ```
 */
export function settlementOf(transactionData: TransactionData): Settlement {
  const record = checkRecord(transactionData, field)
  const kind = kindOf(record)
  const { number, does, nft, fields } = settlementShapes[kind]
  const namesOf = (isRequired: boolean) =>
    Object.keys(fields).filter((name) => fields[name as keyof typeof fields] === isRequired)
  checkKeys(record, field, { required: namesOf(true), optional: [...namesOf(false), 'waitForHash'] })
  if (record.waitForHash !== undefined) checkBoolean(record.waitForHash, `${field}.waitForHash`)
  const { target, data, bridge } = targets[does](record)
  return {
    kind: number,
    target,
    data,
    nftContract:
      nft === 'none'
        ? zeroAddress
        : record.nftContract === undefined
          ? target
          : checkNonZeroAddress(record.nftContract, `${field}.nftContract`),
    nftId: nft === 'token' ? parseNftId(record.nftId, `${field}.nftId`) : 0n,
    bridge: bridge ?? noBridge,
  }
}

export declare namespace settlementOf {
  type ErrorType =
    | checkKeys.ErrorType
    | InvalidAddressError
    | InvalidAmountError
    | InvalidChainIdError
    | InvalidFlagError
    | InvalidHexError
    | NativeValueError
    | UnknownTransactionTypeError
}

/** Throws for an unknown `type` (PROTOCOL.md 11.6). */
function kindOf(record: Record<string, unknown>): SettlementKind {
  const { type } = record
  if (type !== undefined && !types.includes(type))
    throw new UnknownTransactionTypeError(`Transaction type ${showValue(type)} is not known.`, {
      field: `${field}.type`,
      fix: `Use ${types.join(', ')}; omit \`type\` for a plain call or a known token id.`,
    })
  // transactionDataKind reads only `nftContract`, `nftId`, and the `type` that was checked above
  return transactionDataKind(record as TransactionData)
}

const field = 'transactionData'
const types: readonly unknown[] = /* @__PURE__ */ Object.entries(settlementShapes)
  .filter(([, { fields }]) => fields.type)
  .map(([kind]) => kind)

type Target = Pick<Settlement, 'target' | 'data'> & { bridge?: Settlement['bridge'] }

const targets: Record<
  (typeof settlementShapes)[SettlementKind]['does'],
  (record: Record<string, unknown>) => Target
> = {
  transfer: ({ destination }) => ({
    target: checkNonZeroAddress(destination, `${field}.destination`),
    data: '0x',
  }),
  call: readCall,
  bridge: readBridge,
}

function readBridge(record: Record<string, unknown>): Target {
  const cost = checkKeys(record.cost, `${field}.cost`, { required: ['isNative', 'amount'] })
  const isNative = checkBoolean(cost.isNative, `${field}.cost.isNative`)
  if (typeof cost.amount !== 'string')
    throw new InvalidAmountError(`${showValue(cost.amount)} is not decimal text.`, {
      field: `${field}.cost.amount`,
      fix: 'Pass raw units of the token as decimal text, such as "1000000".',
    })
  const dstToken = checkAddress(record.dstToken, `${field}.dstToken`)
  if (isNative !== (dstToken === zeroAddress))
    throw new InvalidAddressError(
      isNative
        ? `The cost is in the chain's own coin, but dstToken is ${dstToken}.`
        : 'The cost is in a token, but dstToken is the zero address.',
      {
        field: `${field}.dstToken`,
        fix: 'Pass the zero address when cost.isNative is true, and the token otherwise.',
      },
    )
  return {
    target: checkNonZeroAddress(record.contractAddress, `${field}.contractAddress`),
    data: checkHex(record.contractData, `${field}.contractData`),
    bridge: {
      dstChainId: BigInt(checkChainId(record.dstChainId, `${field}.dstChainId`)),
      dstToken,
      isNative,
      cost: parseUint(cost.amount, `${field}.cost.amount`),
    },
  }
}

function readCall(record: Record<string, unknown>): Target {
  const transaction = checkRecord(record.transaction, `${field}.transaction`)
  refuseValue(transaction.value, `${field}.transaction.value`)
  checkKeys(transaction, `${field}.transaction`, { required: ['to', 'data'] })
  return {
    target: checkNonZeroAddress(transaction.to, `${field}.transaction.to`),
    data: checkHex(transaction.data, `${field}.transaction.data`),
  }
}

/** Refuses a `value` in the chain's own coin, because a redeem can send only USDC. */
export function refuseValue(value: unknown, at: string): void {
  if (value !== undefined)
    throw new NativeValueError(`A redeem cannot send ${showValue(value)} of the chain's own coin.`, {
      field: at,
      fix: 'Omit "value": the contract pays for the call in USDC, through an allowance.',
    })
}

/** Parses a token id: decimal text, or 0x-hex text of at most 32 bytes. */
export function parseNftId(value: unknown, field: string): bigint {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value)
  if (typeof value === 'string' && /^(?:0|[1-9]\d*)$/.test(value)) return parseUint(value, field)
  throw new InvalidAmountError(`${showValue(value)} is not a token id.`, {
    field,
    fix: 'Pass decimal or 0x-hex text below 2^256.',
  })
}

/** The call has a `value` in the chain's native coin. */
export class NativeValueError extends BaseError {
  override readonly name = 'NativeValueError'
}

/** No transactionData shape has this `type`. */
export class UnknownTransactionTypeError extends BaseError {
  override readonly name = 'UnknownTransactionTypeError'
}
