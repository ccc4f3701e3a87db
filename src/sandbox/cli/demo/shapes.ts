import { erc721Abi } from 'viem'
import { decentMerchantAbi, knownTokenIdMerchantAbi, normalMerchantAbi, returnedMerchantAbi, safeMintMerchant721Abi } from '../../../../contracts/generated/merchants.ts'
import { knownTokenId, normal, returned, safeMint, token } from '../../../redeemkit/evm/transactionData/builders.ts'
import { decent } from '../../../redeemkit/evm/transactionData/decent.ts'
import type { RedeemOutcome } from '../../../redeemkit/redeem/chain/readLogs.ts'
import { redeem } from '../../../redeemkit/redeem/redeem.ts'
import type { TransactionData } from '../../../redeemkit/schema/transactionData.ts'
import type { TransactionDataKind } from '../../../redeemkit/schema/transactionDataKind.ts'
import { readUsdcBalance } from '../../contracts/creditsReads.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { check, clientOf } from './demoPart.ts'
import type { DemoSandbox } from './demoSandbox.ts'

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
