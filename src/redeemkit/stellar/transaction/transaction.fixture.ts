import { hash } from '../sdk.ts'
import { build, customer, entry, from, now, pay, stranger, transfer } from '../stellar.fixture.ts'

/** A wallet that must not be asked. */
export const forbidden = {
  getAddress: async () => ({ address: from }),
  signTransaction: async () => {
    throw new Error('the wallet was asked')
  },
  signAuthEntry: async () => {
    throw new Error('the wallet was asked')
  },
}
/** The customer's wallet, which can only authorize calls. */
export const entryWallet = {
  getAddress: async () => ({ address: from }),
  signAuthEntry: async (preimage: string) => ({
    signedAuthEntry: customer.sign(hash(Buffer.from(preimage, 'base64'))).toString('base64'),
    signerAddress: from,
  }),
}
export const base = { environment: 'sandbox', now, latestLedger: 1000 } as const
/** A transaction that matches no expectation here. */
export const theft = build({
  operations: [pay({ destination: stranger.publicKey(), amount: '900' })],
}).toXDR()
const good = entry({ root: transfer() }).toXDR('base64')
/** Second requests that a dApp may add, to have them inspected instead of the transaction. */
export const secondRequests = [
  { authEntry: good },
  { message: 'hello', allowPlainText: true, domains: [] },
  { authEntry: good, message: 'hello' },
]
export const noExpectations = [undefined, null, 'pay', {}, { kind: 'anything' }]
