import { encodeFunctionData, erc721Abi, type Hex } from 'viem'
import { serializeErc6492Signature } from 'viem/utils'
import {
  decentMerchantAbi,
  knownTokenIdMerchantAbi,
  normalMerchantAbi,
  returnedMerchantAbi,
  safeMintMerchant721Abi,
} from '../../../../contracts/generated/merchants.ts'
import { smartWalletFactoryAbi } from '../../../../contracts/generated/smartWallets.ts'
import { plainDollars } from '../../../redeemkit/evm/findingTexts.ts'
import type { AccountSigner } from '../../../redeemkit/evm/signer/toSigner.ts'
import {
  decent,
  knownTokenId,
  normal,
  returned,
  safeMint,
  token,
} from '../../../redeemkit/evm/transactionData/builders.ts'
import type { RedeemOutcome } from '../../../redeemkit/redeem/chain/readLogs.ts'
import { redeem } from '../../../redeemkit/redeem/redeem.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import type { TransactionDataKind } from '../../../redeemkit/schema/transactionDataKind.ts'
import { readCredits, readUsdcBalance } from '../../contracts/creditsReads.ts'
import { devAccount } from '../../devAccounts.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { check, clientOf, type DemoPart, printTable, short } from './demoPart.ts'
import type { DemoSandbox } from './demoSandbox.ts'

export const redeems: DemoPart = {
  title: 'Redeem all transaction types, paid with credits, credits + USDC V1, and credits + USDC V2',
  run: async (demo, progress) => {
    const { home } = demo
    const { alice } = demo.sandbox.accounts
    const rows: string[][] = []
    for (const shape of shapes) {
      for (const [index, payment] of payments.entries()) {
        progress(`${shape.name}, ${payment.name}`)
        const before = await balancesOf(demo, alice.address)
        const { outcome, gasUsed } = await redeemShape(demo, { shape, payment, turn: index + 1 })
        const after = await balancesOf(demo, alice.address)
        check(
          before.credits - after.credits === outcome.charged - outcome.refunded,
          'credits moved as the event reports',
        )
        check(before.usdc - after.usdc === outcome.usdcAmount, 'USDC moved as the event reports')
        rows.push([
          shape.name,
          payment.name,
          short(outcome.hash),
          gasUsed.toLocaleString('en-US'),
          plainDollars(outcome.gasFee),
          `${plainDollars(outcome.charged)} credits${outcome.usdcAmount > 0n ? ` + ${plainDollars(outcome.usdcAmount)} USDC` : ''} → ${await shape.received(demo, index + 1)}`,
        ])
      }
    }
    return () =>
      printTable('Redeems: 10.00 USD each, signed by alice, who has no native coin for gas', {
        head: ['type', 'payment', 'hash', 'gas', 'fee', 'what moved'],
        rows,
        right: [3, 4],
        note: `Local chain ${home.chainId}. Decent redeems arrive on chain ${demo.far.chainId}, relayed by the local service.`,
      })
  },
}

async function balancesOf({ home, sandbox: { creditSeed } }: DemoSandbox, wallet: Hex) {
  return {
    credits: await readCredits(home, { creditSeed, wallet }),
    usdc: await readUsdcBalance(home, { wallet }),
  }
}

const price = 10_000_000n

export const payments = [
  { name: 'credits', options: {} },
  { name: 'credits + USDC V1', options: { usdcAmount: { cents: 400 }, usdcVersion: 'V1' } },
  { name: 'credits + USDC V2', options: { usdcAmount: { cents: 400 }, usdcVersion: 'V2' } },
] as const

export type Shape = {
  name: string
  /** @param turn ordinal number of the redeem of this type, from 1 */
  transactionData: (
    demo: DemoSandbox<ServiceKind>,
    turn: number,
  ) => Promise<TransactionData> | TransactionData
  received: (demo: DemoSandbox<ServiceKind>, turn: number) => Promise<string>
}

const byName: Readonly<Record<TransactionDataKind, Omit<Shape, 'name'>>> = {
  token: {
    transactionData: ({ sandbox }) => token({ destination: sandbox.accounts.bob.address }),
    received: async ({ home, sandbox }, turn) => {
      const { address: bob } = sandbox.accounts.bob
      const balance = await readUsdcBalance(home, { wallet: bob })
      check(balance === 1_000_000_000n + price * BigInt(turn), 'bob has the USDC')
      return '10.00 USDC to bob'
    },
  },
  normal: {
    transactionData: ({ merchants, sandbox }) =>
      normal({
        to: merchants.normal,
        abi: normalMerchantAbi,
        functionName: 'buy',
        args: [sandbox.accounts.alice.address, price],
      }),
    received: async ({ home, merchants, sandbox }, turn) => {
      const paid = await home.client.readContract({
        address: merchants.normal,
        abi: normalMerchantAbi,
        functionName: 'paidFor',
        args: [sandbox.accounts.alice.address],
      })
      check(paid === price * BigInt(turn), 'the order is paid')
      return `order ${turn} for alice`
    },
  },
  safeMint: {
    transactionData: ({ merchants }) =>
      safeMint({
        to: merchants.safeMint,
        abi: safeMintMerchant721Abi,
        functionName: 'mint',
        args: [1n, price],
      }),
    received: (demo, turn) => ownsNft(demo, demo.merchants.safeMint, BigInt(turn)),
  },
  returned: {
    transactionData: ({ merchants }) =>
      returned({ to: merchants.returned, abi: returnedMerchantAbi, functionName: 'mint', args: [price] }),
    received: (demo, turn) => ownsNft(demo, demo.merchants.returned, BigInt(turn)),
  },
  knownTokenId: {
    transactionData: async ({ home, merchants }, turn) => {
      const nftId = 40n + BigInt(turn)
      await home.call({
        address: merchants.knownTokenId,
        abi: knownTokenIdMerchantAbi,
        functionName: 'list',
        args: [nftId, price],
      })
      return knownTokenId({
        to: merchants.knownTokenId,
        abi: knownTokenIdMerchantAbi,
        functionName: 'buy',
        args: [nftId],
        nftContract: merchants.knownTokenId,
        nftId,
      })
    },
    received: (demo, turn) => ownsNft(demo, demo.merchants.knownTokenId, 40n + BigInt(turn)),
  },
  decent: {
    transactionData: ({ far, merchants, sandbox }) =>
      decent({
        dstChainId: far.chainId,
        dstToken: far.usdc,
        contractAddress: merchants.decent,
        abi: decentMerchantAbi,
        functionName: 'buy',
        args: [sandbox.accounts.alice.address, price],
        cost: { isNative: false, amount: price },
      }),
    received: async ({ far, merchants, sandbox }, turn) => {
      const args = [sandbox.accounts.alice.address] as const
      const isPaid = async () =>
        (await far.client.readContract({
          address: merchants.decent,
          abi: decentMerchantAbi,
          functionName: 'paidFor',
          args,
        })) ===
        price * BigInt(turn)
      check(await waitUntil(isPaid), 'the order on the other chain is paid')
      return `order ${turn} on ${far.blockchain}`
    },
  },
}

