import type { Hex } from 'viem'
import { redeemIntentNonce, settlementHash, settlementOf } from '../../src/redeemkit/evm/index.ts'
import { type Finding, prepareRedeem } from '../../src/redeemkit/index.ts'
import {
  fakeService,
  creditsContract as fixtureContract,
  wallet as fixtureWallet,
  honestAnswer,
  nowSeconds,
  token,
} from '../../src/redeemkit/redeem/redeem.fixture.ts'
import type { TransactionData } from '../../src/redeemkit/schema/index.ts'
import { adapterFor } from '../../src/sandbox/simulation/readChain.ts'
import { creditSeed, type Stage, wallet as stageWallet } from './startStage.ts'

/** A fake service issues the permit. */
export async function dryRunOn(
  stage: Pick<Stage, 'client' | 'chainId' | 'creditsContract'>,
  options: {
    transactionData: TransactionData
    wallet?: Hex | undefined
    amount?: bigint | undefined
    usdcAmount?: bigint | undefined
    node?: Stage['client'] | undefined
  },
): Promise<readonly Finding[]> {
  const { transactionData, wallet = stageWallet, amount = 10_000_000n, usdcAmount = 0n } = options
  const { client, chainId, creditsContract } = stage
  const { kind } = settlementOf(transactionData)
  const bridgeAdapter = await adapterFor(client, { creditsContract, kind })
  const service = fakeService({
    client: { wallet, now: Date.now },
    answer: (body) => {
      const validFor = Math.floor(Date.now() / 1000) - nowSeconds + 600
      const answer = honestAnswer({ ...body, transactionData: token }, { validFor })
      const nonce = redeemIntentNonce({
        orderKey: body.orderKey,
        customerWallet: wallet,
        settlementHash: settlementHash(transactionData, { bridgeAdapter }),
        amount,
        usdcAmount,
        salt: body.salt,
      })
      const text = JSON.stringify(answer)
        .replaceAll(answer.nonce, nonce)
        .replaceAll(fixtureContract, creditsContract)
        .replaceAll(fixtureWallet, wallet)
        .replaceAll('my-shop', creditSeed)
      return JSON.parse(text)
    },
  })
  const prepared = await prepareRedeem(service.client, {
    chainId,
    subtotal: { cents: Number(amount / 10_000n) },
    ...(usdcAmount > 0n && { usdcAmount: { cents: Number(usdcAmount / 10_000n) } }),
    transactionData,
    pinned: { creditsContract, creditSeed },
    dryRun: options.node ?? client,
  })
  if (prepared.dryRun === undefined) throw new Error('The dry run is missing.')
  return prepared.dryRun
}
