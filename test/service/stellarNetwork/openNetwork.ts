import {
  Asset,
  BASE_FEE,
  type FeeBumpTransaction,
  Keypair,
  Operation,
  rpc,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import { test } from 'vitest'
import { networkOf } from '../../../src/redeemkit/stellar/index.ts'
import { startStellar } from '../../../src/sandbox/chains/stellar/startStellar.ts'

const { STELLAR_RPC_URL: realUrl, STELLAR_USDC_SECRET: usdcSecret } = process.env
const canUsdc = realUrl === undefined || usdcSecret !== undefined

/** What the tests run on, in words. */
export const networkName = realUrl === undefined ? 'our Stellar ledger' : 'the network behind STELLAR_RPC_URL'

/** A test that needs USDC, which cannot be made on a real network. */
export function usdcTest(name: string, run: () => Promise<void>): void {
  test(name, (context) =>
    canUsdc ? run() : context.skip('STELLAR_USDC_SECRET is not set, and real USDC cannot be minted'),
  )
}

/**
 * Our ledger or, with `STELLAR_RPC_URL`, a real test network, and only what an RPC server can do on either. Accounts come
 * from the network's friendbot; USDC from the account whose key is `STELLAR_USDC_SECRET`.
 *
 * @param options.applyAfterMs how long our ledger lets a transaction wait; by default not at all
 */
export async function openNetwork({ applyAfterMs = 0 } = {}) {
  const local = realUrl === undefined ? await startStellar({ applyAfterMs }) : undefined
  const rpcUrl = realUrl ?? local?.rpcUrl ?? ''
  const server = new rpc.Server(rpcUrl, { allowHttp: true })
  const network = networkOf('sandbox')
  const usdc = new Asset(network.usdc.code, network.usdc.issuer)

  async function funded(): Promise<Keypair> {
    const key = Keypair.random()
    await server.requestAirdrop(key.publicKey())
    return key
  }
  async function draft(
    source: string,
    operations: xdr.Operation[],
    options: Partial<TransactionBuilder.TransactionBuilderOptions> = {},
  ) {
    const builder = new TransactionBuilder(await server.getAccount(source), {
      fee: BASE_FEE,
      networkPassphrase: network.networkPassphrase,
      timebounds: { minTime: 0, maxTime: Math.floor(Date.now() / 1000) + 120 },
      ...options,
    })
    for (const operation of operations) builder.addOperation(operation)
    return builder.build()
  }
  /** Waits for what was sent. @returns `SUCCESS`, or the code of the transaction's or its first operation's failure */
  async function landed(hash: string): Promise<string> {
    const found = await server.pollTransaction(hash, {
      attempts: 60,
      sleepStrategy: () => (local === undefined ? 1000 : 50),
    })
    if (found.status !== 'FAILED') return found.status
    const result = found.resultXdr.result()
    if (result.switch().name !== 'txFailed') return result.switch().name
    const [first] = result.results()
    const body = first?.switch().name === 'opInner' ? first.tr() : undefined
    return body === undefined ? (first?.switch().name ?? found.status) : body.value().switch().name
  }
  /** Submits and waits. @returns `SUCCESS`, or the code of the transaction's or its first operation's refusal */
  async function submit(transaction: Transaction | FeeBumpTransaction): Promise<string> {
    const sent = await server.sendTransaction(transaction)
    if (sent.status === 'ERROR') return sent.errorResult?.result().switch().name ?? sent.status
    return landed(sent.hash)
  }
  /** The first of the keys is the transaction's source. */
  async function signAndSubmit(keys: readonly [Keypair, ...Keypair[]], operation: xdr.Operation) {
    const transaction = await draft(keys[0].publicKey(), [operation])
    transaction.sign(...keys)
    const code = await submit(transaction)
    if (code !== 'SUCCESS') throw new Error(`The network answers ${code}.`)
  }
  /** A new account with a trustline and that much USDC on it. */
  async function withUsdc(amount: string): Promise<Keypair> {
    const key = await funded()
    await signAndSubmit([key], Operation.changeTrust({ asset: usdc }))
    if (Number(amount) === 0) return key
    if (local !== undefined) local.fund({ address: key.publicKey(), usdc: BigInt(amount) * 10_000_000n })
    else {
      const holder = Keypair.fromSecret(usdcSecret ?? '')
      // The new account pays the fee: who has USDC need not have XLM.
      await signAndSubmit(
        [key, holder],
        Operation.payment({ source: holder.publicKey(), destination: key.publicKey(), asset: usdc, amount }),
      )
    }
    return key
  }
  return {
    server,
    rpcUrl,
    network,
    funded,
    withUsdc,
    draft,
    submit,
    landed,
    /** Raw units of 7 decimals. */
    usdcOf: async (address: string) =>
      BigInt((await server.getTrustline(address, usdc)).balance().toString()),
    stop: async () => local?.stop(),
  }
}
