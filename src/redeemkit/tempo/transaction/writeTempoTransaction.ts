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
} from '../../evm/values.ts'
import { numberToHex, toRlp } from '../../evm/viem.ts'
import { parseTempoSignature } from '../signature/parseTempoSignature.ts'
import type { TempoSignature } from '../signature/tempoSignature.ts'
import type { RlpTree, TempoCall, TempoTransaction } from './tempoTransaction.ts'

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
    throw invalid(`sponsored ${showValue(sponsored)} is not a boolean.`, 'sponsored')
  const number = (field: 'maxPriorityFeePerGas' | 'maxFeePerGas' | 'gas' | 'nonceKey' | 'nonce') =>
    uint(transaction[field], field)
  const fields: WritableTree[] = [
    uint(BigInt(checkChainId(transaction.chainId, 'chainId')), 'chainId'),
    number('maxPriorityFeePerGas'),
    number('maxFeePerGas'),
    number('gas'),
    checkList(transaction.calls, 'calls').map((call, index) => {
      const field = `calls.${index}`
      checkOptions(call, callKinds, field)
      return [
        optionalBytes(call.to, `${field}.to`),
        uint(call.value, `${field}.value`),
        low(call.data, `${field}.data`),
      ]
    }),
    copy(transaction.accessList ?? [], 'accessList'),
    number('nonceKey'),
    number('nonce'),
    optional(transaction.validBefore, 'validBefore'),
    optional(transaction.validAfter, 'validAfter'),
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
    throw invalid((cause as InvalidSignatureError).shortMessage, field, cause)
  }
  if (signature.type !== 'secp256k1') throw invalid('A sponsor signs with secp256k1 only.', field)
  const { r, s, v } = signature
  return [uint(BigInt(v - 27), field), uint(BigInt(r), field), uint(BigInt(s), field)]
}

/** Encodes an integer for RLP: big-endian without leading zeros, no bytes for zero. */
function uint(value: bigint, field: string): Hex {
  if (checkUint(value, field) === 0n) return '0x'
  const hex = numberToHex(value)
  return hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`
}

/** Encodes an optional integer. No bytes mean absent, so zero becomes one zero byte, which the parser and the chain refuse. */
function optional(value: bigint | undefined, field: string): Hex {
  if (value === undefined) return '0x'
  return value === 0n ? '0x00' : uint(value, field)
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
  if (!Array.isArray(list)) throw invalid(`${showValue(list)} is not a list.`, field)
  return list
}

function invalid(message: string, field: string, cause?: unknown): InvalidTransactionError {
  return new InvalidTransactionError(message, {
    field,
    fix: 'Build the transaction again, with buildTempoTransaction.',
    source: 'Tempo Transactions, "RLP encoding"',
    cause,
  })
}
