import type { xdr } from '@stellar/stellar-sdk'
import { networkOf } from '../index.ts'
import { Account, Keypair, Operation, Transaction, TransactionBuilder } from '../sdk.ts'

export const now = () => Date.parse('2026-11-20T18:00:00Z')
export const wallet = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1))
export const other = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 2))
export const server = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 3))
export const environment = 'sandbox'
export const domains = ['shop.example']
export const network = networkOf(environment)
export const base = { environment, domains, now } as const

export function text(changes: Record<string, string> = {}) {
  const fields = {
    domain: 'shop.example',
    address: wallet.publicKey(),
    statement: 'Sign in to the shop.\n\n',
    uri: 'https://shop.example/login',
    version: '1',
    network: 'testnet',
    nonce: '0123456789abcdef',
    issued: '2026-11-20T17:59:00.000Z',
    expires: '2026-11-21T17:59:00.000Z',
    end: '',
    ...changes,
  }
  return `${fields.domain} wants you to sign in with your Stellar account:\n${fields.address}\n\n${fields.statement}URI: ${fields.uri}\nVersion: ${fields.version}\nNetwork: ${fields.network}\nNonce: ${fields.nonce}\nIssued At: ${fields.issued}\nExpiration Time: ${fields.expires}${fields.end}`
}
/** A wallet that fails the test if it is called. */
export const forbidden = {
  getAddress: async () => ({ address: wallet.publicKey() }),
  signMessage: async () => {
    throw new Error('the wallet was asked')
  },
  signTransaction: async () => {
    throw new Error('the wallet was asked')
  },
}
export const textless = {
  getAddress: forbidden.getAddress,
  signTransaction: async (transaction: string) => {
    const parsed = new Transaction(transaction, network.networkPassphrase)
    parsed.sign(wallet)
    return { signedTxXdr: parsed.toXDR(), signerAddress: wallet.publicKey() }
  },
}
type Change = (parts: {
  builder: TransactionBuilder
  auth: Parameters<typeof Operation.manageData>[0]
  domain: Parameters<typeof Operation.manageData>[0]
}) => xdr.Operation[] | undefined
export function challenge(
  change: Change = () => undefined,
  options: {
    sequence?: string
    signers?: Keypair[]
    passphrase?: string
    min?: number
    max?: number
    source?: string
  } = {},
) {
  const seconds = now() / 1000
  const builder = new TransactionBuilder(
    new Account(options.source ?? server.publicKey(), options.sequence ?? '-1'),
    {
      fee: '100',
      networkPassphrase: options.passphrase ?? network.networkPassphrase,
      timebounds: { minTime: options.min ?? seconds - 10, maxTime: options.max ?? seconds + 600 },
    },
  )
  const auth = {
    name: 'shop.example auth',
    value: Buffer.alloc(48, 7).toString('base64'),
    source: wallet.publicKey(),
  }
  const domain = { name: 'web_auth_domain', value: 'shop.example', source: server.publicKey() }
  const operations = change({ builder, auth, domain }) ?? [
    Operation.manageData(auth),
    Operation.manageData(domain),
  ]
  for (const operation of operations) builder.addOperation(operation)
  const transaction = builder.build()
  transaction.sign(...(options.signers ?? [server]))
  return transaction.toXDR()
}
