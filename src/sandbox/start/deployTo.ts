import { type Abi, encodeDeployData, type Hex } from 'viem'
import { checkOptions } from '../../redeemkit/core/checkOptions.ts'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { describeType, showText } from '../../redeemkit/core/errors/showValue.ts'
import { checkAddress } from '../../redeemkit/evm/checkAddress.ts'
import { decodeRevert } from '../../redeemkit/evm/revert/decodeRevert.ts'
import type { AnvilRpc } from '../chains/anvil/anvilRpc.ts'
import { revertDataOf } from '../contracts/revert.ts'
import { devAccount } from '../devAccounts.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { Deployable } from '../runningSandbox.ts'
import { findStarted } from './fundAccounts.ts'
import type { StartedChain } from './startEvmChains.ts'

export async function deployTo(chains: readonly StartedChain[], given: Deployable): Promise<Hex> {
  checkOptions(given, {
    abi: 'any',
    bytecode: 'any',
    artifact: 'any',
    args: 'list?',
    blockchain: 'string?',
  })
  const { rpc } = findStarted(chains, given.blockchain)
  return deployFrom(devAccount('deployer').account.address, rpc, given)
}

/** Resolves when the transaction is mined. */
export async function deployFrom(from: Hex, rpc: AnvilRpc, given: AnyDeployable): Promise<Hex> {
  const { abi, bytecode } = readBytecode(given)
  const data = encoded({ abi, bytecode, args: given.args ?? [] })
  // Simulates the deployment first, because a failed simulation returns the revert data.
  await rpc.client.call({ account: from, data }).catch((cause: unknown) => {
    const revert = revertDataOf(cause)
    throw new DeploymentFailedError(
      revert === undefined
        ? `The chain rejected the contract: ${showText(detailsOf(cause), 160)}.`
        : `The constructor reverted: ${decodeRevert({ data: revert, abi }).reason}.`,
      {
        cause,
        fix: 'Check the constructor, its arguments and the code size.',
      },
    )
  })
  const { contractAddress } = await rpc.send({ from, data })
  if (contractAddress === undefined) throw new DeploymentFailedError('The contract was not deployed.')
  return checkAddress(contractAddress, 'contractAddress')
}

type AnyDeployable = Omit<Deployable, 'bytecode'> & { bytecode?: string | { object: string } | undefined }

/** viem stores the node's message in `details`. */
function detailsOf(cause: unknown): string {
  const { details } = Object(cause) as { details?: unknown } // the value is checked below
  return typeof details === 'string' ? details : 'no reason'
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
  // The ABI is not checked. If it is invalid, the encoding below fails.
  const inputs = (abi as Abi).find((item) => item?.type === 'constructor')?.inputs ?? []
  const wanted = `(${inputs.map(({ type, name }) => `${type} ${name ?? ''}`.trim()).join(', ')})`
  if (inputs.length !== args.length)
    throw new InvalidSandboxOptionsError(
      `The constructor takes ${inputs.length} arguments, but ${args.length} were passed.`,
      {
        field: 'args',
        fix: abi.length === 0 ? 'Pass "abi" too: it defines the constructor.' : `Pass ${wanted}.`,
      },
    )
  try {
    return encodeDeployData({ abi: abi as Abi, bytecode, args })
  } catch (cause) {
    throw new InvalidSandboxOptionsError('The arguments do not match the constructor.', {
      field: 'args',
      fix: `Pass ${wanted}.`,
      cause,
    })
  }
}

/** A contract could not be deployed. */
export class DeploymentFailedError extends BaseError {
  override readonly name = 'DeploymentFailedError'
}

/** In an artifact of Hardhat, `bytecode` is hex; in one of Foundry, `bytecode.object` is. */
function readBytecode(given: AnyDeployable): { abi: readonly unknown[]; bytecode: `0x${string}` } {
  const { artifact, abi: ownAbi, bytecode: ownBytecode } = given
  if ((artifact === undefined) === (ownBytecode === undefined))
    throw invalid(
      'bytecode',
      'Either both or neither of bytecode and artifact are set.',
      'Pass bytecode and abi, or an artifact of Foundry or Hardhat.',
    )
  // The artifact is untyped, so each field is checked.
  const { abi = ownAbi, bytecode = ownBytecode } = Object(artifact) as Record<string, unknown>
  const field = artifact === undefined ? 'bytecode' : 'artifact.bytecode'
  const text: unknown =
    typeof bytecode === 'object' && bytecode !== null ? Reflect.get(bytecode, 'object') : bytecode
  if (typeof text !== 'string')
    throw invalid(
      field,
      `${field} is ${describeType(bytecode)}.`,
      'Pass a hex string, or an artifact that contains it.',
    )
  const hex = text.startsWith('0x') ? text.slice(2) : text
  const [library] = /__\$[0-9a-f]{34}\$__|__[^_].{36,38}/i.exec(hex) ?? []
  if (library !== undefined)
    throw invalid(
      field,
      `The bytecode must be linked with a library: ${showText(library)}.`,
      'Deploy the library, and compile with its address (libraries in foundry.toml or hardhat.config).',
    )
  if (hex === '')
    throw invalid(
      field,
      'The bytecode is empty.',
      'Pass a deployable contract: interfaces and abstract contracts have no code.',
    )
  if (!/^([0-9a-f]{2})+$/i.test(hex))
    throw invalid(
      field,
      `The bytecode is ${describeType(text)}, not hex.`,
      'Pass 0x and pairs of hex digits.',
    )
  if (abi !== undefined && !Array.isArray(abi))
    throw invalid('abi', `abi is ${describeType(abi)}.`, 'Pass an array of ABI items.')
  return { abi: abi ?? [], bytecode: `0x${hex}` }
}

function invalid(field: string, message: string, fix: string): InvalidSandboxOptionsError {
  return new InvalidSandboxOptionsError(message, { field, fix })
}
