import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { defaultMinimumGas } from '../../../redeemkit/core/limits.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { setWhitelistCall } from '../../contracts/creditsCalls.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { withHeadroom } from '../../relayer/relayerChain.ts'
import { minimumGasRange } from '../../simulation/rules/ruleCatalogue.ts'
import { problem, type ServiceProblem } from '../http/problem.ts'
import type { Service } from '../service.ts'

/** Waits until the transaction is mined. */
export async function setWhitelist(service: Service, options: setWhitelist.Options): Promise<{ hash: Hex }> {
  const { chain, chainId = chain.chainId, minimumGas = defaultMinimumGas, ...entry } = options
  const account = chain.whitelister
  if (account === undefined)
    throw problem('FORBIDDEN', `This service may not change the whitelist on ${chain.blockchain}.`)
  const request = setWhitelistCall(chain, { ...entry, chainId, minimumGas })
  const gas = await chain.client
    .estimateGas({ account: account.address, ...request })
    .catch((error: unknown) => {
      throw refusal(error) ?? error
    })
  const row = await service.relayer.send({
    chainId: chain.chainId,
    account,
    reference: { kind: 'whitelist', id: randomUUID() },
    request: { ...request, gas: withHeadroom(gas) },
  })
  const { status } = await service.relayer.wait(row)
  if (status !== 'mined') throw new Error(`Whitelist transaction ${row.hash} was ${status}.`)
  return { hash: row.hash }
}

export declare namespace setWhitelist {
  type Options = {
    chain: EvmChain
    creditSeed: string
    target: Hex
    /** Default: all functions. */
    selector?: Hex | undefined
    /** Chain of `target`: this chain or a destination of `decent` redeems. Default: this chain. */
    chainId?: number | undefined
    /** Gas that must be available to the call. */
    minimumGas?: bigint | undefined
    allowed: boolean
  }
}

/** Explains why the contract rejected an entry. Returns undefined if the node failed and the call did not revert. */
function refusal(error: unknown): ServiceProblem | undefined {
  const data = revertDataOf(error)
  if (data === undefined) return undefined
  const revert = decodeRevert(data)
  const text = reasons[revert.error?.name ?? '']
  return problem(
    'NOT_WHITELISTED',
    `The whitelist contract rejected this entry: ${revert.reason}.${text === undefined ? '' : ` ${text}`}`,
    {
      details: { revertReason: revert.reason.slice(0, 1_000), ...(revert.error && { error: revert.error }) },
    },
  )
}

/** Explanations of the contract's errors (PROTOCOL.md 6.3). */
const reasons: Readonly<Record<string, string>> = {
  ForbiddenTarget:
    'A redeem may never call USDC, the credits contract, the bridge adapter or Permit2, even if the whitelist allows it.',
  ForbiddenSelector: 'A redeem may never call a function that moves tokens or grants rights over them.',
  TargetWithoutCode: 'This chain has no contract at this address.',
  ZeroAddress: 'Pass the address of a contract.',
  UnsupportedChain: 'Pass the chain of the contract.',
  MinimumGasOutOfBounds: `Pass a minimumGas from ${minimumGasRange}.`,
}
