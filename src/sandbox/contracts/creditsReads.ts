import {
  type Chain,
  getAbiItem,
  type Hex,
  type PublicClient,
  type TransactionReceipt,
  type Transport,
  toEventSelector,
} from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'

/** A credits contract, and a client of its chain. */
export type CreditsReader = { creditsContract: Hex; client: PublicClient<Transport, Chain> }

/** Credits of a wallet in raw units: of the newest block, or of a named one. */
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

/** Whether a credit seed may call a function of a target on a chain. */
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

/** The bridge adapter that decent redeems are paid to. */
export function readBridgeAdapter(chain: CreditsReader): Promise<Hex> {
  return chain.client.readContract({
    address: chain.creditsContract,
    abi: creditsAbi,
    functionName: 'bridgeAdapter',
  })
}

/** The redeems that a transaction of a credits contract did, by its events: `wallet/nonce`, in lower case. */
export function redeemedIn(receipt: TransactionReceipt): ReadonlySet<string> {
  // Only the contract that was called speaks for itself; others may emit what they like.
  const logs = receipt.logs.filter(({ address }) => address.toLowerCase() === receipt.to?.toLowerCase())
  return new Set(
    logs.flatMap(({ topics: [event, wallet], data }) =>
      event === redeemedTopic && wallet !== undefined
        ? [`0x${wallet.slice(-40)}/${data.slice(0, 66)}`.toLowerCase()]
        : [],
    ),
  )
}

/** `Redeemed`: its first topic is the wallet, and its data begins with the nonce. */
const redeemedTopic = toEventSelector(getAbiItem({ abi: creditsAbi, name: 'Redeemed' }))
