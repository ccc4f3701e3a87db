import type { Address, Hex } from 'viem'
import type { InvalidAmountError } from '../../core/amount.ts'
import { checkOptions, type OptionKinds } from '../../core/checkOptions.ts'
import { type InvalidSignatureError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import {
  checkChainId,
  checkHex,
  checkUint,
  type InvalidChainIdError,
  type InvalidHexError,
  uint256Max,
} from '../../evm/values.ts'
import { fromRlp, getAddress, numberToHex, toRlp } from '../../evm/viem.ts'
import { parseTempoSignature, type TempoSignature } from '../signature/tempoSignature.ts'
import { type RlpTree, type TempoCall, type TempoTransaction, withoutAbsent } from './tempoTransaction.ts'

const uint64Max = (1n << 64n) - 1n
const uint128Max = (1n << 128n) - 1n

/**
 * Parses a Tempo transaction: type 0x76, or the handoff form 0x78, which a sender gives to a sponsor. Accepts only the canonical
 * encoding, so that encoding the result gives the same bytes.
 *
 * @param serialized hex bytes
 * @throws {@link InvalidTransactionError}
 * @see Tempo Transactions, "RLP encoding"
 * @example
 * ```ts
 * import { parseTempoTransaction } from 'redeemkit/tempo'
 * parseTempoTransaction(
 *   '0x76e501808080d8d79470997970c51812dc3a010c7d01b50e0d17dc79c88080c0808080808080c0',
 * ).calls // [{ to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value: 0n, data: '0x' }]
 * ```
 */
export function parseTempoTransaction(serialized: Hex): TempoTransaction {
  if (typeof serialized !== 'string' || !/^0x7[68](?:[0-9a-fA-F]{2})+$/.test(serialized))
    throw invalid(`${showValue(serialized, 12)} is not a Tempo transaction, which starts with 0x76 or 0x78.`)
  const text = serialized.toLowerCase() as Hex // the prefix was matched above; lower-casing keeps it
  let fields: unknown
  try {
    fields = fromRlp(`0x${text.slice(4)}`, 'hex')
  } catch (cause) {
    throw invalid('The transaction is not RLP.', undefined, cause)
  }
  if (!Array.isArray(fields) || fields.length < 13 || fields.length > 15)
    throw invalid('The transaction is not a list of 13 to 15 fields.')
  const at = fields as readonly RlpTree[] // fromRlp returns nested bytes for a list
  const handoff = text.startsWith('0x78')

  const [keyAuthorization, signature] = tail(at.slice(13))
  const chainId = uint(at[0], uint64Max, 'chainId')
  if (chainId === 0n || chainId > BigInt(Number.MAX_SAFE_INTEGER))
    throw invalid(`Chain id ${chainId} is not valid.`, 'chainId')

  const transaction: TempoTransaction = withoutAbsent({
    chainId: Number(chainId),
    maxPriorityFeePerGas: uint(at[1], uint128Max, 'maxPriorityFeePerGas'),
    maxFeePerGas: uint(at[2], uint128Max, 'maxFeePerGas'),
    gas: uint(at[3], uint64Max, 'gas'),
    calls: list(at[4], 'calls').map(readCall),
    nonceKey: uint(at[6], uint256Max, 'nonceKey'),
    nonce: uint(at[7], uint64Max, 'nonce'),
    validBefore: optionalUint(at[8], uint64Max, 'validBefore'),
    validAfter: optionalUint(at[9], uint64Max, 'validAfter'),
    feeToken: optionalAddress(at[10], 'feeToken'),
    ...(handoff ? { sponsored: true, sender: address(at[11], 'sender') } : readFeePayer(at[11])),
    accessList: optionalList(at[5], 'accessList'),
    authorizationList: optionalList(at[12], 'authorizationList'),
    keyAuthorization,
    signature,
  })
  if (transaction.calls.length === 0) throw invalid('The transaction makes no call.', 'calls')
  if (writeTempoTransaction(transaction, { format: handoff ? 'handoff' : 'transaction' }) !== text)
    throw invalid('The transaction is not canonically encoded.')
  return transaction
}

export declare namespace parseTempoTransaction {
  type ErrorType = writeTempoTransaction.ErrorType
}

function tail(
  rest: readonly RlpTree[],
): [keyAuthorization: readonly RlpTree[] | undefined, signature: Hex | undefined] {
  const [first, second] = rest
  if (first === undefined) return [undefined, undefined]
  if (typeof first === 'string') {
    if (second !== undefined) throw invalid('A field follows the signature.')
    return [undefined, first]
  }
  if (second !== undefined && typeof second !== 'string') throw invalid('The signature is a list, not bytes.')
  return [first, second]
}

function readCall(tree: RlpTree): TempoCall {
  if (typeof tree === 'string' || tree.length !== 3)
    throw invalid('A call must have the three fields to, value and data.', 'calls')
  return withoutAbsent({
    to: optionalAddress(tree[0], 'calls.to'),
    value: uint(tree[1], uint256Max, 'calls.value'),
    data: bytes(tree[2], 'calls.data'),
  })
}

function readFeePayer(tree: RlpTree | undefined): Pick<TempoTransaction, 'sponsored' | 'feePayerSignature'> {
  if (tree === '0x') return { sponsored: false }
  if (tree === '0x00') return { sponsored: true }
  if (tree === undefined || typeof tree === 'string' || tree.length !== 3)
    throw invalid('The fee payer must be empty, a placeholder or a signature.', 'feePayer')
  const parity = uint(tree[0], 1n, 'feePayer.yParity')
  const word = (value: RlpTree | undefined, field: string) =>
    uint(value, uint256Max, field).toString(16).padStart(64, '0')
  const v = parity === 0n ? '1b' : '1c'
  return {
    sponsored: true,
    feePayerSignature: `0x${word(tree[1], 'feePayer.r')}${word(tree[2], 'feePayer.s')}${v}`,
  }
}

function bytes(tree: RlpTree | undefined, field: string): Hex {
  if (typeof tree !== 'string') throw invalid(`Field ${field} is a list, not bytes.`, field)
  return tree
}

function list(tree: RlpTree | undefined, field: string): readonly RlpTree[] {
  if (tree === undefined || typeof tree === 'string') throw invalid(`Field ${field} is not a list.`, field)
  return tree
}

/** An empty list counts as absent. */
function optionalList(tree: RlpTree | undefined, field: string): readonly RlpTree[] | undefined {
  const items = list(tree, field)
  return items.length === 0 ? undefined : items
}

function uint(tree: RlpTree | undefined, max: bigint, field: string): bigint {
  const text = bytes(tree, field)
  const value = text === '0x' ? 0n : BigInt(text)
  if (value > max) throw invalid(`${field} ${showValue(value)} is too large.`, field)
  return value
}

function optionalUint(tree: RlpTree | undefined, max: bigint, field: string): bigint | undefined {
  if (tree === '0x00') throw invalid(`${field} is zero, which every node rejects.`, field)
  return tree === '0x' ? undefined : uint(tree, max, field)
}

function address(tree: RlpTree | undefined, field: string): Address {
  const text = bytes(tree, field)
  if (text.length !== 42) throw invalid(`Field ${field} is not an address.`, field)
  return getAddress(text)
}

function optionalAddress(tree: RlpTree | undefined, field: string): Address | undefined {
  return tree === '0x' ? undefined : address(tree, field)
}

function invalid(message: string, field = 'transaction', cause?: unknown): InvalidTransactionError {
  return new InvalidTransactionError(message, {
    field,
    fix: 'Pass the bytes unchanged, or build the transaction again.',
    source: 'Tempo Transactions, "RLP encoding"',
    cause,
  })
}

type WritableTree = Hex | WritableTree[]

/** All fields of a transaction. An unknown field is refused, because the signed bytes would not contain it. */
const fieldKinds: OptionKinds<TempoTransaction> = {
  chainId: 'any',
  maxPriorityFeePerGas: 'any',
  maxFeePerGas: 'any',
  gas: 'any',
  calls: 'any',
  nonceKey: 'any',
  nonce: 'any',
  validBefore: 'any',
  validAfter: 'any',
  feeToken: 'any',
  sponsored: 'any',
  feePayerSignature: 'any',
  signature: 'any',
  sender: 'any',
  accessList: 'any',
  authorizationList: 'any',
  keyAuthorization: 'any',
}

const callKinds: OptionKinds<TempoCall> = { to: 'any', value: 'any', data: 'any' }

/** Checks the type of each value, but not its range, which `parseTempoTransaction` checks. */
export function writeTempoTransaction(
  transaction: TempoTransaction,
  options: { format?: 'transaction' | 'handoff' | undefined } = {},
): Hex {
  checkOptions(transaction, fieldKinds, 'transaction')
  const handoff = options.format === 'handoff'
  const { keyAuthorization, signature, sponsored } = transaction
  if (typeof sponsored !== 'boolean')
    throw unwritable(`sponsored ${showValue(sponsored)} is not a boolean.`, 'sponsored')
  const number = (field: 'maxPriorityFeePerGas' | 'maxFeePerGas' | 'gas' | 'nonceKey' | 'nonce') =>
    writeUint(transaction[field], field)
  const fields: WritableTree[] = [
    writeUint(BigInt(checkChainId(transaction.chainId, 'chainId')), 'chainId'),
    number('maxPriorityFeePerGas'),
    number('maxFeePerGas'),
    number('gas'),
    checkList(transaction.calls, 'calls').map((call, index) => {
      const field = `calls.${index}`
      checkOptions(call, callKinds, field)
      return [
        optionalBytes(call.to, `${field}.to`),
        writeUint(call.value, `${field}.value`),
        low(call.data, `${field}.data`),
      ]
    }),
    copy(transaction.accessList ?? [], 'accessList'),
    number('nonceKey'),
    number('nonce'),
    writeOptional(transaction.validBefore, 'validBefore'),
    writeOptional(transaction.validAfter, 'validAfter'),
    optionalBytes(transaction.feeToken, 'feeToken'),
    handoff ? optionalBytes(transaction.sender, 'sender') : feePayer(transaction),
    copy(transaction.authorizationList ?? [], 'authorizationList'),
    ...(keyAuthorization === undefined ? [] : [copy(keyAuthorization, 'keyAuthorization')]),
    ...(signature === undefined ? [] : [low(signature, 'signature')]),
  ]
  return `${handoff ? '0x78' : '0x76'}${toRlp(fields).slice(2)}`
}

export declare namespace writeTempoTransaction {
  type ErrorType =
    | InvalidTransactionError
    | InvalidAmountError
    | InvalidChainIdError
    | InvalidHexError
    | checkOptions.ErrorType
}

function feePayer({ sponsored, feePayerSignature }: TempoTransaction): WritableTree {
  if (!sponsored) return '0x'
  if (feePayerSignature === undefined) return '0x00'
  const field = 'feePayerSignature'
  let signature: TempoSignature
  try {
    signature = parseTempoSignature(feePayerSignature)
  } catch (cause) {
    // the parser throws only this error
    throw unwritable((cause as InvalidSignatureError).shortMessage, field, cause)
  }
  if (signature.type !== 'secp256k1') throw unwritable('A sponsor signs with secp256k1 only.', field)
  const { r, s, v } = signature
  return [writeUint(BigInt(v - 27), field), writeUint(BigInt(r), field), writeUint(BigInt(s), field)]
}

/** Encodes an integer for RLP: big-endian without leading zeros, no bytes for zero. */
function writeUint(value: bigint, field: string): Hex {
  if (checkUint(value, field) === 0n) return '0x'
  const hex = numberToHex(value)
  return hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`
}

/** Encodes an optional integer. No bytes mean absent, so zero becomes one zero byte, which the parser and the chain refuse. */
function writeOptional(value: bigint | undefined, field: string): Hex {
  if (value === undefined) return '0x'
  return value === 0n ? '0x00' : writeUint(value, field)
}

function optionalBytes(value: Address | undefined, field: string): Hex {
  return value === undefined ? '0x' : low(value, field)
}

function low(value: Hex, field: string): Hex {
  return checkHex(value, field).toLowerCase() as Hex // `toLowerCase` keeps the 0x prefix
}

function copy(tree: readonly RlpTree[], field: string): WritableTree[] {
  return checkList(tree, field).map((item) =>
    typeof item === 'string' ? low(item, field) : copy(item, field),
  )
}

function checkList<item>(list: readonly item[], field: string): readonly item[] {
  if (!Array.isArray(list)) throw unwritable(`${showValue(list)} is not a list.`, field)
  return list
}

function unwritable(message: string, field: string, cause?: unknown): InvalidTransactionError {
  return new InvalidTransactionError(message, {
    field,
    fix: 'Build the transaction again, with buildTempoTransaction.',
    source: 'Tempo Transactions, "RLP encoding"',
    cause,
  })
}
