import { type Abi, encodeDeployData, type Hex } from 'viem'
import { checkOptions } from '../../redeemkit/core/checkOptions.ts'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { showText } from '../../redeemkit/core/errors/showText.ts'
import { checkAddress } from '../../redeemkit/evm/checkAddress.ts'
import { decodeRevert } from '../../redeemkit/evm/revert/decodeRevert.ts'
import type { ChainSetupError } from '../chains/errors.ts'
import { revertDataOf } from '../contracts/revert.ts'
import { devAccount } from '../devAccounts.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { Deployable } from '../runningSandbox.ts'
import { findStarted } from './findStarted.ts'
import { readBytecode } from './readBytecode.ts'
import type { StartedChain } from './startEvmChains.ts'

/**
 * `deploy` of a running sandbox: sends a contract from an account that is there for that, and resolves when it is mined.
 *
 * @throws {@link InvalidSandboxOptionsError}, {@link DeploymentFailedError}
 */
export async function deployTo(chains: readonly StartedChain[], given: Deployable): Promise<Hex> {
  checkOptions(given, {
    abi: 'any',
    bytecode: 'any',
    artifact: 'any',
    args: 'list?',
    blockchain: 'string?',
  })
  const { args = [], blockchain } = given
  const { rpc } = findStarted(chains, blockchain)
  const { abi, bytecode } = readBytecode(given)
  const data = encoded({ abi, bytecode, args })
  const from = devAccount('deployer').account.address
  // First without sending: what reverts leaves its bytes in the answer.
  await rpc.client.call({ account: from, data }).catch((cause: unknown) => {
    const revert = revertDataOf(cause)
    throw new DeploymentFailedError(
      revert === undefined
        ? `The chain does not take the contract: ${showText(wordsOf(cause), 160)}.`
        : `The constructor reverted: ${decodeRevert({ data: revert, abi }).reason}.`,
      {
        cause,
        fix: 'Check the arguments of the constructor, what it expects of the chain, and the size of the code.',
      },
    )
  })
  const { contractAddress } = await rpc.send({ from, data })
  if (contractAddress === undefined) throw new DeploymentFailedError('The contract was not deployed.')
  return checkAddress(contractAddress, 'contractAddress')
}

/** What the node says: viem has it in `details`. */
function wordsOf(cause: unknown): string {
  const { details } = Object(cause) as { details?: unknown } // looked at here
  return typeof details === 'string' ? details : 'no reason'
}

export declare namespace deployTo {
  type ErrorType = InvalidSandboxOptionsError | DeploymentFailedError | ChainSetupError
}

function encoded({
  abi,
  bytecode,
  args,
}: {
  abi: readonly unknown[]
  bytecode: Hex
  args: readonly unknown[]
}): Hex {
  // Somebody else's list: what is wrong in it fails here.
  const inputs = (abi as Abi).find((item) => item?.type === 'constructor')?.inputs ?? []
  const wanted = `(${inputs.map(({ type, name }) => `${type} ${name ?? ''}`.trim()).join(', ')})`
  if (inputs.length !== args.length)
    throw new InvalidSandboxOptionsError(
      `The constructor takes ${inputs.length} arguments, and ${args.length} are given.`,
      {
        field: 'args',
        fix:
          abi.length === 0
            ? 'Give the "abi", too: it says what the constructor takes.'
            : `It takes ${wanted}.`,
      },
    )
  try {
    return encodeDeployData({ abi: abi as Abi, bytecode, args })
  } catch (cause) {
    throw new InvalidSandboxOptionsError('The arguments do not fit the constructor.', {
      field: 'args',
      fix: `It takes ${wanted}.`,
      cause,
    })
  }
}

/** A contract that is not on the chain after all. */
export class DeploymentFailedError extends BaseError {
  override readonly name = 'DeploymentFailedError'
}
