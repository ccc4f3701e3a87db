import { showText } from '../../redeemkit/core/errors/showText.ts'
import { describeType } from '../../redeemkit/core/errors/showValue.ts'
import { InvalidSandboxOptionsError } from '../errors.ts'
import type { Deployable } from '../runningSandbox.ts'

/**
 * What is to be deployed: `abi` and `bytecode` as they are, or an artifact, as Hardhat writes it (`bytecode` is hex) or Foundry
 * (`bytecode.object` is).
 *
 * @throws {@link InvalidSandboxOptionsError}
 */
export function readBytecode(given: Deployable): { abi: readonly unknown[]; bytecode: `0x${string}` } {
  const { artifact, abi: ownAbi, bytecode: ownBytecode } = given
  if ((artifact === undefined) === (ownBytecode === undefined))
    throw refused(
      'bytecode',
      'There is not exactly one thing to deploy.',
      'Give bytecode, with abi, or an artifact of Foundry or Hardhat.',
    )
  // Somebody else's file: each part is looked at.
  const { abi = ownAbi, bytecode = ownBytecode } = Object(artifact) as Record<string, unknown>
  const field = artifact === undefined ? 'bytecode' : 'artifact.bytecode'
  const text: unknown =
    typeof bytecode === 'object' && bytecode !== null ? Reflect.get(bytecode, 'object') : bytecode
  if (typeof text !== 'string')
    throw refused(
      field,
      `${field} is ${describeType(bytecode)}.`,
      'Give hex text, or an artifact that has it.',
    )
  const hex = text.startsWith('0x') ? text.slice(2) : text
  const [library] = /__\$[0-9a-f]{34}\$__|__[^_].{36,38}/i.exec(hex) ?? []
  if (library !== undefined)
    throw refused(
      field,
      `The bytecode is to be linked with a library first: ${showText(library)}.`,
      'Deploy the library, and compile with its address (libraries in foundry.toml or hardhat.config).',
    )
  if (hex === '')
    throw refused(
      field,
      'The bytecode is empty.',
      'Give a contract that can be deployed: an interface or an abstract contract has no code.',
    )
  if (!/^([0-9a-f]{2})+$/i.test(hex))
    throw refused(
      field,
      `The bytecode is ${describeType(text)}, and no hex.`,
      'Give 0x and pairs of hex digits.',
    )
  if (abi !== undefined && !Array.isArray(abi))
    throw refused('abi', `abi is ${describeType(abi)}.`, 'Give the list of its items.')
  return { abi: abi ?? [], bytecode: `0x${hex}` }
}

export declare namespace readBytecode {
  type ErrorType = InvalidSandboxOptionsError
}

function refused(field: string, message: string, fix: string): InvalidSandboxOptionsError {
  return new InvalidSandboxOptionsError(message, { field, fix })
}
