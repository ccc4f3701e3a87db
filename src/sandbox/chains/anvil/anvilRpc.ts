import { createPublicClient, type Hex, type PublicClient, type Transport } from 'viem'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { keyedLock } from '../../process/keyedLock.ts'
import { ChainSetupError } from '../errors.ts'
import { waitForReceipt } from '../waitForReceipt.ts'

/** What the set-up of a local chain needs of Anvil beyond an ordinary node. */
export type AnvilRpc = {
  client: PublicClient
  /** Sends from any account, without its key, and resolves when it is mined. */
  send: (transaction: { from: Hex; to?: Hex | undefined; data: Hex; value?: bigint | undefined }) => Promise<{
    hash: Hex
    contractAddress: Hex | undefined
  }>
  setBalance: (address: Hex, wei: bigint) => Promise<void>
  setCode: (address: Hex, code: Hex) => Promise<void>
  /** From now on a block every so many seconds, and none in between. */
  setBlockTime: (seconds: number) => Promise<void>
}

/**
 * Talks to an Anvil as its owner: impersonation, balances, code.
 *
 * @throws {@link ChainSetupError} when a transaction of the set-up is reverted
 */
export function anvilRpc(transport: Transport): AnvilRpc {
  const client = createPublicClient({
    transport,
    pollingInterval: 10,
  })
  const ask = (method: string, params: unknown[]) =>
    // Anvil's own methods are not in viem's list.
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
      // Also contracts can be impersonated, and have nothing to pay with; and a chain that was put back to a snapshot has forgotten
      // what they were given.
      if ((await client.getBalance({ address: from })) < 10n ** 19n)
        await ask('anvil_setBalance', [from, `0x${(10n ** 21n).toString(16)}`])
      try {
        // Fees by hand: what Anvil chooses itself can contradict its own base fee. The balance covers any.
        const fees = { maxFeePerGas: '0xe8d4a51000', maxPriorityFeePerGas: '0x0' }
        const sent = {
          from,
          data,
          value: `0x${value.toString(16)}`,
          ...fees,
          ...(to === undefined ? {} : { to }),
        }
        // `eth_sendTransaction` answers with a transaction hash.
        // One at a time for each sender: Anvil can give two the same nonce.
        const hash = (await oneAtATime(from, () => ask('eth_sendTransaction', [sent]))) as Hex
        const receipt = await waitForReceipt(client, hash)
        // A receipt says that it was reverted, and not why: the same call says that.
        if (receipt.status !== 'success') await ask('eth_call', [sent, 'latest'])
        if (receipt.status !== 'success') throw new ChainSetupError(`Transaction ${hash} was reverted.`)
        return { hash, contractAddress: receipt.contractAddress ?? undefined }
      } catch (cause) {
        throw refused(cause)
      }
    },
  }
}

/** What the set-up says of a transaction that was reverted; what failed otherwise stays as it is. */
function refused(cause: unknown): unknown {
  if (cause instanceof ChainSetupError) return cause
  const revert = revertDataOf(cause)
  if (revert === undefined) return cause
  return new ChainSetupError(`The set-up of the chain was refused: ${decodeRevert(revert).reason}.`, {
    cause,
    fix: 'On a fork, check that the contracts at the pinned addresses are what they should be.',
  })
}
