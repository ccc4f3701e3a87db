import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import type { EvmChain } from '../../chains/evmChain.ts'
import { setWhitelistCall } from '../../contracts/creditsCalls.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { problem, type ServiceProblem } from '../http/problem.ts'
import type { Service } from '../service.ts'

/** Sets one whitelist entry of a credit seed on the chain, and resolves when it is mined. */
export async function setWhitelist(service: Service, options: setWhitelist.Options): Promise<{ hash: Hex }> {
  const {
    chain,
    creditSeed,
    target,
    selector,
    chainId = chain.chainId,
    minimumGas = defaultMinimumGas,
    allowed,
  } = options
  const account = chain.whitelister
  if (account === undefined)
    throw problem('FORBIDDEN', `This service may not change the whitelist on ${chain.blockchain}.`)
  const request = setWhitelistCall(chain, { creditSeed, chainId, target, selector, allowed, minimumGas })
  let gas: bigint
  try {
    gas = await chain.client.estimateGas({ account: account.address, ...request })
  } catch (error) {
    throw refusal(error) ?? error
  }
  const row = await service.relayer.send({
    chainId: chain.chainId,
    account,
    reference: { kind: 'whitelist', id: randomUUID() },
    request: { ...request, gas: (gas * 5n) / 4n },
  })
  const { status } = await service.relayer.wait(row)
  if (status !== 'mined') throw new Error(`The whitelist entry was not set: ${status}.`)
  return { hash: row.hash }
}

/**
 * The contract's own reason for not taking an entry, with its values and in words.
 *
 * @returns undefined when the node failed and not the call
 */
function refusal(error: unknown): ServiceProblem | undefined {
  const data = revertDataOf(error)
  if (data === undefined) return undefined
  const revert = decodeRevert(data)
  const words = reasons[revert.error?.name ?? '']
  return problem(
    'NOT_WHITELISTED',
    `The whitelist does not take this entry: ${revert.reason}.${words === undefined ? '' : ` ${words}`}`,
    {
      details: { revertReason: revert.reason.slice(0, 1_000), ...(revert.error && { error: revert.error }) },
    },
  )
}

/** PROTOCOL.md 6.3. */
const reasons: Readonly<Record<string, string>> = {
  ForbiddenTarget:
    'A redeem may never call USDC, the credits contract, the bridge adapter or Permit2, whatever the whitelist says.',
  ForbiddenSelector: 'A redeem may never call a function that moves tokens or hands out rights over them.',
  TargetWithoutCode: 'There is no contract at this address on this chain.',
  ZeroAddress: 'An entry names a contract.',
  UnsupportedChain: 'An entry names the chain on which its contract stands.',
  MinimumGasOutOfBounds: 'An entry asks for 1 to 15,500,000 gas.',
}

/** What a small call needs; the contract takes no entry that asks for nothing (PROTOCOL.md 6.3). */
const defaultMinimumGas = 100_000n

export declare namespace setWhitelist {
  type Options = {
    chain: EvmChain
    creditSeed: string
    target: Hex
    /** The allowed function; any when absent. */
    selector?: Hex | undefined
    /** Where `target` stands: this chain, or a decent destination. Default: this chain. */
    chainId?: number | undefined
    /** Gas that must be there for the call, 1 to 15,500,000. Default: 100,000. */
    minimumGas?: bigint | undefined
    allowed: boolean
  }
}
