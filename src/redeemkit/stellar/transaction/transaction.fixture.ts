import { hash } from '../sdk.ts'
import { build, customer, entry, from, now, pay, stranger, transfer } from '../stellar.fixture.ts'

/** A wallet that fails the test if it is called. */
export const forbidden = {
  getAddress: async () => ({ address: from }),
  signTransaction: async () => {
    throw new Error('the wallet was asked')
  },
  signAuthEntry: async () => {
    throw new Error('the wallet was asked')
  },
}
/** The customer's wallet, which can only sign authorization entries. */
export const entryWallet = {
  getAddress: async () => ({ address: from }),
  signAuthEntry: async (preimage: string) => ({
    signedAuthEntry: customer.sign(hash(Buffer.from(preimage, 'base64'))).toString('base64'),
    signerAddress: from,
  }),
}
export const base = { environment: 'sandbox', now, latestLedger: 1000 } as const
/** A transaction that matches no expectation in these tests. */
export const theft = build({
  operations: [pay({ destination: stranger.publicKey(), amount: '900' })],
}).toXDR()
const good = entry({ root: transfer() }).toXDR('base64')
/** Second requests that a dApp may add to the options, to have them inspected instead of the transaction. */
export const secondRequests = [
  { authEntry: good },
  { message: 'hello', allowPlainText: true, domains: [] },
  { authEntry: good, message: 'hello' },
]
export const noExpectations = [undefined, null, 'pay', {}, { kind: 'anything' }]
