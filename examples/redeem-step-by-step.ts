import {
  createPaymentsClient,
  type EvmClient,
  type PreparedRedeem,
  prepareRedeem,
  type RedeemPins,
  signRedeem,
  submitRedeem,
  waitForRedeem,
} from 'redeemkit'
import { type EvmSigner, safeMint } from 'redeemkit/evm'
import { parseAbi } from 'viem'

const abi = parseAbi(['function mint(uint256 count, uint256 price)'])

/** Buys an NFT in steps, with a page reload between the check and the signature. */
export async function buyNft(options: {
  baseUrl: string
  wallet: `0x${string}`
  signer: EvmSigner
  publicClient: EvmClient
  pinned: RedeemPins
  shop: `0x${string}`
  storage: Pick<Storage, 'getItem' | 'setItem'>
}) {
  const { pinned, publicClient, storage, wallet } = options
  const client = createPaymentsClient({
    baseUrl: options.baseUrl,
    merchantId: 'sandbox-shop',
    blockchain: 'base',
    environment: 'sandbox',
  })
  const request = {
    subtotal: { cents: 1000 },
    transactionData: safeMint({ to: options.shop, abi, functionName: 'mint', args: [1n, 10_000_000n] }),
  }
  // Compares the service's whole response with the request and the pins, and simulates the redeem. Opens no wallet.
  const prepared = await prepareRedeem(client, { ...request, wallet, pinned, dryRun: publicClient })
  const danger = prepared.dryRun?.find(({ severity }) => severity === 'danger')
  if (danger !== undefined) throw new Error(`${danger.message} ${danger.fix}`)
  storage.setItem('redeem', JSON.stringify(prepared))

  // After the reload, pass pins, request and wallet again: stored data could have been changed.
  const stored: PreparedRedeem = JSON.parse(storage.getItem('redeem') ?? '')
  const signed = await signRedeem(options.signer, { prepared: stored, pinned, request, wallet, publicClient })
  const submitted = await submitRedeem(client, { signed })
  return waitForRedeem(publicClient, submitted)
}
