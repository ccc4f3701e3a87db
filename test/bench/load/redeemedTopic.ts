import { type Hex, toEventSelector } from 'viem'

/** Topic of the event that the credits contract emits for each redeem. */
export const redeemedTopic: Hex = toEventSelector(
  'Redeemed(address,bytes32,bytes32,uint8,address,uint256,uint256,uint256,uint256,uint256)',
)
