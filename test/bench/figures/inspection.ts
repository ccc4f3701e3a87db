import { Keypair, VersionedTransaction } from '@solana/web3.js'
import {
  Account,
  Asset,
  Operation,
  Keypair as StellarKeypair,
  TransactionBuilder,
} from '@stellar/stellar-sdk'
import { creditPermitTypedData, inspect as inspectEvm, usdcAuthorizationTypedData } from 'redeemkit/evm'
import { inspect as inspectSolana, usdcTransfer } from 'redeemkit/solana'
import { inspect as inspectStellar, networks } from 'redeemkit/stellar'
import { numberToHex } from 'viem'
import { type Figure, perSecond, type Row, ratio } from '../figure.ts'

export const inspection: Figure = {
  name: 'inspection',
  about:
    'inspections of a wallet request, and of a transaction compared with only reading it with the SDK, which a wallet does anyway',
  measure: async () => {
    const evm = evmRequest()
    const redeem = evmRedeem()
    const solana = solanaTransfer()
    const stellar = stellarPayment()
    for (const { verdict, findings } of [evm(), redeem(), solana.ours(), stellar.ours()])
      if (verdict === 'refuse') throw new Error(`A good request is refused: ${findings[0]?.message}`)
    const speed = async (figure: string, run: () => unknown, goal: number | null = null): Promise<Row> => ({
      figure: `inspections: ${figure}`,
      ...(await perSecond(run)),
      goal,
      better: 'higher',
      unit: '/s',
    })
    const against = async (
      figure: string,
      sides: { ours: () => unknown; theirs: () => unknown },
    ): Promise<Row> => ({
      figure: `inspection: ${figure}`,
      ...(await ratio(sides)),
      goal: null,
      better: 'higher',
      unit: '×',
    })
    return [
      await speed('EVM, USDC authorization', evm, 20_000),
      await speed('EVM, credit permit with its purchase', redeem, 20_000),
      await speed('Solana, sponsored USDC transfer', solana.ours),
      await speed('Stellar, USDC payment', stellar.ours),
      await against('Solana transfer, against web3.js deserialize alone', solana),
      await against('Stellar payment, against the SDK reading the XDR alone', stellar),
    ]
  },
}

/** Nonce and value change each turn, so that nothing can be cached. */
function evmRequest() {
  const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const texts = Array.from({ length: 1_000 }, (_, turn) => {
    const authorization = {
      from,
      to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      value: 4_000_000n + BigInt(turn),
      validAfter: 0n,
      validBefore: 1_900_000_000n,
      nonce: numberToHex(turn + 1, { size: 32 }),
    } as const
    const type = 'ReceiveWithAuthorization'
    return JSON.stringify(usdcAuthorizationTypedData({ chainId, type, authorization }), (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
  })
  let turn = 0
  return () => {
    const text = texts[turn++ % texts.length]
    return inspectEvm({ method: 'eth_signTypedData_v4', params: [from, text] }, { address: from, chainId })
  }
}

/** The worked example of PROTOCOL.md 4.1. */
function evmRedeem() {
  const customerWallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const shop = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
  const creditsContract = '0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0'
  const time = Date.parse('2026-11-20T12:00:00Z')
  const permit = {
    customerWallet,
    creditSeed: 'my-shop',
    amount: 6_030_000n,
    validBefore: BigInt(time / 1000 + 600),
    nonce: '0xcff8661c04b781a2804ce2e83dfc0acc4ffe622d5d5063c53b32e8cca0e2e4f6',
  } as const
  const domain = { name: 'Credits', version: '1', chainId: 8453, verifyingContract: creditsContract } as const
  const text = JSON.stringify(creditPermitTypedData({ domain, permit }), (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  const context: inspectEvm.Context = {
    address: customerWallet,
    chainId: 8453,
    origin: 'https://shop.example',
    pinned: [
      {
        chainId: 8453,
        creditsContract,
        creditSeed: 'my-shop',
        merchantId: 'sandbox-shop',
        receivers: [shop],
        origins: ['https://shop.example'],
      },
    ],
    intent: {
      version: 1,
      merchantId: 'sandbox-shop',
      purchaseId: 'order 1',
      salt: '0xa05e334153147e75f3f416139b5109d1179cb56fef6a4ecb4c4cbc92a7c37b70',
      request: {
        subtotal: { cents: 1000 },
        usdcAmount: { cents: 400 },
        transactionData: {
          transaction: {
            to: shop,
            data: '0xcce7ec13000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb922660000000000000000000000000000000000000000000000000000000000989680',
          },
        },
      },
    },
    now: () => time,
  }
  return () => inspectEvm({ method: 'eth_signTypedData_v4', params: [customerWallet, text] }, context)
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
    ours: () => inspectSolana({ transaction }, { address: customer, expected }),
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

const chainId = 8453
