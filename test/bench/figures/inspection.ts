import { Keypair, VersionedTransaction } from '@solana/web3.js'
import {
  Account,
  Asset,
  Operation,
  Keypair as StellarKeypair,
  TransactionBuilder,
} from '@stellar/stellar-sdk'
import { inspect as inspectEvm, usdcAuthorizationTypedData } from 'redeemkit/evm'
import { inspect as inspectSolana, usdcTransfer } from 'redeemkit/solana'
import { inspect as inspectStellar, networks } from 'redeemkit/stellar'
import type { Figure, Row } from '../figure.ts'
import { perSecond, ratio } from '../ratio.ts'
import { authorization, chainId } from './authorization.ts'

export const inspection: Figure = {
  name: 'inspection',
  about: 'inspections of a wallet request, and of a transaction against only reading it with the SDK',
  measure: async () => {
    const evm = evmRequest()
    const solana = solanaTransfer()
    const stellar = stellarPayment()
    for (const { verdict, findings } of [evm(), solana.ours(), stellar.ours()])
      if (verdict === 'refuse') throw new Error(`A good request is refused: ${findings[0]?.message}`)
    const speed = async (figure: string, run: () => unknown): Promise<Row> => ({
      figure: `inspections: ${figure}`,
      value: await perSecond(run),
      goal: null,
      better: 'higher',
      unit: '/s',
    })
    const against = async (
      figure: string,
      sides: { ours: () => unknown; theirs: () => unknown },
    ): Promise<Row> => ({
      figure: `inspection: ${figure}`,
      value: await ratio(sides),
      goal: null,
      better: 'higher',
      unit: '×',
    })
    return [
      await speed('EVM, USDC authorization', evm),
      await speed('Solana, sponsored USDC transfer', solana.ours),
      await speed('Stellar, USDC payment', stellar.ours),
      await against('Solana transfer, against web3.js deserialize alone', solana),
      await against('Stellar payment, against the SDK reading the XDR alone', stellar),
    ]
  },
}

function evmRequest() {
  const typedData = usdcAuthorizationTypedData({
    chainId,
    type: 'ReceiveWithAuthorization',
    authorization: authorization(1),
  })
  const text = JSON.stringify(typedData, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  const { from } = authorization(1)
  return () =>
    inspectEvm({ method: 'eth_signTypedData_v4', params: [from, text] }, { address: from, chainId })
}

function solanaTransfer() {
  const [customer, merchant, sponsor] = [1, 2, 3].map((seed) =>
    Keypair.fromSeed(new Uint8Array(32).fill(seed)).publicKey.toBase58(),
  )
  if (!customer || !merchant || !sponsor) throw new Error('Three accounts are required.')
  const expected = usdcTransfer({
    environment: 'sandbox',
    from: customer,
    to: merchant,
    sponsor,
    amount: 1_500_000n,
    paymentId: 'pay_1',
    blockhash: Keypair.fromSeed(new Uint8Array(32).fill(4)).publicKey.toBase58(),
    lastValidBlockHeight: 100,
  })
  const { transaction } = expected
  return {
    ours: () => inspectSolana({ transaction, wallet: customer, expected }),
    theirs: () => VersionedTransaction.deserialize(Buffer.from(transaction, 'base64')),
  }
}

function stellarPayment() {
  const [customer, merchant] = [1, 2].map((seed) =>
    StellarKeypair.fromRawEd25519Seed(Buffer.alloc(32, seed)).publicKey(),
  )
  const network = networks.find(({ environment }) => environment === 'sandbox')
  if (!customer || !merchant || !network) throw new Error('Two accounts and a network are required.')
  const { networkPassphrase, usdc } = network
  const transaction = new TransactionBuilder(new Account(customer, '1'), { fee: '100', networkPassphrase })
    .addOperation(
      Operation.payment({ destination: merchant, asset: new Asset('USDC', usdc.issuer), amount: '1.5' }),
    )
    .setTimeout(60)
    .build()
    .toXDR()
  const expected = { kind: 'payment', from: customer, to: merchant, amount: 15_000_000n } as const
  return {
    ours: () => inspectStellar({ transaction }, { environment: 'sandbox', address: customer, expected }),
    theirs: () => TransactionBuilder.fromXDR(transaction, networkPassphrase),
  }
}
