import {
  Asset,
  BASE_FEE,
  type FeeBumpTransaction,
  Keypair,
  nativeToScVal,
  Operation,
  rpc,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import { test } from 'vitest'
import { networkOf } from '../../../src/redeemkit/stellar/index.ts'
import type { Contract } from '../../../src/sandbox/chains/stellar/ledger/contract.ts'
import { startStellar } from '../../../src/sandbox/chains/stellar/startStellar.ts'

const { STELLAR_RPC_URL: realUrl, STELLAR_USDC_SECRET: usdcSecret } = process.env
const canUsdc = realUrl === undefined || usdcSecret !== undefined

export const networkName = realUrl === undefined ? 'the local ledger' : 'the network behind STELLAR_RPC_URL'

/** USDC cannot be minted on a real network. */
export function usdcTest(name: string, run: () => Promise<void>): void {
  test(name, (context) =>
    canUsdc ? run() : context.skip('STELLAR_USDC_SECRET is not set, and real USDC cannot be minted'),
  )
}

/**
 * With `STELLAR_RPC_URL`, opens a real test network instead of the local ledger, with only what an RPC server offers on both. Accounts
 * come from friendbot, USDC from the account with the key `STELLAR_USDC_SECRET`. `applyAfterMs` is how long a transaction is pending on
 * the local ledger. `isLocal` always uses the local ledger, for declared contracts.
 */
export async function openNetwork({ applyAfterMs = 0, isLocal = false } = {}) {
  const local = isLocal || realUrl === undefined ? await startStellar({ applyAfterMs }) : undefined
  const rpcUrl = local?.rpcUrl ?? realUrl ?? ''
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
  /** Returns `SUCCESS`, or the failure code of the transaction or its first operation. */
  async function statusOf(hash: string): Promise<string> {
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
  async function submit(transaction: Transaction | FeeBumpTransaction): Promise<string> {
    const sent = await server.sendTransaction(transaction)
    if (sent.status === 'ERROR') return sent.errorResult?.result().switch().name ?? sent.status
    return statusOf(sent.hash)
  }
  /** The first key is the transaction's source. */
  async function signAndSubmit(keys: readonly [Keypair, ...Keypair[]], operation: xdr.Operation) {
    const transaction = await draft(keys[0].publicKey(), [operation])
    transaction.sign(...keys)
    const code = await submit(transaction)
    if (code !== 'SUCCESS') throw new Error(`The network returned ${code}.`)
  }
  async function withUsdc(amount: string): Promise<Keypair> {
    const key = await funded()
    await signAndSubmit([key], Operation.changeTrust({ asset: usdc }))
    if (Number(amount) === 0) return key
    if (local !== undefined) local.fund({ address: key.publicKey(), usdc: BigInt(amount) * 10_000_000n })
    else {
      const holder = Keypair.fromSecret(usdcSecret ?? '')
      // The new account pays the fee, because the USDC holder may have no XLM.
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
    statusOf,
    declareContract: (functions: Contract): string => {
      if (local === undefined) throw new Error('Only the local ledger runs declared contracts.')
      return local.declareContract(functions)
    },
    /** Raw units (7 decimals). */
    usdcOf: async (address: string) =>
      BigInt((await server.getTrustline(address, usdc)).balance().toString()),
    stop: async () => local?.stop(),
  }
}

export const addressArg = (text: string): xdr.ScVal => nativeToScVal(text, { type: 'address' })

export const amountArg = (amount: bigint): xdr.ScVal => nativeToScVal(amount, { type: 'i128' })

export const ledgerArg = (ledger: number): xdr.ScVal => nativeToScVal(ledger, { type: 'u32' })
