import { formatReport, startFork } from '@redeemkit/sandbox/testing'
import { normal } from 'redeemkit/evm'
import { type Hex, parseAbi } from 'viem'

const abi = parseAbi(['function buy(address receiver, uint256 price)'])
const price = 10_000_000n // 10 USDC

/** Checks whether customers can redeem at a contract that is deployed on a real chain. */
export async function checkDeployedShop(options: {
  shop: Hex
  forkUrl?: string // A JSON-RPC endpoint, which is only needed until the file contains all data.
  record: string // commit this file, for example 'base.fork.json'
}) {
  const { shop, forkUrl, record } = options
  const fork = await startFork({ blockchain: 'base', forkUrl, record })
  try {
    await fork.whitelist({ target: shop }) // on the fork only
    const { alice } = fork.accounts
    const report = await fork.simulateRedeem({
      transactionData: normal({ to: shop, abi, functionName: 'buy', args: [alice.address, price] }),
      amount: price,
      abis: [abi],
    })
    return { verdict: report.verdict, block: fork.forkBlockNumber, text: formatReport(report) }
  } finally {
    await fork.stop() // writes all data that was read to the file
  }
}
