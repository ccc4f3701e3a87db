import { createPublicClient, type Hex, type PublicClient, type Transport } from 'viem'
import { keyedLock } from '../../concurrency.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { ChainSetupError } from '../errors.ts'
import { waitForReceipt } from '../waitForReceipt.ts'

export type AnvilRpc = {
  client: PublicClient
  /** Sends from any account without its key. Resolves when the transaction is mined. */
  send: (transaction: { from: Hex; to?: Hex | undefined; data: Hex; value?: bigint | undefined }) => Promise<{
    hash: Hex
    contractAddress: Hex | undefined
  }>
  setBalance: (address: Hex, wei: bigint) => Promise<void>
  setCode: (address: Hex, code: Hex) => Promise<void>
  /** Mines one block every `seconds` seconds, and none in between. */
  setBlockTime: (seconds: number) => Promise<void>
}

export function anvilRpc(transport: Transport): AnvilRpc {
  const client = createPublicClient({
    transport,
    pollingInterval: 10,
  })
  const ask = (method: string, params: unknown[]) =>
    // viem's types do not list Anvil's methods.
    client.request({ method, params } as never) as Promise<unknown>
  const impersonated = new Set<string>()
  const oneAtATime = keyedLock()
  return {
    client,
    setBalance: async (address, wei) => {
      await ask('anvil_setBalance', [address, `0x${wei.toString(16)}`])
    },
    setCode: async (address, code) => {
      await ask('anvil_setCode', [address, code])
    },
    setBlockTime: async (seconds) => {
      await ask('evm_setAutomine', [false])
      await ask('evm_setIntervalMining', [seconds])
    },
    send: async ({ from, to, data, value = 0n }) => {
      if (!impersonated.has(from)) {
        await ask('anvil_impersonateAccount', [from])
        impersonated.add(from)
      }
      // An impersonated contract has no native coin for gas, and restoring a snapshot resets a balance that was set earlier.
      if ((await client.getBalance({ address: from })) < 10n ** 19n)
        await ask('anvil_setBalance', [from, `0x${(10n ** 21n).toString(16)}`])
      try {
        // Fixed fees, because Anvil's default can be below its own base fee.
        const fees = { maxFeePerGas: '0xe8d4a51000', maxPriorityFeePerGas: '0x0' }
        const sent = {
          from,
          data,
          value: `0x${value.toString(16)}`,
          ...fees,
          ...(to === undefined ? {} : { to }),
        }
        // One transaction per sender at a time, because Anvil can assign the same nonce twice. The result is a hash.
        const hash = (await oneAtATime(from, () => ask('eth_sendTransaction', [sent]))) as Hex
        const receipt = await waitForReceipt(client, hash)
        // A receipt lacks the revert reason. Repeating the call as `eth_call` returns it.
        if (receipt.status !== 'success') await ask('eth_call', [sent, 'latest'])
        if (receipt.status !== 'success') throw new ChainSetupError(`Transaction ${hash} was reverted.`)
        return { hash, contractAddress: receipt.contractAddress ?? undefined }
      } catch (cause) {
        throw setupError(cause)
      }
    },
  }
}

function setupError(cause: unknown): unknown {
  if (cause instanceof ChainSetupError) return cause
  const revert = revertDataOf(cause)
  if (revert === undefined) return cause
  return new ChainSetupError(`A setup transaction reverted: ${decodeRevert(revert).reason}.`, {
    cause,
    fix: 'On a fork, check that the pinned addresses hold the expected contracts.',
  })
}

/**
 * Removes the EIP-2935 contract, which stores each parent block's hash, to keep block production fast: Anvil rebuilds the tries of all
 * accounts for each block (foundry pull request 15715), and this contract gains a slot per block. On a fork, Anvil would also read a slot
 * from the origin for each block, and exits if that read fails. `blockhash` still works for the last 256 blocks.
 */
export async function dropBlockHashHistory({ setCode }: AnvilRpc): Promise<void> {
  await setCode(blockHashHistory, '0x')
}

const blockHashHistory = '0x0000F90827F1C53a10cb7A02335B175320002935'
