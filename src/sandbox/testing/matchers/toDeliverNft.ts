import type { Hex } from 'viem'
import { checkOptions } from '../../../redeemkit/core/checkOptions.ts'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { reportMatcher } from './reportMatcher.ts'

type Delivery = {
  /** The ERC-721 or ERC-1155 contract. */
  contract: Hex
  /** Default: any. */
  id?: bigint | undefined
  /** Who has it in the end. Default: the customer. */
  to?: Hex | undefined
}

/** The redeem goes through, and a token of a contract is the customer's afterwards, or somebody else's who is named. */
export const toDeliverNft = reportMatcher(
  'toDeliverNft',
  ({ execution, nfts, redeem }, delivery: Delivery) => {
    checkOptions(delivery, { contract: 'string', id: 'any', to: 'string?' })
    const contract = checkAddress(delivery.contract, 'contract')
    const to = checkAddress(delivery.to ?? redeem.wallet, 'to')
    const { id } = delivery
    const ofContract = nfts.filter((nft) => checkAddress(nft.contract, 'nft') === contract)
    const delivered = ofContract.some(
      (nft) => (id === undefined || nft.id === id) && checkAddress(nft.holder, 'holder') === to,
    )
    const moved = ofContract.map((nft) => `Token ${nft.id} is held by ${nft.holder} (${nft.holderIs}).`)
    return {
      expected: `delivers ${id === undefined ? 'a token' : `token ${id}`} of ${contract} to ${to}`,
      problems: !execution.succeeded
        ? [`It reverts: ${execution.reason}`]
        : delivered
          ? []
          : moved.length === 0
            ? ['No token of this contract moved.']
            : moved,
    }
  },
)
