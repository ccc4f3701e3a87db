import type { Address, Hex } from 'viem'
import { checkOptions } from '../../core/checkOptions.ts'
import { InvalidSignatureError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { checkHex, checkRecord } from '../../evm/values.ts'
import { bytesToHex, hexToBytes, numberToHex } from '../../evm/viem.ts'
import {
  serializeTempoSignature,
  type TempoPrimitiveSignature,
  type TempoSignature,
} from '../signature/tempoSignature.ts'
import { parseTempoTransaction } from './parseTempoTransaction.ts'
import { serializeTempoTransaction } from './serializeTempoTransaction.ts'
import type { RlpTree, TempoCall, TempoTransaction } from './tempoTransaction.ts'

export type ReadTransaction = {
  transaction: TempoTransaction
  /** The sender, if the transaction names it. */
  from?: Address | undefined
  /** Names of missing fields, which the signer will fill in. They are zero in `transaction`. */
  open: readonly string[]
}

/** The field names that other libraries, wallets and nodes use. Some are not part of the signed data. */
const known =
  'type typeHex chainId gas nonce nonceKey maxFeePerGas maxPriorityFeePerGas validBefore validAfter feeToken feePayer ' +
  'feePayerSignature signature accessList authorizationList aaAuthorizationList keyAuthorization calls to data input value ' +
  'from account chain hash blockHash blockNumber blockTimestamp transactionIndex gasPrice feePayerAddress ' +
  // viem sends these for a passkey or an access key, to estimate the gas
  'keyType keyData keyId'
// each field may have any type
const kinds = Object.fromEntries(known.split(' ').map((name) => [name, 'any'])) as Record<string, 'any'>

/**
 * Reads a Tempo transaction in any form: serialized as hex or bytes (0x76, or the handoff form 0x78), or as an object of redeemkit, ox,
 * viem, a wallet request or a node, whose integers are bigints, numbers or hex. Refuses an unknown field, because its effect would be
 * unknown.
 */
export function readTempoTransaction(value: unknown): ReadTransaction {
  // `instanceof` alone could throw for a proxy
  if (ArrayBuffer.isView(value) && value instanceof Uint8Array) return readTempoTransaction(bytesToHex(value))
  if (typeof value === 'string') return { transaction: parseTempoTransaction(value as Hex), open: [] } // the parser checks it
  const record = checkRecord(value, 'transaction')
  if (typeof record.sponsored === 'boolean')
    // encoding the transaction checks every field
    return { transaction: readBack(record as TempoTransaction), open: [] }
  return readForeign(checkOptions(record, kinds, 'transaction'))
}

function readBack(transaction: TempoTransaction): TempoTransaction {
  const format = transaction.sender === undefined ? 'transaction' : 'handoff'
  return parseTempoTransaction(serializeTempoTransaction(transaction, { format }))
}

function readForeign(record: Record<string, unknown>): ReadTransaction {
  const { type, keyAuthorization, signature } = record
  if (![undefined, 'tempo', '0x76'].includes(type as string))
    throw invalid(`${showValue(type)} is not the type of a Tempo transaction.`, 'type')
  const from = record.from ?? accountOf(record.account)
  const number = (field: string) => optional(record[field], field)
  const delegations = [record.authorizationList, record.aaAuthorizationList].some(isFilled)
  const open = ['gas', 'maxFeePerGas', 'nonce'].filter((name) => isAbsent(record[name]))
  const transaction = readBack({
    validBefore: number('validBefore') || undefined,
    validAfter: number('validAfter') || undefined,
    feeToken: readFeeToken(record.feeToken),
    accessList: readAccessList(record.accessList),
    chainId: Number(quantity(record.chainId, 'chainId')),
    maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
    maxFeePerGas: number('maxFeePerGas'),
    gas: number('gas'),
    calls: readCalls(record),
    nonceKey: record.nonceKey === 'expiring' ? expiring : number('nonceKey'),
    nonce: number('nonce'),
    ...readFeePayer(record),
    signature: isAbsent(signature) ? undefined : readForeignSignature(signature, 'signature'),
  })
  return {
    transaction: {
      ...transaction,
      // Libraries write these two fields in many forms. Their content does not matter, because both are refused.
      ...(isAbsent(keyAuthorization) ? {} : { keyAuthorization: [] }),
      ...(delegations ? { authorizationList: [] } : {}),
    },
    ...(isAbsent(from) ? {} : { from: checkAddress(from, 'from') }),
    open,
  }
}

/** The nonce key of expiring nonces, which have no sequence (TIP-1009). */
export const expiring = (1n << 256n) - 1n

const isAbsent = (value: unknown) => value === undefined || value === null
const isFilled = (value: unknown) => !isAbsent(value) && !(Array.isArray(value) && value.length === 0)

function quantity(value: unknown, field: string): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value === 'string' && /^0x[0-9a-f]{0,64}$/i.test(value))
    return value === '0x' ? 0n : BigInt(value)
  throw invalid(`${field} ${showValue(value)} is not a whole number.`, field)
}

