import { count } from 'drizzle-orm'
import type { Hex } from 'viem'
import { hasCode } from '../../../redeemkit/evm/client.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { isFor } from '../../store/isFor.ts'
import { transactions } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import type { WalletDeployment } from './checkSignatures.ts'

/** More than any wallet needs; keeps a factory call from eating the relayer's coins. */
const maxDeploymentGas = 5_000_000n

/**
 * Deploys a customer's wallet through an allow-listed factory, and resolves when its code is there (ERC-6492).
 *
 * @throws ServiceProblem `INVALID_PERMIT` when the factory does not make this wallet
 */
export async function deployWallet(
  service: Service,
  options: { chain: EvmChain; wallet: Hex; deployment: WalletDeployment },
): Promise<void> {
  const { chain, wallet, deployment } = options
  const request = { to: deployment.factory, data: deployment.data }
  let gas: bigint
  try {
    gas = await chain.client.estimateGas({
      account: chain.operator.address,
      ...request,
      gas: maxDeploymentGas,
    })
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    throw problem(
      'INVALID_PERMIT',
      `The wallet's factory refuses to deploy it: ${decodeRevert(data).reason.slice(0, 200)}.`,
    )
  }
  const database = await service.database()
  const { blockchain } = chain
  const [tries] = await database
    .select({ value: count() })
    .from(transactions)
    .where(isFor({ kind: 'deploy', blockchain, wallet }))
  const row = await service.relayer.send({
    chainId: chain.chainId,
    account: chain.operator,
    reference: { kind: 'deploy', blockchain, wallet, attempt: (tries?.value ?? 0) + 1 },
    request: { ...request, gas: (gas * 5n) / 4n },
  })
  await service.relayer.wait(row)
  if (!(await hasCode(chain.client, wallet)))
    throw problem('INVALID_PERMIT', 'The factory call in the signature does not deploy this wallet.')
}
