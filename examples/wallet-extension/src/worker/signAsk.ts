import {
  type Hex,
  hashMessage,
  hashTypedData,
  keccak256,
  type LocalAccount,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  type TypedDataDefinition,
} from 'viem'
import type { SignAsk, TransactionFields } from './createQueue.ts'

// #region digests
/** Returns the digests that a request signs, in order. Empty while its transaction is not prepared. */
export function digestsOf(ask: SignAsk): readonly Hex[] {
  switch (ask.kind) {
    case 'message':
      return [hashMessage({ raw: ask.data })]
    case 'typedData':
      return [hashTypedData(typedDataOf(ask.params[1]))]
    case 'transaction':
    case 'calls':
      return ask.prepared.state === 'ready'
        ? ask.prepared.transactions.map((fields) =>
            keccak256(serializeTransaction(transactionOf(ask.chainId, fields))),
          )
        : []
    case 'cancel':
      return ask.prepared.state === 'ready' ? [hashTypedData(typedDataOf(ask.typedData))] : []
    case 'payLink': {
      const { creditPermit, usdcAuthorization } = ask.redeem.typedData
      return [creditPermit, ...(usdcAuthorization === undefined ? [] : [usdcAuthorization])].map((one) =>
        hashTypedData(typedDataOf(one)),
      )
    }
  }
}
// #endregion

export async function signDigest(account: LocalAccount, digest: Hex): Promise<Hex> {
  if (account.sign === undefined) throw new Error('The account does not sign digests.')
  return account.sign({ hash: digest })
}

export function transactionOf(chainId: number, fields: TransactionFields): TransactionSerializableEIP1559 {
  const { nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, value, data } = fields
  return { type: 'eip1559', chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, to, value, data }
}

/**
 * `inspect` has rejected everything that is not typed data. It accepts addresses in capitals or with a wrong checksum, which viem
 * refuses, because the case does not change what is signed.
 */
export function typedDataOf(value: unknown): TypedDataDefinition {
  const read: TypedDataDefinition = typeof value === 'string' ? JSON.parse(value) : value // checked by `inspect`, and again by viem
  const { types, primaryType, domain, message } = Object(read)
  if (Object(types)[primaryType] === undefined) return read
  return {
    ...read,
    domain: withoutCase(types, 'EIP712Domain', domain),
    message: withoutCase(types, primaryType, message),
  } as TypedDataDefinition // only the case of addresses differs
}

function withoutCase(types: Record<string, unknown>, type: string, value: unknown): unknown {
  if (type === 'address' && typeof value === 'string') return value.toLowerCase()
  if (Array.isArray(value)) return value.map((one) => withoutCase(types, type.replace(/\[\d*\]$/, ''), one))
  const members = types[type]
  if (!Array.isArray(members) || typeof value !== 'object' || value === null) return value
  const read = Object.entries(value).map(([name, one]) => {
    const member = members.find((declared) => Object(declared).name === name)
    return [name, member === undefined ? one : withoutCase(types, member.type, one)]
  })
  return Object.fromEntries(read)
}
