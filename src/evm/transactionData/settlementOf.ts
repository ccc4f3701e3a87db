import type { Address, Hex } from 'viem'
import { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { TransactionData } from '../../schema/transactionData.ts'
import type { TransactionDataKind } from '../../schema/transactionDataKind.ts'
import { checkAddress, checkNonZeroAddress, zeroAddress } from '../values/checkAddress.ts'
import { checkChainId } from '../values/checkChainId.ts'
import { checkHex } from '../values/checkHex.ts'
import { checkKeys, checkRecord } from '../values/checkKeys.ts'
import { parseUint } from '../values/checkUint.ts'

/** Numbers of the kinds in the settlement hash and in the contract (PROTOCOL.md 4). */
export const settlementKinds = {
  token: 0,
  normal: 1,
  safeMint: 2,
  returned: 3,
  knownTokenId: 4,
  decent: 5,
} as const satisfies Record<TransactionDataKind, number>

/** `ICredits.Settlement`: what a redeem executes, as the contract takes it. Everything unused is zero. */
export type Settlement = {
  kind: (typeof settlementKinds)[TransactionDataKind]
  target: Address
  data: Hex
  nftContract: Address
  nftId: bigint
  bridge: { dstChainId: bigint; dstToken: Address; isNative: boolean; cost: bigint }
}

const noBridge = { dstChainId: 0n, dstToken: zeroAddress, isNative: false, cost: 0n } as const

/**
 * Turns a wire `transactionData` into the struct that the credits contract executes and hashes.
 *
 * `waitForHash` is left out; an absent `nftContract` in safeMint and returned is `to` (PROTOCOL.md 4).
 *
 * @throws {@link NativeValueError} for a `value` in the chain's own coin; {@link UnknownTransactionTypeError};
 * InvalidAddressError, InvalidHexError, InvalidAmountError, MissingFieldError, UnknownFieldError, InvalidRecordError
 * @example
 * ```ts
 * import { settlementOf } from 'redeemkit/evm'
 * settlementOf({ type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }).kind // 0
 * ```
 */
export function settlementOf(transactionData: TransactionData): Settlement {
  const field = 'transactionData'
  const record = checkRecord(transactionData, field)
  switch (kindOf(record)) {
    case 'token':
      checkKeys(record, field, { required: ['type', 'destination'], optional: ['waitForHash'] })
      checkWaitForHash(record)
      return {
        kind: settlementKinds.token,
        target: checkNonZeroAddress(record.destination, `${field}.destination`),
        data: '0x',
        nftContract: zeroAddress,
        nftId: 0n,
        bridge: noBridge,
      }
    case 'normal':
      checkKeys(record, field, { required: ['transaction'], optional: ['type', 'waitForHash'] })
      return {
        kind: settlementKinds.normal,
        ...callOf(record),
        nftContract: zeroAddress,
        nftId: 0n,
        bridge: noBridge,
      }
    case 'knownTokenId':
      checkKeys(record, field, {
        required: ['transaction', 'nftContract', 'nftId'],
        optional: ['type', 'waitForHash'],
      })
      return {
        kind: settlementKinds.knownTokenId,
        ...callOf(record),
        nftContract: checkNonZeroAddress(record.nftContract, `${field}.nftContract`),
        nftId: parseNftId(record.nftId, `${field}.nftId`),
        bridge: noBridge,
      }
    case 'safeMint':
      return mintOf(record, settlementKinds.safeMint)
    case 'returned':
      return mintOf(record, settlementKinds.returned)
    case 'decent':
      return decentOf(record)
  }
}

export declare namespace settlementOf {
  type ErrorType = NativeValueError | UnknownTransactionTypeError | InvalidAddressError | InvalidAmountError
}

/** PROTOCOL.md 6: `type` when present; else `nftContract` and `nftId` make a known token id; else normal. */
function kindOf(record: Record<string, unknown>): TransactionDataKind {
  const { type } = record
  if (type === undefined)
    return record.nftContract !== undefined && record.nftId !== undefined ? 'knownTokenId' : 'normal'
  if (type === 'token' || type === 'safeMint' || type === 'returned' || type === 'decent') return type
  throw new UnknownTransactionTypeError(`Transaction type ${showValue(type)} is not known.`, {
    field: 'transactionData.type',
    fix: 'Use safeMint, returned, token or decent; leave it out for a plain call or a known token id.',
  })
}

function mintOf(record: Record<string, unknown>, kind: 2 | 3): Settlement {
  checkKeys(record, 'transactionData', {
    required: ['type', 'transaction'],
    optional: ['nftContract', 'waitForHash'],
  })
  const call = callOf(record)
  const nftContract =
    record.nftContract === undefined
      ? call.target
      : checkNonZeroAddress(record.nftContract, 'transactionData.nftContract')
  return { kind, ...call, nftContract, nftId: 0n, bridge: noBridge }
}

function decentOf(record: Record<string, unknown>): Settlement {
  const field = 'transactionData'
  checkKeys(record, field, {
    required: ['type', 'dstChainId', 'dstToken', 'contractAddress', 'contractData', 'cost'],
    optional: ['waitForHash'],
  })
  checkWaitForHash(record)
  const cost = checkKeys(record.cost, `${field}.cost`, { required: ['isNative', 'amount'] })
  const isNative = checkBoolean(cost.isNative, `${field}.cost.isNative`)
  if (typeof cost.amount !== 'string')
    throw new InvalidAmountError(`${showValue(cost.amount)} is not decimal text.`, {
      field: `${field}.cost.amount`,
      fix: 'Give raw units of the token as decimal text, such as "1000000".',
    })
  const dstToken = checkAddress(record.dstToken, `${field}.dstToken`)
  if (isNative !== (dstToken === zeroAddress))
    throw new InvalidAddressError(
      isNative
        ? `A cost in the chain's own coin goes with token ${dstToken}.`
        : 'A cost in a token goes with the zero address.',
      {
        field: `${field}.dstToken`,
        fix: 'Give the zero address when cost.isNative is true, and the token otherwise.',
      },
    )
  return {
    kind: settlementKinds.decent,
    target: checkNonZeroAddress(record.contractAddress, `${field}.contractAddress`),
    data: checkHex(record.contractData, `${field}.contractData`),
    nftContract: zeroAddress,
    nftId: 0n,
    bridge: {
      dstChainId: BigInt(checkChainId(record.dstChainId, `${field}.dstChainId`)),
      dstToken,
      isNative,
      cost: parseUint(cost.amount, `${field}.cost.amount`),
    },
  }
}

function callOf(record: Record<string, unknown>): { target: Address; data: Hex } {
  checkWaitForHash(record)
  const field = 'transactionData.transaction'
  const transaction = checkRecord(record.transaction, field)
  if (transaction.value !== undefined)
    throw new NativeValueError(
      `A redeem cannot send ${showValue(transaction.value)} of the chain's own coin.`,
      {
        field: `${field}.value`,
        fix: 'Leave "value" out: the call is paid in USDC, through an allowance.',
      },
    )
  checkKeys(transaction, field, { required: ['to', 'data'] })
  return {
    target: checkNonZeroAddress(transaction.to, `${field}.to`),
    data: checkHex(transaction.data, `${field}.data`),
  }
}

function checkWaitForHash(record: Record<string, unknown>): void {
  if (record.waitForHash !== undefined) checkBoolean(record.waitForHash, 'transactionData.waitForHash')
}

function checkBoolean(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value
  throw new InvalidFlagError(`${showValue(value)} is neither true nor false.`, {
    field,
    fix: 'Give a boolean.',
  })
}

/** A token id: decimal text, or 0x-hex text of at most 32 bytes. */
export function parseNftId(value: unknown, field: string): bigint {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value)
  if (typeof value === 'string' && /^(?:0|[1-9]\d*)$/.test(value)) return parseUint(value, field)
  throw new InvalidAmountError(`${showValue(value)} is not a token id.`, {
    field,
    fix: 'Give decimal or 0x-hex text below 2^256.',
  })
}

/** A call that carries value in the chain's own coin. */
export class NativeValueError extends BaseError {
  override readonly name = 'NativeValueError'
}

/** A `type` that none of the six shapes has. */
export class UnknownTransactionTypeError extends BaseError {
  override readonly name = 'UnknownTransactionTypeError'
}

/** Something that should have been true or false. */
export class InvalidFlagError extends BaseError {
  override readonly name = 'InvalidFlagError'
}
