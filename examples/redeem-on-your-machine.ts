import { startSandbox } from '@redeemkit/sandbox'
import { createPaymentsClient, redeem } from 'redeemkit'
import { normal } from 'redeemkit/evm'
import { createPublicClient, http, parseAbi } from 'viem'

const abi = parseAbi(['function buy(address receiver, uint256 price)'])

/** Tests your contract against the whole service on this machine, with test accounts that have credits. */
export async function tryContract(deploy: (rpcUrl: string, usdc: `0x${string}`) => Promise<`0x${string}`>) {
  const sandbox = await startSandbox({ blockchain: 'base' }) // forkUrl: '…' copies a real chain
  try {
    const { base } = sandbox.chains
    if (base === undefined) throw new Error('The sandbox does not run Base.')
    const contract = await deploy(base.rpcUrl, base.usdc)
    await sandbox.whitelist({ target: contract })

    const { alice } = sandbox.accounts
    const client = createPaymentsClient({
      baseUrl: sandbox.url,
      merchantId: sandbox.merchantId,
      blockchain: 'base',
    })
    const publicClient = createPublicClient({ transport: http(base.rpcUrl) })
    const { outcome } = await redeem(client, {
      signer: alice.account,
      publicClient,
      // Simulates the call before the wallet prompt. If the call fails or is not whitelisted, the error contains the reason.
      dryRun: publicClient,
      pinned: base.pinned,
      chainId: base.chainId,
      subtotal: { cents: 1000 },
      transactionData: normal({
        to: contract,
        abi,
        functionName: 'buy',
        args: [alice.address, 10_000_000n],
      }),
    })
    return outcome
  } finally {
    await sandbox.stop()
  }
}
