import type { Address, Hex } from 'viem'
import { callContract, type EvmClient } from '../client.ts'
import { concatHex, deploylessCallViaFactoryBytecode, encodeAbiParameters } from '../viem.ts'
import { type Erc6492Signature, unwrapErc6492 } from './normalizeSignature.ts'

/** `isValidSignature(bytes32,bytes)` and its magic value (ERC-1271). */
const isValidSignature = '0x1626ba7e'
const yes = `${isValidSignature}${'0'.repeat(56)}`

/**
 * Returns whether a contract account accepts a signature with ERC-1271, or with ERC-6492 if the account must first be deployed or prepared.
 * As ERC-6492 requires, a deployed account verifies the inner signature first, and if that fails, again after the wrapper's factory call.
 * As in OpenZeppelin's SignatureChecker, bytes after the magic value are ignored.
 */
export async function checkContractSignature(
  client: EvmClient,
  options: { address: Address; digest: Hex; signature: Hex; deployed: boolean },
): Promise<boolean> {
  const { address, digest, signature, deployed } = options
  const wrapped = unwrapErc6492(signature)
  const args = encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'bytes' }],
    [digest, wrapped?.signature ?? signature],
  )
  const data = concatHex([isValidSignature, args])
  const says = async (call: { to?: Address; data: Hex }) =>
    (await callContract(client, call))?.slice(0, 66).toLowerCase() === yes
  if (wrapped === undefined) return says({ to: address, data })
  if (!deployed) return says({ data: encodeTrialDeployment(address, data, wrapped) })
  return (await says({ to: address, data })) || says({ data: encodePreparedCall(address, data, wrapped) })
}

/** Returns init code for `eth_call`: it deploys the account through its factory, calls the account and returns the result. */
function encodeTrialDeployment(account: Address, data: Hex, wrapped: Erc6492Signature): Hex {
  const types = [{ type: 'address' }, { type: 'bytes' }, { type: 'address' }, { type: 'bytes' }] as const
  const args = encodeAbiParameters(types, [account, data, wrapped.factory, wrapped.factoryData])
  return concatHex([deploylessCallViaFactoryBytecode, args])
}

/**
 * Returns init code for `eth_call`, for an account that is already deployed: it makes the wrapper's factory call, then calls the account
 * and returns the result. It reverts if either call fails.
 */
function encodePreparedCall(account: Address, data: Hex, { factory, factoryData }: Erc6492Signature): Hex {
  const [prepare, call] = [factoryData.slice(2), data.slice(2)]
  const [prepareSize, callSize] = [push3(prepare.length / 2), push3(call.length / 2)]
  // The size of every part is fixed, so the offsets are constants: the program has 118 bytes, its jump targets are at 54 and 107.
  const program = [
    `${prepareSize}${push3(118)}600039`, // codecopy(0, 118, prepareSize)
    `60006000${prepareSize}6000600073${factory.slice(2)}5af1`, // call(gas, factory, 0, 0, prepareSize, 0, 0)
    '60365760006000fd5b', // revert on failure
    `${callSize}${push3(118 + prepare.length / 2)}600039`, // codecopy(0, 118 + prepareSize, callSize)
    `60006000${callSize}600073${account.slice(2)}5afa`, // staticcall(gas, account, 0, callSize, 0, 0)
    '606b5760006000fd5b', // revert on failure
    '3d600060003e3d6000f3', // return its result
  ]
  return `0x${program.join('')}${prepare}${call}`
}

const push3 = (value: number) => `62${value.toString(16).padStart(6, '0')}`
