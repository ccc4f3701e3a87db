import { type Abi, erc721Abi, type Hex, parseAbi } from 'viem'
import { expect } from 'vitest'
import {
  decentMerchantAbi,
  decentMerchantBytecode,
  knownTokenIdMerchantAbi,
  knownTokenIdMerchantBytecode,
  normalMerchantAbi,
  normalMerchantBytecode,
  returnedMerchantAbi,
  returnedMerchantBytecode,
  safeMintMerchant721Abi,
  safeMintMerchant721Bytecode,
  safeMintMerchant1155Abi,
  safeMintMerchant1155Bytecode,
} from '../../../contracts/generated/merchants.ts'
import type { RunningShop } from '../../../examples/dapp-redeem/server/startShop.ts'
import { decent, knownTokenId, normal, returned, safeMint, token } from '../../../src/redeemkit/evm/index.ts'
import type { TransactionData } from '../../../src/redeemkit/schema/index.ts'
import type { SandboxChain } from '../../../src/sandbox/index.ts'
import { anvil } from '../../service/sandboxClient.ts'

const price = 10_000_000n

/** Every transaction type, with the variants that a receipt distinguishes. */
export const saleNames = [
  'token',
  'normal, which takes less than the price',
  'safeMint of ERC-721',
  'safeMint of ERC-1155',
  'returned',
  'knownTokenId',
  'decent, in USDC',
  'decent, in the coin of the other chain',
] as const

export type SaleName = (typeof saleNames)[number]

export type Sale = {
  transactionData: TransactionData
  expectDelivered: (buyer: Hex) => Promise<void>
  /** What the shop takes, in raw units of USDC. Default: the whole price. */
  taken?: bigint
}

/** A sale of $10. The shop must have been started with the bridge. */
export async function openSale(shop: RunningShop, name: SaleName): Promise<Sale> {
  const { base, arbitrum } = shop.sandbox.chains as Record<'base' | 'arbitrum', SandboxChain> // both were started
  const chain = anvil(base.rpcUrl)
  const far = anvil(arbitrum.rpcUrl)
  async function open(abi: Abi, bytecode: Hex): Promise<Hex> {
    const to = await chain.deploy(abi, bytecode, [base.usdc])
    await shop.sandbox.whitelist({ target: to })
    return to
  }
  const ownerOf = (address: Hex, id: bigint) =>
    chain.client.readContract({ address, abi: erc721Abi, functionName: 'ownerOf', args: [id] })

  const sales = {
    token: async () => {
      const { address } = shop.sandbox.accounts.bob
      const balance = () =>
        chain.client.readContract({
          address: base.usdc,
          abi: erc721Abi,
          functionName: 'balanceOf',
          args: [address],
        })
      const before = await balance()
      return {
        transactionData: token({ destination: address }),
        expectDelivered: async () => expect((await balance()) - before).toBe(price),
      }
    },
    'normal, which takes less than the price': async () => {
      const to = await open(normalMerchantAbi, normalMerchantBytecode)
      const { address } = shop.sandbox.accounts.bob
      const args = [address, price - 1_500_000n] as const
      return {
        transactionData: normal({ to, abi: normalMerchantAbi, functionName: 'buy', args }),
        taken: price - 1_500_000n,
        expectDelivered: async () =>
          expect(
            await chain.client.readContract({
              address: to,
              abi: normalMerchantAbi,
              functionName: 'paidFor',
              args: [address],
            }),
          ).toBe(price - 1_500_000n),
      }
    },
    'safeMint of ERC-721': async () => {
      const to = await open(safeMintMerchant721Abi, safeMintMerchant721Bytecode)
      const call = { to, abi: safeMintMerchant721Abi, functionName: 'mint', args: [2n, price] } as const
      return {
        transactionData: safeMint(call),
        expectDelivered: async (buyer) => {
          for (const id of [1n, 2n]) expect(await ownerOf(to, id)).toBe(buyer)
        },
      }
    },
    'safeMint of ERC-1155': async () => {
      const to = await open(safeMintMerchant1155Abi, safeMintMerchant1155Bytecode)
      const call = { to, abi: safeMintMerchant1155Abi, functionName: 'mint', args: [7n, 3n, price] } as const
      return {
        transactionData: safeMint(call),
        expectDelivered: async (buyer) =>
          expect(
            await chain.client.readContract({
              address: to,
              abi: parseAbi(['function balanceOf(address owner, uint256 id) view returns (uint256)']),
              functionName: 'balanceOf',
              args: [buyer, 7n],
            }),
          ).toBe(3n),
      }
    },
    returned: async () => {
      const to = await open(returnedMerchantAbi, returnedMerchantBytecode)
      return {
        transactionData: returned({ to, abi: returnedMerchantAbi, functionName: 'mint', args: [price] }),
        expectDelivered: async (buyer) => expect(await ownerOf(to, 1n)).toBe(buyer),
      }
    },
    knownTokenId: async () => {
      const to = await open(knownTokenIdMerchantAbi, knownTokenIdMerchantBytecode)
      await chain.call(to, knownTokenIdMerchantAbi, 'list', [42n, price])
      const call = { to, abi: knownTokenIdMerchantAbi, functionName: 'buy', args: [42n] } as const
      return {
        transactionData: knownTokenId({ ...call, nftContract: to, nftId: 42n }),
        expectDelivered: async (buyer) => expect(await ownerOf(to, 42n)).toBe(buyer),
      }
    },
    'decent, in USDC': () => sellFar({ dstToken: arbitrum.usdc, amount: price, functionName: 'buy' }),
    'decent, in the coin of the other chain': () =>
      sellFar({ dstToken: `0x${'00'.repeat(20)}`, amount: 10n ** 15n, functionName: 'buyNative' }),
  } satisfies Record<SaleName, () => Promise<Sale>>

  async function sellFar(of: {
    dstToken: Hex
    amount: bigint
    functionName: 'buy' | 'buyNative'
  }): Promise<Sale> {
    const { dstToken, amount, functionName } = of
    const to = await far.deploy(decentMerchantAbi, decentMerchantBytecode, [arbitrum.usdc])
    await shop.sandbox.whitelist({ target: to, chainId: arbitrum.chainId })
    const { address } = shop.sandbox.accounts.bob
    const isNative = functionName === 'buyNative'
    const common = {
      dstChainId: arbitrum.chainId,
      dstToken,
      contractAddress: to,
      abi: decentMerchantAbi,
      cost: { isNative, amount },
    } as const
    const paid = () =>
      far.client.readContract({
        address: to,
        abi: decentMerchantAbi,
        functionName: 'paidFor',
        args: [address],
      })
    return {
      transactionData: isNative
        ? decent({ ...common, functionName, args: [address] })
        : decent({ ...common, functionName: 'buy', args: [address, amount] }),
      // 0.001 of the native coin costs three dollars; a millionth is rounding.
      ...(isNative && { taken: 3_000_001n }),
      // The bridge delivers the message after the redeem.
      expectDelivered: () => expect.poll(paid, { timeout: 15_000 }).toBe(amount),
    }
  }

  return sales[name]()
}

export type Offer = { id: string; cents: number; transactionData: TransactionData }

export const hrefOfOffer = (offer: Offer): string =>
  `offer.html?offer=${encodeURIComponent(JSON.stringify(offer))}`
