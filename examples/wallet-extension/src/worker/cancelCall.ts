import { cancelCreditPermitTypedData } from 'redeemkit/evm'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { SignAsk } from './queueEntry.ts'
import type { StoredRedeem } from './redeemBook.ts'

const abi = parseAbi([
  'function cancelCreditsAuthorization(address customerWallet, bytes32 nonce, bytes signature)',
])

/** Creates the request to cancel a permit. The user signs its typed data, and the wallet sends it to the credits contract. */
export function cancelAsk(entry: StoredRedeem): SignAsk {
  const { account, chainId, creditsContract, domainName, domainVersion, nonce, id } = entry
  const domain = { name: domainName, version: domainVersion, chainId, verifyingContract: creditsContract }
  return {
    kind: 'cancel',
    account,
    chainId,
    redeemId: id,
    typedData: cancelCreditPermitTypedData({ domain, customerWallet: account, nonce }),
    nonce,
    to: creditsContract,
    prepared: { state: 'preparing' },
  }
}

export function cancelCall({ account, nonce }: Extract<SignAsk, { kind: 'cancel' }>, signature: Hex): Hex {
  return encodeFunctionData({
    abi,
    functionName: 'cancelCreditsAuthorization',
    args: [account, nonce, signature],
  })
}
