import { Address, Keypair, nativeToScVal, rpc, TransactionBuilder, xdr } from 'stellar-sdk-17'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Contract } from '../../src/sandbox/chains/stellar/ledger/contract.ts'

// redeemkit, the local ledger and the calling application all run with SDK 17.
vi.mock('@stellar/stellar-sdk', () => import('stellar-sdk-17'))
const toolkit = await import('../../src/redeemkit/stellar/index.ts')
const { fromSdk } = await import('../../src/redeemkit/stellar/sdk.ts')
const { startStellar } = await import('../../src/sandbox/chains/stellar/startStellar.ts')

const environment = 'sandbox'
const { networkPassphrase } = toolkit.networkOf(environment)
const one = 10_000_000n
const [customer, merchant, sponsor] = [Keypair.random(), Keypair.random(), Keypair.random()]
const [from, to] = [customer.publicKey(), merchant.publicKey()]
const parties = { from, sponsor: sponsor.publicKey() }

type Expected = Parameters<typeof toolkit.signTransaction>[1]['expected']
const stellar = await startStellar({ applyAfterMs: 0 })
const server = new rpc.Server(stellar.rpcUrl, { allowHttp: true })
// The compiler knows only the classes of SDK 15.
const client = server as unknown as Parameters<typeof toolkit.usdcTransfer>[0]
afterAll(() => stellar.stop())

beforeAll(() => {
  stellar.fund({ address: parties.sponsor, xlm: 1000n * one })
  stellar.fund({ address: to, usdc: 0n })
})

async function sign(key: Keypair, transaction: string, expected: Expected): Promise<string> {
  const { sequence: latestLedger } = await server.getLatestLedger()
  return toolkit.signTransaction(key, { environment, transaction, expected, client, latestLedger })
}

/** Submits a transaction that both have signed. @returns `SUCCESS`, or the reason of the failure */
async function submit(transaction: string): Promise<string> {
  const sent = await server.sendTransaction(TransactionBuilder.fromXDR(transaction, networkPassphrase))
  return sent.status === 'ERROR' ? sent.status : (await server.getTransaction(sent.hash)).status
}
const signAndSubmit = async (transaction: string, expected: Expected) =>
  submit(await sign(sponsor, await sign(customer, transaction, expected), expected))

test('an account is opened and pays USDC', async () => {
  const opened = await toolkit.usdcAccount(client, { ...parties, environment })
  if (opened === undefined) throw new Error('The account already holds USDC.')
  expect(await signAndSubmit(opened.transaction, opened.expected)).toBe('SUCCESS')
  stellar.fund({ address: from, usdc: 100n * one })
  const payment = { ...parties, to, amount: one }
  const { transaction } = await toolkit.usdcTransfer(client, { ...payment, environment })
  expect(await signAndSubmit(transaction, { ...payment, kind: 'payment' })).toBe('SUCCESS')
  expect(stellar.balanceOf(to).usdc).toBe(one)
})

describe('a contract call', () => {
  const functions = {
    buy(context: { requireAuth: (of: string) => void; transferUsdc: Transfer }, payer: xdr.ScVal) {
      const address = Address.fromScVal(payer).toString()
      context.requireAuth(address)
      context.transferUsdc(address, to, one)
      return xdr.ScVal.scvBool(true)
    },
  }
  type Transfer = (sender: string, receiver: string, amount: bigint) => void
  const contract = stellar.declareContract(fromSdk(functions as unknown as Contract))
  const args = [nativeToScVal(from, { type: 'address' }).toXDR('base64')]
  const spends = { to, amount: one }
  const expected: Parameters<typeof toolkit.stellarTransaction>[1]['expected'] = {
    ...parties,
    kind: 'call',
    contract,
    functionName: 'buy',
    args,
    spends,
  }

  /** Returns the call with its authorization changed. */
  async function build(change: (entry: xdr.SorobanAuthorizationEntry) => xdr.SorobanAuthorizationEntry) {
    const { transaction } = await toolkit.stellarTransaction(client, { environment, expected })
    return withEntry(transaction, change)
  }
  /** Converts an authorization to CAP-71's form, in which the signed data names the account. */
  const toV2 = ({ credentials, rootInvocation }: xdr.SorobanAuthorizationEntry) => {
    if (credentials.type !== 'sorobanCredentialsAddress') throw new Error(`It has ${credentials.type}.`)
    return new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsAddressV2(credentials.address),
      rootInvocation,
    })
  }
  test.each([
    ['without', (entry: xdr.SorobanAuthorizationEntry) => entry],
    ['with', toV2],
  ])('is authorized %s the account in the signature', async (_, change) => {
    const before = stellar.balanceOf(to).usdc
    expect(await signAndSubmit(await build(change), expected)).toBe('SUCCESS')
    expect(stellar.balanceOf(to).usdc).toBe((before ?? 0n) + one)
  })
  test('is not authorized by a signature without an account, if one is required', async () => {
    const before = stellar.balanceOf(to).usdc
    const signed = withEntry(await sign(customer, await build((entry) => entry), expected), toV2)
    const transaction = TransactionBuilder.fromXDR(signed, networkPassphrase)
    transaction.sign(sponsor)
    expect(await submit(transaction.toXDR())).toBe('FAILED')
    expect(stellar.balanceOf(to).usdc).toBe(before)
  })
})

/** Returns a transaction with its single authorization changed. */
function withEntry(
  transaction: string,
  change: (entry: xdr.SorobanAuthorizationEntry) => xdr.SorobanAuthorizationEntry,
): string {
  const envelope = xdr.TransactionEnvelope.fromXDR(transaction, 'base64')
  const body = envelope.type === 'envelopeTypeTx' ? envelope.v1.tx.operations[0]?.body : undefined
  if (body?.type !== 'invokeHostFunction') throw new Error('It is no contract call.')
  Object.assign(body.invokeHostFunctionOp, { auth: body.invokeHostFunctionOp.auth.map(change) })
  return envelope.toXDR('base64')
}