function optional(value: unknown, field: string): bigint {
  return isAbsent(value) ? 0n : quantity(value, field)
}

/** viem's `account` is an account object or an address. */
function accountOf(account: unknown): unknown {
  return isAbsent(account) || typeof account === 'string' ? account : checkRecord(account, 'account').address
}

function readCalls(record: Record<string, unknown>): readonly TempoCall[] {
  const { calls, to, data, input, value } = record
  if (isAbsent(calls)) return [readCall({ to, data, input, value }, '')]
  if (!Array.isArray(calls)) throw invalid('The calls are not a list.', 'calls')
  if (
    [to, data, input, value].some((part) => isFilled(part) && part !== '0x' && part !== 0n && part !== '0x0')
  )
    throw invalid('The transaction has both a single call and a list of calls.', 'calls')
  return calls.map((call, index) => readCall(call, `calls.${index}`))
}

function readCall(value: unknown, at: string): TempoCall {
  const call = checkOptions(
    checkRecord(value, at || 'transaction'),
    { to: 'any', value: 'any', data: 'any', input: 'any' },
    at,
  ) as Record<string, unknown> // an object with these four fields
  const field = at && `${at}.`
  const data = call.data ?? call.input
  if (!isAbsent(call.data) && !isAbsent(call.input) && call.data !== call.input)
    throw invalid('The `data` and `input` of a call differ.', `${field}input`)
  return {
    ...(isAbsent(call.to) || call.to === '0x' ? {} : { to: checkAddress(call.to, `${field}to`) }),
    value: optional(call.value, `${field}value`),
    data: isAbsent(data) ? '0x' : checkHex(data, `${field}data`),
  }
}

/** Reads a fee token from an address, or from a token's number in the factory. */
function readFeeToken(value: unknown): Address | undefined {
  if (isAbsent(value) || value === '0x') return undefined
  if (typeof value !== 'bigint' && typeof value !== 'number') return checkAddress(value, 'feeToken')
  const id = quantity(value, 'feeToken')
  if (id >= 1n << 64n) throw invalid(`The token factory has no token ${showValue(value)}.`, 'feeToken')
  return checkAddress(`0x20c0${numberToHex(id, { size: 18 }).slice(2)}`, 'feeToken')
}

/**
 * Reads whether a sponsor pays. A sponsor is expected if `feePayer` is set, and has committed if there is a signature. A `null` in place of
 * the signature also means that a sponsor is expected, except in a node's response, where it means that no sponsor pays.
 */
function readFeePayer({
  feePayer,
  feePayerSignature,
  hash,
}: Record<string, unknown>): Pick<TempoTransaction, 'sponsored' | 'feePayerSignature'> {
  if (feePayerSignature === undefined || feePayerSignature === null) {
    const isAwaited = feePayerSignature === null && isAbsent(hash)
    return { sponsored: isAwaited || (!isAbsent(feePayer) && feePayer !== false) }
  }
  return { sponsored: true, feePayerSignature: readForeignSignature(feePayerSignature, 'feePayerSignature') }
}

function readAccessList(value: unknown): readonly RlpTree[] {
  if (isAbsent(value)) return []
  if (!Array.isArray(value)) throw invalid('The access list is not a list.', 'accessList')
  return value.map((item, index) => {
    const { address, storageKeys } = checkRecord(item, `accessList.${index}`)
    if (!Array.isArray(storageKeys)) throw invalid('An entry has no storage keys.', `accessList.${index}`)
    return [
      checkAddress(address, `accessList.${index}.address`),
      storageKeys.map((key) => checkHex(key, `accessList.${index}.storageKeys`, { bytes: 32 })),
    ]
  })
}

