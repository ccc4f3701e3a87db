import type { AnvilRpc } from './anvilRpc.ts'

/**
 * Takes away the contract that each block writes its parent's hash into (EIP-2935), so that the chain executes as fast after
 * thousands of blocks as at first; its absence is allowed for.
 *
 * Anvil makes the tries of all accounts and storages anew for each block (foundry's pull request 15715), and that contract gains
 * a slot with each. On a fork, each block would ask the origin for a slot more, and Anvil ends when it gets no answer to that.
 * `blockhash` still knows the last 256 blocks.
 */
export async function dropBlockHashHistory({ setCode }: AnvilRpc): Promise<void> {
  await setCode(blockHashHistory, '0x')
}

const blockHashHistory = '0x0000F90827F1C53a10cb7A02335B175320002935'
