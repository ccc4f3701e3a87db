import {
  type Chain,
  erc20Abi,
  getAbiItem,
  type Hex,
  type PublicClient,
  type TransactionReceipt,
  type Transport,
  toEventSelector,
} from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'

export type CreditsReader = { creditsContract: Hex; client: PublicClient<Transport, Chain> }

/** Returns raw units, at the given block or the newest. */
export function readCredits(
  chain: CreditsReader,
  options: { creditSeed: string; wallet: Hex; blockNumber?: bigint },
): Promise<bigint> {
  const { creditSeed, wallet, ...block } = options
  return chain.client.readContract({
    address: chain.creditsContract,
    abi: creditsAbi,
    functionName: 'creditsOf',
    args: [creditSeed, wallet],
    ...block,
  })
}

export async function isWhitelisted(
  chain: CreditsReader,
  call: { creditSeed: string; chainId: bigint; target: Hex; selector: Hex },
): Promise<boolean> {
  const { creditSeed, chainId, target, selector } = call
  const [allowed] = await chain.client.readContract({
    address: chain.creditsContract,
    abi: creditsAbi,
    functionName: 'whitelisted',
    args: [creditSeed, chainId, target, selector],
  })
  return allowed
}

/** The bridge adapter that receives the USDC of `decent` redeems. */
export function readBridgeAdapter(chain: CreditsReader): Promise<Hex> {
  return chain.client.readContract({
    address: chain.creditsContract,
    abi: creditsAbi,
    functionName: 'bridgeAdapter',
  })
}

/** The redeems in a transaction to a credits contract, read from its events, as `wallet/nonce` in lower case. */
export function redeemedIn(receipt: TransactionReceipt): ReadonlySet<string> {
  // Reads only events of the called contract, because other contracts may emit fake events.
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === receipt.to?.toLowerCase())
  return new Set(
    logs.flatMap(({ topics: [event, wallet], data }) =>
      event === redeemedTopic && wallet !== undefined
        ? [`0x${wallet.slice(-40)}/${data.slice(0, 66)}`.toLowerCase()]
        : [],
    ),
  )
}

/** Topic of `Redeemed`. `topics[1]` is the wallet, and the data begins with the nonce. */
const redeemedTopic = toEventSelector(getAbiItem({ abi: creditsAbi, name: 'Redeemed' }))

/** Returns raw units, at the given block or the newest; 0 on a chain without USDC. */
export async function readUsdcBalance(
  chain: { usdc: Hex | undefined; client: PublicClient<Transport, Chain> },
  options: { wallet: Hex; blockNumber?: bigint },
): Promise<bigint> {
  const { wallet, ...block } = options
  if (chain.usdc === undefined) return 0n
  return chain.client.readContract({
    address: chain.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [wallet],
    ...block,
  })
}
