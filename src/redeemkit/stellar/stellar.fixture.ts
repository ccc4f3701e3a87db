import type { Transaction, xdr as Xdr } from '@stellar/stellar-sdk'
import * as installed from '@stellar/stellar-sdk'
import { type ExpectedTransaction, networkOf } from './index.ts'
import { inspectRequest } from './inspect/inspectRequest.ts'
import {
  Account,
  Address,
  Asset,
  fromSdk,
  hash,
  Keypair,
  Memo,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
} from './sdk.ts'

/** SDK values that only tests use. */
export const Claimant = fromSdk(installed.Claimant)
export const LiquidityPoolAsset = fromSdk(installed.LiquidityPoolAsset)
export const LiquidityPoolId = fromSdk(installed.LiquidityPoolId)
export const MuxedAccount = fromSdk(installed.MuxedAccount)
export const WebAuth = fromSdk(installed.WebAuth)

export const network = networkOf('sandbox')
export const pubnet = networkOf('prod')
export const { networkPassphrase } = network
export const usdc = new Asset('USDC', network.usdc.issuer)
const [customer, merchant, sponsor, stranger] = [1, 2, 3, 4].map((byte) =>
  Keypair.fromRawEd25519Seed(Buffer.alloc(32, byte)),
) as [Keypair, Keypair, Keypair, Keypair]

export { customer, sponsor, stranger }
export const now = () => Date.parse('2026-11-20T18:00:00Z')
export const seconds = now() / 1000
export const shop = 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE'
export const amount = 25_000_000n
export const from = customer.publicKey()
export const to = merchant.publicKey()
export const options = { environment: 'sandbox', address: from, now, latestLedger: 1000 } as const

export const payment = {
  kind: 'payment',
  from,
  to,
  amount,
  sponsor: sponsor.publicKey(),
  memo: 'pay_1',
} as const
export const call = {
  kind: 'call',
  from,
  sponsor: sponsor.publicKey(),
  contract: shop,
  functionName: 'buy',
  args: [nativeToScVal(from, { type: 'address' }), nativeToScVal(amount, { type: 'i128' })],
  spends: { to, amount },
} as const satisfies ExpectedTransaction

export type Build = {
  source?: string
  operations?: Xdr.Operation[]
  memo?: Memo
  passphrase?: string
  fee?: string
  timebounds?: { minTime: number; maxTime: number }
  prepare?: (builder: TransactionBuilder) => void
}
export function build(changes: Build = {}): Transaction {
  const builder = new TransactionBuilder(new Account(changes.source ?? sponsor.publicKey(), '41'), {
    fee: changes.fee ?? '100',
    networkPassphrase: changes.passphrase ?? networkPassphrase,
    memo: changes.memo ?? Memo.text('pay_1'),
    timebounds: changes.timebounds ?? { minTime: 0, maxTime: seconds + 300 },
  })
  for (const operation of changes.operations ?? [pay()]) builder.addOperation(operation)
  changes.prepare?.(builder)
  return builder.build()
}
export const pay = (changes: Partial<Parameters<typeof Operation.payment>[0]> = {}) =>
  Operation.payment({ destination: to, asset: usdc, amount: '2.5', source: from, ...changes })

/** Builds a payment with the customer as its source, so the customer pays the fee. */
export const buildOwn = () => build({ source: from, operations: [pay({ source: undefined as never })] })

export const args = (contract: string, name: string, values: Xdr.ScVal[]) =>
  new xdr.InvokeContractArgs({
    contractAddress: Address.fromString(contract).toScAddress(),
    functionName: name,
    args: values,
  })
export const invocation = (
  contract: string,
  name: string,
  values: readonly Xdr.ScVal[],
  subInvocations: Xdr.SorobanAuthorizedInvocation[] = [],
) =>
  new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      args(contract, name, [...values]),
    ),
    subInvocations,
  })
export const transferArgs = (receiver = to, value = amount, sender = from) => [
  nativeToScVal(sender, { type: 'address' }),
  nativeToScVal(receiver, { type: 'address' }),
  nativeToScVal(value, { type: 'i128' }),
]
export const transfer = (receiver = to, value = amount, inner: Xdr.SorobanAuthorizedInvocation[] = []) =>
  invocation(network.usdc.contract, 'transfer', transferArgs(receiver, value), inner)
export function entry(
  changes: { root?: Xdr.SorobanAuthorizedInvocation; address?: string; until?: number } = {},
) {
  return new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
      new xdr.SorobanAddressCredentials({
        address: Address.fromString(changes.address ?? from).toScAddress(),
        nonce: new xdr.Int64(77n),
        signatureExpirationLedger: changes.until ?? 1060,
        signature: xdr.ScVal.scvVoid(),
      }),
    ),
    rootInvocation: changes.root ?? invocation(shop, 'buy', call.args, [transfer()]),
  })
}
/** Builds an authorization with source credentials. */
export const bySource = () =>
  new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: invocation(shop, 'buy', call.args, [transfer()]),
  })
export function buildCall(
  changes: Build & {
    auth?: Xdr.SorobanAuthorizationEntry[]
    func?: Xdr.HostFunction
    opSource?: string
  } = {},
): Transaction {
  const func =
    changes.func ?? xdr.HostFunction.hostFunctionTypeInvokeContract(args(shop, 'buy', [...call.args]))
  return build({
    memo: Memo.none(),
    fee: '60000',
    operations: [
      Operation.invokeHostFunction({
        func,
        auth: changes.auth ?? [entry()],
        ...(changes.opSource === undefined ? {} : { source: changes.opSource }),
      }),
    ],
    prepare: (builder) => builder.setSorobanData(new SorobanDataBuilder().setResourceFee(50_000).build()),
    ...changes,
  })
}
export const look = (transaction: { toXDR: () => string }, expected: ExpectedTransaction = payment) =>
  inspectRequest({ transaction: transaction.toXDR() }, { ...options, expected })
export const codes = (transaction: { toXDR: () => string }, expected: ExpectedTransaction = payment) =>
  look(transaction, expected).findings.map((finding) => finding.code)

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
