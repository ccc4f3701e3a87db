import { getAbiItem, type Hex, toEventSelector } from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'

/** Topic of the event that the credits contract emits for each redeem. */
export const redeemedTopic: Hex = toEventSelector(getAbiItem({ abi: creditsAbi, name: 'Redeemed' }))