export const shapes: readonly Shape[] = Object.entries(byName).map(([name, shape]) => ({ name, ...shape }))

async function ownsNft(
  { home, sandbox }: DemoSandbox<ServiceKind>,
  contract: `0x${string}`,
  id: bigint,
): Promise<string> {
  const owner = await home.client.readContract({
    address: contract,
    abi: erc721Abi,
    functionName: 'ownerOf',
    args: [id],
  })
  check(owner === sandbox.accounts.alice.address, 'alice owns the NFT')
  return `NFT #${id} to alice`
}

/** Redeems one transaction type for 10 dollars, as alice. `turn` counts the redeems of this type, from 1. */
export async function redeemShape(
  demo: DemoSandbox,
  options: { shape: Shape; payment: (typeof payments)[number]; turn: number },
): Promise<{ outcome: RedeemOutcome; gasUsed: bigint }> {
  const { sandbox, home } = demo
  const { shape, payment, turn } = options
  const { outcome } = await redeem(clientOf(demo, { blockchain: 'base' }), {
    signer: sandbox.accounts.alice.account,
    publicClient: home.client,
    pollingIntervalMs: 20,
    chainId: home.chainId,
    pinned: home.pinned,
    subtotal: { cents: 1000 },
    transactionData: await shape.transactionData(demo, turn),
    ...payment.options,
  })
  const { gasUsed } = await home.client.getTransactionReceipt({ hash: outcome.hash })
  return { outcome, gasUsed }
}

/** Polls every 50 ms, for 15 seconds at most. */
async function waitUntil(isTrue: () => Promise<boolean>): Promise<boolean> {
  for (let looks = 0; looks < 300; looks++) {
    if (await isTrue()) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

export const smartAccount: DemoPart = {
  title: 'Redeem from a smart account that is not deployed yet (ERC-6492)',
  run: async (demo, progress) => {
    const { sandbox, home, walletFactory } = demo
    const owner = devAccount('demo smart account owner')
    const factoryCall = {
      address: walletFactory,
      abi: smartWalletFactoryAbi,
      args: [owner.account.address, 7n],
    } as const
    const address = await home.client.readContract({ ...factoryCall, functionName: 'walletOf' })
    const factoryData = encodeFunctionData({ ...factoryCall, functionName: 'createWallet' })
    const wrap = (signature: Hex) =>
      serializeErc6492Signature({ address: walletFactory, data: factoryData, signature })
    const signer: AccountSigner = {
      address,
      signTypedData: async (typedData) => wrap(await owner.account.signTypedData(typedData)),
      signMessage: async (message) => wrap(await owner.account.signMessage(message)),
    }
    progress('funding the account')
    await sandbox.mintCredits({ wallet: address, cents: 2000 })
    await sandbox.mintUsdc({ wallet: address, cents: 2000 })
    check((await home.client.getCode({ address })) === undefined, 'the account is not deployed yet')
    progress('redeeming')
    const { hash, outcome } = await redeem(clientOf(demo, { blockchain: 'base' }), {
      signer,
      publicClient: home.client,
      pollingIntervalMs: 20,
      chainId: home.chainId,
      pinned: home.pinned,
      subtotal: { cents: 1000 },
      usdcAmount: { cents: 400 },
      transactionData: token({ destination: sandbox.accounts.bob.address }),
    })
    check(outcome.usdcAmount === 4_000_000n, 'credits and USDC were spent')
    check((await home.client.getCode({ address })) !== undefined, 'the account is deployed now')
    return () =>
      printTable('Smart account: the service deployed it through an allowed factory, then redeemed', {
        head: ['account', 'payment', 'hash', 'fee', 'what moved'],
        rows: [
          [
            short(address),
            'credits + USDC V2',
            short(hash),
            plainDollars(outcome.gasFee),
            `${plainDollars(outcome.charged)} credits + ${plainDollars(outcome.usdcAmount)} USDC → 10.00 USDC to bob`,
          ],
        ],
        right: [3],
      })
  },
}
