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
import { afterAll } from 'vitest'
import { networkOf } from '../../src/redeemkit/stellar/index.ts'
import { startStellar } from '../../src/sandbox/chains/stellar/startStellar.ts'

export const network = networkOf('sandbox')
export const { networkPassphrase } = network
export const usdc = new Asset(network.usdc.code, network.usdc.issuer)
export const environment = 'sandbox'
export const one = 10_000_000n

/** The ledger of one test file. It applies each transaction before it responds. */
export const stellar = await startStellar({ applyAfterMs: 0 })
export const server = new rpc.Server(stellar.rpcUrl, { allowHttp: true })
afterAll(() => stellar.stop())

/** A customer without spendable XLM, a merchant, and a sponsor. */
export function accounts() {
  const [customer, merchant, sponsor] = [Keypair.random(), Keypair.random(), Keypair.random()]
  stellar.fund({ address: customer.publicKey(), xlm: 0n, usdc: 100n * one, sponsored: true })
  stellar.fund({ address: merchant.publicKey(), usdc: 0n })
  stellar.fund({ address: sponsor.publicKey(), xlm: 1000n * one })
  return { customer, merchant, sponsor }
}

/** Result of a sent transaction: `SUCCESS`, or the code of its result or of its first operation. */
export const codeOf = async (transaction: Transaction | FeeBumpTransaction) => {
  const sent = await server.sendTransaction(transaction)
  if (sent.status === 'ERROR') {
    const result = sent.errorResult?.result()
    const inner =
      result?.switch().name === 'txFeeBumpInnerFailed' ? result.innerResultPair().result().result() : result
    return inner?.switch().name
  }
  const included = await server.getTransaction(sent.hash)
  if (included.status !== 'FAILED') return included.status
  const [first] = included.resultXdr.result().results()
  const body = first?.switch().name === 'opInner' ? first.tr() : undefined
  return body === undefined ? first?.switch().name : body.value().switch().name
}

/** A transaction with one operation, valid for a minute. */
export async function draft(
  source: string,
  operation: xdr.Operation,
  options: Partial<TransactionBuilder.TransactionBuilderOptions> = {},
) {
  const account = await server.getAccount(source)
  return new TransactionBuilder(account, {
    fee: BASE_FEE,
    networkPassphrase,
    timebounds: { minTime: 0, maxTime: Math.floor(Date.now() / 1000) + 60 },
    ...options,
  })
    .addOperation(operation)
    .build()
}

export const pay = (to: string, amount = '1', source?: string) =>
  Operation.payment({ destination: to, asset: usdc, amount, ...(source === undefined ? {} : { source }) })