function invalid(message: string, field: string): InvalidTransactionError {
  return new InvalidTransactionError(message, {
    field,
    fix: 'Pass the serialized transaction, or an object of ox or viem.',
    source: 'Tempo Transactions',
  })
}

/**
 * Reads a signature in any form of ox, viem or a node: bytes, `{ r, s, yParity }`, or an envelope with a `type`, whose fields are nested or
 * at the same level.
 */
function readForeignSignature(value: unknown, field: string): Hex {
  return typeof value === 'string'
    ? checkHex(value, field)
    : serializeTempoSignature(readEnvelope(checkRecord(value, field), field))
}

function readEnvelope(record: Record<string, unknown>, field: string): TempoSignature {
  if (record.type !== 'keychain') return readPrimitive(record, field)
  if (record.version !== 'v2' && record.version !== undefined && record.version !== 2)
    throw invalidSignature(
      `A keychain signature of version ${showValue(record.version)} is not accepted.`,
      field,
    )
  const at = `${field}.inner`
  return {
    type: 'keychain',
    version: 2,
    account: checkAddress(record.userAddress, `${field}.userAddress`),
    inner: readPrimitive(checkRecord(record.inner ?? record.signature, at), at),
  }
}

function readPrimitive(record: Record<string, unknown>, field: string): TempoPrimitiveSignature {
  const { type = 'secp256k1' } = record
  const parts = checkRecord(record.signature ?? record, `${field}.signature`)
  const r = word(parts.r, `${field}.r`)
  const s = word(parts.s, `${field}.s`)
  if (type === 'secp256k1')
    return { type, r, s, v: BigInt(word(parts.yParity ?? parity(parts.v), field)) === 0n ? 27 : 28 }
  const key = checkRecord(record.publicKey ?? { x: record.pubKeyX, y: record.pubKeyY }, `${field}.publicKey`)
  const point = { x: word(key.x, `${field}.x`), y: word(key.y, `${field}.y`) }
  if (type === 'p256') return { type, r, s, ...point, prehash: (record.prehash ?? record.preHash) === true }
  if (type === 'webAuthn') return { type, r, s, ...point, ...readMetadata(record, field) }
  throw invalidSignature(`${showValue(type)} is not a signature type of Tempo.`, field)
}

function readMetadata({ metadata, webauthnData }: Record<string, unknown>, field: string) {
  if (webauthnData === undefined) {
    const { authenticatorData, clientDataJSON } = checkRecord(metadata, `${field}.metadata`)
    if (typeof clientDataJSON !== 'string') throw invalidSignature('The client data is not text.', field)
    return { authenticatorData: checkHex(authenticatorData, `${field}.authenticatorData`), clientDataJSON }
  }
  const data = checkHex(webauthnData, `${field}.webauthnData`)
  return {
    authenticatorData: data.slice(0, 2 + 2 * 37) as Hex, // a prefix of 0x-hex text is still `Hex`
    clientDataJSON: new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      hexToBytes(`0x${data.slice(2 + 2 * 37)}`),
    ),
  }
}

/** Converts a `v` of 27 or 28 to the parity. Leaves a parity unchanged. */
function parity(v: unknown): unknown {
  const value = Number(v)
  return value > 1 ? value - 27 : v
}

function word(value: unknown, field: string): Hex {
  try {
    if (typeof value === 'bigint' || typeof value === 'number') return numberToHex(value, { size: 32 })
    if (typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value))
      return numberToHex(BigInt(value), { size: 32 })
  } catch {
    // the code below throws the error
  }
  throw invalidSignature(`${showValue(value)} is not a valid number in a signature.`, field)
}

function invalidSignature(message: string, field: string): InvalidSignatureError {
  return new InvalidSignatureError(message, {
    field,
    fix: 'Pass the signature as bytes, or as an object of ox or viem.',
    source: 'Tempo Transactions, "Signature types"',
  })
}
