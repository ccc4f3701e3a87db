import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import type { CreditPermitDomain } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import type { EvmChain } from '../../chains/evmChain.ts'

/** The EIP-712 domain of a chain's credits contract: our contract's name and version (PROTOCOL.md 3.1). */
export function permitDomain(chain: EvmChain): CreditPermitDomain {
  return {
    name: 'Credits',
    version: '1',
    chainId: chain.chainId,
    verifyingContract: checkAddress(chain.creditsContract, 'creditsContract'),
  }
}
