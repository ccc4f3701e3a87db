import { toFunctionSelector } from 'viem'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { settlementKinds } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { isWhitelisted } from '../../contracts/creditsReads.ts'
import { problem } from '../http/problem.ts'
import type { ResolvedIntent } from './resolveIntent.ts'

/**
 * Refuses a call that is not on the merchant's whitelist on the chain, and what no whitelist can allow (PROTOCOL.md
 * 6.3). The contract says the same; asked here, the answer comes before any signature is looked at.
 *
 * @throws ServiceProblem `NOT_WHITELISTED`
 */
export async function checkWhitelist(
  chain: EvmChain,
  options: { intent: ResolvedIntent; creditSeed: string },
): Promise<void> {
  const { intent, creditSeed } = options
  const { kind, target, data, bridge } = intent.settlement
  if (kind === settlementKinds.token) return
  // `resolveIntent` has seen that there are 4 bytes.
  const selector = data.slice(0, 10).toLowerCase() as `0x${string}` // the beginning of 0x-hex
  const chainId = kind === settlementKinds.decent ? bridge.dstChainId : BigInt(chain.chainId)
  const forbidden = [permit2, chain.creditsContract, ...(chain.usdc === undefined ? [] : [chain.usdc])]
  if (forbidden.some((address) => checkAddress(address, 'forbidden') === target))
    throw problem('NOT_WHITELISTED', `A redeem may never call ${target}, whatever the whitelist says.`, {
      details: { target },
    })
  if (forbiddenSelectors.has(selector))
    throw problem(
      'NOT_WHITELISTED',
      `A redeem may never call function ${selector}: it moves tokens or hands out rights over them.`,
      { details: { target, selector } },
    )
  if (!(await isWhitelisted(chain, { creditSeed, chainId, target, selector })))
    throw problem(
      'NOT_WHITELISTED',
      `Function ${selector} of ${target} on chain ${chainId} is not on the whitelist of ${JSON.stringify(creditSeed)}.`,
      { details: { target, selector, chainId: Number(chainId) } },
    )
}

const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

const forbiddenSelectors: ReadonlySet<string> = new Set(
  [
    'approve(address,uint256)',
    'increaseAllowance(address,uint256)',
    'decreaseAllowance(address,uint256)',
    'increaseApproval(address,uint256)',
    'decreaseApproval(address,uint256)',
    'setApprovalForAll(address,bool)',
    'authorizeOperator(address)',
    'approve(address,uint256,uint256)',
    'setOperator(address,bool)',
    'approveAndCall(address,uint256)',
    'approveAndCall(address,uint256,bytes)',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    'permit(address,address,uint256,uint256,bytes)',
    'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)',
    'permit(address,uint256,uint256,bytes)',
    'permit(address,uint256,uint256,uint8,bytes32,bytes32)',
    'transfer(address,uint256)',
    'transferFrom(address,address,uint256)',
    'safeTransferFrom(address,address,uint256)',
    'safeTransferFrom(address,address,uint256,bytes)',
    'safeTransferFrom(address,address,uint256,uint256,bytes)',
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    'transfer(address,uint256,uint256)',
    'transferFrom(address,address,uint256,uint256)',
    'send(address,uint256,bytes)',
    'operatorSend(address,address,uint256,bytes,bytes)',
    'transferAndCall(address,uint256)',
    'transferAndCall(address,uint256,bytes)',
    'transferFromAndCall(address,address,uint256)',
    'transferFromAndCall(address,address,uint256,bytes)',
  ].map(toFunctionSelector),
)
