import { startFork } from '@redeemkit/sandbox/testing'
import { safeMint } from 'redeemkit/evm'

export async function why({ artifact }) {
  const fork = await startFork({ blockchain: 'base' })
  try {
    const shop = await fork.deploy({ ...artifact, args: [fork.usdc, 5n] })
    await fork.whitelist({ target: shop, selector: 'buy(uint256)' })
    const transactionData = safeMint({
      to: shop,
      abi: artifact.abi,
      functionName: 'buy',
      args: [10_000_000n],
    })
    const report = await fork.simulateRedeem({ transactionData, amount: 10_000_000n, abis: [artifact.abi] })
    return report.verdict === 'ok' ? [] : report.findings.map(({ code }) => code)
  } finally {
    await fork.stop()
  }
}
