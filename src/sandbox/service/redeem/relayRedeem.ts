import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { redeemCall } from '../../contracts/creditsCalls.ts'
import type { RedeemRequest } from '../../contracts/redeemRequest.ts'
import type { gasPrice } from '../../relayer/gasPrice.ts'
import { intents, redeems } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { type CustomerNonce, findRedeem, intentIs } from './redeemRows.ts'
import type { ResolvedIntent } from './resolveIntent.ts'

/** Journals a redeem with its row in one database transaction, and broadcasts it. @returns its hash */
export async function relayRedeem(service: Service, options: relayRedeem.Options): Promise<Hex> {
  const { redeem, merchantId, request, gas, gasFee, price } = options
  const { chain, wallet, intent, nonce } = redeem
  const { blockchain } = chain
  const known = await findRedeem(service, redeem)
  // Another process has it: a second attempt would be in vain.
  if (known !== undefined && known.status !== 'reverted')
    throw problem('INTENT_MISMATCH', 'This nonce stands for another redeem than the one in the body.')
  const attempt = (known?.attempt ?? 0) + 1
  const { hash } = await service.relayer.send({
    chainId: chain.chainId,
    account: chain.operator,
    reference: { kind: 'redeem', blockchain, wallet, nonce, attempt },
    // Inner calls keep back a 64th at each level; what is not used is not paid.
    request: { ...redeemCall(chain, request), gas: (gas * 5n) / 4n + 20_000n },
    price,
    also: async (work, row) => {
      const at = new Date(service.now())
      const changing = { gasFee, status: 'sending', attempt, hash: row.hash, updatedAt: at } as const // for the state's type
      await work
        .insert(redeems)
        .values({
          blockchain,
          wallet,
          nonce,
          merchantId,
          shape: intent.shape,
          amount: intent.amount,
          usdcAmount: intent.usdcAmount,
          createdAt: at,
          ...changing,
        })
        .onConflictDoUpdate({
          target: [redeems.blockchain, redeems.wallet, redeems.nonce],
          set: changing,
          setWhere: sql`${redeems.status} = 'reverted'`,
        })
      // From now on an unbound nonce stands for this: the same again is answered with its hash, another is refused.
      if (service.kind === 'unbound') {
        const { settlementHash, amount, usdcAmount } = intent
        await work
          .update(intents)
          .set({ merchantId, settlementHash, amount, usdcAmount })
          .where(intentIs(redeem))
      }
    },
  })
  return hash
}

export declare namespace relayRedeem {
  type Options = {
    redeem: CustomerNonce & { intent: ResolvedIntent }
    merchantId: string
    request: RedeemRequest
    /** As estimated. */
    gas: bigint
    gasFee: bigint
    price: gasPrice.ReturnType
  }
}
