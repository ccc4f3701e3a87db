import { ed25519 } from '@noble/curves/ed25519.js'
import { PublicKey, Transaction, TransactionInstruction, VersionedTransaction } from '@solana/web3.js'
import { vi } from 'vitest'
import { formatBase58 } from '../encoding.ts'
import type { SolanaSigner } from '../signer/solanaSigner.ts'
import { customer } from '../solana.fixture.ts'
import { programs } from '../transaction/programs.ts'

export const address = customer.publicKey.toBase58()
export const issuedAt = Date.UTC(2026, 10, 20, 12)
export const now = () => issuedAt + 1000
export const lines = {
  domain: 'pay.example',
  address,
  statement: 'Sign in to the payments service.',
  URI: 'https://pay.example/api',
  Version: '1',
  'Chain ID': 'solana:devnet',
  Nonce: '0123456789abcdef',
  'Issued At': new Date(issuedAt).toISOString(),
  'Expiration Time': new Date(issuedAt + 86_400_000).toISOString(),
}
export function write(change: Partial<typeof lines> = {}, more = ''): string {
  const { domain, address: wallet, statement, ...fields } = { ...lines, ...change }
  const rest = Object.entries(fields).map(([label, value]) => `${label}: ${value}`)
  return `${domain} wants you to sign in with your Solana account:\n${wallet}\n\n${statement}\n\n${rest.join('\n')}${more}`
}
export const message = write()
export const base = { message, environment: 'sandbox', domains: ['pay.example'], now } as const

export function memoTransaction(
  options: {
    text?: string
    blockhash?: string
    payer?: PublicKey
    extra?: TransactionInstruction[]
    keys?: TransactionInstruction['keys']
    programId?: string
  } = {},
): Transaction {
  const {
    text = message,
    blockhash = programs.system,
    payer = customer.publicKey,
    extra = [],
    keys = [],
    programId = programs.memo,
  } = options
  return new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight: 0 }).add(
    new TransactionInstruction({ programId: new PublicKey(programId), keys, data: Buffer.from(text) }),
    ...extra,
  )
}
export const wire = (transaction: Transaction | VersionedTransaction) =>
  formatBase58(
    transaction instanceof Transaction
      ? transaction.serialize({ requireAllSignatures: false, verifySignatures: false })
      : transaction.serialize(),
  )
export const harmless = wire(memoTransaction())

/** Signs with another library. */
export const signBytes = (bytes: Uint8Array, by = customer) => ed25519.sign(bytes, by.secretKey.slice(0, 32))

export const asked = vi.fn()
export const wallet: SolanaSigner = {
  account: { address },
  features: {
    'solana:signMessage': {
      signMessage: async ({ message: bytes }) => {
        asked()
        return [{ signedMessage: bytes, signature: signBytes(bytes) }]
      },
    },
    'solana:signTransaction': {
      signTransaction: async ({ transaction }) => {
        asked()
        const read = VersionedTransaction.deserialize(transaction)
        read.sign([customer])
        return [{ signedTransaction: read.serialize() }]
      },
    },
  },
}
/** The answer of a wallet that signs the transaction instead of the text. */
export const signedTransaction = (() => {
  const transaction = memoTransaction()
  transaction.partialSign(customer)
  return wire(transaction)
})()
