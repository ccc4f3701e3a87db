import type { Hex } from 'viem'
import { orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import { readBridgeAdapter } from '../../contracts/creditsReads.ts'
import { noteBridgeMessages } from '../../relayer/watchBridges.ts'
import { redeems } from '../../store/tables/index.ts'
import { findRedeemedEvent } from '../orders/findRedeemedEvent.ts'
import type { Service } from '../service.ts'
import type { CustomerNonce, StoredIntent } from './redeemRows.ts'
import type { ResolvedIntent } from './resolveIntent.ts'

/**
 * The hash of a redeem that somebody else relayed, as anyone may. It is on the chain, and is written down here.
 *
 * @param options.stored what the nonce stands for
 */
export async function redeemedByOthers(
  service: Service,
  options: { redeem: CustomerNonce & { intent: ResolvedIntent }; stored: StoredIntent },
): Promise<Hex> {
  const { redeem, stored } = options
  const { chain, wallet, intent, nonce } = redeem
  const { client, creditsContract } = chain
  const order = { wallet, orderKey: orderKeyOf(nonce) }
  const { timestamp } = await orderState(client, { creditsContract, ...order })
  const event = await findRedeemedEvent(chain, { ...order, timestamp })
  if (event === undefined) throw new Error('The order is redeemed, but there is no Redeemed event for it.')
  const { hash, gasFee } = event
  const at = new Date(service.now())
  const found = { gasFee, status: 'redeemed', hash, updatedAt: at } as const // for the state's type
  const database = await service.database()
  await database
    .insert(redeems)
    .values({
      blockchain: chain.blockchain,
      wallet,
      nonce,
      merchantId: stored.merchantId,
      shape: intent.shape,
      amount: intent.amount,
      usdcAmount: intent.usdcAmount,
      attempt: 0,
      createdAt: at,
      ...found,
    })
    .onConflictDoUpdate({ target: [redeems.blockchain, redeems.wallet, redeems.nonce], set: found })
  if (intent.shape === 'decent') await carryForOthers(service, redeem, hash)
  return hash
}

/** A stranger who relays a decent redeem cannot carry its message. Whatever else is in the transaction is theirs. */
async function carryForOthers(service: Service, redeem: CustomerNonce, hash: Hex): Promise<void> {
  const { chain, wallet, nonce } = redeem
  const [receipt, adapter] = await Promise.all([
    chain.client.getTransactionReceipt({ hash }),
    readBridgeAdapter(chain),
  ])
  await noteBridgeMessages(await service.database(), {
    sourceChainId: chain.chainId,
    wallet,
    nonce,
    logs: receipt.logs.filter(({ address }) => address.toLowerCase() === adapter.toLowerCase()),
    at: new Date(service.now()),
  })
  service.relayer.wake()
}
